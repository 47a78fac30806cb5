"""Faults that a tester asks for, as data: how they are written, and what they do to one request."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from random import Random
from typing import Final

from lms_tui.common.user_errors import AdvisedError

_SENTENCE: Final = re.compile(
    r"(?:(?P<method>[A-Z]+|\*) +(?P<path>[/*]\S*) +)?"
    r"(?:(?P<status>[345]\d\d)|(?P<drop>drop)"
    r"|latency +(?P<wait>\d{1,6}) *ms(?: *(?:±|\+-|\+/-) *(?P<spread>\d{1,6})(?: *ms)?)?)"
    r"(?: +(?P<chance>\d{1,3}(?:\.\d+)?) *%)?"
)
_LONGEST: Final = 60_000
MOST_FAULTS: Final = 50


_WRITTEN: Final = (
    "Write 'PUT */heartbeat/ 503 30%', 'latency 400ms ±200' or 'drop 5%': a method and a path (or neither), what "
    "happens, and how often."
)


class FaultError(AdvisedError):
    """What a tester asked of the bench and it cannot do."""


class Lost(StrEnum):
    """What of a dropped exchange gets lost: the request before it is read, or the answer after it was made."""

    REQUEST = "request"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class Fault:
    """`text`: as it was written. `status` 0 and no `drop`: latency. `wait`, `spread`: seconds. `chance`: 0 to 1."""

    text: str
    method: str = "*"
    path: str = "*"
    status: int = 0
    drop: bool = False
    wait: float = 0.0
    spread: float = 0.0
    chance: float = 1.0

    def concerns(self, method: str, path: str) -> bool:
        return self.method in {"*", method} and fnmatchcase(path, self.path)


@dataclass(frozen=True, slots=True)
class Fate:
    """What happens to one request: wait so many seconds, then answer `status` or lose it; `faults`: which did it."""

    wait: float = 0.0
    status: int = 0
    lost: Lost | None = None
    faults: tuple[str, ...] = ()


def parse_fault(text: str) -> Fault:
    """Read a fault as a person writes it; raises FaultError."""
    found = _SENTENCE.fullmatch(" ".join(text.split()))
    if found is None:
        raise FaultError(f"{text[:80]!r} is no fault.", _WRITTEN)
    chance = float(found["chance"] or 100) / 100
    wait, spread = int(found["wait"] or 0), int(found["spread"] or 0)
    if chance > 1 or wait + spread > _LONGEST:
        raise FaultError(
            f"{text[:80]!r} asks for more than there is.",
            f"A chance is at most 100%, and a wait at most {_LONGEST // 1000} seconds.",
        )
    return Fault(
        text=found[0],
        method=found["method"] or "*",
        path=found["path"] or "*",
        status=int(found["status"] or 0),
        drop=found["drop"] is not None,
        wait=wait / 1000,
        spread=spread / 1000,
        chance=chance,
    )


def decide(faults: Iterable[Fault], method: str, path: str, random: Random) -> Fate:
    """Throw the dice for a request: waits add up, the first that ends it counts."""
    wait, hit = 0.0, []
    for fault in faults:
        if not fault.concerns(method, path) or random.random() >= fault.chance:
            continue
        hit.append(fault.text)
        if fault.drop:
            return Fate(wait, lost=random.choice(tuple(Lost)), faults=tuple(hit))
        if fault.status:
            return Fate(wait, status=fault.status, faults=tuple(hit))
        wait += max(0.0, fault.wait + random.uniform(-fault.spread, fault.spread))
    return Fate(wait, faults=tuple(hit))
