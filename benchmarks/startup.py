"""How long a start takes beside a one-widget Textual app: the first frame, the exam list, and the exam of `try`.

Run it with the environment's own interpreter: `.venv/bin/python -m benchmarks.startup [RUNS]`. All programs are started
in turn, the one-widget app before and after each, so that what else the computer does slows both. The median of their
ratios counts. Exit status 1 where a target is missed.
"""

import compileall
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from benchmarks.figures import Target, heading, judged, row
from benchmarks.terminal import Terminal

HERE = Path(__file__).parent
_QUESTIONS = 300
_QUIET = 0.4
"""Longer than the pauses of a start between two frames."""
_FRAME = "Opening the program"
_LIST = "Scholarship Mock"
_LIVE = rf"(?s)\A(?!.*refreshing).*{_LIST}"
_LIGHT = "import sys, lms_tui.cli; print(*sorted({m.partition('.')[0] for m in sys.modules}))"
_HEAVY = ("textual", "httpx", "pydantic", "fastapi", "sqlalchemy", "uvicorn")
_BARE = "one-widget Textual app"
_LIMITS = {
    "lms-tui: first frame": 1.1,
    "lms-tui: sign-in screen": 1.3,
    "demo: first frame": 1.1,
    "demo, first start: list": 3.5,
    "demo, later start: kept list": 1.3,
    "demo, later start: live list": 3.0,
    "try, 300 questions: first frame": 1.1,
    "try, 300 questions: instructions": 4.0,
}
"""How many times the bare app each may take."""

NO_MORE: Final[Mapping[str, str]] = MappingProxyType({})
Times = defaultdict[str, list[float]]


def start(
    arguments: list[str], screens: Mapping[str, str], environment: Mapping[str, str] = NO_MORE
) -> dict[str, float]:
    """Start a program. Return the milliseconds from exec to the bytes that completed each screen, in their order."""
    terminal = Terminal([sys.executable, *arguments], environment=environment)
    try:
        return {
            name: (terminal.wait(pattern, timeout=60, quiet=_QUIET) - terminal.started) * 1000
            for name, pattern in screens.items()
        }
    finally:
        terminal.close()


def keep_home(folder: Path) -> None:
    """Start the demo and leave it when home stands, so that later starts show what was kept."""
    terminal = Terminal([sys.executable, "-m", "lms_tui", "demo", "--data-dir", str(folder)])
    try:
        terminal.wait(_LIVE, timeout=60)
        terminal.wait("Weakest topic", timeout=60)
        terminal.settle(2.0)
        terminal.write(b"\x11")
        terminal.settle(1.0)
    finally:
        terminal.close()


def starts(folder: Path, number: int) -> Iterator[dict[str, float]]:
    """Start everything once, as people type it. `folder` holds the data of the later starts."""
    program = ["-m", "lms_tui"]
    screens = {"lms-tui: first frame": _FRAME, "lms-tui: sign-in screen": "Practice on this computer"}
    yield start(program, screens, {"LMS_TUI_DATA_DIR": str(folder / "none")})
    fresh = str(folder / f"fresh-{number}")
    yield start([*program, "demo", "--data-dir", fresh], {"demo, first start: list": _LIST})
    screens = {
        "demo: first frame": _FRAME,
        "demo, later start: kept list": _LIST,
        "demo, later start: live list": _LIVE,
    }
    yield start([*program, "demo", "--data-dir", str(folder / "kept")], screens)
    screens = {"try, 300 questions: first frame": _FRAME, "try, 300 questions: instructions": "Press enter to start"}
    yield start([*program, "try", str(folder / "long.gift"), "--data-dir", str(folder / "try")], screens)


def one_round(folder: Path, number: int) -> tuple[Times, Times]:
    """Return the milliseconds of every start, and their ratios to those of the bare app right before and after.

    The speed of a computer can change by half within seconds.
    """
    times, shares = Times(list), Times(list)
    before = bare()
    times[_BARE].append(before)
    for found in starts(folder, number):
        after = bare()
        times[_BARE].append(after)
        for screen, taken in found.items():
            times[screen].append(taken)
            shares[screen].append(2 * taken / (before + after))
        before = after
    return times, shares


def bare() -> float:
    return start([str(HERE / "baseline_one_widget.py")], {_BARE: "ready"})[_BARE]


def imported() -> list[str]:
    """Which of the heavy libraries `import lms_tui.cli` brings."""
    found = subprocess.run([sys.executable, "-c", _LIGHT], capture_output=True, text=True, check=True).stdout.split()
    return [name for name in _HEAVY if name in found]


def main() -> int:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    compileall.compile_dir(HERE.parent / "lms_tui", quiet=1)
    times, shares = Times(list), Times(list)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        questions = (f"::Question {n}::How many are {n} and {n}? {{={2 * n} ~{n} ~{3 * n}}}" for n in range(_QUESTIONS))
        (folder / "long.gift").write_text("\n\n".join(questions))
        keep_home(folder / "kept")
        for number in range(runs + 1):
            found = one_round(folder, number)
            if number:  # the page cache and the data directories are warm from here on
                for known, new in zip((times, shares), found, strict=True):
                    for screen, figures in new.items():
                        known[screen] += figures
    print(heading(f"ms from the command ({runs} runs in turn)"))
    for screen, taken in times.items():
        print(row(screen, taken))
    heavy = imported()
    targets = [Target(name, statistics.median(shares[name]), limit, of=_BARE) for name, limit in _LIMITS.items()]
    return judged((*targets, Target("libraries imported by lms_tui.cli", len(heavy), 0, unit="", of=" ".join(heavy))))


if __name__ == "__main__":
    sys.exit(main())
