"""Values and envelopes of the API document. Reading is lenient, writing is exact."""

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
"""A time between these two limits exists in every time zone, because offsets are shorter than a day."""


def parse_duration(value: object) -> timedelta | None:
    """Read a duration in any form that servers write. Return None for null, `NA`, `H:MM:SS` and other text.

    Forms: `0:30:00`, `20 days, 3:58:48.044696`, `1 02:00:00`, `P1DT2H`, `-0:00:05`, and a number of seconds.
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
    """Return a duration as the document writes it: `0:30:00`, `2:47:53.076906` or `1 day, 2:00:00`."""
    return None if value is None else str(value)


def parse_instant(value: object) -> datetime | None:
    """Read an ISO 8601 time with 0 to 9 digits of fraction and any offset. Return None for other text.

    The first and the last day of the calendar give None. Servers write them for "never", and some zones lack them.
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
    """Return a time in UTC with a fraction: `2026-01-31T09:30:00.000000Z`."""
    if value is None:
        return None
    in_utc = value if value.tzinfo is UTC else value.astimezone(UTC)
    return f"{in_utc.isoformat(timespec='microseconds').removesuffix('+00:00')}Z"


def format_instant_with_offset(value: datetime | None) -> str | None:
    """Return a time with a numeric offset: `2026-01-31T09:30:00.000000+00:00`."""
    return None if value is None else value.astimezone(UTC).isoformat(timespec="microseconds")


def parse_decimal(value: object) -> Decimal | None:
    """Read `"12.50"`, 12.5 or 12 as a finite number. Return None for null, `NA` and other text."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        return None
    # Comparisons are exact. abs() would round, and it overflows for large exponents.
    return number if number.is_finite() and -_LARGEST < number < _LARGEST else None


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _integer(value: object) -> int | None:
    if type(value) is int and -_LARGEST < value < _LARGEST:
        return value  # nearly every value, in a third of the time
    number = parse_decimal(value)
    return int(number) if number is not None else None


def _foreign_id(value: object) -> int | str | None:
    number = parse_decimal(value)
    if number is not None and number == int(number):
        return int(number)
    return value.strip() or None if isinstance(value, str) else None


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
"""A duration. It is written as a string, or as `null` for None."""

Instant = Annotated[
    datetime | None,
    BeforeValidator(parse_instant, json_schema_input_type=str | None),
    PlainSerializer(format_instant, return_type=str | None),
]
"""A time, written with a fraction in UTC."""

OffsetInstant = Annotated[
    datetime | None,
    BeforeValidator(parse_instant, json_schema_input_type=str | None),
    PlainSerializer(format_instant_with_offset, return_type=str | None),
]
"""A time, written with a fraction and a numeric offset."""

DecimalString = Annotated[
    Decimal | None,
    BeforeValidator(parse_decimal, json_schema_input_type=str | float | None),
    PlainSerializer(_two_places, return_type=str | None),
]
"""A number, written as a string with two decimal places: `"4.00"`."""

Text = Annotated[str, BeforeValidator(_text, json_schema_input_type=str | None)]
"""A string. null is read as ""."""

Integer = Annotated[int | None, BeforeValidator(_integer, json_schema_input_type=int | None)]
Count = Annotated[int, BeforeValidator(lambda value: _integer(value) or 0, json_schema_input_type=int | None)]
ForeignId = Annotated[int | str | None, BeforeValidator(_foreign_id, json_schema_input_type=int | str | None)]
"""An id that the service writes as a number. Other servers have texts."""
Number = Annotated[float | None, BeforeValidator(_number, json_schema_input_type=float | None)]
Truth = Annotated[bool | None, BeforeValidator(_truth, json_schema_input_type=bool | None)]
Flag = Annotated[bool, BeforeValidator(lambda value: value is True, json_schema_input_type=bool | None)]
Many = Annotated[tuple[T, ...], BeforeValidator(_items, json_schema_input_type=list[Any])]
"""A list. null is read as an empty list."""


def _rank(value: object) -> int | None:
    number = _integer(value)
    return number or None


Rank = Annotated[
    int | None,
    BeforeValidator(_rank, json_schema_input_type=int | str),
    PlainSerializer(lambda value: "NA" if value is None else value, return_type=int | str),
]
"""A rank from 1. None is written as `NA`, and 0 is read as None."""


class Wire(BaseModel):
    """Base of every object of the API: frozen, without unknown fields, and built at its first use."""

    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)


class Input(Wire):
    """Base of every request body. The server keeps the value of a field that is None."""

    def fields(self) -> dict[str, Any]:
        """Return the fields to send. Raise Invalid for a value that JSON cannot express."""
        try:
            return self.model_dump(mode="json", exclude_none=True)
        except ValueError as error:
            words = "A value cannot be sent as JSON."
            raise Invalid(words, advice="Use text, numbers, lists and objects.") from error


class Page(Wire, Generic[T]):
    """One page of a list. The client checks the origin of `next` before it follows it."""

    count: Count = 0
    next: str | None = None
    previous: str | None = None
    per_page: Count = 20
    results: Many[T] = ()
