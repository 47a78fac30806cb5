"""What the values on a command line may be: functions that argparse calls, which name in an error what they take."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

_N = TypeVar("_N", int, float)
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


speed: Final = _within("number", float, 0.1, 1000.0)
"""How many times as fast time passes."""
number: Final = _within("number", int, 1, 10_000)
count: Final = _within("number", int, 1, 256)
port: Final = _within("port", int, 0, 65535)
