"""Values and envelopes of the API document: lenient in what is read, exact in what is written."""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, Final, Generic, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainSerializer

from lms_tui.wire.errors import Invalid

T = TypeVar("T")

_CLOCK: Final = re.compile(
    r"(?P<sign>-)?(?:(?P<days>\d{1,7})(?: days?,)? +)?"
    r"(?P<hours>\d{1,7}):(?P<minutes>\d{1,2}):(?P<seconds>\d{1,2}(?:\.\d{1,9})?)"
)
_ISO: Final = re.compile(
    r"(?P<sign>-)?P(?:(?P<days>\d{1,7})D)?(?:T(?:(?P<hours>\d{1,7})H)?(?:(?P<minutes>\d{1,7})M)?(?:(?P<seconds>\d{1,9}(?:\.\d{1,9})?)S)?)?"
)
_SECONDS: Final = re.compile(r"-?\d{1,12}(?:\.\d{1,9})?")
_LONGEST: Final = timedelta(days=3_650)
_LARGEST: Final = 10**12
_FIRST: Final = datetime(1, 1, 2, tzinfo=UTC)
_END: Final = datetime(9999, 12, 31, tzinfo=UTC)
"""Offsets stay under a day, so that what lies between is in the calendar in every zone."""


def parse_duration(value: object) -> timedelta | None:
    """Read any duration servers of this kind write; None where it tells no time (null, `NA`, `H:MM:SS`, nonsense).

    `0:30:00`, `20 days, 3:58:48.044696`, `1 02:00:00`, `P1DT2H`, `-0:00:05`, and numbers as seconds.
    """
    if isinstance(value, timedelta):
        return value
    if isinstance(value, bool) or value is None:
        return None
    text = str(value).strip()
    if _SECONDS.fullmatch(text):
        duration = timedelta(seconds=float(text))
    elif (found := _CLOCK.fullmatch(text) or _ISO.fullmatch(text)) and any(c.isdigit() for c in text):
        parts = {name: float(part) for name, part in found.groupdict().items() if part and name != "sign"}
        duration = timedelta(**parts) * (-1 if found["sign"] else 1)
    else:
        return None
    return duration if abs(duration) <= _LONGEST else None


def format_duration(value: timedelta | None) -> str | None:
    """`0:30:00`, `2:47:53.076906`, `1 day, 2:00:00`: as the document and its kin write durations."""
    return None if value is None else str(value)


def parse_instant(value: object) -> datetime | None:
    """Read an ISO 8601 moment with 0 to 9 digits of fraction and any offset; None where it tells none.

    The first and the last day of the calendar, which servers write for "never", tell none: some zones have no such day.
    """
    if isinstance(value, datetime):
        moment = value
    elif isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    else:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return moment if _FIRST <= moment < _END else None


def format_instant(value: datetime | None) -> str | None:
    """`2026-01-31T09:30:00.000000Z`: always a fraction, always UTC."""
    if value is None:
        return None
    return value.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def format_instant_with_offset(value: datetime | None) -> str | None:
    """`2026-01-31T09:30:00.000000+00:00`: where the document asks for an offset."""
    return None if value is None else value.astimezone(UTC).isoformat(timespec="microseconds")


def parse_decimal(value: object) -> Decimal | None:
    """Read `"12.50"`, 12.5 or 12 as a finite number; None for null, `NA` and nonsense."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        return None
    # A comparison is exact; abs() would round, and overflow where the exponent does.
    return number if number.is_finite() and -_LARGEST < number < _LARGEST else None


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _integer(value: object) -> int | None:
    number = parse_decimal(value)
    return int(number) if number is not None else None


def _number(value: object) -> float | None:
    number = parse_decimal(value)
    return float(number) if number is not None else None


def _items(value: object) -> object:
    return value if isinstance(value, list | tuple) else []


def _two_places(value: Decimal | None) -> str | None:
    return None if value is None else f"{value:.2f}"


def _truth(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


Duration = Annotated[
    timedelta | None,
    BeforeValidator(parse_duration, json_schema_input_type=str | float | None),
    PlainSerializer(format_duration, return_type=str | None),
]
"""A duration string on the wire; None is `null` and everything that tells no time."""

Instant = Annotated[
    datetime | None,
    BeforeValidator(parse_instant, json_schema_input_type=str | None),
    PlainSerializer(format_instant, return_type=str | None),
]
"""A moment with fraction and offset on the wire."""

OffsetInstant = Annotated[
    datetime | None,
    BeforeValidator(parse_instant, json_schema_input_type=str | None),
    PlainSerializer(format_instant_with_offset, return_type=str | None),
]
"""A moment with fraction and numeric offset on the wire."""

DecimalString = Annotated[
    Decimal | None,
    BeforeValidator(parse_decimal, json_schema_input_type=str | float | None),
    PlainSerializer(_two_places, return_type=str | None),
]
"""A number that the wire writes as a string with two places: `"4.00"`."""

Text = Annotated[str, BeforeValidator(_text, json_schema_input_type=str | None)]
"""A string; null reads as ""."""

Integer = Annotated[int | None, BeforeValidator(_integer, json_schema_input_type=int | None)]
Count = Annotated[int, BeforeValidator(lambda value: _integer(value) or 0, json_schema_input_type=int | None)]
Number = Annotated[float | None, BeforeValidator(_number, json_schema_input_type=float | None)]
Truth = Annotated[bool | None, BeforeValidator(_truth, json_schema_input_type=bool | None)]
Flag = Annotated[bool, BeforeValidator(lambda value: value is True, json_schema_input_type=bool | None)]
Many = Annotated[tuple[T, ...], BeforeValidator(_items, json_schema_input_type=list[Any])]
"""A list; null reads as no items."""


def _rank(value: object) -> int | None:
    number = _integer(value)
    return number or None


Rank = Annotated[
    int | None,
    BeforeValidator(_rank, json_schema_input_type=int | str),
    PlainSerializer(lambda value: "NA" if value is None else value, return_type=int | str),
]
"""A place from 1; None is `NA`, and 0 is read as `NA`."""


class Wire(BaseModel):
    """Every object of the API: frozen, unknown fields ignored, built when first used so that importing stays cheap."""

    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)


class Input(Wire):
    """A body that a client sends; what is None stays as it is on the server."""

    def fields(self) -> dict[str, Any]:
        """Return what is to be sent; raises Invalid for a value that JSON does not have."""
        try:
            return self.model_dump(mode="json", exclude_none=True)
        except ValueError as error:
            words = "What was given has a value that cannot be sent."
            raise Invalid(words, advice="Give texts, numbers, and lists and objects of them.") from error


class Page(Wire, Generic[T]):
    """The paginated envelope; `next` is a stranger's address until the client has checked its origin."""

    count: Count = 0
    next: str | None = None
    previous: str | None = None
    per_page: Count = 20
    results: Many[T] = ()
