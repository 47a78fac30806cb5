"""Fault injection for testers, with an adjustable clock and a report of answers."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from random import Random
from statistics import median
from typing import Final

from lms_tui.common.frozen import frozen
from lms_tui.service.core.settings import Clock
from lms_tui.service.faults.faults import MAX_FAULTS, Fault, FaultEffect, FaultError, decide, parse_fault

_FURTHEST: Final = timedelta(days=366)


class AdjustableClock:
    """A clock that a tester can set forward, and that is wrong within `skewed`."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._moved = timedelta()
        self._skew = ContextVar("skew", default=timedelta())

    def __call__(self) -> datetime:
        return self._clock() + self._moved + self._skew.get()

    @contextmanager
    def skewed(self, seconds: float) -> Iterator[None]:
        """Let the clock be wrong by some seconds for one request."""
        token = self._skew.set(timedelta(seconds=seconds))
        try:
            yield
        finally:
            self._skew.reset(token)

    def advance(self, seconds: float) -> datetime:
        """Set the clock forward and return the new time. Raises FaultError beyond a year."""
        # A timedelta cannot hold every number of seconds.
        if seconds < 0 or seconds > (_FURTHEST - self._moved).total_seconds():
            raise FaultError("The clock can only go forward, by at most a year in total.", "Give fewer seconds.")
        self._moved += timedelta(seconds=seconds)
        return self()


@frozen
class FaultReport:
    """`offered` counts received answers. `questions` counts those with answers. `kept` counts those that were saved.

    `delays` are the seconds after which a failed request came again. `failed` counts those that never came again.
    """

    requests: int
    faults: tuple[tuple[str, int], ...]
    offered: int
    questions: int
    kept: int
    delays: tuple[float, ...] = ()
    failed: int = 0

    def sentences(self) -> str:
        listed = ", ".join(f"{text}: {count}" for text, count in self.faults) or "none"
        faults = sum(count for _, count in self.faults)
        return (
            f"{self.requests} requests, {faults} faults ({listed})\n"
            f"{self._repetitions()}\n"
            f"{self.offered} answers to {self.questions} questions, "
            f"last answer saved for {self.kept} of {self.questions}"
        )

    def _repetitions(self) -> str:
        never = f"{self.failed} never sent again"
        if not self.delays:
            return f"0 failed requests sent again, {never}"
        least, usual, most = min(self.delays), median(self.delays), max(self.delays)
        after = f"after {least:.1f} to {most:.1f} s, usually {usual:.1f} s"
        return f"{len(self.delays)} failed requests sent again {after}, {never}"


@frozen
class AddedFault:
    """A fault with the time of the service at which it was added."""

    fault: Fault
    since: datetime


class FaultInjector:
    """The faults and the clock of one running service, and the record of its answers.

    `now` returns seconds of this computer, because clients wait by their own clocks.
    """

    def __init__(
        self, faults: Iterable[str], seed: int, clock: Clock, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.clock = AdjustableClock(clock)
        self._faults = [self._added(text) for text in faults]
        self._seed = seed
        self._random = Random(seed)
        self._now = now
        self._requests = 0
        self._hits: Counter[str] = Counter()
        self._failed: dict[tuple[str, str, str], float] = {}
        self._delays: list[float] = []
        self._offers = 0
        self._offered: dict[str, bytes] = {}
        self._kept: dict[str, bytes] = {}

    @property
    def faults(self) -> tuple[Fault, ...]:
        return tuple(added.fault for added in self._faults)

    def hits(self, fault: Fault) -> int:
        """Return how many requests a fault has hit."""
        return self._hits[fault.text]

    @property
    def active(self) -> tuple[Fault, ...]:
        """The faults that are in their time now."""
        now = self.clock()
        return tuple(
            added.fault for added in self._faults if added.fault.is_active((now - added.since).total_seconds())
        )

    def add(self, text: str) -> Fault:
        """Add a fault. Its time begins now. Raises FaultError."""
        if len(self._faults) >= MAX_FAULTS:
            raise FaultError(f"There are {MAX_FAULTS} faults already.", "Clear them before you add another.")
        self._faults.append(self._added(text))
        return self._faults[-1].fault

    def _added(self, text: str) -> AddedFault:
        return AddedFault(parse_fault(text), self.clock())

    def clear(self) -> None:
        self._faults.clear()

    def decide_effect(self, method: str, path: str, student: str = "") -> FaultEffect:
        """Count a request of a student, or of nobody, and return the effect of the faults on it."""
        self._requests += 1
        key = student, method, path
        if (since := self._failed.pop(key, None)) is not None:
            self._delays.append(self._now() - since)
        faults = [fault for fault in self.active if fault.hits_student(student, self._seed)]
        effect = decide(faults, method, path, self._random)
        self._hits.update(effect.faults)
        if effect.fails:
            self._failed[key] = self._now()
        return effect

    def offer(self, path: str, answer: bytes) -> None:
        """Record a received answer. A repeated one is not counted again."""
        self._offers += self._offered.get(path) != answer
        self._offered[path] = answer

    def keep(self, path: str, answer: bytes) -> None:
        """Record that the service has acknowledged an answer."""
        self._kept[path] = answer

    def report(self) -> FaultReport:
        kept = sum(self._kept.get(path) == answer for path, answer in self._offered.items())
        return FaultReport(
            self._requests,
            tuple(self._hits.most_common()),
            self._offers,
            len(self._offered),
            kept,
            tuple(self._delays),
            len(self._failed),
        )
