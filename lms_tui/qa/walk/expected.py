"""The rules that a server does not have, and its known deviations, as its tester says."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from lms_tui.common.frozen import frozen
from lms_tui.qa.walk.verdicts import Problem, RuleResult, Verdict

_ABSENT: Final = "the profile says that the server does not have this"


@frozen
class KnownDeviation:
    """A rule that the server breaks, with a reason. With `found`, only problems that contain this text are known."""

    rule: str
    reason: str
    found: str = ""

    def covers(self, problem: Problem) -> bool:
        return self.found in problem.words


@frozen
class Expected:
    """`absent` holds rules. A known deviation that has vanished is a problem, because the profile is then wrong."""

    absent: frozenset[str] = frozenset()
    known: tuple[KnownDeviation, ...] = ()

    def judge(self, lines: Iterable[RuleResult]) -> tuple[RuleResult, ...]:
        return tuple(map(self._judge, lines))

    def _judge(self, line: RuleResult) -> RuleResult:
        if line.rule.id in self.absent:
            return RuleResult(line.rule, Verdict.ABSENT, reason=_ABSENT)
        known = [one for one in self.known if one.rule == line.rule.id]
        if not known or line.verdict is Verdict.UNTESTED:
            return line
        unknown = tuple(problem for problem in line.problems if not any(one.covers(problem) for one in known))
        if unknown:
            return replace(line, problems=unknown)
        vanished = [one for one in known if not any(map(one.covers, line.problems))]
        if vanished:
            words = "this known deviation has vanished, so remove it from the profile"
            problems = tuple(Problem(f"{words}: {one.reason}", "") for one in vanished)
            return replace(line, verdict=Verdict.BROKEN, problems=problems)
        return replace(line, verdict=Verdict.KNOWN, reason="; ".join(one.reason for one in known))
