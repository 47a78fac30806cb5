"""What the values on a command line may be: functions that argparse calls, which name in an error what they take."""

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from lms_tui.common.user_errors import UsageError

_N = TypeVar("_N", int, float)
_ORIGIN: Final = re.compile(r"https?://(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]{1,5})?", re.IGNORECASE)
Subcommands = Any
"""What `add_subparsers` returns; argparse keeps its type private."""


def _within(name: str, number: Callable[[str], _N], least: _N, most: _N) -> Callable[[str], _N]:
    def value(text: str) -> _N:
        found = number(text)
        if not least <= found <= most:
            raise ValueError
        return found

    value.__name__ = name  # argparse says "invalid number value"
    return value


def text(given: str) -> str:
    """Take what is text, which bytes that are not UTF-8 are not; names of files may be any bytes, and are paths."""
    if not _is_text(given):
        raise argparse.ArgumentTypeError("this is no text in UTF-8.")
    return given


def typed(read: Callable[[], str]) -> str:
    """Read a line that somebody types or sends; raises UsageError about bytes that are no text."""
    try:
        line = read()
    except UnicodeDecodeError:
        line = "\udcff"
    if not _is_text(line):
        raise UsageError("What was typed is no text in UTF-8.", "Type it again.")
    return line


def folder(given: str) -> Path:
    """Take a folder that is there, by the path that it has from everywhere."""
    path = Path(given).expanduser().absolute()
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {given}.")
    return path


def origin(given: str) -> str:
    """Take what a browser calls an origin, as a policy for pages writes it: scheme, host, port; `*.`: any below."""
    if not _ORIGIN.fullmatch(given):
        raise argparse.ArgumentTypeError(f"{given} is no origin such as https://learn.example.edu.")
    return given.lower()


def _is_text(given: str) -> bool:
    # What cannot be decoded comes as halves of surrogate pairs, which cannot be encoded again.
    return not any("\ud800" <= char <= "\udfff" for char in given)


speed: Final = _within("number", float, 0.1, 1000.0)
"""How many times as fast time passes."""
number: Final = _within("number", int, 1, 10_000)
count: Final = _within("number", int, 1, 256)
port: Final = _within("port", int, 0, 65535)
