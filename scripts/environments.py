"""Runs the quick tests in new environments:

uv run python scripts/environments.py lowest     the oldest libraries that pyproject.toml allows, on Python 3.11
uv run python scripts/environments.py pythons    the newest libraries, on each Python from 3.11 to 3.14 here
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
UV: Final = os.environ.get("UV") or shutil.which("uv") or "uv"
_PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
_TESTS: Final = ("tests/attempt", "tests/cli", "tests/client")


def found(version: str) -> str | None:
    """Return the interpreter of a version on this computer, also one of pyenv that is not on the path."""
    command = (UV, "python", "find", "--no-python-downloads", "--no-project", "--system", version)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return done.stdout.strip()
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    return next((str(path) for path in sorted(pyenv.glob(f"versions/{version}.*/bin/python"))), None)


def tested(python: str, resolution: str) -> bool:
    """Return whether the quick tests pass in a new environment."""
    with tempfile.TemporaryDirectory() as folder:
        venv = Path(folder, "venv")
        install = (UV, "pip", "install", "--quiet", "--python", venv)
        steps = (
            (UV, "venv", "--quiet", "--python", python, venv),
            (*install, "--resolution", resolution, "--all-extras", "--requirement", "pyproject.toml"),
            (*install, "--group", "dev"),  # keeps what is installed where that fits
            (venv / "bin" / "python", "-m", "pytest", "-n", "2", "-m", "not slow", *_TESTS),
        )
        return all(subprocess.run(step, cwd=ROOT, check=False).returncode == 0 for step in steps)


def main() -> int:
    if sys.argv[1:] not in (["lowest"], ["pythons"]):
        sys.exit(__doc__)
    lowest = sys.argv[1] == "lowest"
    outcomes = []
    for version in _PYTHONS[:1] if lowest else _PYTHONS:
        python, begun = found(version), time.monotonic()
        passed = None if python is None else tested(python, "lowest-direct" if lowest else "highest")
        outcomes.append(passed)
        told = {None: "not on this computer", True: "passed", False: "FAILED"}[passed]
        print(f"Python {version}: {told} ({time.monotonic() - begun:.0f} s)", flush=True)
    return 1 if False in outcomes or not any(outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
