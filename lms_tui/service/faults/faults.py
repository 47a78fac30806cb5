"""Faults as data: their notation, and their effect on a request."""

import re
from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum
from fnmatch import fnmatchcase
from math import inf
from random import Random
from typing import Final

from lms_tui.common.frozen import frozen
from lms_tui.common.user_errors import AdvisedError

_UNITS: Final = {"ms": 0.001, "s": 1.0, "min": 60.0}
_TIME: Final = r"\d{1,6}(?:\.\d{1,3})? *(?:ms|s|min)"
_SENTENCE: Final = re.compile(
    r"(?:(?P<method>[A-Z]+|\*) +(?P<path>[/*]\S*) +)?"
    r"(?:(?P<status>[345]\d\d)|(?P<drop>drop)|(?P<wrong>wrong-body)"
    rf"|slow-body +(?P<slow>{_TIME})|clock-skew +(?P<skew>[+-]?{_TIME})"
    r"|latency +(?P<wait>\d{1,6}) *ms(?: *(?:±|\+-|\+/-) *(?P<spread>\d{1,6})(?: *ms)?)?)"
    r"(?: +(?P<chance>\d{1,3}(?:\.\d+)?) *%)?"
    r"(?: +for +(?P<share>\d{1,3}(?:\.\d+)?) *% +of +students)?"
    rf"(?: +from +(?:minute +(?P<minute>\d{{1,4}})|(?P<begins>{_TIME})))?"
    rf"(?: +for +(?P<lasts>{_TIME}))?"
)
_USUAL: Final = {
    "method": "*", "path": "*", "status": "0", "wait": "0", "spread": "0", "chance": "100", "share": "100",
    "minute": "0",
}  # fmt: skip
"""The values of the parts that a notation leaves out."""
_MAX_WAIT: Final = 60.0
_MAX_SKEW: Final = 86_400.0
MAX_FAULTS: Final = 50


_NOTATION: Final = (
    "Write an optional method and path, a fault and a chance, such as 'PUT */heartbeat/ 503 30%', "
    "'latency 400ms ±200', 'drop 5%' or 'wrong-body for 20% of students from minute 3 for 20 s'."
)


class FaultError(AdvisedError):
    """An invalid fault or clock setting."""


class Lost(StrEnum):
    """The lost part of a dropped exchange: the request before it is processed, or the response."""

    REQUEST = "request"
    ANSWER = "answer"


@frozen
class Fault:
    """`text` is the notation. Times are in seconds, and `chance` and `share` are numbers from 0 to 1.

    A fault without `status`, `drop` and `wrong` lets the service answer: after `wait`, with a body that takes `slow`,
    by a clock that is wrong by `skew`. It applies to the `share` of students, `begins` seconds after it was added, and
    `lasts` seconds long.
    """

    text: str
    method: str = "*"
    path: str = "*"
    status: int = 0
    drop: bool = False
    wait: float = 0.0
    spread: float = 0.0
    chance: float = 1.0
    wrong: bool = False
    slow: float = 0.0
    skew: float = 0.0
    share: float = 1.0
    begins: float = 0.0
    lasts: float = inf

    def applies_to(self, method: str, path: str) -> bool:
        return self.method in {"*", method} and fnmatchcase(path, self.path)

    def is_active(self, age: float) -> bool:
        """Return whether the fault is in its time, `age` seconds after it was added."""
        return self.begins <= age < self.begins + self.lasts

    def hits_student(self, student: str, seed: int) -> bool:
        """Return whether a student is in the share. It is the same students for the whole run, and "" is in none."""
        return self.share >= 1 or (student != "" and Random(f"{seed} {self.text} {student}").random() < self.share)


@frozen
class FaultEffect:
    """The effect of faults on a request: `wait` seconds, then a `status`, a `wrong` body or a loss.

    Otherwise the service answers: by a clock that is wrong by `skew` seconds, with a body that takes `slow` seconds.
    `faults`: their notations.
    """

    wait: float = 0.0
    status: int = 0
    lost: Lost | None = None
    wrong: bool = False
    slow: float = 0.0
    skew: float = 0.0
    faults: tuple[str, ...] = ()

    @property
    def fails(self) -> bool:
        """Whether the client gets no proper reply."""
        return self.status != 0 or self.wrong or self.lost is not None


def parse_fault(text: str) -> Fault:
    """Parse the notation of a fault. Raises FaultError."""
    found = _SENTENCE.fullmatch(" ".join(text.split()))
    if found is None:
        raise FaultError(f"{text[:80]!r} is not a fault.", _NOTATION)
    given = _USUAL | {name: text for name, text in found.groupdict().items() if text}
    fault = Fault(
        text=found[0],
        method=given["method"],
        path=given["path"],
        status=int(given["status"]),
        drop="drop" in given,
        wait=int(given["wait"]) / 1000,
        spread=int(given["spread"]) / 1000,
        chance=float(given["chance"]) / 100,
        wrong="wrong" in given,
        slow=_seconds(found["slow"]),
        skew=_seconds(found["skew"]),
        share=float(given["share"]) / 100,
        begins=float(given["minute"]) * 60 + _seconds(found["begins"]),
        lasts=_seconds(found["lasts"]) if found["lasts"] else inf,
    )
    if (
        max(fault.chance, fault.share) > 1
        or max(fault.wait + fault.spread, fault.slow) > _MAX_WAIT
        or abs(fault.skew) > _MAX_SKEW
    ):
        raise FaultError(
            f"{text[:80]!r} is out of range.",
            f"The chance and the share are at most 100%, the wait at most {_MAX_WAIT:g} seconds, and the skew a day.",
        )
    return fault


def _seconds(time: str | None) -> float:
    """Return the seconds of a time such as `400ms`, `-20 s` or `3 min`."""
    if not time:
        return 0.0
    unit = next(unit for unit in _UNITS if time.endswith(unit))
    return float(time.removesuffix(unit)) * _UNITS[unit]


def decide(faults: Iterable[Fault], method: str, path: str, random: Random) -> FaultEffect:
    """Sample the faults for a request. Times add up, and the first that fails the request ends the sampling."""
    effect = FaultEffect()
    for fault in faults:
        if not fault.applies_to(method, path) or random.random() >= fault.chance:
            continue
        effect = replace(
            effect,
            wait=effect.wait + max(0.0, fault.wait + random.uniform(-fault.spread, fault.spread)),
            status=fault.status,
            lost=random.choice(tuple(Lost)) if fault.drop else None,
            wrong=fault.wrong,
            slow=effect.slow + fault.slow,
            skew=effect.skew + fault.skew,
            faults=(*effect.faults, fault.text),
        )
        if effect.fails:
            break
    return effect
