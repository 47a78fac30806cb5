"""Classes of `frozen` behave as data classes of the standard library that are frozen and have slots."""

import copy
import pickle
from collections.abc import Callable, Mapping
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import pytest

import lms_tui
from lms_tui.common.frozen import frozen

Item = TypeVar("Item")
Decorator = Callable[[type[Any]], type[Any]]
THEIRS: Decorator = dataclass(frozen=True, slots=True)
OURS: Decorator = frozen


def mark_class(decorate: Decorator) -> type[Any]:
    class Mark:
        """A mark of a question."""

        most: ClassVar[int] = 10
        subject: str
        points: float = 1.0
        notes: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
        places: tuple[int, ...] = field(default=(), repr=False)

        def doubled(self) -> float:
            return self.points * 2

    Mark.__qualname__ = "Mark"
    return decorate(Mark)


CALLS: list[Callable[[type[Any]], object]] = [
    lambda mark: repr(mark("Physics")),
    lambda mark: repr(mark("Physics", 3, {"a": "b"}, (1, 2))),
    lambda mark: mark("Physics").doubled(),
    lambda mark: mark("Physics") == mark("Physics"),
    lambda mark: mark("Physics") == mark("Physics", 2.0),
    lambda mark: mark("Physics") == mark("Physics", notes={"a": "b"}),
    lambda mark: mark("Physics") == ("Physics", 1.0, ()),
    lambda mark: mark("Physics").__eq__("Physics"),
    lambda mark: mark("Physics", float("nan")) == mark("Physics", float("nan")),
    lambda mark: len({mark("Physics"), mark("Physics"), mark("Physics", 2.0)}),
    lambda mark: hash(mark("Physics", notes={"a": "b"})) == hash(mark("Physics")),
    lambda mark: repr(replace(mark("Physics"), points=4)),
    lambda mark: repr(copy.copy(mark("Physics", 2.0))),
    lambda mark: copy.deepcopy(mark("Physics", notes={"a": "b"})).notes,
    lambda mark: mark("Physics").notes is mark("Physics").notes,
    lambda mark: [part.name for part in fields(mark)],
    lambda mark: mark.__match_args__,
    lambda mark: mark.__slots__,
    lambda mark: mark.__doc__,
    lambda mark: mark.most,
]


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_it_answers_as_the_data_class_does(number: int) -> None:
    call = CALLS[number]
    assert call(mark_class(OURS)) == call(mark_class(THEIRS))


MISTAKES: list[tuple[type[Exception], Callable[[type[Any]], object]]] = [
    (TypeError, lambda mark: mark()),
    (TypeError, lambda mark: mark("Physics", marks=3)),
    (TypeError, lambda mark: mark("Physics", 1, {}, (), 5)),
    (TypeError, lambda mark: replace(mark("Physics"), marks=3)),
    (TypeError, lambda mark: hash(mark(["Physics"]))),
    (FrozenInstanceError, lambda mark: setattr(mark("Physics"), "points", 2)),
    (FrozenInstanceError, lambda mark: delattr(mark("Physics"), "points")),
]


@pytest.mark.parametrize("number", range(len(MISTAKES)))
def test_it_refuses_what_the_data_class_refuses_with_the_same_words(number: int) -> None:
    kind, call = MISTAKES[number]
    said = []
    for decorate in (OURS, THEIRS):
        with pytest.raises(kind) as found:
            call(mark_class(decorate))
        said.append(str(found.value).rpartition(".")[2])
    assert said[0] == said[1]


@frozen
class Point:
    """At the top of a module, where pickle finds it."""

    x: int
    y: int = 0

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError("x is negative")


@frozen
class Named(Point):
    """A class with one more field."""

    name: str = ""


@frozen
class Box(Generic[Item]):
    """A class for values of any type."""

    item: Item


@frozen
class Empty:
    """A class without fields."""


@frozen
class Loud:
    """A class that has its own words, equality and hash."""

    word: str

    def __repr__(self) -> str:
        return self.word.upper()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Loud) and self.word.lower() == other.word.lower()

    def __hash__(self) -> int:
        return hash(self.word.lower())


def test_it_is_pickled_and_copied() -> None:
    for value in (Point(1, 2), Named(1, 2, "a"), Box([1]), Empty()):
        assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301 - made one line before
        assert copy.copy(value) == value


def test_the_first_value_and_all_later_ones_are_checked_after_they_are_made() -> None:
    for _ in range(2):
        with pytest.raises(ValueError, match="x is negative"):
            Point(-1)
        with pytest.raises(ValueError, match="x is negative"):
            Named(-1, name="a")


def test_a_class_below_has_the_fields_of_the_class_above_and_is_not_equal_to_it() -> None:
    assert repr(Named(1, name="a")) == "Named(x=1, y=0, name='a')"
    assert Named(1) != Point(1)
    assert Named(1, 2, "a") == Named(1, 2, "a")
    assert isinstance(Named(1), Point)


def test_its_values_are_matched_by_place() -> None:
    match Point(3, 4):
        case Point(x, y):
            assert (x, y) == (3, 4)


def test_it_has_no_place_for_other_attributes() -> None:
    assert not hasattr(Point(1), "__dict__")
    with pytest.raises(AttributeError):
        object.__setattr__(Point(1), "other", 2)
    with pytest.raises(FrozenInstanceError):  # the standard library raises a TypeError by mistake
        Point(1).other = 2  # type: ignore[attr-defined]


def test_methods_of_the_class_itself_are_kept() -> None:
    assert repr(Loud("no")) == "NO"
    assert {Loud("no"), Loud("NO")} == {Loud("No")}


def test_a_class_without_fields_has_equal_values() -> None:
    assert Empty() == Empty()
    assert len({Empty(), Empty()}) == 1


def test_the_program_makes_its_values_with_it() -> None:
    files = Path(lms_tui.__file__).parent.rglob("*.py")
    assert [file.name for file in files if "@dataclass(frozen=True, slots=True)\n" in file.read_text("utf-8")] == []
