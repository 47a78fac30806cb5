"""Print each step of a command with its time, for `--verbose`."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from lms_tui.client.redaction import RedactingFilter
from lms_tui.common.cleaning import clean_line

_LOGGERS: Final = {"lms_tui": logging.DEBUG, "httpx": logging.INFO}
"""The loggers whose records are printed, from which level. The logger of httpx records each request."""


class _Steps(logging.Formatter):
    """Writes the seconds since the start before each step."""

    def __init__(self, began: float) -> None:
        super().__init__()
        self._began = began

    def format(self, record: logging.LogRecord) -> str:
        return f"lms-tui: {time.monotonic() - self._began:7.3f} s  {clean_line(record.getMessage())}"


@contextmanager
def steps_told() -> Iterator[None]:
    """Print the steps of the program on standard error, in the order in which they end."""
    loggers, handler = [logging.getLogger(name) for name in _LOGGERS], logging.StreamHandler()
    handler.setFormatter(_Steps(time.monotonic()))
    handler.addFilter(RedactingFilter())
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(_LOGGERS[logger.name])
    try:
        yield
        loggers[0].info("done")
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
            logger.removeHandler(handler)
