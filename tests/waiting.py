"""Waiting for what another process or thread does."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

PATIENCE: Final = 60.0
"""Seconds. Tests wait for what must happen and never prove that it happens soon, because machines are busy."""


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait until the condition holds. Fails after a time that is far too long."""
    ends = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < ends, "waited in vain"
        threading.Event().wait(0.02)


def is_running(pid: int) -> bool:
    """Return whether a process runs. One that has ended and was not asked for its exit code does not run."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
