"""The log file of a server, and a limit on repeated records, which keeps clients from filling it."""

import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

_LARGEST: Final = 1024 * 1024
"""Bytes of a log file before the next one begins."""


class LogThrottle(logging.Filter):
    """Passes at most `most` records of a kind in each `seconds`. The next record tells how many were dropped.

    Records of one kind come from the same logging call and report exceptions raised at the same line.
    `clock`: seconds.
    """

    def __init__(self, most: int = 10, seconds: float = 600.0, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._kinds: dict[object, tuple[float, int]] = {}
        """Start of the period and number of records in it, by kind."""

    def filter(self, record: logging.LogRecord) -> bool:
        kind, now = _kind(record), self._clock()
        began, count = self._kinds.get(kind, (now, 0))
        if now - began >= self._seconds:
            if count > self._most:
                record.msg = f"{record.getMessage().rstrip()} ({count - self._most} more like this were dropped)"
                record.args = None
            began, count = now, 0
        self._kinds[kind] = began, count + 1
        return count < self._most


@contextmanager
def logged_to_file(file: Path, package: str, form: str, throttle: LogThrottle) -> Iterator[None]:
    """Log errors of all packages, and what this package tells, to a file with mode 0600. `form`: format of a record."""
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600))
    handler = RotatingFileHandler(file, maxBytes=_LARGEST, backupCount=2, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter(form))
    handler.addFilter(throttle)
    root, own = logging.getLogger(), logging.getLogger(package)
    root.addHandler(handler)
    level = own.level
    own.setLevel(logging.INFO)
    try:
        yield
    finally:
        own.setLevel(level)
        root.removeHandler(handler)
        handler.close()


def _kind(record: logging.LogRecord) -> object:
    trace = record.exc_info[2] if record.exc_info else None
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    origin = (trace.tb_frame.f_code, trace.tb_lineno) if trace is not None else None
    return record.name, record.levelno, record.pathname, record.lineno, origin
