"""A session of practice on the screen, by keys and by mouse."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from lms_tui.banks.scoring import Outcome
from lms_tui.practice.cards import Card
from lms_tui.practice.grading import Certainty
from lms_tui.practice.run import PracticeRun
from lms_tui.practice.session import Asked, Session
from lms_tui.practice.store import Deck
from lms_tui.wire.question_types import QuestionType
from tests.fakes.decks import Clocks, every_type, sums
from tests.fakes.looks import SIZES, looks_as_kept
from tests.fakes.program import program


def practice(folder: Path, cards: Iterable[Card], clocks: Clocks | None = None) -> PracticeRun:
    clocks = clocks or Clocks()
    session = Session.of(Asked(card) for card in cards)
    return PracticeRun(Deck(folder / "deck"), session, clocks.now, clocks.now, title="Practice: sums")


async def test_a_letter_answers_and_the_key_is_shown_with_the_explanation(tmp_path: Path) -> None:
    clocks = Clocks()
    session = practice(tmp_path, sums(2), clocks)
    async with program(tmp_path, practice=session) as run:
        assert "Question 1 of 2" in run.text()
        clocks.later(12)
        await run.press("b")
        assert "Incorrect · 12 s. r shows the key" in run.text()
        await run.press("c", "a")
        for words in ("Correct · first answer incorrect · 12 s", "correct, your answer", "Twice 1.", "Explanation"):
            assert words in run.text()
        await run.press("enter")
        assert "Question 2 of 3" in run.text()
        await run.press("s", "a", "enter", "a", "enter")
        assert "1 correct, 1 incorrect. Practice is not scored." in run.text()
        assert "1 question added to your deck" in run.text()
    outcomes = [(review.outcome, review.certainty) for review in session.deck.reviews()]
    assert outcomes == [
        (Outcome.INCORRECT, Certainty.NONE), (Outcome.CORRECT, Certainty.SURE), (Outcome.CORRECT, Certainty.NONE)
    ]  # fmt: skip


ANSWERS = {
    QuestionType.SINGLE: ("a",),
    QuestionType.MULTIPLE: ("a", "down", "down", "down", "space", "enter"),
    QuestionType.SHORT: (*"Baltic", "enter"),
    QuestionType.NUMERIC: (*"3.14", "enter"),
    QuestionType.GAPS: (*"sky", "enter", *"blue", "enter"),
    QuestionType.MATCH: ("a", "b", "enter"),
    QuestionType.ESSAY: (*"Once", "escape", "enter"),
}


@pytest.mark.parametrize("kind", ANSWERS)
async def test_every_type_is_answered_by_keys(tmp_path: Path, kind: QuestionType) -> None:
    session = practice(tmp_path, [every_type()[kind]])
    async with program(tmp_path, practice=session, size=(80, 24)) as run:
        await run.press(*ANSWERS[kind])
        assert ("Answered" if kind is QuestionType.ESSAY else "Correct · 0 s") in run.text()
        await run.press("enter")
        assert "The end of this session" in run.text()
        await run.press("escape")
    assert len(session.deck.reviews()) == 1


async def test_letters_are_words_in_a_field_and_commands_with_alt(tmp_path: Path) -> None:
    session = practice(tmp_path, [every_type()[QuestionType.SHORT]])
    async with program(tmp_path, practice=session) as run:
        await run.press("r", "s", "g", "alt+g", "alt+r")
        for words in ("Incorrect · 0 s · you guessed", "rsg", "Baltic"):
            assert words in run.text()


async def test_an_option_is_chosen_by_the_mouse_and_the_footer_goes_on(tmp_path: Path) -> None:
    session = practice(tmp_path, sums(2))
    async with program(tmp_path, practice=session) as run:
        row = next(n for n, text in enumerate(run.rows()) if "A ( )" in text)
        await run.pilot.click(offset=(10, row))
        await run.settle()
        assert "correct, your answer" in run.text()
        footer = run.rows()[-1]
        await run.pilot.click(offset=(footer.index("check"), len(run.rows()) - 1))
        await run.settle()
        assert "Question 2 of 2" in run.text()


async def test_escape_ends_the_session_and_then_leaves(tmp_path: Path) -> None:
    session = practice(tmp_path, sums(3))
    async with program(tmp_path, practice=session, size=(40, 12)) as run:
        await run.press("b", "escape")
        assert "1 incorrect." in run.text()
        await run.press("escape")
        assert not run.app.is_running or run.app.return_code == 0


@pytest.mark.parametrize("size", SIZES)
async def test_the_practice_screen_matches_its_snapshot(tmp_path: Path, size: tuple[int, int]) -> None:
    session = practice(tmp_path, (sums(1)[0], every_type()[QuestionType.GAPS]))
    async with program(tmp_path, practice=session, size=size) as run:
        await run.press("b")
        different = [] if await looks_as_kept(run, "practice") else ["practice"]
        await run.press("g", "a")
        different += [] if await looks_as_kept(run, "practice-key") else ["practice-key"]
    assert not different
