"""How a bug is planted: a few words of one function's source are replaced, for as long as a check runs."""

import contextlib
import inspect
import textwrap
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import pytest

Check = Callable[[], object]


@dataclass(frozen=True)
class Bug:
    """`plant`: puts the bug in while it is entered; `check`: raises while it is there, and does not without it."""

    name: str
    plant: Callable[[], AbstractContextManager[object]]
    check: Check

    @property
    def guard(self) -> str:
        return getattr(self.check, "__name__", "a check")


def edit(function: Any, *replacements: tuple[str, str]) -> Callable[[], AbstractContextManager[None]]:
    """Replace words in the source of a function, method or property and swap its code, whoever has imported it.

    Words that are not in the source are an error: a bug that cannot be planted any more must not count as caught.
    """

    @contextlib.contextmanager
    def planted() -> Iterator[None]:
        target = inspect.unwrap(getattr(function, "fget", None) or getattr(function, "__func__", function))
        source = textwrap.dedent(inspect.getsource(target))
        for old, new in replacements:
            if old not in source:
                raise LookupError(f"{target.__qualname__} does not contain {old!r}")
            source = source.replace(old, new)
        flags = target.__code__.co_flags & _future_annotations()
        namespace: dict[str, Any] = {}
        code = compile(source, inspect.getfile(target), "exec", flags=flags, dont_inherit=True)
        exec(code, dict(target.__globals__), namespace)  # noqa: S102 - the source is this project's own
        made = namespace[target.__name__]
        made = inspect.unwrap(getattr(made, "fget", None) or getattr(made, "__func__", made))
        sound, target.__code__ = target.__code__, made.__code__
        try:
            yield
        finally:
            target.__code__ = sound

    return planted


def swap(owner: object, name: str, value: object) -> Callable[[], AbstractContextManager[None]]:
    """Give a constant or a whole function another value."""

    @contextlib.contextmanager
    def planted() -> Iterator[None]:
        sound = vars(owner)[name]
        setattr(owner, name, value)
        try:
            yield
        finally:
            setattr(owner, name, sound)

    return planted


def _future_annotations() -> int:
    import __future__  # noqa: PLC0415 - only its flag is of interest

    return __future__.annotations.compiler_flag


def caught(bug: Bug) -> str:
    """Plant the bug and run its check; return what gave it away, "" where nothing did."""
    with bug.plant():
        try:
            bug.check()
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - whatever a check raises, it has noticed
            words = str(error).strip().splitlines()
            return f"{type(error).__name__}: {words[0] if words else ''}"[:120]
    return ""
