"""Marks, places and analytics: tables of cases and properties that hold for every field."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lms_tui.banks.model import NumericKey, TextKey
from lms_tui.banks.scoring import Answer, MarkedQuestion, OptionKey, Outcome, QuestionKey, mark, mark_all, read_number
from lms_tui.service.attempts import scoring, shares
from lms_tui.service.attempts.subject_analytics import SubjectNode, analyse_subjects
from tests.service.class_oracle import ranking

D = Decimal
FOUR = (
    OptionKey(1, correct=False),
    OptionKey(2, correct=True),
    OptionKey(3, correct=False),
    OptionKey(4, correct=False),
)
SINGLE = QuestionKey(10, "R", D(4), D(1), FOUR)
MULTIPLE = QuestionKey(11, "C", D(4), D(2), tuple(OptionKey(n, correct=n in {1, 3}) for n in (1, 2, 3, 4)))
WEIGHTED = QuestionKey(
    12,
    "C",
    D(6),
    D(2),
    tuple(
        OptionKey(n, correct=n < 4, weight=weight)
        for n, weight in enumerate((D("0.3333333"), D("0.3333333"), D("0.3333333"), D(-1), D(0)), 1)
    ),
)
HALF = QuestionKey(13, "R", D(4), D(1), (OptionKey(1, correct=True), OptionKey(2, correct=False, weight=D("0.5"))))
COSTLY = QuestionKey(14, "R", D(4), D(1), (OptionKey(1, correct=True), OptionKey(2, correct=False, weight=D("-0.5"))))
SHORT = QuestionKey(
    15,
    "S",
    D(2),
    D("0.5"),
    texts=(TextKey("New Delhi"), TextKey("Delhi", weight=D("0.5")), TextKey("NaCl", case_sensitive=True)),
)
NUMBER = QuestionKey(
    16, "N", D(3), D(1), numbers=(NumericKey(D("3.141"), D("3.142")), NumericKey(D(3), D(4), weight=D("0.5")))
)
GAPS = QuestionKey(17, "G", D(4), D(1), texts=(TextKey("ox", 1), TextKey("cow", 1), TextKey("hen", 2)))
MEASURED = replace(GAPS, texts=GAPS.texts[:2], numbers=(NumericKey(D("0.91"), D("0.93"), gap=2),))
ESSAY = QuestionKey(18, "E", D(10), D(5))
ODD = QuestionKey(19, "X", D(4), D(1))


def chosen(*ids: int) -> Answer:
    return Answer(selected=frozenset(ids))


def typed(text: str) -> Answer:
    return Answer(short_text=text)


@pytest.mark.parametrize(
    ("item", "answer", "outcome", "score"),
    [
        (SINGLE, chosen(2), Outcome.CORRECT, D(4)),
        (SINGLE, chosen(1), Outcome.INCORRECT, D(-1)),
        (SINGLE, chosen(), Outcome.UNANSWERED, D(0)),
        (SINGLE, chosen(1, 2), Outcome.INCORRECT, D(-1)),
        (SINGLE, chosen(99), Outcome.INCORRECT, D(-1)),
        (SINGLE, chosen(2, 99), Outcome.INCORRECT, D(-1)),
        (replace(SINGLE, negative_marks=D(-1)), chosen(1), Outcome.INCORRECT, D(-1)),
        (HALF, chosen(2), Outcome.PARTIAL, D(2)),
        (COSTLY, chosen(2), Outcome.INCORRECT, D(-2)),
        (MULTIPLE, chosen(1, 3), Outcome.CORRECT, D(4)),
        (MULTIPLE, chosen(1), Outcome.INCORRECT, D(-2)),
        (MULTIPLE, chosen(1, 2, 3), Outcome.INCORRECT, D(-2)),
        (MULTIPLE, chosen(), Outcome.UNANSWERED, D(0)),
        (WEIGHTED, chosen(1, 2, 3), Outcome.CORRECT, D(6)),
        (WEIGHTED, chosen(1), Outcome.PARTIAL, D("1.9999998")),
        (WEIGHTED, chosen(1, 2, 4), Outcome.INCORRECT, D(-2)),
        (WEIGHTED, chosen(1, 2, 3, 4), Outcome.INCORRECT, D(-2)),
        (WEIGHTED, chosen(1, 2, 3, 5), Outcome.INCORRECT, D(-2)),
        (WEIGHTED, chosen(1, 99), Outcome.INCORRECT, D(-2)),
        (SHORT, typed("  new   delhi "), Outcome.CORRECT, D(2)),
        (SHORT, typed("DELHI"), Outcome.PARTIAL, D("1.0")),
        (SHORT, typed("NaCl"), Outcome.CORRECT, D(2)),
        (SHORT, typed("nacl"), Outcome.INCORRECT, D("-0.5")),
        (SHORT, typed("   "), Outcome.UNANSWERED, D(0)),
        (NUMBER, typed("3.1415"), Outcome.CORRECT, D(3)),
        (NUMBER, typed("3,1415"), Outcome.CORRECT, D(3)),
        (NUMBER, typed("3.5"), Outcome.PARTIAL, D("1.5")),
        (NUMBER, typed("-3.1415"), Outcome.INCORRECT, D(-1)),
        (NUMBER, typed("NaN"), Outcome.INCORRECT, D(-1)),
        (NUMBER, typed("pi"), Outcome.INCORRECT, D(-1)),
        (GAPS, Answer(gaps=((1, "Cow"), (2, "hen"))), Outcome.CORRECT, D(4)),
        (GAPS, Answer(gaps=((2, "hen"),)), Outcome.PARTIAL, D("2.0")),
        (GAPS, Answer(gaps=((1, "hen"), (2, "ox"))), Outcome.INCORRECT, D(-1)),
        (GAPS, Answer(gaps=((1, " "), (2, ""))), Outcome.UNANSWERED, D(0)),
        (MEASURED, Answer(gaps=((1, "cow"), (2, "0,92"))), Outcome.CORRECT, D(4)),
        (MEASURED, Answer(gaps=((1, "cow"), (2, "0.95"))), Outcome.PARTIAL, D("2.0")),
        (replace(GAPS, kind="M"), Answer(gaps=((1, "ox"), (2, "hen"))), Outcome.CORRECT, D(4)),
        (ESSAY, Answer(essay_text="Once upon a time"), Outcome.UNSCORED, D(0)),
        (ESSAY, Answer(), Outcome.UNANSWERED, D(0)),
        (replace(ESSAY, kind="F"), Answer(gaps=((1, f"{'0' * 64} 12 essay.pdf"),)), Outcome.UNSCORED, D(0)),
        (replace(ESSAY, kind="F"), Answer(), Outcome.UNANSWERED, D(0)),
        (ODD, Answer(essay_text="?"), Outcome.UNSCORED, D(0)),
        (replace(SINGLE, bonus=True), chosen(1), Outcome.CORRECT, D(4)),
        (replace(SINGLE, bonus=True), chosen(), Outcome.CORRECT, D(4)),
    ],
)
def test_each_type_is_marked_by_its_own_rule(
    item: QuestionKey, answer: Answer, outcome: Outcome, score: Decimal
) -> None:
    marked = mark(item, answer)
    assert (marked.outcome, marked.score) == (outcome, score)


@pytest.mark.parametrize(
    ("key", "text", "right"),
    [
        ("*", "anything", True),
        ("gr*y", "grey", True),
        ("gr*y", "gray", True),
        ("gr*y", "great", False),
        ("a*a", "a", False),
        ("*b*", "abc", True),
        (r"2\*3", "2*3", True),
        (r"2\*3", "2+3", False),
        ("(x+1)", "(x+1)", True),
        ("நன்றி", "நன்றி", True),
        ("don\u2019t \u2013 \u201cever\u201d", 'don\'t - "ever"', True),
        ("\u200bParis\u200b", "paris", True),
        ("re\u2011use", "reuse", False),
    ],
)
def test_star_in_a_text_key_stands_for_any_text(key: str, text: str, right: bool) -> None:
    item = QuestionKey(1, "S", texts=(TextKey(key),))
    assert (mark(item, typed(text)).outcome is Outcome.CORRECT) is right


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1e3", D(1000)),
        (" − 2 ".replace(" ", ""), D(-2)),
        ("1 000", D(1000)),
        ("0,5", D("0.5")),
        ("1,000,000", None),
        ("Infinity", None),
        ("1_000", None),
        ("9" * 65, None),
        ("", None),
        ("١٢", D(12)),
    ],
)
def test_numbers_are_read_as_people_type_them(text: str, number: Decimal | None) -> None:
    assert read_number(text) == number


def test_an_attempt_has_the_totals_of_the_api() -> None:
    items = (SINGLE, MULTIPLE, HALF, ESSAY, replace(SINGLE, id=20, bonus=True), replace(SINGLE, id=21))
    answers = {10: chosen(2), 11: chosen(1), 13: chosen(2), 18: Answer(essay_text="words")}
    result = scoring.total(items, mark_all(items, answers), timedelta(minutes=30))
    assert result.score == D(4) - D(2) + D(2) + D(4)
    assert result.maximum == D(20)
    assert result.percentage == "40.00"
    assert (result.correct_count, result.incorrect_count, result.unanswered_count) == (2, 2, 1)
    assert result.total_bonus == D(4)
    assert result.accuracy == 50.0
    assert result.speed == 10.0


def test_an_attempt_without_questions_or_time_has_totals() -> None:
    result = scoring.total((), (), timedelta(0))
    assert (result.percentage, result.speed, result.accuracy) == ("0.00", 0.0, 0.0)


def test_percentage_can_be_negative() -> None:
    assert shares.percentage(D(-3), D(12)) == "-25.00"
    assert shares.percentage(D("-0.0001"), D(12)) == "0.00"


def test_equal_scores_share_the_best_rank() -> None:
    scores = {1: D(9), 2: D(7), 3: D(7), 4: D("3.50"), 5: D("3.5")}
    placed = {
        key: shares.ranking(sum(other <= score for other in scores.values()), len(scores))
        for key, score in scores.items()
    }
    assert {key: place.rank for key, place in placed.items()} == {1: 1, 2: 2, 3: 2, 4: 4, 5: 4}
    assert {key: place.percentile for key, place in placed.items()} == {1: 100.0, 2: 80.0, 3: 80.0, 4: 40.0, 5: 40.0}
    assert {place.max_rank for place in placed.values()} == {5}


def test_parent_subjects_sum_their_children() -> None:
    subjects = (
        SubjectNode(1, "Science"),
        SubjectNode(2, "Physics", 1),
        SubjectNode(3, "Optics", 2),
        SubjectNode(4, "Maths"),
        SubjectNode(5, "Empty"),
        SubjectNode(6, "Orphan", 99),
    )
    marked = [
        MarkedQuestion(1, Outcome.CORRECT, D(4), subject=3),
        MarkedQuestion(2, Outcome.INCORRECT, D(-1), subject=2),
        MarkedQuestion(3, Outcome.UNANSWERED, D(0), subject=4),
        MarkedQuestion(4, Outcome.PARTIAL, D(2), subject=6),
        MarkedQuestion(5, Outcome.CORRECT, D(4)),
    ]
    lines = analyse_subjects(subjects, marked)
    assert [(line.name, line.parent, line.leaf) for line in lines] == [
        ("Science", None, False),
        ("Physics", 1, False),
        ("Optics", 2, True),
        ("Maths", None, True),
        ("Orphan", None, True),
    ]
    science = lines[0]
    assert (science.total, science.correct, science.incorrect, science.score) == (2, 1, 1, D(3))


def test_cut_off_is_reached_at_the_score_itself() -> None:
    marked = [
        MarkedQuestion(1, Outcome.CORRECT, D(4), section=1),
        MarkedQuestion(2, Outcome.INCORRECT, D(-1), section=2),
    ]
    results = scoring.section_results(
        marked, [scoring.CutOff(1, D(4)), scoring.CutOff(2, D(0)), scoring.CutOff(3, D(0))]
    )
    assert [(result.score, result.reached) for result in results] == [(D(4), True), (D(-1), False), (D(0), True)]


scores = st.lists(st.integers(-40, 40).map(lambda n: D(n) / 4), min_size=1, max_size=40)


@given(scores)
def test_ranks_and_percentiles_follow_their_definition(field: list[Decimal]) -> None:
    for score in field:
        placed = shares.ranking(sum(other <= score for other in field), len(field))
        assert placed == ranking(score, field)
        assert placed.rank == 1 + sum(other > score for other in field)
        assert placed.percentile == round(100 * sum(other <= score for other in field) / len(field), 2)


@given(
    st.lists(
        st.builds(
            MarkedQuestion,
            question=st.integers(1, 50),
            outcome=st.sampled_from([o for o in Outcome if o is not Outcome.UNSCORED]),
            score=st.integers(-8, 16).map(lambda n: D(n) / 4),
            subject=st.integers(1, 8),
        ),
        max_size=40,
    ),
    st.lists(st.none() | st.integers(1, 8), min_size=8, max_size=8),
)
def test_root_subjects_count_every_question_once(marked: list[MarkedQuestion], parents: list[int | None]) -> None:
    subjects = [
        SubjectNode(number, str(number), parent if parent is not None and parent < number else None)
        for number, parent in enumerate(parents, 1)
    ]
    lines = analyse_subjects(subjects, marked)
    roots = [line for line in lines if line.parent is None]
    assert sum(line.total for line in roots) == len(marked)
    assert sum((line.score for line in roots), D(0)) == sum((one.score for one in marked), D(0))
    for line in lines:
        assert line.total == line.correct + line.incorrect + line.unanswered
        assert line.leaf is all(other.parent != line.id for other in lines)


@given(st.sets(st.integers(1, 6)), st.sets(st.integers(1, 4), min_size=1), st.sampled_from("RC"))
def test_a_score_stays_between_negative_and_full_marks(selected: set[int], keys: set[int], kind: str) -> None:
    options = tuple(OptionKey(n, correct=n in keys) for n in range(1, 5))
    marked = mark(QuestionKey(1, kind, D(4), D(1), options), Answer(selected=frozenset(selected)))
    assert marked.score in {D(4), D(0), D(-1)}
    assert (marked.outcome is Outcome.UNANSWERED) is (not selected)
    if kind == "C":
        assert (marked.outcome is Outcome.CORRECT) is (selected == keys)


@given(st.text(max_size=80))
def test_any_text_can_be_compared_with_numbers_and_keys(text: str) -> None:
    read_number(text)
    mark(QuestionKey(1, "S", texts=(TextKey(text),)), typed("a*b"))
    mark(QuestionKey(1, "S", texts=(TextKey("a*b"),)), typed(text))
