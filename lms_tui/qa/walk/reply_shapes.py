"""The shape of each reply of a walk: the fields of every endpoint with their types."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from lms_tui.client.recording import Exchange
from lms_tui.common.cleaning import clean_line
from lms_tui.qa.walk.endpoints import endpoint

_START: Final = re.compile(r"^(\S+) .*?/v\d+(?:\.\d+)?/")
_DEEPEST: Final = 20
_TYPES: Final = ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array"))


def reply_shapes(exchanges: Iterable[Exchange]) -> dict[str, dict[str, list[str]]]:
    """Return the types of each field, such as `results[].id`, by endpoint and status.

    Endpoints have no start, version and last slash, because two servers may write these differently.
    """
    found: dict[str, dict[str, set[str]]] = {}
    for exchange in exchanges:
        asked = _START.sub(r"\1 ", endpoint(exchange)).rstrip("/")
        name = f"{asked} {exchange.status or 'no reply'}"
        fields = found.setdefault(name, {})
        for path, kind in _fields(exchange.tree(), ""):
            fields.setdefault(path, set()).add(kind)
    return {name: {path: sorted(kinds) for path, kinds in fields.items()} for name, fields in found.items()}


def _fields(tree: object, path: str) -> Iterator[tuple[str, str]]:
    if path.count(".") + path.count("[]") > _DEEPEST:
        return
    if path:
        yield path, _type(tree)
    if isinstance(tree, Mapping):
        for name, value in tree.items():
            yield from _fields(value, f"{path}.{clean_line(str(name))}" if path else clean_line(str(name)))
    elif isinstance(tree, list):
        for value in tree:
            yield from _fields(value, f"{path}[]")


def _type(value: object) -> str:
    if value is None:
        return "null"
    return next((name for kind, name in _TYPES if isinstance(value, kind)), "object")
