"""ExamView's own XML."""

from lms_tui.banks.model import Option, Pair
from lms_tui.banks.reader import read_exam
from lms_tui.wire.question_types import QuestionType
from tests.banks.format_samples import EXAMVIEW


def test_types_by_their_abbreviations() -> None:
    first, second = read_exam(EXAMVIEW["single and multiple choice"].encode(), "bank.xml").exam.questions
    assert (first.kind, first.options) == (QuestionType.SINGLE, (Option("True"), Option("False", correct=True)))
    assert [option.correct for option in second.options] == [True, False, True]


def test_rows_of_one_group_are_one_match_with_distractors() -> None:
    (question,) = read_exam(EXAMVIEW["match"].encode(), "bank.xml").exam.questions
    assert question.pairs == (Pair("a", "2"), Pair("b", "1"), Pair("", "3"))


def test_what_cannot_be_asked_is_named() -> None:
    questions = "<question type='mtf'><text>Cats bark.</text><answer>F, meow</answer></question>"
    picture = (
        "<question type='tf'><text>See <pict>x</pict></text><answer>T</answer><info><notes>n</notes></info></question>"
    )
    reading = read_exam(f"<examview>{questions}{picture}</examview>".encode(), "bank.xml")
    assert [finding.message for finding in reading.findings] == [
        "The question “Cats bark.” was left out. Its type is “mtf”, which is not supported.",
        "Not imported, because exams cannot store it: pictures (question 1).",
        "Not imported, because exams cannot store it: the ExamView field notes (question 1).",
    ]
