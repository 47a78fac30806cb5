"""A script of Python in the window of a real terminal."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True, slots=True)
class Window:
    """`log`: what the terminal itself had to say."""

    terminal: str
    process: "subprocess.Popen[bytes]"
    log: Path

    def close(self) -> None:
        self.process.kill()
        self.process.wait()

    def cannot_draw(self) -> str:
        """Why a test is skipped in a terminal that shows nothing here."""
        return f"{self.terminal} cannot draw here: {self.log.read_text(errors='replace')[-300:]}"


def open_window(
    display: str, folder: Path, terminal: Sequence[str], script: str, *arguments: str, **more: str
) -> Window:
    """Run `script` with its arguments in a terminal that keeps what it keeps in `folder`; `more`: its environment.

    Skips the test where there is no such terminal.
    """
    if shutil.which(terminal[0]) is None:
        pytest.skip(f"{terminal[0]} is not installed")
    file, log = folder / "script.py", folder / "log"
    file.write_text(script)
    environment: Mapping[str, str] = {
        **{name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "TMUX"}},
        "DISPLAY": display,
        "LIBGL_ALWAYS_SOFTWARE": "1",
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "XDG_CACHE_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
        **more,
    }
    with log.open("wb") as told:
        command = [*terminal, sys.executable, str(file), *arguments]
        return Window(terminal[0], subprocess.Popen(command, env=environment, stdout=told, stderr=told), log)
