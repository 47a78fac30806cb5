"""The runner in an app of its own: what stands on the screen as text, and how it was left."""

import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from textual.events import Paste
from textual.pilot import Pilot

from lms_tui.attempt.keeper import Keeper
from lms_tui.attempt.ports import Journal
from lms_tui.common.settings import Appearance, Paths, Runner, Settings
from lms_tui.tui.configured import ConfiguredApp
from lms_tui.tui.screens.runner.screen import RunnerScreen
from lms_tui.wire.attempts import ExamAids
from lms_tui.wire.errors import ApiError
from tests.fakes.attempts import AttemptInMemory, StillClock, a_keeper
from tests.fakes.lms import FakeLms
from tests.waiting import come_true


def settings(appearance: Appearance = Appearance(), runner: Runner = Runner()) -> Settings:  # noqa: B008 - frozen values
    here = Path("unused")
    return Settings(Paths(data=here, config=here, downloads=here), appearance=appearance, runner=runner)


class SittingApp(ConfiguredApp[None]):
    """`left_as`: what the runner was dismissed with, None while it is there."""

    def __init__(self, keeper: Keeper, chosen: Settings, *, badge: str) -> None:
        super().__init__(chosen)
        self.keeper = keeper
        self.lms = FakeLms()
        self.runner = RunnerScreen(keeper, self.lms, settings=chosen, badge=badge)
        self.left_as: str | None = None

    def on_mount(self) -> None:
        self.push_screen(self.runner, self._left)

    def _left(self, how: str | None) -> None:
        self.left_as = how

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """As the program's app: ctrl+q leaves the exam."""
        return action != "quit"


class Sitting:
    """A runner on a screen. The keeper's worker runs only while `work` waits for it."""

    def __init__(self, app: SittingApp, pilot: Pilot[None], service: AttemptInMemory, clock: StillClock) -> None:
        self.app = app
        self.pilot = pilot
        self.service = service
        self.clock = clock
        self.keeper = app.keeper

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    def chosen(self, question_id: int) -> tuple[int, ...]:
        item = self.keeper.session.find(question_id)
        assert item is not None
        return item.answer.selected

    async def pass_time(self, seconds: float) -> None:
        """Let seconds pass, a tick of the screen at each."""
        whole = int(seconds)
        for step in [1.0] * whole + ([seconds - whole] if seconds > whole else []):
            self.clock.now += step
            self.app.runner.tick()
        await self.pilot.pause()

    async def jump(self, seconds: float) -> None:
        """Let seconds pass with one tick at their end."""
        self.clock.now += seconds
        self.app.runner.tick()
        await self.pilot.pause()

    async def work(self) -> None:
        """Let the keeper do all that can be done now."""
        worker = self.app.run_worker(self.keeper.run(), group="keeper")
        for _ in range(30):
            await self.pilot.pause()
        worker.cancel()
        await self.pilot.pause()

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait for what a timer of the program does."""
        assert await come_true(true, lambda: self.pilot.pause(0.01)), self.text()

    async def paste(self, text: str) -> None:
        self.app.post_message(Paste(text))
        for _ in range(3):
            await self.pilot.pause()

    async def click(self, text: str) -> None:
        """Click the last place where this text stands."""
        y = max(number for number, row in enumerate(self.rows()) if text in row)
        await self.pilot.click(offset=(self.rows()[y].index(text) + 1, y))
        for _ in range(5):
            await self.pilot.pause()

    def left_as(self) -> str | None:
        return self.app.left_as

    def rows(self) -> list[str]:
        strips = self.app.screen._compositor.render_strips()
        return [strip.text for strip in strips]

    def text(self) -> str:
        return "\n".join(self.rows())

    def place_of(self, text: str) -> tuple[int, int]:
        """Column and row where a text begins on the screen."""
        return next((row.index(text), y) for y, row in enumerate(self.rows()) if text in row)


@contextlib.asynccontextmanager
async def sitting(
    service: AttemptInMemory,
    *,
    size: tuple[int, int] = (120, 40),
    clock: StillClock | None = None,
    chosen: Settings | None = None,
    badge: str = "",
    journal: Journal | None = None,
    aids: ExamAids | ApiError | None = None,
) -> AsyncIterator[Sitting]:
    clock = clock or StillClock()
    app = SittingApp(await a_keeper(service, clock=clock, journal=journal), chosen or settings(), badge=badge)
    if isinstance(aids, ApiError):
        app.lms.faults.fail("attempts.aids", aids)
    else:
        app.lms.attempts.told_aids = aids
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.pause()
        yield Sitting(app, pilot, service, clock)
