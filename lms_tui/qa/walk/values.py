"""Raw JSON values: their types in the API document, and readers for values of any type."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from lms_tui.common.frozen import frozen
from lms_tui.wire.base import parse_duration

Tree = Mapping[str, object]
Shape = Mapping[str, "Kind | Shape"]
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:?\d\d)")
_SPAN: Final = re.compile(r"(\d+ days?,? |\d+ )?\d+:\d\d:\d\d(\.\d{1,9})?")
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_DECIMAL: Final = re.compile(r"-?\d+(\.\d+)?")


@frozen
class Kind:
    """A type with the name that completes the sentence "score is 5, not …"."""

    name: str
    test: Callable[[object], bool]


def _matches(pattern: re.Pattern[str]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None


def _one_of(*kinds: Kind) -> Callable[[object], bool]:
    return lambda value: any(kind.test(value) for kind in kinds)


NULL: Final = Kind("null", lambda value: value is None)
ANYTHING: Final = Kind("anything", lambda _: True)
STRING: Final = Kind("a string", lambda value: isinstance(value, str))
INTEGER: Final = Kind("an integer", lambda value: type(value) is int)
NUMBER: Final = Kind("a number", lambda value: type(value) in {int, float})
BOOLEAN: Final = Kind("true or false", lambda value: isinstance(value, bool))
ARRAY: Final = Kind("an array", lambda value: isinstance(value, list))
OBJECT: Final = Kind("an object", lambda value: isinstance(value, Mapping))
MOMENT: Final = Kind("an ISO 8601 moment with an offset", _matches(_MOMENT))
SPAN: Final = Kind("a duration such as H:MM:SS", _matches(_SPAN))
DATE: Final = Kind("a date such as 2001-12-31", _matches(_DATE))
GENDER: Final = Kind("Male, Female or Transgender", lambda value: value in ("Male", "Female", "Transgender"))
EMPTY: Final = Kind("empty", lambda value: value == "")
DECIMAL: Final = Kind("a decimal string", _matches(_DECIMAL))
NOT_AVAILABLE: Final = Kind("NA", lambda value: value == "NA")


def either(*kinds: Kind) -> Kind:
    return Kind(" or ".join(kind.name for kind in kinds), _one_of(*kinds))


def as_tree(value: object) -> Tree:
    """Return the object, or an empty one for any other value."""
    return value if isinstance(value, Mapping) else {}


def as_rows(value: object) -> list[Tree]:
    """Return the objects of an array, or none for any other value."""
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []


def at(value: object, *names: str) -> object:
    """Return a nested field, or None."""
    for name in names:
        value = as_tree(value).get(name)
    return value


def integer(value: object) -> int:
    """Return the integer, or 0 for any other value."""
    return value if type(value) is int else 0


def seconds(value: object) -> float | None:
    """Return the seconds of a duration such as `0:30:00`, or None."""
    span = parse_duration(value)
    return None if span is None else span.total_seconds()


def shown(value: object) -> str:
    """Return a value for a sentence, at most 60 characters."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list):
        return f"an array of {len(value)}"
    text = "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    return repr(text[:60]) if isinstance(value, str) else text[:60]


def field_problems(value: object, shape: Shape, where: str = "") -> Iterator[str]:
    """Yield the fields that are missing or have a wrong type. Additional fields are allowed."""
    if not isinstance(value, Mapping):
        yield f"{where.rstrip('.') or 'the answer'} is {shown(value)}, not an object"
        return
    for name, kind in shape.items():
        if name not in value:
            yield f"{where}{name} is missing"
        elif isinstance(kind, Mapping):
            yield from field_problems(value[name], kind, f"{where}{name}.")
        elif not kind.test(value[name]):
            yield f"{where}{name} is {shown(value[name])}, not {kind.name}"
