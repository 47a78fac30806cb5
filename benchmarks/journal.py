"""How long an answer takes to be durable: `python -m benchmarks.journal [--answers N]`."""

import argparse
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.ports import AttemptKey, Entry
from lms_tui.attempt.values import Answer

KEY = AttemptKey("http://127.0.0.1:8000", 4, 7)


def measured(folder: Path, answers: int) -> list[float]:
    """Milliseconds of each commit, sorted; every tenth answer is an essay of 5 KB."""
    journal = FileJournals(folder).open(KEY, "Measured")
    taken = []
    for number in range(1, answers + 1):
        essay = "essay " * 800 if number % 10 == 0 else None
        entry = Entry(number, number % 100, Answer((number,), essay_text=essay, review=False), 0.0, 0.0)
        began = time.perf_counter()
        journal.record(entry)
        taken.append(1000 * (time.perf_counter() - began))
    journal.close()
    return sorted(taken)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.journal")
    parser.add_argument("--answers", type=int, default=3000)
    parser.add_argument("--folder", type=Path, default=Path(), help="a folder on the disk to measure")
    options = parser.parse_args()
    with TemporaryDirectory(dir=options.folder) as folder:
        taken = measured(Path(folder), options.answers)
        began = time.perf_counter()
        FileJournals(Path(folder)).open(KEY, "").close()
        opened = 1000 * (time.perf_counter() - began)
    p50, p99 = (taken[int(len(taken) * share)] for share in (0.5, 0.99))
    print(f"commit p50 {p50:.2f} ms, p99 {p99:.2f} ms, most {taken[-1]:.2f} ms; opened in {opened:.0f} ms")


if __name__ == "__main__":
    main()
