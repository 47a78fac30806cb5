"""Types for the fields of request bodies. Their error messages never repeat the input."""

import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from lms_tui.service.core.passwords import SHORTEST, is_common
from lms_tui.service.core.text import storable
from lms_tui.wire.base import parse_instant
from lms_tui.wire.states import code_of_state

_USERNAME: Final = re.compile(r"[\w.@+-]+")
_EMAIL: Final = re.compile(r"[^@\s]+@[^@\s]+")
_DATE: Final = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})")
_DATE_BACKWARDS: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_OLDEST: Final = 1900
_LATEST: Final = 9000
GENDER_CODES: Final = ("male", "female", "trans")
MAX_NAMES: Final = 500


class Body(BaseModel):
    """Reads only the declared fields, which prevents mass assignment."""

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)


def _stripped(text: str) -> str:
    return storable(text).strip()


def _username(text: str) -> str:
    if not _USERNAME.fullmatch(text):
        raise PydanticCustomError("username", "A user name has only letters, digits and . @ + - _")
    return text


def _email(text: str) -> str:
    if text and not _EMAIL.fullmatch(text):
        raise PydanticCustomError("email", "This is not an e-mail address")
    return text


def _password(text: str) -> str:
    if len(text) < SHORTEST:
        raise PydanticCustomError("password", "A password has at least {shortest} characters", {"shortest": SHORTEST})
    if is_common(text):
        raise PydanticCustomError("password", "Many people use this password. Choose another one")
    return text


def _gender(code: str) -> str:
    if code and code not in GENDER_CODES:
        raise PydanticCustomError("gender", "A gender is male, female or trans")
    return code


def _state(text: str) -> str:
    if not text:
        return ""
    code = code_of_state(text)
    if code is None:
        raise PydanticCustomError("state", "This is not a code of ISO 3166-2:IN, such as IN-TN")
    return code


def _date_reader(form: re.Pattern[str], order: tuple[int, int, int], example: str) -> Callable[[object], date | None]:
    """`order`: the groups of `form` that hold year, month and day."""

    def read(value: object) -> date | None:
        if value is None or value == "":
            return None
        found = form.fullmatch(value) if isinstance(value, str) and value.isascii() else None
        try:
            born = date(*(int(found[group]) for group in order)) if found else None
        except ValueError:
            born = None
        if born is None or born.year < _OLDEST:
            raise PydanticCustomError("date", "Write the date as {example}", {"example": example})
        return born

    return read


def is_storable(moment: datetime) -> bool:
    """Return whether the service stores moments of that year."""
    # Databases store UTC, and a conversion from the first or last year would leave the calendar.
    return _OLDEST <= moment.year <= _LATEST


def _moment(value: object) -> datetime:
    moment = parse_instant(value) if isinstance(value, str) else None
    if moment is None or not is_storable(moment):
        raise PydanticCustomError("moment", "Write the moment as 2026-01-31T09:30:00+05:30")
    return moment


Line30 = Annotated[str, Field(strict=True, max_length=30), AfterValidator(_stripped)]
Line20 = Annotated[str, Field(strict=True, max_length=20), AfterValidator(_stripped)]
Line100 = Annotated[str, Field(strict=True, max_length=100), AfterValidator(_stripped)]
Line150 = Annotated[str, Field(strict=True, max_length=150), AfterValidator(_stripped)]
Line200 = Annotated[str, Field(strict=True, max_length=200), AfterValidator(_stripped)]
Line255 = Annotated[str, Field(strict=True, max_length=255), AfterValidator(_stripped)]
Line300 = Annotated[str, Field(strict=True, max_length=300), AfterValidator(_stripped)]
Address = Annotated[str, Field(strict=True, max_length=2000), AfterValidator(_stripped)]
Boolean = Annotated[bool, Field(strict=True)]
Html = Annotated[str, Field(strict=True, max_length=500_000), AfterValidator(storable)]
Username = Annotated[str, Field(strict=True, min_length=1, max_length=150), AfterValidator(_username)]
Password = Annotated[str, Field(strict=True, json_schema_extra={"minLength": SHORTEST}), AfterValidator(_password)]
"""A new password. Passwords that users already have stay."""
Email = Annotated[str, Field(strict=True, max_length=254), AfterValidator(_stripped), AfterValidator(_email)]
GenderCode = Annotated[str, Field(strict=True, max_length=8), AfterValidator(_gender)]
StateCode = Annotated[str, Field(strict=True, max_length=100), AfterValidator(_state)]
"""A code of ISO 3166-2:IN, or the name of a state as in responses."""
DayFirst = Annotated[
    date | None,
    BeforeValidator(_date_reader(_DATE, (3, 2, 1), "DD/MM/YYYY"), json_schema_input_type=str | None),
]
YearFirst = Annotated[
    date | None,
    BeforeValidator(_date_reader(_DATE_BACKWARDS, (1, 2, 3), "YYYY-MM-DD"), json_schema_input_type=str | None),
]
When = Annotated[datetime, BeforeValidator(_moment, json_schema_input_type=str)]
Name = Annotated[str, Field(strict=True, min_length=1, max_length=300)]
Names = Annotated[list[Name], Field(max_length=MAX_NAMES)]


def problem_of(error: ValidationError) -> str:
    """Return the first problem of a body as a sentence that begins with its field."""
    first = error.errors()[0]
    match first:
        case {"type": "string_too_short", "ctx": {"min_length": least}}:
            words = "This field may not be blank." if least == 1 else f"This needs {least} characters or more."
        case {"type": "string_too_long", "ctx": {"max_length": most}}:
            words = f"This is longer than {most} characters."
        case _:
            words = f"{first['msg']}."
    return f"{first['loc'][0]}: {words}"
