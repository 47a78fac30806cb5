"""Screens that open after the person has opened something else, because the server took its time."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from textual.widgets import OptionList

from lms_tui.tui.command_palette import CommandSearch
from lms_tui.tui.dialog_box import DialogBox
from lms_tui.tui.messages import DestinationAsked
from lms_tui.tui.router import Router
from lms_tui.views.more import Destination
from lms_tui.wire.attempts import Attempt
from lms_tui.wire.errors import Offline
from tests.fakes.lms import FakeLms
from tests.fakes.program import Program, program


def palettes(run: Program) -> int:
    return sum(screen.has_class("--textual-command-palette") for screen in run.app.screen_stack)


async def started(run: Program, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Start the exam of the instructions. The server answers when the event is set."""
    arrives, create = asyncio.Event(), run.lms.attempts.create

    async def late(slug: str, access_code: str = "") -> Attempt:
        await arrives.wait()
        return await create(slug, access_code)

    monkeypatch.setattr(run.lms.attempts, "create", late)
    await run.pilot.press("enter")
    await run.until(lambda: "Starting …" in run.words)
    return arrives


@contextlib.asynccontextmanager
async def courses_asked_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Program, asyncio.Event]]:
    """Ask for the courses. Their page opens when the event is set."""
    arrives, destination = asyncio.Event(), Router.destination

    async def late(router: Router, asked: DestinationAsked) -> object:
        await arrives.wait()
        return await destination(router, asked)

    monkeypatch.setattr(Router, "destination", late)
    async with program(folder, FakeLms()) as run:
        run.app.post_message(DestinationAsked(Destination.COURSES))
        yield run, arrives


@pytest.mark.parametrize("key", ["f7", "f1"])
async def test_an_exam_that_opens_late_closes_what_lies_over_the_instructions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    async with program(tmp_path, FakeLms(), slug="five-minutes") as run:
        arrives = await started(run, monkeypatch)
        await run.pilot.press(key)
        await run.until(lambda: run.screen != "InstructionsScreen")
        arrives.set()
        await run.until(lambda: run.screen == "RunnerScreen" and "Question 1 of" in run.words)
        assert len(run.app.screen_stack) == 2


async def test_letters_for_the_palette_are_no_answers_of_an_exam_that_opens_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with program(tmp_path, FakeLms(), slug="five-minutes") as run:
        arrives = await started(run, monkeypatch)
        await run.pilot.press("f7", *"th")
        arrives.set()
        await run.until(lambda: run.screen == "RunnerScreen" and "Question 1 of" in run.words)
        await run.pilot.press("b")
        await run.settle()
        assert "saved 0" in run.words
        await run.until(lambda: not run.app.screen._deaf)  # type: ignore[attr-defined]  # the person pauses
        await run.press("b")
        assert "saved 1" in run.words


async def test_the_instructions_below_the_palette_hear_that_the_exam_was_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with program(tmp_path, FakeLms(), slug="five-minutes") as run:
        arrives = await started(run, monkeypatch)
        await run.pilot.press("f7")
        await run.until(lambda: palettes(run) == 1)
        run.lms.faults.fail("attempts.start", *[Offline("The server cannot be reached.")] * 9)
        arrives.set()
        await run.until(lambda: "The exam could not be opened" in run.words)
        await run.press("escape")
        await run.until(lambda: isinstance(run.app.screen, CommandSearch))
        await run.press("escape")
        await run.until(lambda: run.screen == "InstructionsScreen")
        assert "Opening the exam" not in run.words
        assert "Press enter to continue" in run.words


async def test_the_palette_opens_again_after_a_screen_has_opened_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with courses_asked_for(tmp_path, monkeypatch) as (run, arrives):
        await run.pilot.press("f7")
        await run.until(lambda: palettes(run) == 1)
        arrives.set()
        await run.until(lambda: run.screen == "CoursesScreen")
        assert palettes(run) == 0
        await run.pilot.press("f7")
        await run.until(lambda: palettes(run) == 1)


async def test_what_is_typed_into_a_dialog_stays_when_a_screen_opens_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with courses_asked_for(tmp_path, monkeypatch) as (run, arrives):
        await run.pilot.press("n", *"five")
        arrives.set()
        await run.until(lambda: run.screen == "CoursesScreen")
        await run.press("escape")
        assert run.screen == "LineDialog"
        assert "five" in run.words


async def test_the_palette_opens_again_at_once_after_it_was_closed(tmp_path: Path) -> None:
    async with program(tmp_path, FakeLms()) as run:
        await run.pilot.press(*["f7", "escape"] * 5, "f7")
        await run.until(lambda: palettes(run) == 1)


@pytest.mark.parametrize(("direction", "drawn", "reached"), [("up", True, 0), ("down", True, 2), ("up", False, 1)])
async def test_a_page_key_in_the_palette_takes_commands_that_are_not_drawn_yet(
    tmp_path: Path, direction: str, drawn: bool, reached: int
) -> None:
    async with program(tmp_path, FakeLms()) as run:
        await run.pilot.press("f7")
        await run.until(lambda: palettes(run) == 1)
        palette = run.app.screen
        assert isinstance(palette, CommandSearch)
        found = palette.query_one(OptionList)
        found.display = drawn
        await run.pilot.pause()
        found.set_options(["one", "two", "three"])
        found.highlighted = 1
        await run.pilot.press(f"page{direction}")
        assert found.highlighted == reached


async def test_a_command_that_is_clicked_and_entered_at_once_runs_once(tmp_path: Path) -> None:
    async with program(tmp_path, FakeLms(), slug="five-minutes") as run:
        await run.press("enter")
        await run.until(lambda: run.screen == "RunnerScreen" and "Question 1 of" in run.words)
        await run.pilot.press("f7")
        await run.until(lambda: palettes(run) == 1)
        await run.type("next question")
        found = run.app.screen.query_one(OptionList)
        await run.until(lambda: found.option_count > 0)
        await run.pilot.pause(0.2)
        found.highlighted = 0
        found.action_select()
        found.action_select()
        await run.until(lambda: palettes(run) == 0)
        await run.settle()
        assert run.screen == "RunnerScreen"
        assert "Question 2 of" in run.words


async def test_a_screen_that_is_closed_twice_leaves_the_one_below(tmp_path: Path) -> None:
    async with program(tmp_path, FakeLms()) as run:
        for key in ("?", "n"):
            await run.pilot.press(key)
            await run.until(lambda: run.screen != "AttemptsScreen")
            above = run.app.screen
            above.dismiss(None)
            above.dismiss(None)
            await run.settle()
            assert run.screen == "AttemptsScreen"


async def test_a_page_key_in_a_dialog_that_is_closed_does_nothing(tmp_path: Path) -> None:
    async with program(tmp_path, FakeLms()) as run:
        await run.press("n")
        dialog = run.app.screen
        assert isinstance(dialog, DialogBox)
        await dialog.dismiss(None)
        dialog.action_read(1)
        assert run.screen == "AttemptsScreen"
