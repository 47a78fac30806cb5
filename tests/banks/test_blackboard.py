"""Items of QTI 1.2 in the forms of an export of Blackboard."""

from decimal import Decimal

import pytest

from lms_tui.banks.model import NumericKey, Question, Reading, TextKey
from lms_tui.banks.reader import read_exam
from lms_tui.wire.question_types import QuestionType

CHOICES = """<response_lid ident="response" rcardinality="{cardinality}"><render_choice>{labels}</render_choice>
</response_lid>"""
FIELD = '<response_{kind} ident="response"><render_fib fibtype="{type}"/></response_{kind}>'
WHOLE = '<setvar variablename="SCORE" action="Set">SCORE.max</setvar>'
D = Decimal
WRONG = """<respcondition title="incorrect"><conditionvar><other/></conditionvar>
<setvar variablename="SCORE" action="Set">0.0</setvar><displayfeedback linkrefid="incorrect"/></respcondition>"""


def material(words: str) -> str:
    return f"<material><mat_extension><mat_formattedtext>{words}</mat_formattedtext></mat_extension></material>"


def item(kind: str, responses: str, conditions: str, *, partial: str = "false", stem: str = "Q") -> str:
    return f"""<item><itemmetadata><bbmd_questiontype>{kind}</bbmd_questiontype>
<bbmd_partialcredit>{partial}</bbmd_partialcredit><qmd_absolutescore_max>4.0</qmd_absolutescore_max>
<qmd_weighting>0.0</qmd_weighting></itemmetadata><presentation><flow class="Block">
<flow class="QUESTION_BLOCK"><flow class="FORMATTED_TEXT_BLOCK">{material(stem)}</flow></flow>
<flow class="RESPONSE_BLOCK">{responses}</flow></flow></presentation>
<resprocessing scoremodel="SumOfScores">{conditions}{WRONG}</resprocessing>
<itemfeedback ident="b"><solution><solutionmaterial><flow_mat>{material("So.")}</flow_mat></solutionmaterial>
</solution></itemfeedback></item>"""


def read(text: str) -> Reading:
    whole = f"<questestinterop><assessment><section>{text}</section></assessment></questestinterop>"
    return read_exam(whole.encode(), "bank.dat")


def one(text: str) -> Question:
    reading = read(text)
    assert not reading.errors
    (question,) = reading.exam.questions
    return question


def choices(cardinality: str = "Single", texts: str = "a b c", form: str = "{}") -> str:
    labels = (
        f'<flow_label><response_label ident="{text}"><flow_mat>{material(form.format(text))}</flow_mat>'
        "</response_label></flow_label>"
        for text in texts.split()
    )
    return CHOICES.format(cardinality=cardinality, labels="".join(labels))


def rule(tests: str, effect: str = WHOLE, feedback: str = "correct") -> str:
    return (
        f"<respcondition><conditionvar>{tests}</conditionvar>{effect}"
        f'<displayfeedback linkrefid="{feedback}"/></respcondition>'
    )


def equal(value: str, response: str = "response") -> str:
    return f'<varequal respident="{response}" case="No">{value}</varequal>'


def percents(**shares: int) -> str:
    """The condition of each option, which names the option instead of the response."""
    return "".join(
        rule(equal("", name), f'<setvar variablename="SCORE" action="Set">{share}</setvar>', name)
        for name, share in shares.items()
    )


def test_an_option_is_correct_although_each_has_a_condition_of_its_own() -> None:
    question = one(item("Multiple Choice", choices(), rule(equal("b")) + percents(a=0, b=100, c=0)))
    assert [(option.html, option.correct, option.weight) for option in question.options] == [
        ("a", False, None), ("b", True, None), ("c", False, None),
    ]  # fmt: skip
    assert question.options[1].feedback_html == "So."
    assert question.marks == D(4)


def test_percents_count_only_where_partial_credit_is_on() -> None:
    conditions = rule(equal("b")) + percents(a=50, b=100, c=0)
    off, on = (one(item("Multiple Choice", choices(), conditions, partial=word)) for word in ("false", "true"))
    assert [option.weight for option in off.options] == [None, None, None]
    assert [option.weight for option in on.options] == [D("0.5"), None, None]
    assert [option.correct for option in on.options] == [False, True, False]


def test_several_answers_are_one_key_or_have_shares_with_partial_credit() -> None:
    key = rule(f"<and>{equal('a')}{equal('b')}<not>{equal('c')}</not></and>")
    conditions = key + percents(a=50, b=50, c=-50)
    whole, shares = (
        one(item("Multiple Answer", choices("Multiple"), conditions, partial=word)) for word in ("false", "true")
    )
    assert whole.kind is shares.kind is QuestionType.MULTIPLE
    assert [(option.correct, option.weight) for option in whole.options] == [(True, None), (True, None), (False, None)]
    assert [option.weight for option in shares.options] == [D("0.5"), D("0.5"), D("-0.5")]
    assert shares.marks == D(4)


def test_the_names_of_either_or_become_words() -> None:
    names = "yes_no.true yes_no.false"
    question = one(item("Either/Or", choices("Single", names), rule(equal("yes_no.false"))))
    assert [(option.html, option.correct) for option in question.options] == [("Yes", False), ("No", True)]


@pytest.mark.parametrize(
    ("effect", "key"),
    [
        ("", TextKey("hay")),
        ('<setvar variablename="EvaluationType" action="Set">EXACT</setvar>', TextKey("hay")),
        ('<setvar variablename="EvaluationType" action="Set">CONTAINS</setvar>', TextKey("*hay*")),
    ],
)
def test_a_filled_blank_has_its_answers_without_a_score(effect: str, key: TextKey) -> None:
    field = FIELD.format(kind="str", type="String")
    question = one(item("Fill in the Blank", field, rule(equal("hay"), effect)))
    assert (question.kind, question.texts) == (QuestionType.SHORT, (key,))


def test_a_blank_with_a_pattern_is_left_out_with_its_reason() -> None:
    field = FIELD.format(kind="str", type="String")
    effect = '<setvar variablename="EvaluationType" action="Set">MATCHES</setvar>'
    (error,) = read(item("Fill in the Blank", field, rule(equal("h.y"), effect))).errors
    assert error.message == (
        "The question “Q” was left out. Its answer is a pattern (regular expression), which is not supported."
    )


def test_a_number_has_its_range_without_a_score() -> None:
    bounds = '<vargte respident="response">137.0</vargte><varlte respident="response">167.0</varlte>'
    field = FIELD.format(kind="num", type="Decimal")
    question = one(item("Numeric", field, rule(bounds + equal("152.0"), "")))
    assert question.numbers == (NumericKey(D("137.0"), D("167.0")),)


def test_a_jumbled_sentence_offers_its_words_in_the_gap() -> None:
    responses = choices().replace('ident="response"', 'ident="x"')
    key = rule(f"<and>{equal('b', 'x')}</and>")
    question = one(item("Jumbled Sentence", responses, key, stem="A variable is [x]."))
    assert (question.html, question.texts) == ("A variable is [[1]].", (TextKey("b", 1),))
    assert question.gap_choices == (("a", "b", "c"),)


def test_a_quiz_bowl_is_left_out_with_its_reason() -> None:
    field = FIELD.format(kind="str", type="String")
    key = rule("<and><or><varsubstring>Freak</varsubstring></or></and>")
    (error,) = read(item("Quiz Bowl", field, key)).errors
    assert error.message == (
        "The question “Q” was left out. Its answer is a question of a quiz bowl, which is not supported."
    )


def test_accepted_texts_without_a_score_are_no_essay() -> None:
    text = item("", FIELD.format(kind="str", type="String"), rule(equal("hay"), ""))
    (error,) = read(text).errors
    assert error.message == "The question “Q” was left out. Its answers have no score."


def test_a_question_with_several_answers_is_known_by_its_type() -> None:
    key = rule(f"<and>{equal('a')}<not>{equal('b')}</not>{equal('c')}</and>")
    question = one(item("Multiple Answer", choices("Single"), key))
    assert [option.correct for option in question.options] == [True, False, True]
    assert question.kind is QuestionType.MULTIPLE


@pytest.mark.parametrize("names", ["xyz", "zab"])
def test_conditions_with_other_names_than_the_options_go_by_place(names: str) -> None:
    """Blackboard Ultra names an option twice, and Blackboard 9 counts the conditions from another number."""
    first, second, third = list(names)
    key = rule(f"<and>{equal(first)}<not>{equal(second)}</not>{equal(third)}</and>")
    several = one(item("Multiple Answer", choices("Multiple"), key))
    assert [option.correct for option in several.options] == [True, False, True]
    single = one(item("Multiple Choice", choices(), rule(equal(second)) + percents(**dict.fromkeys(names, 0))))
    assert [option.correct for option in single.options] == [False, True, False]


def test_a_condition_without_a_place_is_no_key() -> None:
    errors = read(item("Multiple Choice", choices(), rule(equal("unknown")))).errors
    assert [error.message for error in errors] == ["No answer is marked as correct."]


def test_an_order_with_other_names_than_its_items_is_left_out() -> None:
    key = rule(f"<and>{equal('y')}{equal('x')}{equal('z')}</and>")
    (error,) = read(item("Ordering", choices("Ordered"), key)).errors
    assert "left out" in error.message
