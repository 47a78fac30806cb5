"""Cards of exam files and of reviews."""

from dataclasses import replace
from random import Random

import pytest

from lms_tui.attempt.values import Answer
from lms_tui.banks.scoring import Outcome
from lms_tui.practice.cards import Card, key_of, read, written
from lms_tui.practice.grading import Certainty, Grade, grade
from lms_tui.wire.attempts import ReviewOption
from lms_tui.wire.question_types import QuestionType
from tests.fakes.decks import every_type, sums

CARDS = every_type()
RIGHT = {
    QuestionType.SINGLE: Answer(selected=(1,)),
    QuestionType.MULTIPLE: Answer(selected=(3, 1)),
    QuestionType.SHORT: Answer(short_text=" north  SEA "),
    QuestionType.NUMERIC: Answer(short_text="3,14"),
    QuestionType.GAPS: Answer(gaps=(("1", "Sky"), ("2", "blue"))),
    QuestionType.MATCH: Answer(gaps=(("1", "1"), ("2", "2"))),
}
WRONG = {
    QuestionType.SINGLE: Answer(selected=(2,)),
    QuestionType.MULTIPLE: Answer(selected=(1,)),
    QuestionType.SHORT: Answer(short_text="Dead Sea"),
    QuestionType.NUMERIC: Answer(short_text="3"),
    QuestionType.GAPS: Answer(gaps=(("1", "sea"), ("2", "red"))),
    QuestionType.MATCH: Answer(gaps=(("1", "2"), ("2", "1"))),
}


@pytest.mark.parametrize("kind", RIGHT)
def test_answers_are_judged_by_the_rules_of_the_service(kind: QuestionType) -> None:
    assert CARDS[kind].outcome(RIGHT[kind]) is Outcome.CORRECT
    assert CARDS[kind].outcome(WRONG[kind]) is Outcome.INCORRECT
    assert CARDS[kind].outcome(Answer()) is Outcome.UNANSWERED


@pytest.mark.parametrize("kind", RIGHT)
def test_the_key_that_a_review_tells_judges_as_the_key_of_the_file(kind: QuestionType) -> None:
    told = key_of(kind, CARDS[kind].shown)
    card = replace(CARDS[kind], key=told)
    assert card.outcome(RIGHT[kind]) is Outcome.CORRECT
    assert card.outcome(WRONG[kind]) is Outcome.INCORRECT


def test_an_essay_is_not_judged() -> None:
    assert CARDS[QuestionType.ESSAY].outcome(Answer(essay_text="Once")) is Outcome.UNSCORED


@pytest.mark.parametrize("kind", CARDS)
def test_a_card_survives_being_written_and_read(kind: QuestionType) -> None:
    assert read(written(CARDS[kind])) == CARDS[kind]


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"asked": 1}', "\x00"])
def test_a_damaged_card_is_none(text: str) -> None:
    assert read(text) is None


def test_shuffled_options_keep_their_key() -> None:
    card = CARDS[QuestionType.SINGLE]
    orders = {card.shuffled(Random(seed)).options for seed in range(20)}
    assert orders == {(1, 2), (2, 1)}
    shuffled = next(each for seed in range(20) if (each := card.shuffled(Random(seed))).options == (2, 1))
    assert [option.id for option in shuffled.shown] == [2, 1]
    assert shuffled.outcome(Answer(selected=(1,))) is Outcome.CORRECT
    assert shuffled.digest == card.digest


def test_options_that_speak_of_the_others_keep_their_order() -> None:
    (card,) = sums(1)
    answers = tuple(
        option.model_copy(update={"text_html": "All of the above"}) if option.id == 3 else option
        for option in card.asked.answers
    )
    card = replace(card, asked=card.asked.model_copy(update={"answers": answers}))
    assert all(card.shuffled(Random(seed)) == card for seed in range(10))


def test_a_corrected_question_is_another_version_and_a_reused_number_is_not() -> None:
    card, other = (replace(each, number="7") for each in sums(2))
    typo = replace(card, asked=card.asked.model_copy(update={"question_html": "<p>1 plus 1?</p>"}))
    assert typo.is_version_of(card)
    assert not replace(typo, number="8").is_version_of(card)
    assert not replace(CARDS[QuestionType.MULTIPLE], number="7").is_version_of(card)
    strange = replace(
        other,
        asked=other.asked.model_copy(update={"question_html": "<p>Who wrote the Iliad, as far as is known?</p>"}),
    )
    assert not strange.is_version_of(card)


def test_the_grade_comes_from_outcome_time_and_certainty() -> None:
    assert grade(Outcome.INCORRECT, Certainty.SURE) is Grade.AGAIN
    assert grade(Outcome.PARTIAL) is Grade.AGAIN
    assert grade(Outcome.CORRECT) is Grade.GOOD
    assert grade(Outcome.CORRECT, Certainty.GUESS) is Grade.HARD
    assert grade(Outcome.CORRECT, Certainty.SURE, 40, 20) is Grade.HARD
    assert grade(Outcome.CORRECT, Certainty.SURE, 5, 20) is Grade.EASY
    assert grade(Outcome.CORRECT, Certainty.THINK, 5, 20) is Grade.GOOD


def test_a_key_of_a_review_is_plain_text() -> None:
    key = key_of("S", [ReviewOption(id=1, text_html="<i>x</i> &lt; 2", is_correct=True)])
    assert [text.text for text in key.texts] == ["x < 2"]


def test_a_card_names_its_question_in_one_line() -> None:
    card: Card = CARDS[QuestionType.GAPS]
    assert card.words == "The ____ is ____."
