"""The location of a QTI file, and how its references and pictures are resolved."""

import html
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Protocol

from lms_tui.banks.collect import Collector
from lms_tui.banks.model import Question
from lms_tui.banks.pictures import Budget, Missing, Pictures

_EQUATION: Final = re.compile(
    r"<img\b[^<>]*?\bdata-equation-content\s*=\s*(?:\"([^\"]*)\"|'([^']*)')[^<>]*>", re.IGNORECASE
)
_SECONDS: Final = re.compile(
    r"P(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?\Z"
)


class Place(Protocol):
    """The location of a file, which relative references start from. `name` is its path."""

    @property
    def name(self) -> str: ...

    def read(self, reference: str) -> bytes:
        """Return the bytes of a member. Raises Missing."""

    def beside(self, reference: str) -> "Place":
        """Return the location of a member. Raises Missing."""


class SingleFile:
    """A file outside of a package. It has no neighbours."""

    name: Final = ""

    def read(self, reference: str) -> bytes:
        del reference
        raise Missing("is not in the file")

    def beside(self, reference: str) -> Place:
        del reference
        raise Missing("is not in the file")


@dataclass(slots=True)
class Source:
    """One XML file that is being read."""

    collector: Collector
    place: Place
    pictures: Pictures

    @classmethod
    def at(cls, place: Place, collector: Collector, budget: Budget) -> "Source":
        return cls(collector, place, Pictures(place.read, budget))

    def beside(self, reference: str) -> "Source":
        """Return the source of a member. It shares the list of picture problems. Raises Missing."""
        place = self.place.beside(reference)
        return Source(self.collector, place, Pictures(place.read, self.pictures.budget, self.pictures.problems))

    def embed(self, markup: str) -> str:
        """Embed pictures into HTML, and replace pictures of formulas by formulas."""
        if "<" not in markup:
            return markup
        if "data-equation-content" in markup:
            markup = _EQUATION.sub(_formula, markup)
        return self.pictures.embed(markup)

    def add(self, question: Question) -> None:
        """Add a question and report the problems of its pictures."""
        for problem in self.pictures.told():
            self.collector.warn(problem, question.line, self.collector.next_number)
        self.collector.add(question)


def _formula(found: "re.Match[str]") -> str:
    return rf"\({html.escape(html.unescape(found[1] or found[2] or ''), quote=False)}\)"


def seconds(text: str) -> Decimal | None:
    """Return the seconds of an ISO 8601 duration such as `PT1H30M`, or None."""
    found = _SECONDS.match(text.strip().upper())
    if not found or not any(found.groups()):
        return None
    return sum(
        (Decimal(value) * unit for value, unit in zip(found.groups(), (86400, 3600, 60, 1), strict=True) if value),
        Decimal(0),
    )
