"""The real program in a pty and the real service on a spoilt line: `python -m tests.proxy --schedules 50 --seed 1`.

The last line is the figure; the exit code is 1 when an answer was lost or is not the one that was given.
"""

import argparse
import sys

from tests.proxy.runs import run
from tests.temporary import use_memory


def main() -> int:
    use_memory()
    options = argparse.ArgumentParser(prog="python -m tests.proxy")
    options.add_argument("--schedules", type=int, default=50)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--jobs", type=int, default=2, help="programs side by side")
    wanted = options.parse_args()
    tally = run(wanted.schedules, wanted.seed, jobs=min(wanted.jobs, wanted.schedules))
    print(*tally.wrong, tally, sep="\n")  # noqa: T201 - the report
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
