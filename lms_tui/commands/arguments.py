"""Readers for values on the command line. Each raises ArgumentTypeError, or UsageError for typed lines."""

import argparse
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from lms_tui.common.outages import newest_span
from lms_tui.common.user_errors import UsageError

if TYPE_CHECKING:
    from decimal import Decimal

_V = TypeVar("_V")
_N = TypeVar("_N", int, float)
_ORIGIN: Final = re.compile(r"https?://(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]{1,5})?", re.IGNORECASE)
_LONGEST_CODE: Final = 100
_UNLIMITED: Final = 2**63 - 1
_TIME: Final = re.compile(r"([0-9]{1,2}):([0-5]?[0-9]):([0-5]?[0-9])")


def _number(kind: Callable[[str], _N], least: _N, most: _N, what: str = "whole number") -> Callable[[str], _N]:
    def read(given: str) -> _N:
        try:
            value = kind(given)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            span = f"from {least:g} to {most:g}" if most < _UNLIMITED else f"of {least:g} or more"
            raise argparse.ArgumentTypeError(f"must be a {what} {span}, not “{given}”.")
        return value

    return read


examinees: Final = _number(int, 1, 500)
load_seconds: Final = _number(float, 0.1, 600.0, "number")
rate: Final = _number(float, 0.01, 1000.0, "number")
speed: Final = _number(float, 0.1, 1000.0, "number")
number: Final = _number(int, 1, 10_000)
count: Final = _number(int, 1, 256)
port: Final = _number(int, 0, 65535)
identifier: Final = _number(int, 1, _UNLIMITED)
seed: Final = _number(int, 0, _UNLIMITED)
time_factor: Final = _number(float, 1.0, 10.0, "number")
_retakes: Final = _number(int, 0, 1000)
_MOST_MARKS: Final = 1000
extra_minutes: Final = _number(int, 0, 10_080)
added_minutes: Final = _number(int, 1, 1_440)


def seconds(given: str) -> float:
    """Return a number of seconds. The service tells which it takes."""
    try:
        return float(given)
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{given}” is not a number of seconds. Write 600 for ten minutes.") from None


def earned(given: str) -> "Decimal":
    """Return the marks of an answer, such as `3.5` or `3,5`. They can be negative."""
    from lms_tui.banks.texts import number as number_of

    found = number_of(given)
    if found is None:
        raise argparse.ArgumentTypeError(f"“{given}” is not a number of marks. Write 3 or 3.5.")
    return found


def text(given: str) -> str:
    """Return UTF-8 text. File names may be any bytes and are read as Path instead."""
    if not _is_text(given):
        raise argparse.ArgumentTypeError("this is not UTF-8 text.")
    return given


def typed(read: Callable[[], str]) -> str:
    """Read a line from a person or standard input. Raises UsageError at its end, and if it is not UTF-8."""
    try:
        line = read()
    except UnicodeDecodeError:
        line = "\udcff"
    except EOFError:
        if sys.stdin.isatty():
            print(file=sys.stderr)  # the question is still on the line
        raise UsageError("The input has ended.", "Run the command again, and type what it asks for.") from None
    if not _is_text(line):
        raise UsageError("The typed line is not UTF-8 text.", "Type it again.")
    return line


def _is_text(given: str) -> bool:
    # Undecodable bytes become lone surrogates, which cannot be encoded again.
    return not any("\ud800" <= char <= "\udfff" for char in given)


def or_none(read: Callable[[str], _V], word: str) -> Callable[[str], _V | None]:
    """Return a reader that also takes a word for nothing, such as `never`."""

    def read_or_none(given: str) -> _V | None:
        return None if given == word else read(given)

    return read_or_none


def access_code(given: str) -> str:
    """Return an access code, "" for `none`."""
    if len(given) > _LONGEST_CODE or not given.strip():
        raise argparse.ArgumentTypeError(f"must be a text of at most {_LONGEST_CODE} letters, or none.")
    return "" if given == "none" else given.strip()


def retakes(given: str) -> int:
    """Return a number of retakes, -1 for `unlimited`."""
    return -1 if given == "unlimited" else _retakes(given)


def marks(given: str) -> "Decimal":
    """Return marks from 0 to 1000 with at most two decimals."""
    from decimal import Decimal, InvalidOperation

    with suppress(InvalidOperation):
        found = Decimal(given)
        if 0 <= found <= _MOST_MARKS and found == round(found, 2):
            return found
    raise argparse.ArgumentTypeError(f"“{given}” is not a number of marks. Write 2 or 0.25.")


def folder(given: str) -> Path:
    """Return the absolute path of an existing directory."""
    path = Path(given).expanduser().absolute()
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {given}.")
    return path


def origin(given: str) -> str:
    """Return a web origin: scheme, host and port. `*.` before the host means every subdomain."""
    if not _ORIGIN.fullmatch(given):
        raise argparse.ArgumentTypeError(f"“{given}” is not an origin such as https://learn.example.edu.")
    return given.lower()


def network(given: str) -> str:
    """Return an IP address or a network, such as `10.0.0.0/8`."""
    from ipaddress import ip_network

    try:
        ip_network(given, strict=False)
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{given}” is not an address or a network such as 10.0.0.0/8.") from None
    return given


def time_left(given: str) -> timedelta:
    """Return a time such as `0:00:30`, more than zero."""
    found = _TIME.fullmatch(given)
    time = timedelta(hours=int(found[1]), minutes=int(found[2]), seconds=int(found[3])) if found else None
    if not time:
        raise argparse.ArgumentTypeError(f"“{given}” is not a time. Write H:MM:SS, such as 0:00:30.")
    return time


def moment(given: str) -> datetime:
    """Return a point in time, with the offset of this computer if none is given."""
    from lms_tui.service.core.bodies import is_storable

    with suppress(ValueError):
        found = datetime.fromisoformat(given)
        if is_storable(found):
            return found if found.tzinfo else found.astimezone()
    raise argparse.ArgumentTypeError(f"“{given}” is not a time. Write 2026-01-31T09:30+05:30.")


def duration(given: str) -> timedelta:
    """Return a duration such as `1:30:00` or `90 min`, more than zero."""
    from lms_tui.banks.yaml_values import duration_of

    with suppress(ValueError, OverflowError):
        if found := duration_of(given):
            return found
    raise argparse.ArgumentTypeError(f"“{given}” is not a duration. Write 1:30:00 or 90 min.")


def time_of_day_span(given: str) -> tuple[datetime, datetime]:
    """Return the newest span between two times of day, such as `10:05-10:17`, that is over now."""
    span = newest_span(given, datetime.now().astimezone())
    if span is not None:
        return span
    raise argparse.ArgumentTypeError(f"“{given}” is not a time of today that is over. Write 10:05-10:17.")
