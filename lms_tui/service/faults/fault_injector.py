"""Fault injection for testers, with an adjustable clock and a report of answers."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Final

from lms_tui.service.core.settings import Clock
from lms_tui.service.faults.faults import MAX_FAULTS, Fault, FaultEffect, FaultError, decide, parse_fault

_FURTHEST: Final = timedelta(days=366)


class AdjustableClock:
    """A clock that a tester can set forward."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._moved = timedelta()

    def __call__(self) -> datetime:
        return self._clock() + self._moved

    def advance(self, seconds: float) -> datetime:
        """Set the clock forward and return the new time. Raises FaultError beyond a year."""
        moved = self._moved + timedelta(seconds=seconds)
        if seconds < 0 or moved > _FURTHEST:
            raise FaultError("The clock can only go forward, by at most a year in total.", "Give fewer seconds.")
        self._moved = moved
        return self()


@dataclass(frozen=True, slots=True)
class FaultReport:
    """`offered` counts received answers. `questions` counts those with answers. `kept` counts those that were saved."""

    requests: int
    faults: tuple[tuple[str, int], ...]
    offered: int
    questions: int
    kept: int

    def sentences(self) -> str:
        listed = ", ".join(f"{text}: {count}" for text, count in self.faults) or "none"
        faults = sum(count for _, count in self.faults)
        return (
            f"{self.requests} requests, {faults} faults ({listed})\n"
            f"{self.offered} answers to {self.questions} questions, "
            f"last answer saved for {self.kept} of {self.questions}"
        )


class FaultInjector:
    """The faults and the clock of one running service, and the record of its answers."""

    def __init__(self, faults: Iterable[str], seed: int, clock: Clock) -> None:
        self.clock = AdjustableClock(clock)
        self._faults = [parse_fault(text) for text in faults]
        self._random = Random(seed)
        self._requests = 0
        self._hits: Counter[str] = Counter()
        self._offers = 0
        self._offered: dict[str, bytes] = {}
        self._kept: dict[str, bytes] = {}

    @property
    def faults(self) -> tuple[Fault, ...]:
        return tuple(self._faults)

    def add(self, text: str) -> Fault:
        """Add a fault. Raises FaultError."""
        if len(self._faults) >= MAX_FAULTS:
            raise FaultError(f"There are {MAX_FAULTS} faults already.", "Clear them before you add another.")
        self._faults.append(parse_fault(text))
        return self._faults[-1]

    def clear(self) -> None:
        self._faults.clear()

    def decide_effect(self, method: str, path: str) -> FaultEffect:
        """Count a request and return the effect of the faults on it."""
        self._requests += 1
        effect = decide(self._faults, method, path, self._random)
        self._hits.update(effect.faults)
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
        return FaultReport(self._requests, tuple(self._hits.most_common()), self._offers, len(self._offered), kept)
