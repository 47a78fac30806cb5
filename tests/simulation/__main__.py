"""Simulate exams and count what was lost: `python -m tests.simulation --exams 10000 --seed 1`.

The last line reads `N exams, M answers, F faults, seed S: L saved answers lost`; the exit code is 1 when L is not 0
or when any other promise was broken. A bad exam prints its own seed, which replays it exactly with `--exams 1`.
"""

import argparse
import sys
from collections import Counter

from tests.simulation.exam import SimulatedExam


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m tests.simulation")
    options.add_argument("--exams", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    wanted = options.parse_args()
    faults: Counter[str] = Counter()
    answers = lost = refused = bad = 0
    for seed in range(wanted.seed, wanted.seed + wanted.exams):
        verdict = SimulatedExam(seed).run()
        faults += verdict.faults
        answers += verdict.answers
        refused += verdict.refused
        lost += len(verdict.lost)
        if not verdict.good:
            bad += 1
            print(f"seed {seed}:", *verdict.lost, *verdict.broken, sep="\n  ")  # noqa: T201 - the report
    print(", ".join(f"{count} {fault}" for fault, count in faults.most_common()))  # noqa: T201 - the report
    print(f"{refused} answers refused by the server and listed")  # noqa: T201 - the report
    print(  # noqa: T201 - the report
        f"{wanted.exams} exams, {answers} answers, {faults.total()} faults, seed {wanted.seed}: "
        f"{lost} saved answers lost"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
