"""Faults as data: their notation, and their effect on a request."""

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
_MAX_WAIT: Final = 60_000
MAX_FAULTS: Final = 50


_NOTATION: Final = (
    "Write an optional method and path, a fault and a chance, such as 'PUT */heartbeat/ 503 30%', "
    "'latency 400ms ±200' or 'drop 5%'."
)


class FaultError(AdvisedError):
    """An invalid fault or clock setting."""


class Lost(StrEnum):
    """The lost part of a dropped exchange: the request before it is processed, or the response."""

    REQUEST = "request"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class Fault:
    """`text`: the notation. `status` 0 without `drop`: latency. `wait`, `spread`: seconds. `chance`: 0 to 1."""

    text: str
    method: str = "*"
    path: str = "*"
    status: int = 0
    drop: bool = False
    wait: float = 0.0
    spread: float = 0.0
    chance: float = 1.0

    def applies_to(self, method: str, path: str) -> bool:
        return self.method in {"*", method} and fnmatchcase(path, self.path)


@dataclass(frozen=True, slots=True)
class FaultEffect:
    """The effect of faults on a request: `wait` seconds, then a `status` or a loss. `faults`: their notations."""

    wait: float = 0.0
    status: int = 0
    lost: Lost | None = None
    faults: tuple[str, ...] = ()


def parse_fault(text: str) -> Fault:
    """Parse the notation of a fault. Raises FaultError."""
    found = _SENTENCE.fullmatch(" ".join(text.split()))
    if found is None:
        raise FaultError(f"{text[:80]!r} is not a fault.", _NOTATION)
    chance = float(found["chance"] or 100) / 100
    wait, spread = int(found["wait"] or 0), int(found["spread"] or 0)
    if chance > 1 or wait + spread > _MAX_WAIT:
        raise FaultError(
            f"{text[:80]!r} is out of range.",
            f"The chance is at most 100%, and the wait at most {_MAX_WAIT // 1000} seconds.",
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


def decide(faults: Iterable[Fault], method: str, path: str, random: Random) -> FaultEffect:
    """Sample the faults for a request. Waits add up, and the first status or drop ends the sampling."""
    wait, hit = 0.0, []
    for fault in faults:
        if not fault.applies_to(method, path) or random.random() >= fault.chance:
            continue
        hit.append(fault.text)
        if fault.drop:
            return FaultEffect(wait, lost=random.choice(tuple(Lost)), faults=tuple(hit))
        if fault.status:
            return FaultEffect(wait, status=fault.status, faults=tuple(hit))
        wait += max(0.0, fault.wait + random.uniform(-fault.spread, fault.spread))
    return FaultEffect(wait, faults=tuple(hit))
