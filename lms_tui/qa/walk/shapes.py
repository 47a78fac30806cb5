"""The objects of the API document, with the types that it states. They are listed in `shapes.yaml`."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

import yaml

from lms_tui.qa.walk import values
from lms_tui.qa.walk.values import Kind, Shape, either

_KINDS: Final = {
    "anything": values.ANYTHING,
    "array": values.ARRAY,
    "boolean": values.BOOLEAN,
    "date": values.DATE,
    "decimal": values.DECIMAL,
    "empty": values.EMPTY,
    "gender": values.GENDER,
    "integer": values.INTEGER,
    "moment": values.MOMENT,
    "NA": values.NOT_AVAILABLE,
    "null": values.NULL,
    "number": values.NUMBER,
    "object": values.OBJECT,
    "span": values.SPAN,
    "string": values.STRING,
}
KEY_FIELDS: Final = frozenset({"is_correct", "explanation_html", "marks", "correct_percentage"})
"""Fields that show the correct answer. They must not be in a question of a running attempt."""


def shape(name: str) -> Shape:
    """Return the fields of an object, such as `attempt`, with their types."""
    return _shapes()[name]


def names_of_fields() -> frozenset[str]:
    """Return the names of all fields in all objects."""
    return frozenset(name for fields in _shapes().values() for name in _names(fields))


def _names(fields: Shape) -> Iterator[str]:
    for name, kind in fields.items():
        yield name
        if isinstance(kind, Mapping):
            yield from _names(kind)


@cache
def _shapes() -> dict[str, Shape]:
    tree = yaml.safe_load(files(__package__).joinpath("shapes.yaml").read_text("utf-8"))
    return {name: _shape(fields) for name, fields in tree.items()}


def _shape(fields: Mapping[str, Any]) -> Shape:
    return {name: _kind(told) if isinstance(told, str) else _shape(told) for name, told in fields.items()}


def _kind(words: str) -> Kind:
    first, *others = (_KINDS[word] for word in words.split(" or "))
    return either(first, *others) if others else first
