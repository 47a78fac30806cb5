"""The clock that runs on while the computer sleeps, on each system (standard library only).

Linux has CLOCK_BOOTTIME. On macOS CLOCK_MONOTONIC_RAW counts sleep, and `time.monotonic()` does not. Windows has
GetTickCount64, which counts sleep and steps by 10 to 16 ms. Another system has only a clock that may stand still.
"""

import sys
import time
from collections.abc import Callable
from functools import partial


def find_boot_clock(platform: str = sys.platform) -> Callable[[], float]:
    """Return a function that tells the seconds since some moment, with those in sleep where the system counts them."""
    if platform == "win32":
        return _ticks_of_windows()
    name = "CLOCK_MONOTONIC_RAW" if platform == "darwin" else "CLOCK_BOOTTIME"
    clock: int | None = getattr(time, name, None)
    return time.monotonic if clock is None else partial(time.clock_gettime, clock)


def _ticks_of_windows() -> Callable[[], float]:
    import ctypes  # noqa: PLC0415 - only Windows needs it, and the first screen waits for imports

    ticks = ctypes.CDLL("kernel32").GetTickCount64
    ticks.restype = ctypes.c_uint64
    return lambda: float(ticks()) / 1000.0
