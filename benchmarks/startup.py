"""From the start of the process to the painted screen: `lms-tui` at its sign-in screen beside a one-widget app.

Run it with the environment's own interpreter: `.venv/bin/python -m benchmarks.startup [RUNS]`. Both are started in
turn, so that what else the computer does slows both. Exit status 1 where the target is missed.
"""

import compileall
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.figures import Target, heading, judged, row
from benchmarks.terminal import Terminal

HERE = Path(__file__).parent
LIMIT = 1.3
_LIGHT = "import sys, lms_tui.cli; print(*sorted({m.partition('.')[0] for m in sys.modules}))"
_HEAVY = ("textual", "httpx", "pydantic", "fastapi", "sqlalchemy", "uvicorn")


def start(argv: list[str], ready: str) -> float:
    """Milliseconds from exec to the bytes that completed the screen."""
    terminal = Terminal([sys.executable, *argv])
    try:
        return (terminal.wait(ready) - terminal.started) * 1000
    finally:
        terminal.close()


def imported() -> list[str]:
    """Which of the heavy libraries `import lms_tui.cli` brings."""
    found = subprocess.run([sys.executable, "-c", _LIGHT], capture_output=True, text=True, check=True).stdout.split()
    return [name for name in _HEAVY if name in found]


def main() -> int:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    compileall.compile_dir(HERE.parent / "lms_tui", quiet=1)
    bare: list[float] = []
    ours: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(runs + 2):
            one = start([str(HERE / "baseline_one_widget.py")], "ready")
            two = start(["-m", "lms_tui", "--data-dir", folder], "(?i)sign in")
            if number >= 2:  # the page cache and the data directory are warm from here on
                bare.append(one)
                ours.append(two)
    print(heading(f"first paint, ms ({runs} runs in turn)"))
    print(row("one-widget Textual app", bare))
    print(row("lms-tui, sign-in screen", ours))
    heavy = imported()
    return judged(
        (
            Target("sign-in screen", statistics.median(ours) / statistics.median(bare), LIMIT, of="one-widget app"),
            Target("libraries imported by lms_tui.cli", len(heavy), 0, unit="", of=" ".join(heavy)),
        )
    )


if __name__ == "__main__":
    sys.exit(main())
