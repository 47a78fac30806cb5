"""Classes of frozen values, which are quick to define.

`dataclass(frozen=True)` compiles six functions for each class. That took a seventh of the time until the list of exams
stood. Classes of `frozen` share five of them, and the sixth is compiled when the first value is made.
"""

from collections.abc import Callable, Iterable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any, NoReturn, TypeVar, dataclass_transform

Made = TypeVar("Made")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[Made]) -> type[Made]:
    """Make the class what `dataclass(frozen=True, slots=True)` makes it. It knows no arguments by keyword only."""
    own = frozenset(vars(cls))
    made: Any = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    compared = _values_of(part.name for part in fields(made) if part.compare)

    def init(self: object, *given: object, **named: object) -> None:
        made.__init__ = compiled = _init_of(made)
        compiled(self, *given, **named)

    def equal(self: object, other: object) -> bool:
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: object) -> int:
        return hash(compared(self))

    for name, method in {"__init__": init, "__eq__": equal, "__hash__": hashed, **_SHARED}.items():
        if name not in own:
            setattr(made, name, method)
    return made  # type: ignore[no-any-return]  # `dataclass` returns a class with slots


def _values_of(names: Iterable[str]) -> Callable[[object], tuple[object, ...]]:
    """Return the function that takes the values of these names out of an object."""
    wanted = tuple(names)
    if len(wanted) > 1:
        return attrgetter(*wanted)
    return lambda value: tuple(getattr(value, name) for name in wanted)


def _init_of(cls: Any) -> Callable[..., None]:
    """Compile the function that stores the fields of a new value.

    Attributes are stored by the descriptors of the slots, because `__setattr__` refuses.
    """
    known: dict[str, Any] = {"unset": MISSING}
    taken, lines = ["self"], []
    for part in (part for part in fields(cls) if part.init):
        name, value = part.name, part.name
        known[f"store_{name}"] = getattr(cls, name).__set__
        if part.default is not MISSING:
            known[f"default_{name}"] = part.default
            taken.append(f"{name}=default_{name}")
        elif part.default_factory is not MISSING:
            known[f"make_{name}"] = part.default_factory
            taken.append(f"{name}=unset")
            value = f"make_{name}() if {name} is unset else {name}"
        else:
            taken.append(name)
        lines.append(f" store_{name}(self, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append(" self.__post_init__()")
    exec(f"def __init__({', '.join(taken)}):\n" + "\n".join(lines or [" pass"]), known)  # noqa: S102 - names of fields only
    init: Callable[..., None] = known["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


@recursive_repr()
def _shown(self: Any) -> str:
    shown = (f"{part.name}={getattr(self, part.name)!r}" for part in fields(self) if part.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _not_assigned(_self: object, name: str, _value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _not_deleted(_self: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[object]:
    return [getattr(self, part.name) for part in fields(self)]


def _restore(self: Any, state: list[object]) -> None:
    for part, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, part.name, value)


_SHARED = {
    "__repr__": _shown,
    "__setattr__": _not_assigned,
    "__delattr__": _not_deleted,
    "__getstate__": _state,
    "__setstate__": _restore,
}
