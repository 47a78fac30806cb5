"""Crash the journal at every point there is: `python -m tests.crash [--cuts N] [--seed S]`; exit 1 on any loss."""

import argparse
import sys

from tests.crash import runs, strace
from tests.crash.writer import EARLY, MARK_FIRST, NOT_SYNCED


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m tests.crash")
    options.add_argument("--cuts", type=int, default=10, help="power cuts after each system call")
    options.add_argument("--seed", type=int, default=1)
    wanted = options.parse_args()
    if reason := strace.missing():
        print(f"nothing was crashed: {reason}", file=sys.stderr)  # noqa: T201 - the report
        return 2
    every = runs.points()
    proofs = [
        runs.kill_at(every),
        runs.kill_again(range(wanted.seed, wanted.seed + 100)),
        runs.cut_power(wanted.seed, wanted.cuts),
        *(runs.cut_power(wanted.seed, max(1, wanted.cuts // 4), stop_at=at) for at in (3, 12, 40, 200)),
    ]
    controls = [
        runs.kill_at(every[::10], variant=EARLY),
        runs.cut_power(wanted.seed, 1, variant=NOT_SYNCED),
    ]
    false_alarms = runs.kill_at(every[::10], variant=MARK_FIRST)
    for tally in proofs:
        print(tally, *tally.examples, sep="\n  ")  # noqa: T201 - the report
    for tally in (*controls, false_alarms):
        print(f"must fail: {tally}")  # noqa: T201 - the report
    good = not any(tally.damaged for tally in proofs) and all(tally.lost for tally in controls) and false_alarms.corrupt
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
