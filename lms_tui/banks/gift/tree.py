"""The nodes of a GIFT file, before they become an exam."""

from decimal import Decimal

from lms_tui.banks.markup import Markup
from lms_tui.common.frozen import frozen


@frozen
class Formatted:
    """A text with its escapes restored, and its format."""

    text: str
    markup: Markup = Markup.MOODLE


@frozen
class Choice:
    """An answer. `right` if it is marked with `=`. `weight` is in per cent, or None if it has none."""

    right: bool
    text: Formatted
    weight: Decimal | None = None
    feedback: Formatted | None = None


@frozen
class Span:
    """A range of correct numbers. `value` and `tolerance` are as written, or None for `low..high`."""

    low: Decimal
    high: Decimal
    value: Decimal | None = None
    tolerance: Decimal | None = None
    weight: Decimal | None = None
    feedback: Formatted | None = None


@frozen
class MatchPair:
    left: Formatted
    right: str


@frozen
class MultipleChoice:
    choices: tuple[Choice, ...]


@frozen
class ShortAnswer:
    """A short answer. `bare` if its braces hold a text without `=`."""

    choices: tuple[Choice, ...]
    bare: bool = False


@frozen
class Matching:
    pairs: tuple[MatchPair, ...]


@frozen
class Numerical:
    """Numbers. `listed` if each has a `=` before it."""

    spans: tuple[Span, ...]
    listed: bool = False


@frozen
class TrueFalse:
    """True or false, with the feedback for an incorrect answer, which comes first in a file, and for a correct one."""

    is_true: bool
    wrong_feedback: Formatted | None = None
    right_feedback: Formatted | None = None


@frozen
class Essay:
    pass


Answers = MultipleChoice | ShortAnswer | Matching | Numerical | TrueFalse | Essay


@frozen
class Entry:
    """A question, or a description if `answers` is None. `embedded` if the stem continues after the answers."""

    line: int
    stem: Formatted
    answers: Answers | None = None
    title: str = ""
    general_feedback: Formatted | None = None
    identifier: str = ""
    tags: tuple[str, ...] = ()
    embedded: bool = False
    notes: tuple[str, ...] = ()
    """Sentences about errors that were corrected."""


@frozen
class Category:
    """A category. `name` is as written after `$CATEGORY:`."""

    line: int
    name: str


@frozen
class Problem:
    """A block that is not a question, with a sentence that says why."""

    line: int
    message: str


Node = Entry | Category | Problem
