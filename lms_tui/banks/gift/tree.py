"""What a GIFT file says, construct by construct, before anything is made of it."""

from dataclasses import dataclass
from decimal import Decimal

from lms_tui.banks.markup import Markup


@dataclass(frozen=True, slots=True)
class Formatted:
    """A text after its escapes, with the format it is written in."""

    text: str
    markup: Markup = Markup.MOODLE


@dataclass(frozen=True, slots=True)
class Choice:
    """`right`: marked with `=`. `weight` in per cent; None where none is written."""

    right: bool
    text: Formatted
    weight: Decimal | None = None
    feedback: Formatted | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """Numbers that are right. `value` and `tolerance` as written; both None for `low..high`."""

    low: Decimal
    high: Decimal
    value: Decimal | None = None
    tolerance: Decimal | None = None
    weight: Decimal | None = None
    feedback: Formatted | None = None


@dataclass(frozen=True, slots=True)
class MatchPair:
    left: Formatted
    right: str


@dataclass(frozen=True, slots=True)
class MultipleChoice:
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class ShortAnswer:
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Matching:
    pairs: tuple[MatchPair, ...]


@dataclass(frozen=True, slots=True)
class Numerical:
    """`listed`: written with `=` in front of each number."""

    spans: tuple[Span, ...]
    listed: bool = False


@dataclass(frozen=True, slots=True)
class TrueFalse:
    """The first feedback is for those who say true, the second for those who say false."""

    is_true: bool
    true_feedback: Formatted | None = None
    false_feedback: Formatted | None = None


@dataclass(frozen=True, slots=True)
class Essay:
    pass


Answers = MultipleChoice | ShortAnswer | Matching | Numerical | TrueFalse | Essay


@dataclass(frozen=True, slots=True)
class Entry:
    """A question, or a description where `answers` is None. `embedded`: the stem goes on after its answers."""

    line: int
    stem: Formatted
    answers: Answers | None = None
    title: str = ""
    general_feedback: Formatted | None = None
    identifier: str = ""
    tags: tuple[str, ...] = ()
    embedded: bool = False
    notes: tuple[str, ...] = ()
    """Sentences about what was read leniently."""


@dataclass(frozen=True, slots=True)
class Category:
    """`name` as written after `$CATEGORY:`."""

    line: int
    name: str


@dataclass(frozen=True, slots=True)
class Problem:
    """A block that is no question, with a sentence that says why."""

    line: int
    message: str


Node = Entry | Category | Problem
