"""Figures as a table, and whether they reach their targets."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """`value` must be at most `limit`; `of`: what it is compared with, in words."""

    name: str
    value: float
    limit: float
    unit: str = "×"
    of: str = ""

    @property
    def reached(self) -> bool:
        return self.value <= self.limit


def p(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def row(name: str, values: Sequence[float]) -> str:
    return f"{name:<34}{statistics.median(values):>9.2f}{p(values, 0.95):>9.2f}{max(values):>9.2f}{len(values):>6}"


def heading(unit: str) -> str:
    return f"{unit:<34}{'p50':>9}{'p95':>9}{'max':>9}{'n':>6}"


def judged(targets: Sequence[Target]) -> int:
    """Print the targets; the exit status, 1 where one is missed."""
    print()
    for target in targets:
        verdict = "reached" if target.reached else "MISSED"
        print(
            f"{verdict:<8} {target.name:<44} {target.value:>8.2f} {target.unit} of at most {target.limit:g} {target.of}"
        )
    return 0 if all(target.reached for target in targets) else 1
