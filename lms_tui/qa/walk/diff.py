"""Compare two outputs of `lms-tui walk --json`: the verdict on each rule, and the shape of each reply."""

from collections.abc import Iterator, Mapping

from pydantic import BaseModel, ConfigDict

from lms_tui.common.cleaning import clean_line

Shapes = Mapping[str, Mapping[str, tuple[str, ...]]]


class _Found(BaseModel):
    found: str = ""


class RuleOutput(BaseModel):
    id: str
    verdict: str
    reason: str = ""
    problems: tuple[_Found, ...] = ()

    @property
    def words(self) -> str:
        """The verdict with its first problem or its reason."""
        told = self.problems[0].found if self.problems else self.reason
        return f"{self.verdict} ({told})" if told else self.verdict


class WalkOutput(BaseModel):
    """The parts of a report that are compared."""

    model_config = ConfigDict(extra="ignore")

    server: str
    user: str = ""
    rules: tuple[RuleOutput, ...]
    replies: Shapes


def changed_rules(before: WalkOutput, after: WalkOutput) -> Iterator[str]:
    """Yield a line for each rule with another verdict, or with another first problem."""
    was = {rule.id: rule for rule in before.rules}
    now = {rule.id: rule for rule in after.rules}
    for name in {**was, **now}:
        told = [rules[name].words if name in rules else "no such rule" for rules in (was, now)]
        if told[0] != told[1]:
            yield clean_line(f"{name}: {told[0]} → {told[1]}")


def changed_replies(before: WalkOutput, after: WalkOutput) -> Iterator[str]:
    """Yield a line for each endpoint and status that one walk lacks, and for each field with other types."""
    for name in {**before.replies, **after.replies}:
        was, now = before.replies.get(name), after.replies.get(name)
        if was is None or now is None:
            yield clean_line(f"{name}: only in {'B' if was is None else 'A'}")
            continue
        for field in {**was, **now}:
            kinds = [" or ".join(fields[field]) if field in fields else "missing" for fields in (was, now)]
            if kinds[0] != kinds[1]:
                yield clean_line(f"{name}: {field} {kinds[0]} → {kinds[1]}")
