"""Simulate exams and count what was lost: `python -m tests.simulation --exams 10000 --seed 1 --jobs 2`.

The last line reads `N exams, M answers, F faults, seed S: L saved answers lost`. The exit code is 1 when an exam lost a
saved answer or broke another promise. A bad exam prints its own seed and the fewest events with which it still fails.
"""

import argparse
import gc
import os
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial

from tests.simulation.exam import SimulatedExam
from tests.simulation.granting import GrantedExam
from tests.simulation.shrinking import report
from tests.simulation.sign_in import SignIns
from tests.simulation.trace import Trace

CHUNK = 200
PROGRESS = 10
"""Chunks between two lines of a long run."""
REPORTS = 5
"""How many of the bad exams are shrunk, which takes as long as hundreds of good ones."""


@dataclass
class Sum:
    """The results of many exams."""

    faults: Counter[str] = field(default_factory=Counter)
    answers: int = 0
    lost: int = 0
    refused: int = 0
    overtaken: int = 0
    forgotten: int = 0
    foreign: int = 0
    bad: list[int] = field(default_factory=list)

    def add(self, other: "Sum") -> None:
        self.faults += other.faults
        self.answers += other.answers
        self.lost += other.lost
        self.refused += other.refused
        self.overtaken += other.overtaken
        self.forgotten += other.forgotten
        self.foreign += other.foreign
        self.bad += other.bad


def spare_the_collector() -> None:
    """Collect garbage seldom: an exam makes many values and few cycles, and collecting took a fifth of the time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def simulated(
    seeds: Iterable[int], only: frozenset[str] | None = None, kind: type[SimulatedExam] = SimulatedExam
) -> Sum:
    total, sign_ins = Sum(), SignIns()
    for seed in seeds:
        verdict = kind(seed, Trace(only=only), sign_ins).run()
        total.add(
            Sum(
                verdict.faults,
                verdict.answers,
                len(verdict.lost),
                verdict.refused,
                verdict.overtaken,
                verdict.forgotten,
                verdict.foreign,
                [] if verdict.good else [seed],
            )
        )
    return total


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m tests.simulation")
    options.add_argument("--exams", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options.add_argument("--grants", action="store_true", help="give the students more time")
    options.add_argument("--only", help="labels of the events that take place, divided by commas")
    wanted = options.parse_args()
    last = wanted.seed + wanted.exams
    total = Sum()
    kind = GrantedExam if wanted.grants else SimulatedExam
    spare_the_collector()
    chunks = [range(first, min(first + CHUNK, last)) for first in range(wanted.seed, last, CHUNK)]
    with ExitStack() as stack:
        if wanted.only is not None:
            parts: Iterable[Sum] = [simulated(range(wanted.seed, last), frozenset(wanted.only.split(",")), kind)]
        elif wanted.jobs == 1 or len(chunks) == 1:
            parts = map(partial(simulated, kind=kind), chunks)
        else:
            parts = stack.enter_context(ProcessPoolExecutor(wanted.jobs)).map(partial(simulated, kind=kind), chunks)
        for number, part in enumerate(parts, 1):
            total.add(part)
            if number % PROGRESS == 0:
                print(f"{number * CHUNK} exams so far, {_figures(total)}", file=sys.stderr, flush=True)  # noqa: T201 - a long run says that it lives
    lines = [report(seed, kind) for seed in total.bad[:REPORTS]] if wanted.only is None else []
    lines += [f"{len(total.bad)} exams broke a promise: seeds {total.bad[:20]}"] if total.bad else []
    lines += [
        ", ".join(f"{count} {fault}" for fault, count in total.faults.most_common()),
        f"{total.refused} answers refused by the server and listed",
        f"{total.foreign} answers of a second device won and were shown",
        f"{total.overtaken} answers overtaken by an older request on a server without stamps",
        f"{total.forgotten} answers confirmed by the server, and forgotten there when nobody could look any more",
    ]
    print(*lines, sep="\n")  # noqa: T201 - the report
    answers, faults = total.answers, total.faults.total()
    print(  # noqa: T201 - the report
        f"{wanted.exams} exams, {answers} answers, {faults} faults, seed {wanted.seed}: {total.lost} saved answers lost"
    )
    return 1 if total.bad else 0


def _figures(total: Sum) -> str:
    return f"{total.answers} answers, {total.faults.total()} faults: {total.lost} lost, {len(total.bad)} bad"


if __name__ == "__main__":
    sys.exit(main())
