"""QTI 1.2 construct by construct."""

from decimal import Decimal

import pytest

from lms_tui.banks.model import NumericKey, Option, Pair, Question, Reading, TextKey
from lms_tui.banks.reader import read_exam
from lms_tui.wire.question_types import QuestionType

D = Decimal


def read(items: str) -> Reading:
    return read_exam(f'<?xml version="1.0"?><questestinterop>{items}</questestinterop>'.encode(), "bank.xml")


def text(body: str, kind: str = "text/html") -> str:
    return f'<material><mattext texttype="{kind}">{body}</mattext></material>'


def item(presentation: str, rules: str, meta: str = "", more: str = "") -> str:
    fields = "".join(
        f"<qtimetadatafield><fieldlabel>{name}</fieldlabel><fieldentry>{value}</fieldentry></qtimetadatafield>"
        for name, _, value in (part.partition("=") for part in meta.split(";") if part)
    )
    return (
        f'<item ident="i1" title="T"><itemmetadata><qtimetadata>{fields}</qtimetadata></itemmetadata>'
        f"<presentation>{presentation}</presentation><resprocessing>{rules}</resprocessing>{more}</item>"
    )


def choice(ident: str, labels: str, cardinality: str = "Single", prompt: str = "") -> str:
    options = "".join(
        f'<response_label ident="{at}">{text(label, "text/plain")}</response_label>'
        for at, label in enumerate(labels.split("|"))
    )
    return (
        f'<response_lid ident="{ident}" rcardinality="{cardinality}">{prompt}<render_choice>{options}</render_choice>'
        "</response_lid>"
    )


def rule(condition: str, score: str | None, feedback: str = "") -> str:
    earned = "" if score is None else f'<setvar action="Set" varname="SCORE">{score}</setvar>'
    told = f'<displayfeedback linkrefid="{feedback}"/>' if feedback else ""
    return f"<respcondition><conditionvar>{condition}</conditionvar>{earned}{told}</respcondition>"


def equal(value: str, ident: str = "r") -> str:
    return f'<varequal respident="{ident}">{value}</varequal>'


def feedback(ident: str, body: str) -> str:
    return f'<itemfeedback ident="{ident}"><flow_mat>{text(body)}</flow_mat></itemfeedback>'


def one(source: str) -> Question:
    reading = read(source)
    assert reading.errors == ()
    (question,) = reading.exam.questions
    return question


def test_single_choice_with_feedback_marks_and_explanation() -> None:
    rules = (
        rule(equal("0"), None, "0_fb") + rule(equal("1"), "100", "correct_fb") + rule("<other/>", None, "general_fb")
    )
    more = feedback("0_fb", "no") + feedback("general_fb", "because") + feedback("correct_fb", "yes")
    question = one(item(text("&lt;p&gt;Q?&lt;/p&gt;") + choice("r", "a|b"), rules, "points_possible=2.5", more))
    assert question.kind is QuestionType.SINGLE
    assert question.html == "<p>Q?</p>"
    assert question.options == (Option("a", feedback_html="no"), Option("b", True))
    assert (question.marks, question.explanation_html, question.identifier) == (D("2.5"), "because", "i1")


def test_the_key_of_a_multiple_choice_names_required_and_forbidden_options() -> None:
    condition = f"<and>{equal('0')}<not>{equal('1')}</not>{equal('2')}</and>"
    question = one(item(text("Q") + choice("r", "a|b|c", "Multiple"), rule(condition, "100")))
    assert question.kind is QuestionType.MULTIPLE
    assert [(option.correct, option.weight) for option in question.options] == [
        (True, None),
        (False, None),
        (True, None),
    ]


def test_scores_that_add_up_become_shares() -> None:
    rules = rule(equal("0"), "50") + rule(equal("1"), "50") + rule(equal("2"), "-25")
    question = one(item(text("Q") + choice("r", "a|b|c", "Multiple"), rules))
    assert [option.weight for option in question.options] == [D("0.5"), D("0.5"), D("-0.25")]


def test_each_short_answer_is_a_key_and_a_star_is_literal() -> None:
    field = '<response_str ident="r"><render_fib><response_label ident="a"/></render_fib></response_str>'
    question = one(item(text("Q") + field, rule(equal("a*b") + equal("c"), "100")))
    assert question.texts == (TextKey(r"a\*b"), TextKey("c"))


BLACKBOARD_MATCH = """
<item><itemmetadata><bbmd_questiontype>Matching</bbmd_questiontype></itemmetadata><presentation><flow class="Block">
<flow class="QUESTION_BLOCK"><flow>{stem}</flow></flow>
<flow class="RESPONSE_BLOCK">
<flow class="Block"><flow>{left}</flow><response_lid ident="r1"><render_choice><flow_label>
<response_label ident="a"/><response_label ident="b"/><response_label ident="c"/></flow_label></render_choice>
</response_lid></flow></flow>
<flow class="RIGHT_MATCH_BLOCK"><flow class="Block">{one}</flow><flow class="Block">{two}</flow></flow>
</flow></presentation><resprocessing>
<respcondition><conditionvar><varequal respident="r1">{key}</varequal></conditionvar>
<displayfeedback linkrefid="correct"/></respcondition>
<respcondition><conditionvar><other/></conditionvar><setvar>0.0</setvar></respcondition></resprocessing></item>"""


def blackboard_match(key: str) -> Reading:
    words = {"stem": "Classify.", "left": "cat", "one": "insect", "two": "mammal"}
    return read(BLACKBOARD_MATCH.format(key=key, **{name: text(word) for name, word in words.items()}))


def test_a_match_of_blackboard_has_its_right_sides_beside_the_rows() -> None:
    (question,) = blackboard_match("b").exam.questions
    assert (question.html, question.pairs) == ("Classify.", (Pair("cat", "mammal"), Pair("", "insect")))


def test_a_row_of_blackboard_without_a_right_side_is_an_error_that_names_the_question() -> None:
    assert [error.message for error in blackboard_match("c").errors] == [
        "The question “Classify.” was left out. Its row “cat” has no right side."
    ]


def test_a_field_inside_a_text_becomes_a_line() -> None:
    field = '<response_str ident="r"><render_fib/></response_str>'
    question = one(item(f"<flow>{text('One')}{field}{text('three')}</flow>", rule(equal("two"), "1")))
    assert question.html == "One _____ three"


def test_field_without_a_key_is_an_essay() -> None:
    field = '<response_str ident="r"><render_fib/></response_str>'
    assert one(item(text("Q") + field, rule("<other/>", None))).kind is QuestionType.ESSAY


def test_numbers_within_bounds_and_around_a_value() -> None:
    field = '<response_str ident="r"><render_fib fibtype="Decimal"/></response_str>'
    bounds = '<vargte respident="r">4.5</vargte><varlte respident="r">5.5</varlte>'
    question = one(
        item(text("Q") + field, rule(f"<or>{equal('5')}<and>{bounds}</and></or>", "100") + rule(equal("7"), "50"))
    )
    assert question.numbers == (NumericKey(D("4.5"), D("5.5")), NumericKey(D(7), D(7), D("0.5")))


def test_each_gap_accepts_numbers_within_its_bounds() -> None:
    fields = "".join(
        f'{text("and")}<response_str ident="{name}"><render_fib fibtype="{kind}"/></response_str>'
        for name, kind in (("a", "Decimal"), ("b", "Integer"), ("c", "String"))
    )
    bounds = "".join(
        f'<vargte respident="{name}">{low}</vargte><varlte respident="{name}">{high}</varlte>'
        for name, low, high in (("a", "4.5", "5.5"), ("b", "9", "11"))
    )
    question = one(item(fields, rule(f"<and>{bounds}{equal('km', 'c')}</and>", "1") + rule(equal("20", "b"), "1")))
    assert question.kind is QuestionType.GAPS
    assert question.numbers == (
        NumericKey(D("4.5"), D("5.5"), gap=1),
        NumericKey(D(9), D(11), gap=2),
        NumericKey(D(20), D(20), gap=2),
    )
    assert question.texts == (TextKey("km", 3),)


def test_match_has_rows_and_distractors() -> None:
    rows = choice("x", "Paris|Rome", prompt=text("France")) + choice("y", "Paris|Rome|Oslo", prompt=text("Italy"))
    question = one(item(text("Q") + rows, rule(equal("0", "x"), "50") + rule(equal("1", "y"), "50")))
    assert question.pairs == (Pair("France", "Paris"), Pair("Italy", "Rome"), Pair("", "Oslo"))


def test_blanks_of_canvas_become_gaps() -> None:
    rows = choice("response_colour", "red|crimson", prompt=text("colour")) + choice(
        "response_two", "violets", prompt=text("two")
    )
    rules = rule(equal("0", "response_colour"), "50") + rule(equal("0", "response_two"), "50")
    body = text("Roses are [colour], [two] are blue")
    typed = one(item(body + rows, rules, "question_type=fill_in_multiple_blanks_question"))
    assert typed.html == "Roses are [[1]], [[2]] are blue"
    assert typed.texts == (TextKey("red", 1), TextKey("crimson", 1), TextKey("violets", 2))
    chosen = one(item(body + rows, rules, "question_type=multiple_dropdowns_question"))
    assert chosen.texts == (TextKey("red", 1), TextKey("violets", 2))
    assert chosen.gap_choices == (("red", "crimson"), ("violets",))


@pytest.mark.parametrize("kind", ["fill_in_multiple_blanks_question", "multiple_dropdowns_question"])
def test_a_single_blank_of_canvas_is_a_gap_and_never_shows_its_answers_as_a_choice(kind: str) -> None:
    row = choice("response_city", "Paris|paris", prompt=text("city"))
    question = one(item(text("The capital is [city].") + row, rule(equal("0", "response_city"), "100"), kind_of(kind)))
    assert question.kind is QuestionType.GAPS
    assert question.html == "The capital is [[1]]."
    assert question.options == ()
    offered = (("Paris", "paris"),) if kind == "multiple_dropdowns_question" else ()
    assert question.gap_choices == offered


def blank(name: str, labels: str, sort: str) -> str:
    """A blank as New Quizzes writes it. `sort` holds the attributes of each label."""
    written = "".join(
        f'<response_label ident="{name}-{at}" {sort}>{text(label, "text/plain")}</response_label>'
        for at, label in enumerate(labels.split("|"))
    )
    return f'<response_lid ident="response_{name}">{text(name)}<render_choice>{written}</render_choice></response_lid>'


def blanks(*rows: str, right: str) -> str:
    rules = "".join(rule(equal(key, f"response_{key[:1]}"), "50") for key in right.split())
    body = text("Roses are [a], violets are [b]")
    return item(body + "".join(rows), rules, kind_of("fill_in_multiple_blanks_question"))


@pytest.mark.parametrize("sort", ['answer_type="dropdown" scoring_algorithm="Equivalence"', 'answer_type="wordbank"'])
def test_a_blank_of_new_quizzes_that_offers_choices_accepts_only_the_right_ones(sort: str) -> None:
    question = one(blanks(blank("a", "red|grey|black", sort), blank("b", "white|blue", sort), right="a-0 b-1"))
    assert question.html == "Roses are [[1]], violets are [[2]]"
    assert question.texts == (TextKey("red", 1), TextKey("blue", 2))
    assert question.gap_choices == (("red", "grey", "black"), ("white", "blue"))


def test_a_blank_of_new_quizzes_is_marked_as_its_scoring_algorithm_says() -> None:
    contains = blank("a", "re*d", 'answer_type="openEntry" scoring_algorithm="TextContainsAnswer"')
    listed = blank("b", "blue|azure", 'answer_type="openEntry" scoring_algorithm="TextInChoices"')
    assert one(blanks(contains, listed, right="a-0 b-0")).texts == (
        TextKey(r"*re\*d*", 1),
        TextKey("blue", 2),
        TextKey("azure", 2),
    )
    exact = blank("a", "Red", 'answer_type="openEntry" scoring_algorithm="TextEquivalence"')
    lenient = blank("b", "x", 'answer_type="openEntry" scoring_algorithm="TextEquivalence" ignore_case="true"')
    assert [key.case_sensitive for key in one(blanks(exact, lenient, right="a-0 b-0")).texts] == [True, False]


@pytest.mark.parametrize(
    ("sort", "named"),
    [
        ('scoring_algorithm="TextRegex"', "TextRegex"),
        ('scoring_algorithm="TextCloseEnough" levenshtein_distance="1"', "TextCloseEnough"),
    ],
)
def test_a_blank_that_cannot_be_marked_is_left_out_with_an_error_that_names_why(sort: str, named: str) -> None:
    good, bad = blank("a", "red", 'answer_type="openEntry"'), blank("b", "blue", f'answer_type="openEntry" {sort}')
    reading = read(blanks(good, bad, right="a-0 b-0"))
    assert reading.exam.questions == ()
    assert [named in error.message for error in reading.errors] == [True]


def test_the_things_of_a_categorization_are_matched_to_their_categories() -> None:
    things = "cat|oak|stone|dog"
    rows = choice("x", things, prompt=text("animal")) + choice("y", things, prompt=text("tree"))
    rules = rule(equal("0", "x") + equal("3", "x"), "50") + rule(equal("1", "y"), "50")
    reading = read(item(text("Q") + rows, rules, kind_of("categorization_question")))
    (question,) = reading.exam.questions
    assert question.pairs == (Pair("cat", "animal"), Pair("oak", "tree"), Pair("dog", "animal"))
    assert [finding.message for finding in reading.findings] == ["“stone” belongs to no category and was left out."]


def kind_of(name: str) -> str:
    return f"question_type={name}"


def test_an_ordering_becomes_a_match_of_positions() -> None:
    rules = rule(equal("1") + equal("0"), "5")
    question = one(item(text("Q") + choice("r", "a|b", "Ordered"), rules))
    assert question.pairs == (Pair("1.", "b"), Pair("2.", "a"))


@pytest.mark.parametrize(
    ("meta", "kind"),
    [("question_type=essay_question", QuestionType.ESSAY), ("question_type=file_upload_question", QuestionType.FILES)],
)
def test_the_declared_type_decides(meta: str, kind: QuestionType) -> None:
    assert one(item(text("Q"), "", meta)).kind is kind


def test_unsupported_items_are_reported_and_the_rest_is_read() -> None:
    good = item(text("Q") + choice("r", "a|b"), rule(equal("0"), "1"))
    spot = item(text("Q") + '<response_xy ident="r"><render_hotspot/></response_xy>', "")
    computed = item(text("Q"), "", "question_type=calculated_question")
    reading = read(good + spot + computed)
    assert len(reading.exam.questions) == 1
    assert len(reading.errors) == 2


def test_sections_durations_and_groups() -> None:
    good = item(text("Q") + choice("r", "a|b"), rule(equal("0"), "1"))
    picks = "<selection_ordering><selection><selection_number>1</selection_number></selection></selection_ordering>"
    group = f"<section>{picks}{good * 2}</section>"
    reading = read(
        '<assessment title="Quiz"><duration>PT1H30M</duration><section title="A">'
        f'{good}</section><section title="B"><duration>PT10M</duration>{group}</section></assessment>'
    )
    exam = reading.exam
    assert (exam.title, exam.duration and exam.duration.total_seconds()) == ("Quiz", 5400)
    assert [(s.name, len(s.questions), s.duration and s.duration.total_seconds()) for s in exam.sections] == [
        ("A", 1, None),
        ("B", 2, 600),
    ]
    assert (exam.picks, [question.pool for question in exam.questions]) == ((1,), [0, 1, 1])


def test_stimulus_is_the_passage_of_the_items_that_name_it() -> None:
    stimulus = item(text("Read."), "", "question_type=text_only_question").replace('"i1"', '"s1"')
    child = item(text("Q") + choice("r", "a|b"), rule(equal("0"), "1"), "parent_stimulus_item_ident=s1")
    other = item(text("Q") + choice("r", "a|b"), rule(equal("0"), "1"))
    assert [q.direction_html for q in read(stimulus + child + other).exam.questions] == ["Read.", ""]


def test_broken_file_is_read_item_by_item() -> None:
    good = item(text("Q") + choice("r", "a|b"), rule(equal("0"), "1"))
    reading = read(f"{good}\n<item ident='x'></wrong></item>\n{good}")
    assert len(reading.exam.questions) == 2
    assert [error.line for error in reading.errors] == [2, 2]


RESPONDUS = """<item title="T" ident="QUE_1"><itemmetadata><qtimetadata>
<vocabulary>respondusapi_qtype,respondusapi_qpoints</vocabulary>
<qti_metadatafield><fieldlabel>respondusapi_qtype</fieldlabel><fieldentry>multipleChoice</fieldentry></qti_metadatafield>
<qti_metadatafield><fieldlabel>respondusapi_qpoints</fieldlabel><fieldentry>3</fieldentry></qti_metadatafield>
</qtimetadata></itemmetadata><presentation>{presentation}</presentation><resprocessing>
<respcondition><conditionvar>{right}</conditionvar><setvar varname="que_score" action="Set">100</setvar>
<displayfeedback linkrefid="QUE_12_AC"/><displayfeedback linkrefid="QUE_4_C"/><displayfeedback linkrefid="QUE_3_ALL"/>
</respcondition>
<respcondition><conditionvar>{wrong}</conditionvar><setvar varname="que_score" action="Add">0</setvar>
<displayfeedback linkrefid="QUE_13_AIC"/><displayfeedback linkrefid="QUE_3_ALL"/></respcondition>
</resprocessing>{feedback}</item>"""


def test_an_item_of_respondus_has_its_marks_and_feedback() -> None:
    told = {"QUE_12_AC": "Yes.", "QUE_13_AIC": "No.", "QUE_3_ALL": "So."}
    question = one(
        RESPONDUS.format(
            presentation=text("Q") + choice("r", "a|b"),
            right=equal("0"),
            wrong=equal("1"),
            feedback="".join(feedback(name, words) for name, words in told.items()),
        )
    )
    assert [(option.correct, option.feedback_html) for option in question.options] == [(True, "Yes."), (False, "No.")]
    assert (question.marks, question.explanation_html) == (D(3), "So.")


def test_an_item_without_points_is_named() -> None:
    item_ = RESPONDUS.format(
        presentation=text("Q") + choice("r", "a|b"), right=equal("0"), wrong=equal("1"), feedback=""
    )
    reading = read(item_.replace("<fieldentry>3<", "<fieldentry>0<"))
    assert reading.exam.questions[0].marks == 0
    assert "It has 0 marks, so answers to it do not count." in {finding.message for finding in reading.findings}


@pytest.mark.parametrize(
    ("presentation", "why"),
    [
        (choice("r", "0|b"), "No answer is marked as correct."),
        (
            '<response_str ident="r"><render_fib/></response_str>',
            "The question “T” was left out. Its answers have no score.",
        ),
    ],
    ids=["choice", "blank"],
)
def test_an_item_of_respondus_whose_answers_score_nothing_is_an_error(presentation: str, why: str) -> None:
    source = RESPONDUS.replace(">100<", ">0<").format(
        presentation=text("Q") + presentation, right=equal("0"), wrong=equal("1"), feedback=""
    )
    reading = read(f"\n{source}")
    assert [error.message for error in reading.errors] == [why]
    assert all(error.line for error in reading.errors)
