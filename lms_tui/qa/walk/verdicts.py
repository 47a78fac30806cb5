"""The verdict on each rule."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Final

from lms_tui.client.recording import Exchange
from lms_tui.common.frozen import frozen
from lms_tui.qa.walk.rules import Rule, Source

LEFT_OUT: Final = "left out by --only or --skip"
_MOST_SHOWN: Final = 5


class Verdict(StrEnum):
    """`DIFFERS`: the server differs from the notes, which is allowed.

    `KNOWN` and `ABSENT`: the tester's profile says so (`expected.py`).
    """

    HOLDS = "holds"
    BROKEN = "broken"
    DIFFERS = "differs"
    UNTESTED = "not tested"
    KNOWN = "known"
    ABSENT = "not there"


@frozen
class Problem:
    """A sentence about a problem, and the request that shows it."""

    words: str
    request: str


@frozen
class RuleResult:
    """The verdict on a rule after `judged` checks. `reason` says why it was not tested, or why it may be broken.

    `seconds` is the time of the requests that it was judged by.
    """

    rule: Rule
    verdict: Verdict
    judged: int = 0
    problems: tuple[Problem, ...] = ()
    reason: str = ""
    seconds: float = 0.0

    @property
    def shown_problems(self) -> tuple[Problem, ...]:
        """The problems that a report shows."""
        return self.problems[:_MOST_SHOWN]


class Watcher:
    """Hears of each step of a walk. This one does nothing, and subclasses show the progress."""

    def judged(self, rule: str, exchanges: Sequence[Exchange], problems: Sequence[str]) -> None: ...

    def sent(self, exchange: Exchange) -> None: ...


class Verdicts:
    """Collects the results of checks. A rule holds if all of its checks succeeded. `watcher` hears of each check."""

    def __init__(self, rules: Iterable[Rule], left_out: Collection[str] = (), watcher: Watcher | None = None) -> None:
        self._left_out = left_out
        self._watcher = watcher or Watcher()
        self._rules = {rule.id: rule for rule in rules}
        self._judged = dict.fromkeys(self._rules, 0)
        self._problems: dict[str, dict[Problem, None]] = {name: {} for name in self._rules}
        self._reasons: dict[str, str] = {}
        self._took: dict[str, dict[datetime, float]] = {name: {} for name in self._rules}
        self._stopped = "the walk ended before this rule"

    def judge(self, rule: str, problems: Iterable[str], *exchanges: Exchange) -> bool:
        """Record a check of one reply, or of several that are compared. Return whether it found no problems."""
        found = list(problems)
        self._judged[rule] += 1
        self._took[rule].update((one.began, one.seconds) for one in exchanges)
        request = ", ".join(f"{one.method} {one.path} → {one.outcome}" for one in dict.fromkeys(exchanges))
        for words in found:
            self._problems[rule][Problem(words, request)] = None
        self._watcher.judged(rule, exchanges, found)
        return not found

    def skip(self, reason: str, *rules: str) -> None:
        """Give the reason for rules that no other check tests."""
        for rule in rules:
            self._reasons.setdefault(self._rules[rule].id, reason)

    def stop(self, reason: str) -> None:
        """Give the reason for all rules that the walk did not reach."""
        self._stopped = reason

    def lines(self) -> tuple[RuleResult, ...]:
        return tuple(self._line(rule) for rule in self._rules.values())

    def _line(self, rule: Rule) -> RuleResult:
        judged, problems = self._judged[rule.id], tuple(self._problems[rule.id])
        seconds = sum(self._took[rule.id].values())
        if rule.id in self._left_out:
            return RuleResult(rule, Verdict.UNTESTED, reason=LEFT_OUT)
        if not judged:
            return RuleResult(rule, Verdict.UNTESTED, reason=self._reasons.get(rule.id, self._stopped))
        if not problems:
            return RuleResult(rule, Verdict.HOLDS, judged, seconds=seconds)
        verdict = Verdict.BROKEN if rule.source is Source.DOCUMENT else Verdict.DIFFERS
        return RuleResult(rule, verdict, judged, problems, seconds=seconds)
