"""Moves on large screens beside the same move in a bare Textual list of that size, from the key to the painted screen.

Run it with the environment's own interpreter: `.venv/bin/python -m benchmarks.screens [ROUNDS] [WORDS OF A MOVE]`.
Each program runs in a task of its own, driven by Textual's pilot; they get their keys in turn, so that what else the
computer does slows both.
The service is in memory: what is measured is the program. Exit status 1 where a target is missed.

`painted`: from the key to the last paint that it caused, escape sequences included. `work`: the processor time until
the program is idle again.
"""

import asyncio
import compileall
import gc
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, ClassVar, Self

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import OptionList

from benchmarks.figures import Target, heading, judged, p, row
from lms_tui.practice.decks import Decks
from lms_tui.tui.app import LmsApp
from lms_tui.views.ports import OnStep, Opening, UserSession
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import Attempt, AttemptQuestion, ReviewQuestion
from lms_tui.wire.base import Page
from tests.fakes import institute
from tests.fakes.lms import FakeAttempts, FakeLms
from tests.fakes.session_provider import FakeSessionProvider, dependencies

SIZE = (120, 40)
REVIEWED, LISTED, ASKED = 500, 10_000, 200
EXAMS = 500
WARM = 5
LIMIT = 60.0
"""Seconds after which a screen that was waited for counts as not there."""


class Watch:
    """Notes when a program painted; without a terminal Textual stops before the escape sequences, this does not."""

    def __init__(self, app: App[None]) -> None:
        self.painted = 0.0
        self._display = app._display  # noqa: SLF001 - where every paint passes
        self._console = app.console
        app._display = self._painted  # type: ignore[method-assign]  # noqa: SLF001 - the same

    def _painted(self, screen: Any, renderable: Any) -> None:
        self._display(screen, renderable)
        if hasattr(renderable, "render_segments"):
            renderable.render_segments(self._console)
        self.painted = time.perf_counter()


class BareList(App[None]):
    """A list and nothing else; enter lays another one of the same size over it, escape takes it away."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "take_away")]

    def __init__(self, rows: int) -> None:
        super().__init__()
        self._lines = [f"Row {number}" for number in range(1, rows + 1)]

    def compose(self) -> ComposeResult:
        yield OptionList(*self._lines)

    async def on_option_list_option_selected(self) -> None:
        await self.push_screen(BareScreen(self._lines))

    async def action_take_away(self) -> None:
        await self.pop_screen()


class BareScreen(Screen[None]):
    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self._lines = lines

    def compose(self) -> ComposeResult:
        yield OptionList(*self._lines)


class LargeAttempts(FakeAttempts):
    """Prepared beforehand, so that what the service in memory costs is not the program's."""

    def __init__(self, faults: Any) -> None:
        super().__init__(faults)
        reviewed = tuple(_reviewed(number) for number in range(1, REVIEWED + 1))
        self._pages = [_page(reviewed[at : at + 20], more=at + 20 < REVIEWED) for at in range(0, REVIEWED, 20)]

    async def page(self, number: int = 1, *, course: str = "", title: str = "") -> Page[Attempt]:  # noqa: ARG002 - the port's signature
        return _page(tuple(self.known), more=False)

    async def review(self, attempt_id: int) -> AsyncIterator[Page[ReviewQuestion]]:  # noqa: ARG002 - the port's signature
        for page in self._pages:
            yield page


def _page(items: tuple[Any, ...], *, more: bool) -> Page[Any]:
    link = "https://lms.example.org/?page=2" if more else None
    return Page[Any].model_construct(count=len(items), next=link, previous=None, per_page=20, results=items)


def _reviewed(number: int) -> ReviewQuestion:
    """No two questions are alike, so that nothing is cheap because it was seen before."""
    question = institute.reviewed(number)
    stem = rf"<p>Question {number}: the value of \(\int_0^{{{number}}} \frac{{x^2}}{{\sqrt{{1 + x^3}}}}\,dx\) lies</p>"
    body = question.question.model_copy(update={"question_html": stem + question.question.question_html})
    return question.model_copy(update={"question": body})


def _asked(number: int) -> AttemptQuestion:
    question = institute.question(number)
    stem = rf"<p>Let \(a_{{{number}}} = \frac{{{number}}}{{2^k}}\). Then its sum is equal to</p>"
    return question.model_copy(update={"question": question.question.model_copy(update={"question_html": stem})})


def service(count: int) -> FakeLms:
    """A student with so many attempts of an exam of 500 questions, and one of 200 that is running."""
    lms = FakeLms()
    lms.attempts = LargeAttempts(lms.faults)
    long = institute.exam("long", "Long exam", number_of_questions=REVIEWED, mark_per_question=Decimal(1))
    first = institute.finished(1, long, 300, 100)
    exams = [first.exam.model_copy(update={"slug": f"exam-{n}", "title": f"Long exam {n}"}) for n in range(EXAMS)]
    lms.attempts.known = [
        first.model_copy(update={"id": n + 1, "exam": exams[n % EXAMS], "date": institute.NOW - timedelta(hours=n)})
        for n in range(count)
    ]
    lms.exams.lists = {state: [] for state in lms.exams.lists}
    return lms


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds."""

    painted: float
    work: float


class Driven:
    """One program in a task of its own, where its keys are pressed."""

    def __init__(self, app: App[None]) -> None:
        self.app = app
        self._watch = Watch(app)
        self._orders: asyncio.Queue[tuple[Callable[[Pilot[None]], Awaitable[Any]], asyncio.Future[Any]]] = (
            asyncio.Queue()
        )
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        async with self.app.run_test(size=SIZE) as pilot:
            while True:
                order, answer = await self._orders.get()
                try:
                    answer.set_result(await order(pilot))
                except Exception as error:  # noqa: BLE001 - it is raised again where the order was given
                    answer.set_exception(error)

    async def do(self, order: Callable[[Pilot[None]], Coroutine[Any, Any, Any]]) -> Any:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        await self._orders.put((order, answer))
        return await answer

    def text(self) -> str:
        return "\n".join(strip.text for strip in self.app.screen._compositor.render_strips())  # noqa: SLF001 - no public face shows the screen as text

    async def see(self, words: str) -> None:
        await self.do(lambda pilot: self._until(words, pilot))

    async def _until(self, words: str, pilot: Pilot[None]) -> None:
        end = time.monotonic() + LIMIT
        while words not in self.text():
            if time.monotonic() > end:
                sys.exit(f"waited for {words!r} and saw:\n{self.text()}")
            await pilot.pause()

    async def press(self, *keys: str, see: str = "") -> Cost:
        """Press keys and wait until the program is idle, and until `see` stands on the screen."""

        async def press(pilot: Pilot[None]) -> Cost:
            gc.collect()
            gc.disable()
            begun, worked = time.perf_counter(), time.process_time()
            await pilot.press(*keys)
            await self._until(see, pilot)
            cost = Cost(1000 * (self._watch.painted - begun), 1000 * (time.process_time() - worked))
            gc.enable()
            return cost

        cost: Cost = await self.do(press)
        return cost


def program(lms: FakeLms, folder: Path, opened: Callable[[], Decks] | None = None) -> LmsApp:
    """The program over a service in memory. `opened`: the decks of practice, None without practice."""

    async def enter(*, on_step: OnStep | None = None) -> UserSession:  # noqa: ARG001 - the port has it
        return UserSession(lms, await lms.me())

    known = replace(dependencies(FakeSessionProvider(lms), folder), decks=opened)
    return LmsApp(known, Opening(enter))


Figures = dict[str, tuple[list[Cost], list[Cost]]]


async def open_exams(ours: Driven) -> None:
    """Go from home to the list of exams."""
    await ours.see("Long exam")
    await ours.press("e", see="Done")


async def opening(folder: Path, rounds: int) -> tuple[list[Cost], list[Cost]]:
    """The review of 500 questions beside a screen with a list of 500."""
    bare, ours = Driven(BareList(REVIEWED)), Driven(program(service(1), folder))
    found: tuple[list[Cost], list[Cost]] = ([], [])
    async with bare, ours:
        await open_exams(ours)
        await ours.press("enter", see="Accuracy 75 %")
        await ours.see("500")
        for number in range(WARM + rounds):
            costs = await bare.press("enter"), await ours.press("enter", see="Question 1 of 500")
            await bare.press("escape")
            await ours.press("escape", see="Accuracy 75 %")
            if number >= WARM:
                found[0].append(costs[0])
                found[1].append(costs[1])
    return found


async def moving(folder: Path, rounds: int) -> tuple[list[Cost], list[Cost]]:
    """A row of the list of exams with 10,000 attempts beside a row of a list of 10,000."""
    bare, ours = Driven(BareList(LISTED)), Driven(program(service(LISTED), folder))
    return await in_turn(bare, ours, rounds, ours_key="down", ready=lambda: open_exams(ours))


async def switching(folder: Path, rounds: int) -> tuple[list[Cost], list[Cost]]:
    """The next question of 200 in the runner beside a row of a list of 200."""
    lms = service(1)
    exam = institute.exam("sat", "Sat exam", number_of_questions=ASKED, duration=None)
    lms.attempts.known = [institute.attempt(7, exam, AttemptState.RUNNING)]
    lms.attempts.asked[7] = [_asked(number) for number in range(1, ASKED + 1)]
    bare, ours = Driven(BareList(ASKED)), Driven(program(lms, folder))

    async def ready() -> None:
        await ours.see("Sat exam")
        await ours.press("enter", see=f"Question 1 of {ASKED}")

    return await in_turn(bare, ours, min(rounds, ASKED - WARM - 2), ours_key="n", ready=ready)


async def in_turn(
    bare: Driven, ours: Driven, rounds: int, *, ours_key: str, ready: Callable[[], Awaitable[None]]
) -> tuple[list[Cost], list[Cost]]:
    found: tuple[list[Cost], list[Cost]] = ([], [])
    async with AsyncExitStack() as running:
        await running.enter_async_context(bare)
        await running.enter_async_context(ours)
        await ready()
        for number in range(WARM + rounds):
            costs = await bare.press("down"), await ours.press(ours_key)
            if number >= WARM:
                found[0].append(costs[0])
                found[1].append(costs[1])
    return found


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 150
    compileall.compile_dir(Path(__file__).parent.parent / "lms_tui", quiet=1)
    only = sys.argv[2] if len(sys.argv) > 2 else ""
    measures = (
        ("open a review of 500", opening, max(20, rounds // 3)),
        ("a row of 10,000", moving, rounds),
        ("a question of 200", switching, rounds),
    )
    targets: list[Target] = []
    print(heading("ms (in turn)"))
    for name, measure, count in measures:
        if only not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            bare, ours = asyncio.run(measure(Path(folder), count))
        for label, costs in ((f"bare list: {name}", bare), (name, ours)):
            print(row(f"{label}, painted", [cost.painted for cost in costs]))
            print(row("  work", [cost.work for cost in costs]))
        share = p([cost.painted for cost in ours], 0.95) / p([cost.painted for cost in bare], 0.95)
        targets.append(Target(f"{name}, p95", share, 2.0, of="the bare list"))
    return judged(targets)


if __name__ == "__main__":
    sys.exit(main())
