"""What was judged, rule by rule: holds, broken, differs, or not tested and why."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lms_tui.client.recording import Exchange
from lms_tui.qa.walk.rules import Rule, Source

_MOST_PROBLEMS: Final = 5
NOT_REACHED: Final = "the walk did not get there"


class Verdict(StrEnum):
    """`DIFFERS`: not as the notes say, which breaks no contract."""

    HOLDS = "holds"
    BROKEN = "broken"
    DIFFERS = "differs"
    UNTESTED = "not tested"


@dataclass(frozen=True, slots=True)
class Problem:
    """What was found instead, in a sentence, and in which request."""

    words: str
    request: str


@dataclass(frozen=True, slots=True)
class RuleResult:
    """A row of the table. `judged`: how often; `reason`: why it was not tested."""

    rule: Rule
    verdict: Verdict
    judged: int = 0
    problems: tuple[Problem, ...] = ()
    reason: str = ""


class Verdicts:
    """Collects judgements; a rule that is judged several times holds when it held each time."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = {rule.id: rule for rule in rules}
        self._judged = dict.fromkeys(self._rules, 0)
        self._problems: dict[str, dict[Problem, None]] = {name: {} for name in self._rules}
        self._reasons: dict[str, str] = {}

    def judge(self, rule: str, problems: Iterable[str], *exchanges: Exchange) -> bool:
        """Note a judgement about the last of `exchanges`; no problems means that the rule held. Return whether."""
        found = list(problems)
        self._judged[rule] += 1
        request = f"{exchanges[-1].method} {exchanges[-1].path} → {exchanges[-1].outcome}" if exchanges else ""
        for words in found:
            self._problems[rule][Problem(words, request)] = None
        return not found

    def skip(self, reason: str, *rules: str) -> None:
        """Say why rules are not tested, where they are not tested otherwise."""
        for rule in rules:
            self._reasons.setdefault(self._rules[rule].id, reason)

    def lines(self) -> tuple[RuleResult, ...]:
        return tuple(self._line(rule) for rule in self._rules.values())

    def _line(self, rule: Rule) -> RuleResult:
        judged, problems = self._judged[rule.id], tuple(self._problems[rule.id])[:_MOST_PROBLEMS]
        if not judged:
            return RuleResult(rule, Verdict.UNTESTED, reason=self._reasons.get(rule.id, NOT_REACHED))
        if not problems:
            return RuleResult(rule, Verdict.HOLDS, judged)
        verdict = Verdict.BROKEN if rule.source is Source.DOCUMENT else Verdict.DIFFERS
        return RuleResult(rule, verdict, judged, problems)
