"""Three machines with PostgreSQL, two services and 32 students; machines fail: `python -m tests.failover`.

The last line is the figure; the exit code is 1 when an answer was lost, and 2 where the machines cannot run.
"""

import argparse
import asyncio
import sys
import time
from pathlib import Path

from tests.failover.machines import missing
from tests.failover.run import run


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m tests.failover")
    options.add_argument("--logs", type=Path, help="folder for the logs of all programs")
    wanted = options.parse_args()
    if reason := missing():
        print(f"Not run: {reason}.")  # noqa: T201 - the report
        return 2
    begun = time.monotonic()

    def tell(line: str) -> None:
        print(f"{time.monotonic() - begun:5.0f} s  {line}", flush=True)  # noqa: T201 - the report

    tally = asyncio.run(run(tell, wanted.logs))
    print(*tally.lines(), sep="\n")  # noqa: T201 - the report
    return 0 if tally.well else 1


if __name__ == "__main__":
    sys.exit(main())
