"""Coroutines in virtual time: one thread, one heap, nothing but the seed decides what happens next."""

import heapq
import itertools
from collections.abc import Callable, Coroutine, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio

Work = Coroutine[Any, Any, None]


@dataclass(eq=False)
class Sleep:
    """Suspends a coroutine until a moment, or until its condition holds, whichever comes first."""

    until: float | None
    ready: Callable[[], bool] | None = None

    def __await__(self) -> Generator["Sleep", None, None]:
        yield self


@dataclass(eq=False)
class Task:
    """`group`: the computer it runs on, which may be killed or stand still."""

    work: Work
    group: str
    sleep: Sleep | None = None
    done: bool = False


@dataclass
class Scheduler:
    """`now`: seconds of true time. The tasks of a paused group stand still: their computer sleeps or is stopped."""

    now: float = 0.0
    paused: set[str] = field(default_factory=set)
    on_failure: Callable[[Task, Exception], None] | None = None
    after_step: Callable[[], None] | None = None
    """Called after every step of every task: what must hold at all times is looked at here."""
    _tasks: list[Task] = field(default_factory=list)
    _alarms: list[tuple[float, int, Task, Sleep]] = field(default_factory=list)
    _order: Any = field(default_factory=itertools.count)

    def spawn(self, work: Work, group: str = "") -> Task:
        task = Task(work, group)
        self._tasks.append(task)
        self._suspend(task, Sleep(self.now))
        return task

    def kill(self, group: str) -> None:
        """End every task of a group as `kill -9` does: at once, with no clean-up of its own."""
        for task in self._tasks:
            task.done = task.done or task.group == group
        self._tidy()

    def run(self, until: float, finished: Callable[[], bool]) -> bool:
        """Let time pass until `finished` holds (True) or the moment is reached (False)."""
        while not finished():
            task = self._ready() or self._due(until)
            if task is None:
                self.now = max(self.now, until)
                return False
            self._step(task)
        return True

    def _suspend(self, task: Task, sleep: Sleep) -> None:
        task.sleep = sleep
        if sleep.until is not None:
            heapq.heappush(self._alarms, (max(sleep.until, self.now), next(self._order), task, sleep))

    def _ready(self) -> Task | None:
        for task in self._tasks:
            ready = task.sleep.ready if task.sleep else None
            if ready is not None and task.group not in self.paused and ready():
                return task
        return None

    def _due(self, until: float) -> Task | None:
        while self._alarms and self._alarms[0][0] <= until:
            moment, _, task, sleep = heapq.heappop(self._alarms)
            if task.done or task.sleep is not sleep:
                continue
            if task.group in self.paused:
                self._suspend(task, Sleep(None, lambda: True))
                continue
            self.now = max(self.now, moment)
            return task
        return None

    def _step(self, task: Task) -> None:
        task.sleep = None
        try:
            wish = task.work.send(None)
        except StopIteration:
            task.done = True
        except Exception as error:
            task.done = True
            if self.on_failure is None:
                raise
            self.on_failure(task, error)
        else:
            self._suspend(task, wish)
        if task.done:
            self._tidy()
        if self.after_step is not None:
            self.after_step()

    def _tidy(self) -> None:
        for task in self._tasks:
            if task.done:
                task.work.close()
        self._tasks = [task for task in self._tasks if not task.done]

    async def together(self, jobs: Sequence[Callable[[], Work]], group: str) -> None:
        tasks = [self.spawn(job(), group) for job in jobs]
        await Sleep(None, lambda: all(task.done for task in tasks))


@dataclass
class SimulatedClock:
    """The boot clock runs with true time, also while the computer sleeps; the wall clock may say anything."""

    scheduler: Scheduler
    wall_offset: float = 0.0
    speed: float = 1.0
    boot_id: str = "a start of the computer"

    def boot(self) -> float:
        return self.scheduler.now

    def wall(self) -> float:
        return self.scheduler.now + self.wall_offset

    async def wait(self, wake: anyio.Event, seconds: float | None) -> None:
        until = None if seconds is None else self.scheduler.now + seconds
        await Sleep(until, wake.is_set)
