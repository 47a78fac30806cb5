from lms_tui.banks.choices import html_with_choices, html_without_choices
from lms_tui.banks.model import Question
from lms_tui.wire.question_types import QuestionType


def test_a_gap_shows_its_choices() -> None:
    question = Question(QuestionType.GAPS, "A [[1]] B [[2]] C [[3]]", gap_choices=(("x", "y < z"), ()))
    assert html_with_choices(question) == "A [[1]] (x / y &lt; z) B [[2]] C [[3]]"


def test_choices_of_all_gaps_are_shown_once() -> None:
    question = Question(QuestionType.GAPS, "A [[1]] B [[2]]", gap_choices=(("x", "y"), ("x", "y")))
    assert html_with_choices(question) == "A [[1]] B [[2]]<p>(x / y)</p>"


def test_gaps_without_choices_are_unchanged() -> None:
    assert html_with_choices(Question(QuestionType.GAPS, "A [[1]]")) == "A [[1]]"


def test_choices_written_into_a_text_can_be_removed_again() -> None:
    for choices in ((("x", "y < z"), ()), (("x", "y"), ("x", "y")), ((), ())):
        question = Question(QuestionType.GAPS, "A [[1]] B [[ 2 ]] (x / y)", gap_choices=choices)
        assert html_without_choices(html_with_choices(question), choices) == question.html
