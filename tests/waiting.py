"""Waiting for what another process or thread does."""

import threading
import time
from collections.abc import Awaitable, Callable
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


async def come_true(holds: Callable[[], bool], pause: Callable[[], Awaitable[None]]) -> bool:
    """Wait as `wait_until` does, with pauses in which an app goes on. Return whether the condition holds."""
    ends = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > ends:
            return False
        await pause()
    return True


def is_running(pid: int) -> bool:
    """Return whether a process runs. One that has ended and was not asked for its exit code does not run."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def children_of(pid: int) -> list[int]:
    """Return the processes that this one has started, none when it has ended."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def process_status(pid: int, field: str) -> int:
    """Return a number that Linux tells of a process: "FDSize", or "VmRSS" and the like in KiB."""
    lines = Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{field}:"))


def command_of(pid: int) -> bytes:
    """Return the command line of a process, b"" when it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""
