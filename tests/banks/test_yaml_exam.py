"""The YAML format of this program: each construct, and what becomes of slips."""

from datetime import timedelta
from decimal import Decimal

import pytest

from lms_tui.banks.model import Criterion, NumericKey, Option, Pair, Question, Reading, TextKey
from lms_tui.banks.reader import read_exam
from lms_tui.banks.writers.write import Target, write
from lms_tui.banks.yaml_values import duration_of
from lms_tui.common.calculator import Scope
from lms_tui.wire.question_types import QuestionType

D = Decimal


def read(text: str) -> Reading:
    return read_exam(text.encode(), "unit-3.yaml")


def one(text: str, stem: str = "Q") -> Question:
    body = "\n".join(f"    {line}" for line in text.splitlines())
    reading = read(f"questions:\n  - question: {stem}\n{body}\n")
    assert reading.findings == ()
    (question,) = reading.exam.questions
    return question


def messages(reading: Reading) -> str:
    return " ".join(finding.message for finding in reading.findings)


def test_whole_exam_has_its_settings_and_sections() -> None:
    reading = read(
        "title: Motion\nduration: 1 h 30 min\nmarks: 4\nnegative marks: 1\nretakes: 2\nshow answers: no\nlanguage: en\n"
        "sections:\n  - name: A\n    duration: 45 min\n    cut off: 3\n    instructions: Be *quick*.\n"
        "    questions:\n      - question: Why?\n        essay: yes\n  - name: B\n    questions: [How?]\n"
    )
    exam = reading.exam
    assert (exam.title, exam.duration, exam.mark_per_question, exam.negative_marks) == (
        "Motion",
        timedelta(hours=1, minutes=30),
        D(4),
        D(1),
    )
    assert (exam.allow_retake, exam.max_retakes, exam.show_answers) == (True, 2, False)
    first = exam.sections[0]
    assert (first.name, first.duration, first.cut_off) == ("A", timedelta(minutes=45), 3)
    assert first.instructions_html == "Be <em>quick</em>."
    assert len(exam.questions) == 2


def test_a_second_exam_in_the_file_is_an_error() -> None:
    one = "title: One\nquestions:\n  - {question: A?, options: [{right: 1}, 2]}\n"
    reading = read(f"{one}---\n{one}")
    assert [(error.line, error.message) for error in reading.errors] == [
        (5, "A second exam begins here and was left out. Write it into a file of its own.")
    ]
    assert read(f"---\n{one}---\n").errors == read(f"---\n{one}...\n").errors == ()


@pytest.mark.parametrize(
    ("written", "scope"),
    [("no", Scope.NONE), ("basic", Scope.BASIC), ("Scientific", Scope.SCIENTIFIC), ("yes", Scope.SCIENTIFIC)],
)
def test_the_calculator_of_an_exam(written: str, scope: Scope) -> None:
    reading = read(f"calculator: {written}\nquestions: [How?]\n")
    assert (reading.exam.calculator, reading.findings) == (scope, ())


def test_an_unknown_calculator_is_named_and_every_calculator_is_allowed() -> None:
    reading = read("calculator: graphing\nquestions: [How?]\n")
    assert reading.exam.calculator is Scope.SCIENTIFIC
    assert messages(reading) == "“graphing” is not a calculator. Write no, basic or scientific."


def test_the_reference_sheet_is_written_in_the_format_of_the_file() -> None:
    reading = read("reference sheet: |\n  Force is *mass* times $a$.\nquestions: [How?]\n")
    assert reading.exam.reference_html == "Force is <em>mass</em> times $a$."


def test_an_option_is_incorrect_unless_it_says_right() -> None:
    question = one("options:\n  - right: $x < 2$\n    feedback: yes\n  - no\n  - wrong: 1e3\n    weight: -25 %")
    assert question.kind is QuestionType.SINGLE
    assert question.options == (
        Option("$x &lt; 2$", True, feedback_html="yes"),
        Option("no"),
        Option("1e3", weight=D("-0.25")),
    )


def test_several_correct_options_make_a_multiple_choice() -> None:
    assert one("options:\n  - right: a\n  - right: b").kind is QuestionType.MULTIPLE
    assert one("type: multiple\noptions:\n  - right: a\n  - b").kind is QuestionType.MULTIPLE


def test_short_answers_and_numbers() -> None:
    question = one("answer:\n  - Bern*\n  - text: Genf\n    weight: 50%\n    case: yes")
    assert question.texts == (TextKey("Bern*"), TextKey("Genf", 0, True, D("0.5")))
    assert one("number: 9.81 ± 0.02").numbers == (NumericKey(D("9.79"), D("9.83")),)
    assert one("number: [1 to 3, -4 +- 1, 7]").numbers == (
        NumericKey(D(1), D(3)),
        NumericKey(D(-5), D(-3)),
        NumericKey(D(7), D(7)),
    )


def test_gaps_take_numbers() -> None:
    question = one("gaps:\n  - number: 0.92 ± 0.01\n  - [water, {text: brine, weight: 50 %}]", "Ice [[1]], on [[2]]")
    assert question.numbers == (NumericKey(D("0.91"), D("0.93"), gap=1),)
    assert question.texts == (TextKey("water", 2), TextKey("brine", 2, weight=D("0.5")))


def test_gaps_and_matches() -> None:
    question = one(
        "gaps:\n  - dioxide\n  - [oxygen, O2]\n  - choices: [up, down]\n    answer: up", "In [[1]] [[2]] [[3]]"
    )
    assert question.texts == (TextKey("dioxide", 1), TextKey("oxygen", 2), TextKey("O2", 2), TextKey("up", 3))
    assert question.gap_choices == ((), (), ("up", "down"))
    assert one("match:\n  France: Paris\n  Italy: Rome").pairs == (Pair("France", "Paris"), Pair("Italy", "Rome"))
    assert one("match:\n  - France: Paris\n  - Rome").pairs == (Pair("France", "Paris"), Pair("", "Rome"))


def test_true_false_essay_and_file_questions_are_read() -> None:
    assert one("true or false: no").options == (Option("True"), Option("False", True))
    assert one("essay: yes\ntopics: [a, b]").essay_topics == ("a", "b")
    assert one("files: yes").kind is QuestionType.FILES


@pytest.mark.parametrize(
    ("written", "types", "most"),
    [
        ("yes", (), 1),
        ("{types: [pdf, .JPG, '*.png', pdf], most: 3}", (".pdf", ".jpg", ".png"), 3),
        ("{types: pdf}", (".pdf",), 1),
        ("{most: 20}", (), 20),
    ],
)
def test_files_have_types_and_a_number(written: str, types: tuple[str, ...], most: int) -> None:
    question = one(f"files: {written}")
    assert (question.kind, question.file_types, question.most_files) == (QuestionType.FILES, types, most)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("{types: [image/png]}", "“image/png” is not a file type. Write the end of a file name, such as pdf."),
        ("{most: many}", "“many” is not a number of files. Write a number from 1 to 20."),
        ("{most: 21}", "“21” is not a number of files."),
        ("{most: 0}", "“0” is not a number of files."),
        ("{kinds: pdf}", "“kinds” is unknown"),
    ],
)
def test_what_does_not_tell_which_files_is_reported(written: str, words: str) -> None:
    reading = read(f"questions:\n  - question: Q\n    files: {written}\n")
    assert words in reading.findings[0].message
    assert (reading.exam.questions[0].file_types, reading.exam.questions[0].most_files) == ((), 1)


def test_passage_is_named_or_written_in_place() -> None:
    reading = read(
        "passages:\n  fox: |\n    A **fox**.\n\nquestions:\n  - question: Q\n    essay: y\n    passage: fox\n"
        "  - question: Q\n    essay: y\n    passage: Another.\n"
    )
    assert [q.direction_html for q in reading.exam.questions] == ["A <strong>fox</strong>.", "Another."]


def test_everything_else_of_a_question() -> None:
    question = one(
        "essay: y\ntitle: T\nsubject: Physics / Optics\nmarks: 2.5\nid: q1\ntags: [x, y]\nexplanation: Because"
    )
    assert question.subject == ("Physics", "Optics")
    assert (question.title, question.marks, question.identifier, question.tags) == ("T", D("2.5"), "q1", ("x", "y"))
    assert (question.explanation_html, question.line) == ("Because", 2)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("45 min", 2700), ("90", 5400), ("1:30:00", 5400), ("1 h 5 m 3 s", 3903), ("2 days", 172800), ("30:00", 1800)],
)
def test_durations(text: str, seconds: int) -> None:
    assert duration_of(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("duration: soon", "“soon” is not a duration. Write 45 min, 1 h 30 min, 1:30:00 or none."),
        ("duration: 1:30", "“1:30” means 1 min 30 s. For hours, write 1:30:00."),
        ("duration: none", ""),
        ("retakes: maybe", "“maybe” is not a value for retakes. Write no, a number or unlimited."),
        ("show answers: soon", "“soon” does not say when answers are shown. Write yes, no or after closing."),
    ],
)
def test_a_setting_that_is_unclear_is_told_with_what_to_write(head: str, words: str) -> None:
    assert messages(read(f"{head}\nquestions:\n  - {{question: Q, answer: a}}\n")) == words


@pytest.mark.parametrize(
    ("slip", "words"),
    [
        ("optoins: [a]", "Did you mean “options”"),
        ("marks: many", "not a number"),
        ("options: [{right: a, wrong: b}]", "neither right nor wrong"),
        ("number: about five", "not a number"),
        ("type: riddle", "not a question type"),
        ("answer: a\n    number: 5", "several kinds"),
        ("duration: 5", "is unknown"),
    ],
)
def test_a_mistake_is_reported_with_its_line_and_the_rest_is_read(slip: str, words: str) -> None:
    reading = read(f"questions:\n  - question: Good\n    essay: yes\n  - question: Q\n    {slip}\n")
    assert reading.exam.questions[0].html == "Good"
    assert words in messages(reading)
    assert reading.findings[0].line in {4, 5}


@pytest.mark.parametrize(
    "broken", ['"unclosed', "[a, b", "a: b: c", "\t- x", "&a *a", "!!python/object:os.system x", "{"]
)
def test_one_broken_question_does_not_lose_the_others(broken: str) -> None:
    good = "  - question: Good\n    essay: yes\n"
    reading = read(f"title: T\nquestions:\n{good}  - question: Bad\n    title: {broken}\n    essay: yes\n{good}")
    assert [q.html for q in reading.exam.questions if q.html == "Good"] == ["Good", "Good"]
    assert reading.exam.title == "T"


@pytest.mark.parametrize(
    ("broken", "line", "words"),
    [
        ("    options:\n      - right: a\n     - b\n", 5, "The indent does not fit the lines above"),
        ("    essay: yes\n\t- question: R\n", 4, "A tab stands in the indent. Use blanks."),
        ("    explanation: Note: a\n    essay: yes\n", 3, "Put a text with a colon between quotes."),
        ("    explanation: 'it's'\n    essay: yes\n", 3, "a text goes on after its quotes"),
        ('    explanation: "a\n    essay: yes\n', 3, "The quotes are not closed."),
        ('    explanation: "\\q"\n    essay: yes\n', 3, "Write single quotes in their place."),
        ("    answer: [a, b\n    subject: c\n", 3, "The bracket [ is not closed with ]."),
        ("    rubric: {a: 1\n    subject: c\n", 3, "The bracket { is not closed with }."),
        ("    explanation: | a\n      b\n", 3, "the text begins in the next line"),
        ("    answer: - a\n", 3, "Begin the list in the next line."),
        ("    answer: `a`\n", 3, "A text begins with a special character. Put it between quotes."),
    ],
)
def test_broken_yaml_is_explained_to_a_person_who_writes_an_exam(broken: str, line: int, words: str) -> None:
    found = read(f"questions:\n  - question: Q\n{broken}").errors[0]
    assert words in found.message
    assert "while " not in found.message
    assert found.line == line


@pytest.mark.parametrize(
    ("name", "hint"), [("trian", " Did you mean “train”?"), ("boat", ""), ("Two lines\n      of a text.", None)]
)
def test_a_passage_that_is_a_slip_of_a_name_is_reported(name: str, hint: str | None) -> None:
    reading = read(f"passages: {{train: A train.}}\nquestions:\n  - question: Q\n    passage: {name}\n    essay: yes\n")
    told = f"No passage has the name “{name}”. The name is shown as the text.{hint}"
    assert messages(reading) == ("" if hint is None else told)


@pytest.mark.parametrize(
    "text", ["marks: -4\nquestions: [Q]\n", "questions:\n  - {question: Q, essay: yes, marks: -4}\n"]
)
def test_marks_below_zero_are_an_error(text: str) -> None:
    (found,) = read(text).errors
    assert found.message == "“-4” is below 0. Write what a correct answer gives, and the cost as negative marks."


def test_references_are_refused() -> None:
    reading = read("title: &a x\nslug: *a\nquestions: [Q]\n")
    assert "Aliases" in messages(reading)


def test_deep_nesting_is_refused() -> None:
    assert "nested deeper" in messages(read("questions:\n  " + "[" * 500 + "]" * 500))
    assert read("questions:\n" + "[" * 100_000).errors


def test_a_rubric_divides_the_marks_of_a_question() -> None:
    question = one("essay: yes\nmarks: 4\nrubric:\n  Argument: 2.5\n  Language: 1.5")
    assert question.rubric == (Criterion("Argument", D("2.5")), Criterion("Language", D("1.5")))
    assert read("marks: 4\nquestions:\n  - {question: Q, essay: yes, rubric: {A: 3, B: 1}}\n").findings == ()


@pytest.mark.parametrize(
    ("rubric", "message"),
    [
        ("{A: 3, B: 2}", "The points of its rubric add up to 5, and its marks are 4."),
        ("{A: 4, B: 0}", "Its rubric does not consist of names and points above 0"),
        ("[A, B]", "Its rubric does not consist of names and points above 0"),
        ("{A: many}", "“many” is not a number and was left out."),
    ],
)
def test_a_rubric_that_cannot_be_used_is_an_error(rubric: str, message: str) -> None:
    reading = read(f"questions:\n  - {{question: Q, essay: yes, marks: 4, rubric: {rubric}}}\n")
    assert message in messages(reading)
    assert reading.errors


def test_a_rubric_is_written_and_read_back() -> None:
    reading = read("questions:\n  - {question: Q, essay: yes, marks: 4, rubric: {A: 3.5, B: 0.5}}\n")
    written = write(reading.exam, Target.YAML)
    assert read_exam(written.data, "x.yaml").exam.questions[0].rubric == reading.exam.questions[0].rubric
    assert written.findings == ()
    assert "rubrics" in " ".join(each.message for each in write(reading.exam, Target.GIFT).findings)
