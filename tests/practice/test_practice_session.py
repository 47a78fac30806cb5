"""A session of practice and what it keeps."""

import pytest

from lms_tui.banks.scoring import Outcome
from lms_tui.practice.grading import Certainty, Grade
from lms_tui.practice.run import PracticeRun
from lms_tui.practice.session import Asked, Session, Stage
from lms_tui.practice.store import Deck
from lms_tui.wire.question_types import QuestionType
from tests.fakes.decks import DAY, Clocks, deck, every_type, sums

__all__ = ["deck"]


def begun(deck: Deck, clocks: Clocks, count: int = 2, limit: float | None = None) -> PracticeRun:
    session = Session.of(Asked(card) for card in sums(count))
    return PracticeRun(deck, session, clocks.now, clocks.now, limit=limit)


def test_a_correct_answer_shows_the_key_and_is_history(deck: Deck) -> None:
    clocks = Clocks()
    run = begun(deck, clocks)
    clocks.later(7)
    run.choose(0)
    run.submit()
    assert run.turn is not None
    assert (run.turn.stage, run.turn.first, run.turn.seconds) == (Stage.SHOWN, Outcome.CORRECT, 7)
    assert not run.deck.rows()


def test_only_the_first_answer_counts(deck: Deck) -> None:
    run = begun(deck, Clocks(), count=1)
    for place in (1, 2, 0):
        run.choose(place)
        run.submit()
    assert run.turn is not None
    assert (run.turn.first, run.turn.latest) == (Outcome.INCORRECT, Outcome.CORRECT)
    assert [review.outcome for review in run.deck.reviews()] == [Outcome.INCORRECT]
    assert run.added == 1


def test_a_missed_question_comes_again_until_it_is_known(deck: Deck) -> None:
    run = begun(deck, Clocks(), count=1)
    run.reveal()
    run.next()
    assert [asked.stage for asked in (run.turn,) if asked] == [Stage.ASKED]
    run.choose(0)
    run.submit()
    run.next()
    assert run.turn is None
    assert run.session.outcomes() == (Outcome.UNANSWERED,)


def test_the_key_ends_the_answers(deck: Deck) -> None:
    run = begun(deck, Clocks())
    run.reveal()
    shown = run.session
    run.choose(0)
    run.submit()
    run.reveal()
    assert run.session == shown
    assert len(run.deck.reviews()) == 1


@pytest.mark.parametrize("after", [False, True])
def test_a_certainty_before_or_after_the_answer_is_the_same(deck: Deck, after: bool) -> None:
    run = begun(deck, Clocks())
    run.choose(0)
    if after:
        run.submit()
    run.certain(Certainty.GUESS)
    run.submit()
    (review,) = run.deck.reviews()
    assert (review.certainty, review.grade, run.added) == (Certainty.GUESS, Grade.HARD, 1)
    run.certain(Certainty.GUESS)
    (review,) = run.deck.reviews()
    assert (review.certainty, review.grade, run.added) == (Certainty.NONE, Grade.GOOD, 0)
    assert not run.deck.rows()


def test_a_session_ends_with_the_question_in_which_its_time_is_over(deck: Deck) -> None:
    clocks = Clocks()
    run = begun(deck, clocks, count=5, limit=60)
    run.choose(0)
    run.submit()
    run.next()
    clocks.later(61)
    assert run.seconds_left() == 0
    run.choose(0)
    run.submit()
    run.next()
    assert run.turn is None
    assert len(run.session.done) == 2


def test_a_session_that_is_ended_keeps_what_was_answered(deck: Deck) -> None:
    run = begun(deck, Clocks(), count=3)
    run.choose(1)
    run.submit()
    run.end()
    assert run.turn is None
    assert run.session.outcomes() == (Outcome.INCORRECT,)


def test_a_night_away_from_the_keyboard_is_not_counted(deck: Deck) -> None:
    clocks = Clocks()
    run = begun(deck, clocks)
    clocks.later(DAY)
    run.choose(0)
    run.submit()
    assert run.turn is not None
    assert run.turn.seconds == 600


def test_several_options_are_toggled_and_nothing_is_judged_without_an_answer(deck: Deck) -> None:
    card = every_type()[QuestionType.MULTIPLE]
    run = PracticeRun(deck, Session.of([Asked(card)]), Clocks().now, Clocks().now)
    run.submit()
    run.choose(0)
    run.choose(1)
    run.choose(1)
    run.choose(2)
    run.choose(9)
    assert run.turn is not None
    assert run.turn.latest is None
    run.submit()
    assert run.turn is not None
    assert run.turn.latest is Outcome.CORRECT
