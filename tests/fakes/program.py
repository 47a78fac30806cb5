"""The whole app over services in memory: press keys, read what stands on the screen."""

import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

from textual.events import Paste
from textual.pilot import Pilot
from textual.worker import WorkerCancelled, WorkerFailed

from lms_tui.attempt.clock import SystemClock
from lms_tui.attempt.ports import Journals
from lms_tui.common.settings import Appearance, Profile
from lms_tui.content.images import show_from
from lms_tui.practice.decks import Decks
from lms_tui.practice.run import PracticeRun
from lms_tui.tui.app import LmsApp
from lms_tui.views.ports import OnStep, Opening, UserSession
from tests.fakes import institute
from tests.fakes.lms import FakeLms
from tests.fakes.session_provider import FakeSessionProvider, dependencies
from tests.waiting import come_true


class InstituteClock(SystemClock):
    """The real boot clock, and the institute's day."""

    def wall(self) -> float:
        return institute.NOW.timestamp()


class Program:
    def __init__(self, app: LmsApp, pilot: Pilot[None], lms: FakeLms, provider: FakeSessionProvider) -> None:
        self.app = app
        self.pilot = pilot
        self.lms = lms
        self.provider = provider

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def type(self, text: str) -> None:
        """Put text where the cursor is, all at once."""
        self.app.post_message(Paste(text))
        await self.settle()

    async def settle(self) -> None:
        """Let everything that was begun come to its end, but for what waits for a person or goes on for ever."""
        if self.app.pictures is not None and not self.app.settings.appearance.ascii:
            # The pilot paints too, and it does so in the task of the test.
            show_from(self.app.pictures)
        await self.pilot.pause()
        for _ in range(5):
            begun = [
                w
                for w in self.app.workers
                if not w.is_finished and w.group not in {"keeper", "attempt", "pictures", "person"}
            ]
            if not begun or self.app.screen.is_modal:
                return
            with contextlib.suppress(WorkerFailed, WorkerCancelled):  # a test asks how the screen looks afterwards
                await self.app.workers.wait_for_complete(begun)
            await self.pilot.pause()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait for what a worker does by itself."""
        assert await come_true(holds, lambda: self.pilot.pause(0.02)), self.text()

    def rows(self) -> list[str]:
        return [strip.text for strip in self.app.screen._compositor.render_strips()]

    def text(self) -> str:
        return "\n".join(self.rows())

    @property
    def words(self) -> str:
        """What stands on the screen with borders and line breaks folded into blanks."""
        return " ".join(self.text().replace("│", " ").split())

    @property
    def notices(self) -> str:
        """What was told in passing, newest last."""
        return "\n".join(notice.message for notice in self.app._notifications)

    @property
    def screen(self) -> str:
        return type(self.app.screen).__name__


@contextlib.asynccontextmanager
async def program(
    folder: Path,
    lms: FakeLms | None = None,
    *profiles: Profile,
    size: tuple[int, int] = (120, 40),
    signed_in: bool = True,
    slug: str = "",
    badge: str = "",
    journals: Journals | None = None,
    keys: dict[str, str] | None = None,
    appearance: Appearance = Appearance(),  # noqa: B008 - a frozen value
    provider: FakeSessionProvider | None = None,
    home: bool = False,
    practice: PracticeRun | None = None,
    decks: Decks | None = None,
) -> AsyncIterator[Program]:
    """Open the app, signed in or at the sign-in screen. `home`: stay at home, in front of the list of exams.

    `practice`: open this session of practice only.
    """
    lms = lms or FakeLms()
    provider = provider or FakeSessionProvider(lms, *profiles)
    given = dependencies(provider, folder, journals=journals, keys=keys or {}, appearance=appearance)

    async def enter(*, on_step: OnStep | None = None) -> UserSession:
        return UserSession(lms, await lms.me())

    given = replace(given, clock=InstituteClock(), decks=(lambda: decks) if decks else None)
    app = LmsApp(given, Opening(enter if signed_in else None, slug, badge, practice=practice))
    async with app.run_test(size=size) as pilot:
        run = Program(app, pilot, lms, provider)
        await run.settle()
        await run.settle()
        if signed_in and not home and run.screen == "HomeScreen":
            await run.press("e")
        yield run
