"""The verdict on each rule."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lms_tui.client.recording import Exchange
from lms_tui.qa.walk.rules import Rule, Source

_MOST_PROBLEMS: Final = 5
LEFT_OUT: Final = "left out by --only or --skip"


class Verdict(StrEnum):
    """`DIFFERS`: the server differs from the notes, which is allowed."""

    HOLDS = "holds"
    BROKEN = "broken"
    DIFFERS = "differs"
    UNTESTED = "not tested"


@dataclass(frozen=True, slots=True)
class Problem:
    """A sentence about a problem, and the request that shows it."""

    words: str
    request: str


@dataclass(frozen=True, slots=True)
class RuleResult:
    """The verdict on a rule after `judged` checks. `reason` says why it was not tested."""

    rule: Rule
    verdict: Verdict
    judged: int = 0
    problems: tuple[Problem, ...] = ()
    reason: str = ""


class Verdicts:
    """Collects the results of checks. A rule holds if all of its checks succeeded."""

    def __init__(self, rules: Iterable[Rule], left_out: Collection[str] = ()) -> None:
        self._left_out = left_out
        self._rules = {rule.id: rule for rule in rules}
        self._judged = dict.fromkeys(self._rules, 0)
        self._problems: dict[str, dict[Problem, None]] = {name: {} for name in self._rules}
        self._reasons: dict[str, str] = {}
        self._stopped = "the walk ended before this rule"

    def judge(self, rule: str, problems: Iterable[str], *exchanges: Exchange) -> bool:
        """Record a check of one reply, or of several that are compared. Return whether it found no problems."""
        found = list(problems)
        self._judged[rule] += 1
        request = ", ".join(f"{one.method} {one.path} → {one.outcome}" for one in dict.fromkeys(exchanges))
        for words in found:
            self._problems[rule][Problem(words, request)] = None
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
        judged, problems = self._judged[rule.id], tuple(self._problems[rule.id])[:_MOST_PROBLEMS]
        if rule.id in self._left_out:
            return RuleResult(rule, Verdict.UNTESTED, reason=LEFT_OUT)
        if not judged:
            return RuleResult(rule, Verdict.UNTESTED, reason=self._reasons.get(rule.id, self._stopped))
        if not problems:
            return RuleResult(rule, Verdict.HOLDS, judged)
        verdict = Verdict.BROKEN if rule.source is Source.DOCUMENT else Verdict.DIFFERS
        return RuleResult(rule, verdict, judged, problems)
