"""From a failing exam to one with as few events as fail in the same way."""

from tests.simulation.exam import SimulatedExam
from tests.simulation.judge import Verdict
from tests.simulation.trace import Trace


def shrunk(seed: int, kind: type[SimulatedExam] = SimulatedExam) -> Verdict:
    """Leave events out, by halves, then quarters, then one by one, for as long as the exam still fails."""
    verdict, without = kind(seed).run(), frozenset[str]()
    size = max(1, len(verdict.events) // 2)
    while True:
        smaller = False
        labels = list(verdict.events)
        for start in range(0, len(labels), size):
            trial = without | set(labels[start : start + size])
            found = kind(seed, Trace(trial)).run()
            if not found.good:
                verdict, without, smaller = found, trial, True
        if size == 1 and not smaller:
            return verdict
        size = max(1, size // 2) if not smaller else min(size, max(1, len(verdict.events) // 2))


def report(seed: int, kind: type[SimulatedExam] = SimulatedExam) -> str:
    verdict = shrunk(seed, kind)
    grants = "" if kind is SimulatedExam else " --grants"
    lines = [f"seed {seed} fails; {len(verdict.events)} events are enough:", *verdict.events.values()]
    lines += [*verdict.lost, *verdict.broken]
    return "\n  ".join(lines) + (
        f"\n  replay: python -m tests.simulation --exams 1 --seed {seed}{grants}"
        f"\n  replay the short one: the same with --only {','.join(verdict.events)}"
    )
