"""Short checks: tests of the suite, called as functions, and small simulations."""

import asyncio
import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from textual.app import App
from textual.widgets import Label

from lms_tui.attempt.journal.store import FileJournals
from lms_tui.client.auth import sign_in
from lms_tui.tui import dialogs
from tests.attempt import test_keeper, test_lost_journal
from tests.client.stranger import BASE, Stranger, signed_in_stranger
from tests.crash import runs
from tests.mutants.planting import Check
from tests.simulation.exam import SimulatedExam


def passes(test: Callable[..., Any], *arguments: object, **flags: bool) -> Check:
    """A test of the suite as a check; a parametrized one with one of its rows."""

    @functools.wraps(test)
    def check() -> None:
        try:
            done = test(*arguments, **flags)
            if inspect.isawaitable(done):
                asyncio.run(_awaited(done))
        finally:
            while test_keeper.Desk.taken:
                test_keeper.Desk.taken.pop().scheduler.kill("computer")

    return check


async def _awaited(done: Any) -> None:
    await done


def with_folder(test: Callable[..., Any], *arguments: object) -> Check:
    """A test that wants an empty folder first."""

    @functools.wraps(test)
    def check() -> None:
        with TemporaryDirectory() as folder:
            test(Path(folder), *arguments)

    return check


def with_journals(test: Callable[[FileJournals], object]) -> Check:
    """A test of the journals' contract, on files."""

    @functools.wraps(test)
    def check() -> None:
        with TemporaryDirectory() as folder:
            test(FileJournals(Path(folder)))

    return check


def with_desk(test: Callable[[test_keeper.Desk, Path], None]) -> Check:
    """A test that wants an attempt without a connection, with two answers in a journal of files."""

    @functools.wraps(test)
    def check() -> None:
        with TemporaryDirectory() as place:
            folder = Path(place, "journals")
            desk = test_lost_journal.desk_offline(folder)
            try:
                test(desk, folder)
            finally:
                desk.journal.close()
                test_keeper.Desk.taken.clear()

    return check


def with_client(test: Callable[..., Any], *arguments: object) -> Check:
    """A test that wants a stranger's server and a client that has signed in to it."""

    async def signed_in(stranger: Stranger) -> None:
        lms = (await sign_in(BASE, "asha", "practice", access=stranger.access())).lms
        stranger.requests.clear()
        try:
            await test(stranger, lms, *arguments)
        finally:
            await lms.close()

    @functools.wraps(test)
    def check() -> None:
        asyncio.run(signed_in(signed_in_stranger()))

    return check


def simulation(first: int = 1, exams: int = 150) -> Check:
    """Simulated exams from a seed on, up to the first that loses an answer or breaks a promise."""

    def check() -> None:
        for seed in range(first, first + exams):
            verdict = SimulatedExam(seed).run()
            assert verdict.good, f"seed {seed}: {[*verdict.lost, *verdict.broken][:1]}"

    check.__name__ = "the simulation"
    return check


class RealJournal:
    """What the program that is killed does with its journal."""

    variant = "real"


def power_cut() -> None:
    tally = runs.cut_power(1, 1, 12, RealJournal.variant)
    assert not tally.damaged, tally.examples


def kill_9() -> None:
    points = [("write", number) for number in range(8, 50, 4)]
    tally = runs.kill_at(points, 12, RealJournal.variant)
    assert not tally.damaged, tally.examples


def words_of_a_server_are_shown_as_they_are() -> None:
    hostile = "[red]Your exam[/red] [0] [@click=app.quit]ends[/]"

    class Stage(App[None]):
        async def on_mount(self) -> None:
            self.run_worker(dialogs.notice(self, "Notice", hostile), exit_on_error=False)

    async def look() -> None:
        app = Stage()
        async with app.run_test() as pilot:
            await pilot.pause()
            label = app.screen.query_one("#body Label", Label)
            assert str(label.render()) == hostile

    asyncio.run(look())
