"""A session of practice as lines."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from lms_tui.banks.scoring import Outcome
from lms_tui.plain.line_io import InputEndedError
from lms_tui.plain.practice import PracticeDialogue, practise
from lms_tui.practice.cards import Card
from lms_tui.practice.decks import UserDeck
from lms_tui.practice.grading import Certainty, Grade
from lms_tui.practice.run import PracticeRun
from lms_tui.practice.session import Asked, Session
from lms_tui.practice.store import Deck, Review
from lms_tui.wire.question_types import QuestionType
from tests.fakes.decks import DAY, START, Clocks, deck, decks, every_type, sums
from tests.plain.test_dialogue import Script

__all__ = ["deck"]
CARDS = every_type()


async def practised(deck: Deck, cards: Iterable[Card], *lines: str) -> tuple[Script, PracticeRun]:
    clocks, script = Clocks(), Script(*lines)
    run = PracticeRun(deck, Session.of(map(Asked, cards)), clocks.now, clocks.now)
    await PracticeDialogue(script, run).run()
    return script, run


async def test_an_answer_is_judged_at_once_and_can_be_given_again(deck: Deck) -> None:
    script, run = await practised(deck, sums(1), "b", "guess", "a", "", "a", "")
    assert "Incorrect · 0 s. Answer again, or press enter to see the correct answer." in script.said
    assert "Correct · first answer incorrect · 0 s · you guessed." in script.said
    assert "Twice 1." in script.text
    assert "1 incorrect. Practice is not scored." in script.said
    assert run.deck.reviews()[0].certainty is Certainty.GUESS


async def test_after_the_last_question_enter_finishes(deck: Deck) -> None:
    script, _ = await practised(deck, sums(2), "a", "more", "", "a", "more", "")
    told = [line for line in script.said if "Press enter" in line and "answer again" not in line.casefold()]
    next_, finish = "Press enter for the next question.", "Press enter to finish."
    assert told == [next_, f"The answer is shown. {next_}", finish, f"The answer is shown. {finish}"]


ANSWERS = {
    QuestionType.MULTIPLE: ["A C"],
    QuestionType.SHORT: ["= north sea"],
    QuestionType.NUMERIC: ["= 3,14"],
    QuestionType.GAPS: ["1 = sky", "2 = blue"],
    QuestionType.MATCH: ["1 = A", "2 = B"],
}


@pytest.mark.parametrize("kind", ANSWERS)
async def test_every_type_is_answered_in_lines(deck: Deck, kind: QuestionType) -> None:
    _, run = await practised(deck, [CARDS[kind]], *ANSWERS[kind], "")
    assert run.session.outcomes() == (Outcome.CORRECT,)


async def test_a_question_that_was_left_out_has_no_certainty(deck: Deck) -> None:
    script, run = await practised(deck, sums(1), "", "guess", "quit")
    assert "There is no answer to be sure of." in script.said
    assert run.deck.reviews()[0].certainty is Certainty.NONE


async def test_several_letters_are_the_whole_answer(deck: Deck) -> None:
    _, run = await practised(deck, [CARDS[QuestionType.MULTIPLE]], "A", "A C", "", "quit")
    assert [turn.latest for turn in run.session.done] == [Outcome.CORRECT]


async def test_an_essay_shows_its_model_answer(deck: Deck) -> None:
    script, _ = await practised(deck, [CARDS[QuestionType.ESSAY]], "=", "Once", ".", "")
    assert "A model." in script.said


async def test_empty_lines_show_the_answer_and_the_end_of_the_input_says_what_was_known(deck: Deck) -> None:
    with pytest.raises(InputEndedError):
        await practised(deck, sums(1), "")


async def test_a_drill_is_chosen_by_its_number(tmp_path: Path) -> None:
    clocks = Clocks()
    user = UserDeck(decks(tmp_path, clocks), "http://fake", 7)
    assert await practise(Script(), user) == []
    user.learn((card, Review(START - DAY, Outcome.INCORRECT, Grade.AGAIN, subject="Sums")) for card in sums(5))
    script = Script("1", "quit")
    await practise(script, user)
    assert "5 cards due today. 5 due within a week, 5 cards in all." in script.said
    assert "Sums: 0 of 5 correct." in script.said
    assert "2. 10 minutes, what is due first" in script.said
    assert any(line.startswith("Question 1 of 5. Sums.") for line in script.said)
    assert await practise(Script("3"), UserDeck(decks(tmp_path, clocks), "http://fake", 8)) == []
