"""QTI 2.x and 3.0 interaction by interaction."""

import re
from decimal import Decimal

import pytest

from lms_tui.banks.model import NumericKey, Option, Pair, Question, Reading, TextKey
from lms_tui.banks.reader import read_exam
from lms_tui.wire.question_types import QuestionType

D = Decimal
WITHIN = (
    '<and><gte><variable identifier="RESPONSE"/><baseValue>1</baseValue></gte>'
    '<lte><variable identifier="RESPONSE"/><baseValue>9</baseValue></lte></and>'
)
MAP_RESPONSE = '<responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/map_response"/>'
MATCH_CORRECT = '<responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct"/>'


def item(body: str, declaration: str = "", more: str = "") -> str:
    return (
        '<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i1" title="T" adaptive="false">'
        f"{declaration}<itemBody>{body}</itemBody>{more}</assessmentItem>"
    )


def response(
    correct: str = "", cardinality: str = "single", base: str = "identifier", more: str = "", name: str = "RESPONSE"
) -> str:
    values = "".join(f"<value>{value}</value>" for value in correct.split("|") if value)
    return (
        f'<responseDeclaration identifier="{name}" cardinality="{cardinality}" baseType="{base}">'
        f"<correctResponse>{values}</correctResponse>{more}</responseDeclaration>"
    )


def mapping(entries: str, more: str = "") -> str:
    listed = (entry.partition("=") for entry in entries.split("|"))
    written = "".join(f'<mapEntry mapKey="{key}" mappedValue="{value}"/>' for key, _, value in listed)
    return f"<mapping{more}>{written}</mapping>"


def choices(tag: str, texts: str) -> str:
    return "".join(f'<{tag} identifier="{text[0]}">{text}</{tag}>' for text in texts.split("|"))


def interaction(name: str, inside: str = "", more: str = "", response_name: str = "RESPONSE") -> str:
    return f'<{name} responseIdentifier="{response_name}"{more}>{inside}</{name}>'


def kebab(name: str) -> str:
    return re.sub("([A-Z])", r"-\1", name).lower()


def read(source: str) -> Reading:
    return read_exam(f'<?xml version="1.0" encoding="UTF-8"?>\n{source}'.encode(), "item.xml")


def one(source: str) -> Question:
    reading = read(source)
    assert reading.errors == ()
    (question,) = reading.exam.questions
    return question


def test_single_choice_with_prompt_feedback_and_marks() -> None:
    inside = "<prompt>Q?</prompt>"
    inside += '<simpleChoice identifier="A">a<feedbackInline identifier="A">no</feedbackInline></simpleChoice>'
    inside += (
        '<simpleChoice identifier="B"><math xmlns="http://www.w3.org/1998/Math/MathML"><mn>2</mn></math></simpleChoice>'
    )
    outcome = '<outcomeDeclaration identifier="SCORE" normalMaximum="3"/>'
    question = one(item(f"<p>Stem</p>{interaction('choiceInteraction', inside)}", response("B") + outcome))
    assert question.kind is QuestionType.SINGLE
    assert question.html == "<p>Stem</p><div>Q?</div>"
    assert question.options == (Option("a", feedback_html="no"), Option("<math><mn>2</mn></math>", True))
    assert (question.marks, question.title, question.identifier) == (D(3), "T", "i1")


def test_a_mapping_becomes_shares_only_if_it_is_used() -> None:
    declared = response("A|B", "multiple", more=mapping("A=1|B=1|C=-1", ' defaultValue="0"'))
    body = interaction("choiceInteraction", choices("simpleChoice", "A|B|C"), ' maxChoices="0"')
    mapped = one(item(body, declared, MAP_RESPONSE))
    assert [option.weight for option in mapped.options] == [D("0.5"), D("0.5"), D("-0.5")]
    assert mapped.marks == 2
    whole = one(item(body, declared, MATCH_CORRECT))
    assert [(option.correct, option.weight) for option in whole.options] == [(True, None), (True, None), (False, None)]


def test_a_text_entry_becomes_a_line_and_keeps_its_shares() -> None:
    declared = response("York", base="string", more=mapping("York=1|york=0.5"))
    question = one(item(f"<p>Sun of {interaction('textEntryInteraction')}!</p>", declared, MAP_RESPONSE))
    assert question.html == "<p>Sun of _____!</p>"
    assert question.texts == (
        TextKey("York", case_sensitive=True),
        TextKey("york", case_sensitive=True, weight=D("0.5")),
    )


@pytest.mark.parametrize(
    ("test", "key"),
    [
        (
            '<equal toleranceMode="absolute" tolerance="0.5 1"><variable identifier="RESPONSE"/><correct/></equal>',
            ("4.5", "6"),
        ),
        (
            '<equal toleranceMode="relative" tolerance="10"><variable identifier="RESPONSE"/><correct/></equal>',
            ("4.5", "5.5"),
        ),
        (WITHIN, ("1", "9")),
    ],
)
def test_numbers_have_the_tolerance_of_the_processing(test: str, key: tuple[str, str]) -> None:
    scored = '<setOutcomeValue identifier="SCORE"><baseValue>1</baseValue></setOutcomeValue>'
    condition = f"<responseCondition><responseIf>{test}{scored}</responseIf></responseCondition>"
    processing = f"<responseProcessing>{condition}</responseProcessing>"
    question = one(item(interaction("textEntryInteraction"), response("5", base="float"), processing))
    assert question.kind is QuestionType.NUMERIC
    assert question.numbers == (NumericKey(D(key[0]), D(key[1])),)


def test_essay_and_upload() -> None:
    assert one(item(interaction("extendedTextInteraction"), response(base="string"))).kind is QuestionType.ESSAY
    assert one(item(interaction("uploadInteraction"), response(base="file"))).kind is QuestionType.FILES
    typed = interaction("uploadInteraction", more=' type="application/pdf image/png"')
    assert one(item(typed, response(base="file"))).file_types == (".pdf", ".png")


def test_lists_inside_a_text_are_a_choice_or_gaps() -> None:
    first = interaction("inlineChoiceInteraction", choices("inlineChoice", "a|b"))
    second = interaction("textEntryInteraction", response_name="R2")
    alone = one(item(f"<p>x {first} y</p>", response("b")))
    assert (alone.kind, alone.html) == (QuestionType.SINGLE, "<p>x _____ y</p>")
    both = one(item(f"<p>x {first} y {second}</p>", response("b") + response("c", base="string", name="R2")))
    assert (both.kind, both.html) == (QuestionType.GAPS, "<p>x [[1]] y [[2]]</p>")
    assert both.texts == (TextKey("b", 1), TextKey("c", 2, case_sensitive=True))
    assert both.gap_choices == (("a", "b"), ())


def around(name: str, tolerance: str, mode: str = "absolute") -> str:
    compared = f'<variable identifier="{name}"/><correct identifier="{name}"/>'
    return f'<equal toleranceMode="{mode}" tolerance="{tolerance}">{compared}</equal>'


def set_if(condition: str, value: str, outcome: str = "SCORE") -> str:
    scored = f'<setOutcomeValue identifier="{outcome}">{value}</setOutcomeValue>'
    return f"<responseCondition><responseIf>{condition}{scored}</responseIf></responseCondition>"


HALF = "<baseValue>0.5</baseValue>"
ADDED = f'<sum><variable identifier="SCORE"/>{HALF}</sum>'


@pytest.mark.parametrize(
    "processing",
    [
        set_if(around("A", "0.5"), ADDED) + set_if(around("B", "10", "relative"), ADDED),
        set_if(f"<and>{around('A', '0.5')}{around('B', '10', 'relative')}</and>", "<baseValue>1</baseValue>"),
        set_if(around("A", "0.5"), HALF, "SCORE_A") + set_if(around("B", "10", "relative"), HALF, "SCORE_B"),
        set_if(WITHIN.replace("RESPONSE", "A"), ADDED) + set_if(around("B", "10", "relative"), ADDED),
        set_if(
            f"<and>{WITHIN.replace('RESPONSE', 'A')}{around('B', '10', 'relative')}</and>", "<baseValue>1</baseValue>"
        ),
    ],
    ids=[
        "each adds its part",
        "all or nothing",
        "scores of their own",
        "bounds and distance",
        "bounds and distance at once",
    ],
)
def test_gaps_take_numbers_within_the_tolerance_of_the_processing(processing: str) -> None:
    outcomes = '<outcomeDeclaration identifier="SCORE" baseType="float" normalMaximum="1"/>' + "".join(
        f'<outcomeDeclaration identifier="SCORE_{name}" baseType="float"/>' for name in "AB"
    )
    declared = response("5", base="float", name="A") + response("20", base="integer", name="B") + outcomes
    fields = (interaction("textEntryInteraction", response_name=name) for name in "AB")
    processing = f"<responseProcessing>{processing}</responseProcessing>"
    question = one(item(f"<p>{' m, or '.join(fields)} s</p>", declared, processing))
    assert question.html == "<p>[[1]] m, or [[2]] s</p>"
    first = NumericKey(D(1), D(9), gap=1) if "gte" in processing else NumericKey(D("4.5"), D("5.5"), gap=1)
    assert question.numbers == (first, NumericKey(D(18), D(22), gap=2))
    assert question.marks == 1


def test_numbers_in_feedback_are_not_keys() -> None:
    declared = response("5", base="float") + '<outcomeDeclaration identifier="FEEDBACK" baseType="identifier"/>'
    told = set_if(around("RESPONSE", "3"), "<baseValue>close</baseValue>", "FEEDBACK")
    question = one(
        item(interaction("textEntryInteraction"), declared, f"<responseProcessing>{told}</responseProcessing>")
    )
    assert question.numbers == (NumericKey(D(5), D(5)),)


ELSEWHERE = '<outcomeDeclaration identifier="QUE_SCORE" cardinality="single" baseType="float"/>'
ALL = '<sum><variable identifier="QUE_SCORE"/><baseValue baseType="float">100.0</baseValue></sum>'


def matches(text: str, test: str = "stringMatch", name: str = "RESPONSE") -> str:
    return f'<{test} caseSensitive="false"><variable identifier="{name}"/><baseValue>{text}</baseValue></{test}>'


def processed(*conditions: str) -> str:
    return f"<responseProcessing>{''.join(conditions)}</responseProcessing>"


@pytest.mark.parametrize("outcome", ["QUE_SCORE", "OUTCOME"])
def test_a_blank_with_another_score_keeps_its_key(outcome: str) -> None:
    processing = processed(*(set_if(matches(text), ALL, outcome) for text in ("York", "New York")))
    declared = response(base="string") + ELSEWHERE.replace("QUE_SCORE", outcome)
    question = one(item(f"<p>Where? {interaction('textEntryInteraction')}</p>", declared, processing))
    assert (question.kind, question.texts) == (QuestionType.SHORT, (TextKey("York"), TextKey("New York")))


def test_a_part_of_another_score_is_a_share() -> None:
    whole = '<match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match>'
    conditions = (set_if(whole, "<baseValue>1</baseValue>", "SCORE1"), set_if(matches("near"), HALF, "SCORE1"))
    declared = response("York", base="string") + ELSEWHERE.replace("QUE_SCORE", "SCORE1")
    question = one(item(interaction("textEntryInteraction"), declared, processed(*conditions)))
    assert {key.text: key.weight for key in question.texts} == {"York": 1, "near": D("0.5")}


def test_choices_with_another_score_keep_their_keys() -> None:
    body = interaction("choiceInteraction", choices("simpleChoice", "A|B|C"))
    right = one(item(body, response() + ELSEWHERE, processed(set_if(matches("B", "match"), ALL, "QUE_SCORE"))))
    assert [option.correct for option in right.options] == [False, True, False]
    wrong = f"<not>{matches('C', 'member')}</not>"
    both = set_if(f"<and>{matches('A', 'member')}{matches('B', 'member')}{wrong}</and>", ALL, "QUE_SCORE")
    several = one(item(body, response(cardinality="multiple") + ELSEWHERE, processed(both)))
    assert [option.correct for option in several.options] == [True, True, False]


def test_a_score_that_another_outcome_becomes_keeps_the_key() -> None:
    total = '<setOutcomeValue identifier="SCORE"><variable identifier="QUE_SCORE"/></setOutcomeValue>'
    processing = processed(set_if(matches("York"), ALL, "QUE_SCORE"), total)
    declared = response(base="string") + '<outcomeDeclaration identifier="SCORE" baseType="float"/>' + ELSEWHERE
    assert one(item(interaction("textEntryInteraction"), declared, processing)).texts == (TextKey("York"),)


@pytest.mark.parametrize("count", [1, 2])
def test_a_blank_whose_key_is_not_found_is_an_error(count: int) -> None:
    names = [f"R{at}" for at in range(1, count + 1)]
    unknown = f'<patternMatch pattern="Y.*"><variable identifier="R{count}"/></patternMatch>'
    conditions = [set_if(matches("x", name=name), ALL, "QUE_SCORE") for name in names[:-1]]
    fields = "".join(interaction("textEntryInteraction", response_name=name) for name in names)
    declared = "".join(response(base="string", name=name) for name in names) + ELSEWHERE
    reading = read(item(fields, declared, processed(*conditions, set_if(unknown, ALL, "QUE_SCORE"))))
    assert reading.exam.questions == ()
    why = f"The right answer of its field “R{count}” was not found."
    assert [(finding.line, finding.message) for finding in reading.errors] == [
        (2, f"The question “T” was left out. {why}"),
    ]


def test_wider_tolerance_earns_its_share() -> None:
    near = set_if(around("RESPONSE", "1"), "<baseValue>2</baseValue>")
    far = set_if(around("RESPONSE", "5"), "<baseValue>1</baseValue>")
    processing = f"<responseProcessing>{near}{far}</responseProcessing>"
    question = one(item(interaction("textEntryInteraction"), response("10", base="float"), processing))
    assert question.numbers == (NumericKey(D(9), D(11)), NumericKey(D(5), D(15), D("0.5")))


def test_gap_match_offers_every_text_to_every_gap() -> None:
    inside = (
        choices("gapText", "winter|summer|x") + '<p>Now is the <gap identifier="G1"/> made <gap identifier="G2"/></p>'
    )
    question = one(item(interaction("gapMatchInteraction", inside), response("w G1|s G2", "multiple", "directedPair")))
    assert question.html == "<p>Now is the [[1]] made [[2]]</p>"
    assert question.texts == (TextKey("winter", 1), TextKey("summer", 2))
    assert question.gap_choices == (("winter", "summer", "x"),) * 2


def test_match_associate_and_order_become_rows() -> None:
    sides = "".join(
        f"<simpleMatchSet>{choices('simpleAssociableChoice', s)}</simpleMatchSet>" for s in ("a|b", "x|y|z")
    )
    matched = one(item(interaction("matchInteraction", sides), response("a y|b x", "multiple", "directedPair")))
    assert matched.pairs == (Pair("a", "y"), Pair("b", "x"), Pair("", "z"))
    associated = interaction("associateInteraction", choices("simpleAssociableChoice", "a|b|c|d"))
    assert one(item(associated, response("a d|c b", "multiple", "pair"))).pairs == (Pair("a", "d"), Pair("c", "b"))
    ordered = interaction("orderInteraction", choices("simpleChoice", "a|b"))
    assert one(item(ordered, response("b|a", "ordered"))).pairs == (Pair("1.", "b"), Pair("2.", "a"))


def test_hot_text_and_slider() -> None:
    hot = interaction("hottextInteraction", f"<p>The {choices('hottext', 'cat|dog')} sat</p>")
    question = one(item(hot, response("d")))
    assert question.html == "<p>The catdog sat</p>"
    assert [(option.html, option.correct) for option in question.options] == [("cat", False), ("dog", True)]
    assert one(item(interaction("sliderInteraction"), response("7", base="integer"))).numbers == (
        NumericKey(D(7), D(7)),
    )


def test_item_with_several_interactions_is_several_questions() -> None:
    first = interaction("choiceInteraction", f"<prompt>One?</prompt>{choices('simpleChoice', 'a|b')}")
    second = interaction("extendedTextInteraction", "<prompt>Why?</prompt>", response_name="R2")
    reading = read(item(f"<p>Read.</p>{first}{second}", response("a") + response(base="string", name="R2")))
    assert [(q.kind, q.html, q.direction_html, q.identifier) for q in reading.exam.questions] == [
        (QuestionType.SINGLE, "<div>One?</div>", "<p>Read.</p>", "i1"),
        (QuestionType.ESSAY, "<div>Why?</div>", "<p>Read.</p>", "i1-2"),
    ]


def test_feedback_that_is_always_shown_is_the_explanation() -> None:
    body = interaction("choiceInteraction", choices("simpleChoice", "a|b"))
    told = '<modalFeedback identifier="explanation" outcomeIdentifier="F">Because.</modalFeedback>'
    assert one(item(body, response("a"), told)).explanation_html == "Because."
    both = '<modalFeedback identifier="ok">Yes</modalFeedback><modalFeedback identifier="ko">No</modalFeedback>'
    reading = read(item(body, response("a"), both))
    assert reading.exam.questions[0].explanation_html == ""
    assert "general feedback to correct or incorrect answers" in reading.findings[0].message


@pytest.mark.parametrize(
    "name", ["hotspotInteraction", "customInteraction", "drawingInteraction", "graphicGapMatchInteraction"]
)
def test_an_unsupported_interaction_is_reported(name: str) -> None:
    (error,) = read(item(interaction(name), response())).errors
    assert name in error.message
    assert error.line == 2


def test_qti_3_is_read_like_qti_2() -> None:
    source = item(
        interaction("choiceInteraction", f"<prompt>Q?</prompt>{choices('simpleChoice', 'a|b')}", ' maxChoices="1"'),
        response("b"),
    )
    names = ("assessmentItem", "responseDeclaration", "correctResponse", "value", "itemBody", "choiceInteraction")
    for name in (*names, "prompt", "simpleChoice"):
        source = re.sub(rf"(</?){name}\b", rf"\1qti-{kebab(name)}", source)
    for name in ("responseIdentifier", "baseType", "maxChoices"):
        source = source.replace(name, kebab(name))
    assert "qti-simple-choice" in source
    assert one(source).options == (Option("a"), Option("b", True))


def test_test_with_its_items_inside_a_single_file_names_what_is_missing() -> None:
    section = '<assessmentSection title="A"><assessmentItemRef identifier="x" href="items/x.xml"/></assessmentSection>'
    part = f'<testPart><timeLimits maxTime="3600"/>{section}</testPart>'
    reading = read(f'<assessmentTest identifier="t" title="Paper">{part}</assessmentTest>')
    assert reading.exam.title == "Paper"
    assert "“items/x.xml”" in reading.errors[0].message
