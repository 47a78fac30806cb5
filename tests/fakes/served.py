"""The whole app over the real service with the people of the demo institute, through its own front door."""

import atexit
import contextlib
import shutil
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, cast

from lms_tui.attempt.clock import SystemClock
from lms_tui.client.auth import sign_in
from lms_tui.client.connection import Access
from lms_tui.common.settings import Appearance
from lms_tui.service.core.media import Media
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.demo.broadcasts import add_broadcasts
from lms_tui.service.demo.contents import add_contents, add_courses
from lms_tui.service.demo.people import add_people
from lms_tui.service.demo.presence import add_film
from lms_tui.tui.app import LmsApp
from lms_tui.views.ports import OnStep, Opening, UserSession
from tests.fakes.loops import InProcess
from tests.fakes.program import Program
from tests.fakes.session_provider import FakeSessionProvider, dependencies
from tests.service.service_world import PASSWORD, FakeClock, World
from tests.waiting import come_true

if TYPE_CHECKING:
    from tests.fakes.lms import FakeLms

BASE = "http://lms.test"


class WorldClock(SystemClock):
    """The real boot clock, and the day of the world that a test moves."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__()
        self._world = clock

    def wall(self) -> float:
        return self._world.now.timestamp()


class Served(Program):
    """What the service answers takes as long as it takes: `see` waits for it."""

    async def see(self, *texts: str) -> str:
        """Wait until all of this stands on the screen, and return what does."""
        seen = ""

        def stands() -> bool:
            nonlocal seen
            seen = self.words
            return all(text in seen for text in texts)

        assert await come_true(stands, self._go_on), f"{texts} not in:\n{self.text()}"
        return seen

    async def gone(self, text: str) -> None:
        assert await come_true(lambda: text not in self.words, self._go_on), f"{text} still in:\n{self.text()}"

    async def _go_on(self) -> None:
        await self.pilot.pause(0.025)


@cache
def _prepared() -> Path:
    """The people, courses and posts of the demo institute, without its exams, made once for all tests of a run."""
    folder = Path(mkdtemp(prefix="lms-tui-institute-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    world = World.at(folder)
    add_film(Media(world.settings.media))
    now = world.clock.now
    with world.database.write() as session:
        students = add_people(session, Passwords(), now)
        add_courses(session, now)
        add_contents(session, students, now)
        add_broadcasts(session, now)
    world.database.close()
    return folder


def institute(folder: Path) -> World:
    """A world of its own with the demo institute in it, but for exams."""
    shutil.copytree(_prepared(), folder)
    return World.at(folder)


@contextlib.asynccontextmanager
async def signed_in(world: World, username: str) -> AsyncIterator[UserSession]:
    access = Access(transport=InProcess(world.app), allow_plain_http=True)
    entered = await sign_in(BASE, username, PASSWORD, access=access)
    try:
        yield UserSession(entered.lms, entered.user)
    finally:
        await entered.lms.close()


@contextlib.asynccontextmanager
async def served(
    world: World,
    username: str,
    folder: Path,
    *,
    size: tuple[int, int] = (120, 40),
    theme: str = "dark",
    without_symbols: bool = False,
) -> AsyncIterator[Served]:
    """Open the app at the list of exams, signed in as this user of the institute."""
    async with signed_in(world, username) as session:
        given = dependencies(FakeSessionProvider(), folder, appearance=Appearance(theme=theme, ascii=without_symbols))

        async def enter(*, on_step: OnStep | None = None) -> UserSession:
            return session

        app = LmsApp(replace(given, clock=WorldClock(world.clock)), Opening(enter))
        async with app.run_test(size=size) as pilot:
            run = Served(app, pilot, cast("FakeLms", session.lms), FakeSessionProvider())
            await run.settle()
            await run.settle()
            await run.press("e")
            yield run
