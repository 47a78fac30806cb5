"""Notes on questions and the scratchpad: typed beside the question, durable at a pause, never sent."""

import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from lms_tui.attempt.desk import SCRATCHPAD, note_of
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.read_only_keeper import READ_ONLY
from lms_tui.attempt.values import Phase
from lms_tui.tui.screens.runner import autosave
from lms_tui.tui.screens.runner.screen import RunnerScreen
from lms_tui.wire.errors import Offline
from tests.fakes.attempts import KEY, AttemptInMemory, an_exam, question
from tests.fakes.sitting import Sitting, sitting

SIZES = ((40, 12), (80, 24), (100, 30), (120, 40), (200, 60))


@pytest.fixture
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pause in typing and no tick saves anything."""
    monkeypatch.setattr(autosave, "PAUSE", 3600.0)
    monkeypatch.setattr(RunnerScreen, "_begin_ticking", lambda _: None)


def note(sit: Sitting, question_id: int) -> str:
    return sit.keeper.desk.text(note_of(question_id))


@pytest.mark.parametrize("size", SIZES)
async def test_a_note_is_typed_beside_or_over_the_question_and_escape_leaves_it(size: tuple[int, int]) -> None:
    async with sitting(AttemptInMemory(an_exam(5)), size=size) as sit:
        await sit.press("i", *"anb", "enter", *"x")
        assert "Note on question 1" in sit.text()
        assert "│ anb" in sit.text()
        await sit.press("escape", "b")
        assert note(sit, 1) == "anb\nx"
        assert sit.chosen(1) == (12,)
        assert ("Note on question 1" in sit.text()) is (size[0] >= 100)
        assert "✎" in sit.text()
        await sit.work()
        assert sit.service.calls["save"] == 1


async def test_the_first_letter_of_a_note_replaces_every_row_of_the_hint() -> None:
    async with sitting(AttemptInMemory(an_exam(3)), size=(120, 40)) as sit:
        await sit.press("i")
        assert "│ sent " in sit.text()
        await sit.press("a")
        assert "│ a " in sit.text()
        assert "│ sent " not in sit.text()


@pytest.mark.parametrize("leaves", [True, False])
async def test_a_note_covers_the_question_of_a_smaller_window_only_while_one_types(*, leaves: bool) -> None:
    async with sitting(AttemptInMemory(an_exam(3)), size=(120, 40)) as sit:
        await sit.press("i", "a", *(["escape"] if leaves else []))
        await sit.pilot.resize_terminal(80, 24)
        await sit.until(lambda: ("Note on question 1" in sit.text()) is not leaves)


async def test_letters_are_durable_at_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RunnerScreen, "_begin_ticking", lambda _: None)
    async with sitting(AttemptInMemory(an_exam(3))) as sit:
        await sit.press("i", "h")
        await sit.until(lambda: note(sit, 1) == "h")
        assert "─ saved ─" in sit.text()
        await sit.press("i")
        await sit.until(lambda: note(sit, 1) == "hi")
        assert sit.app.runner.query_one("#note-field").has_focus


async def test_a_tick_leaves_letters_that_are_not_saved_yet(no_pause: None) -> None:
    async with sitting(AttemptInMemory(an_exam(3))) as sit:
        await sit.press("i", *"ab")
        await sit.pass_time(1)
        await sit.press("c", "escape")
        assert note(sit, 1) == "abc"


async def test_an_undo_at_another_question_leaves_each_note_where_it_belongs(no_pause: None) -> None:
    async with sitting(AttemptInMemory(an_exam(3))) as sit:
        await sit.press("a", "n", "i", *"two", "alt+u")
        assert sit.keeper.session.item.number == 1
        assert (note(sit, 1), note(sit, 2)) == ("", "two")


async def test_the_panel_follows_the_question_and_keeps_its_note(no_pause: None) -> None:
    async with sitting(AttemptInMemory(an_exam(4))) as sit:
        await sit.press("i", *"one", "alt+n")
        assert "Note on question 2" in sit.text()
        await sit.press("i", *"two", "escape", "p")
        assert "│ one" in sit.text()
        assert (note(sit, 1), note(sit, 2)) == ("one", "two")
        await sit.press("i", "alt+i")
        assert "Note on question" not in sit.text()


async def test_the_scratchpad_is_one_for_all_questions(no_pause: None) -> None:
    async with sitting(AttemptInMemory(an_exam(4))) as sit:
        await sit.press("i", *"note", "alt+shift+i", *"2x")
        assert "Scratchpad" in sit.text()
        assert note(sit, 1) == "note"
        await sit.press("escape", "n", "I", "y")
        assert "│ 2xy" in sit.text()
        await sit.press("escape")
        assert sit.keeper.desk.text(SCRATCHPAD) == "2xy"


async def test_palette_overview_and_question_show_that_there_is_a_note(no_pause: None) -> None:
    async with sitting(AttemptInMemory(an_exam(4))) as sit:
        await sit.press("n", "i", "x", "escape")
        assert "2○✎" in sit.text()
        assert "Question 2 of 4 ✎ note" in sit.text()
        await sit.press("o")
        assert "with a note" in sit.text()
        await sit.press("escape", "i", "backspace", "escape")
        assert "✎" not in sit.text()


async def test_a_question_of_words_opens_its_note_with_alt(no_pause: None) -> None:
    service = AttemptInMemory([question(1, "<p>Q</p>", ["x"], kind="S"), *an_exam(3)[1:]])
    async with sitting(service) as sit:
        await sit.press("i", "alt+i", *"nb", "escape")
        assert sit.keeper.session.items[0].answer.short_text == "i"
        assert note(sit, 1) == "nb"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_nothing_is_lost_when_the_time_is_over(size: tuple[int, int], no_pause: None) -> None:
    service = AttemptInMemory(an_exam(3), duration=timedelta(minutes=1))
    async with sitting(service, size=size) as sit:
        await sit.press("i", *"last words")
        await sit.jump(61)
        assert sit.keeper.session.phase is Phase.TIME_OVER
        assert note(sit, 1) == "last words"
        await sit.press("b", "n")
        assert sit.chosen(1) == ()
        assert sit.keeper.session.item.number == 1


async def test_nothing_is_lost_at_the_end_of_the_exam(no_pause: None) -> None:
    async with sitting(AttemptInMemory(an_exam(3))) as sit:
        await sit.press("i", *"done", "escape", "ctrl+e", "tab", "enter")
        await sit.work()
        assert sit.left_as() == "ended"
        assert note(sit, 1) == "done"


async def test_notes_are_there_again_offline_after_a_kill(tmp_path: Path) -> None:
    journals = FileJournals(tmp_path)
    journal = journals.open(KEY, "An exam")
    service = AttemptInMemory(an_exam(3))
    async with sitting(service, journal=journal) as sit:
        await sit.press("i", *"keep me", "escape", "I", *"sums", "escape")
        service.silent = Offline("The server cannot be reached.")
        await sit.press("n", "i", *"offline", "escape")
        await sit.work()
        shutil.copytree(tmp_path, tmp_path / "killed")  # the files as a kill leaves them
    journal.close()
    again = FileJournals(tmp_path / "killed").open(KEY, "An exam")
    assert not again.restored
    service.silent = None
    async with sitting(service, journal=again) as sit:
        await sit.press("p", "i")
        assert "│ keep me" in sit.text()
        assert "2○✎" in sit.text()
        await sit.press("alt+shift+i")
        assert "│ sums" in sit.text()
    again.close()


async def test_hostile_text_is_cleaned_when_pasted_and_is_no_markup(no_pause: None) -> None:
    async with sitting(AttemptInMemory(an_exam(3))) as sit:
        await sit.press("i")
        await sit.paste("[red]a[/b]\x1b[2J\r\nline two")
        await sit.press("escape")
        assert "\x1b" not in note(sit, 1)
        assert "[red]a[/b]" in sit.text()
        assert note(sit, 1).endswith("\nline two")


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_note_and_calculator_make_room_for_each_other(size: tuple[int, int], no_pause: None) -> None:
    async with sitting(AttemptInMemory(an_exam(3)), size=size) as sit:
        await sit.press("equals_sign", "7", "alt+i", *"seen")
        assert "│ seen" in sit.text()
        await sit.press("escape", "equals_sign", "8")
        assert "Calculator" in sit.text()
        await sit.press("escape", "i")
        assert "│ seen" in sit.text()
        assert note(sit, 1) == "seen"


async def test_the_footer_opens_closes_and_switches_by_mouse(no_pause: None) -> None:
    async with sitting(AttemptInMemory(an_exam(3)), size=(140, 40)) as sit:
        await sit.click("i note")
        await sit.press("x")
        await sit.click("alt+shift+i scratchpad")
        assert "Scratchpad" in sit.text()
        await sit.click("alt+shift+i close")
        assert "Scratchpad" not in sit.text()
        assert note(sit, 1) == "x"


async def test_the_note_of_an_attempt_in_another_window_says_that_it_cannot_be_changed(no_pause: None) -> None:
    async with sitting(AttemptInMemory(an_exam(5)), size=(120, 40)) as sit:
        sit.keeper._live.show(replace(sit.keeper.session, read_only=READ_ONLY))
        await sit.press("i", "a")
        assert "─ cannot be changed here ─" in sit.text()
        assert note(sit, sit.keeper.session.item.question_id) == ""
