"""A log that nobody can fill from outside: what says the same again and again is written now and then, and counted."""

import logging
import time
from collections.abc import Callable


class Sparing(logging.Filter):
    """Lets `most` records of a kind through in each `seconds`; the next one after says how many were left out.

    Of one kind is what one place in the program says, about exceptions raised at one place. `clock`: seconds.
    """

    def __init__(self, most: int = 10, seconds: float = 600.0, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._kinds: dict[object, tuple[float, int]] = {}
        """When the time of a kind began, and how many came in it."""

    def filter(self, record: logging.LogRecord) -> bool:
        kind, now = _kind(record), self._clock()
        began, count = self._kinds.get(kind, (now, 0))
        if now - began >= self._seconds:
            if count > self._most:
                record.msg = f"{record.getMessage().rstrip()} ({count - self._most} more like this were left out)"
                record.args = None
            began, count = now, 0
        self._kinds[kind] = began, count + 1
        return count < self._most


def _kind(record: logging.LogRecord) -> object:
    trace = record.exc_info[2] if record.exc_info else None
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = (trace.tb_frame.f_code, trace.tb_lineno) if trace is not None else None
    return record.name, record.levelno, record.pathname, record.lineno, place
