"""Take values out of JSON that can have any form."""

from collections.abc import Mapping, Sequence


def inside(value: object, *path: str) -> object:
    """Return what is at a path, or None."""
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def text(value: object, *path: str) -> str:
    found = inside(value, *path)
    return found if isinstance(found, str) else ""


def listed(value: object, *path: str) -> Sequence[object]:
    found = inside(value, *path)
    return found if isinstance(found, list) else ()


def is_on(value: object, *path: str, usual: bool = False) -> bool:
    found = inside(value, *path)
    return found if isinstance(found, bool) else usual
