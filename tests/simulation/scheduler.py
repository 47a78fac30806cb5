"""Coroutines in virtual time: one thread, one heap, nothing but the seed decides what happens next."""

import bisect
import heapq
import itertools
from collections.abc import Callable, Coroutine, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio

Work = Coroutine[Any, Any, None]


@dataclass(eq=False, slots=True)
class Sleep:
    """Suspends a coroutine until a moment, or until its condition holds, whichever comes first."""

    until: float | None
    ready: Callable[[], bool] | None = None

    def __await__(self) -> Generator["Sleep", None, None]:
        yield self


@dataclass(eq=False, slots=True)
class Task:
    """`group`: the computer it runs on, which may be killed or stand still. `number`: in the order of beginning."""

    work: Work
    group: str
    number: int
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
    _tasks: dict[int, Task] = field(default_factory=dict)
    """The tasks that are not done, by their numbers."""
    _waiting: list[Task] = field(default_factory=list)
    """Those of them that wait for a condition, in the order of their numbers."""
    _alarms: list[tuple[float, int, Task, Sleep]] = field(default_factory=list)
    _order: Any = field(default_factory=itertools.count)

    def spawn(self, work: Work, group: str = "") -> Task:
        task = Task(work, group, next(self._order))
        self._tasks[task.number] = task
        self._suspend(task, Sleep(self.now))
        return task

    def kill(self, group: str) -> None:
        """End every task of a group as `kill -9` does: at once, with no clean-up of its own."""
        for task in [task for task in self._tasks.values() if task.group == group]:
            self._end(task)
            task.work.close()

    def run(self, until: float, finished: Callable[[], bool]) -> bool:
        """Let time pass until `finished` holds (True) or the moment is reached (False)."""
        while not finished():
            task = (self._ready() if self._waiting else None) or self._due(until)
            if task is None:
                self.now = max(self.now, until)
                return False
            self._step(task)
        return True

    def _suspend(self, task: Task, sleep: Sleep) -> None:
        task.sleep = sleep
        if sleep.until is not None:
            heapq.heappush(self._alarms, (max(sleep.until, self.now), next(self._order), task, sleep))
        if sleep.ready is not None:
            bisect.insort(self._waiting, task, key=_number)

    def _ready(self) -> Task | None:
        for task in self._waiting:
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
                self._wake(task)
                self._suspend(task, Sleep(None, lambda: True))
                continue
            self.now = max(self.now, moment)
            return task
        return None

    def _step(self, task: Task) -> None:
        self._wake(task)
        try:
            wish = task.work.send(None)
        except StopIteration:
            self._end(task)
        except Exception as error:
            self._end(task)
            if self.on_failure is None:
                raise
            self.on_failure(task, error)
        else:
            self._suspend(task, wish)
        if self.after_step is not None:
            self.after_step()

    def _wake(self, task: Task) -> None:
        if task.sleep is not None and task.sleep.ready is not None:
            self._waiting.remove(task)
        task.sleep = None

    def _end(self, task: Task) -> None:
        self._wake(task)
        task.done = True
        del self._tasks[task.number]

    async def together(self, jobs: Sequence[Callable[[], Work]], group: str) -> None:
        tasks = [self.spawn(job(), group) for job in jobs]
        await Sleep(None, lambda: all(task.done for task in tasks))


def _number(task: Task) -> int:
    return task.number


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
