"""Decide which styles of text mark the right options in a document."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Final, Protocol

from lms_tui.common.frozen import frozen

SURE: Final = ("starred", "marked")
"""Signs that mark a right option wherever they stand: a star, and a highlight."""
STYLES: Final = ("bold", "underlined", "coloured")
"""Styles that headings and emphasis have too, the surest first."""
_CONSISTENT: Final = Decimal("0.75")
"""The share of questions that a style must mark. In worksheets with headings, styles mark at most two thirds."""


class Signed(Protocol):
    """An option that can have signs."""

    def has(self, sign: str) -> bool: ...
    def touches(self, sign: str) -> bool: ...


def sure(options: Sequence[Signed]) -> list[int] | None:
    """Return the places of the options that a sure sign marks, if it does not mark all."""
    for sign in SURE:
        having = [at for at, option in enumerate(options) if option.has(sign)]
        if 0 < len(having) < len(options):
            return having
    return None


def styled(options: Sequence[Signed], style: str) -> list[int] | None:
    """Return the places of the options that are wholly in a style, if another option has nothing in it."""
    having = [at for at, option in enumerate(options) if option.has(style)]
    return having if having and any(not option.touches(style) for option in options) else None


@frozen
class KeyStyles:
    """The styles that mark keys in a document. `seen` has the questions that each style marks, out of `number`."""

    seen: dict[str, int]
    number: int

    @classmethod
    def of(cls, questions: Iterable[Sequence[Signed]]) -> "KeyStyles":
        """Count the styles in the options of the questions whose key nothing else tells."""
        unkeyed = [options for options in questions if options and sure(options) is None]
        seen = {style: sum(styled(options, style) is not None for options in unkeyed) for style in STYLES}
        return cls(seen, len(unkeyed))

    def right(self, options: Sequence[Signed]) -> list[int] | None:
        """Return the places of the right options, or None if no sign says which they are."""
        if (found := sure(options)) is not None:
            return found
        consistent = (style for style in STYLES if self.seen[style] >= _CONSISTENT * self.number)
        return next((found for style in consistent if (found := styled(options, style)) is not None), None)

    def doubt(self, options: Sequence[Signed]) -> str:
        """Return why a style in these options is no key, or "" if they have none."""
        style = next((style for style in STYLES if styled(options, style) is not None), "")
        if not style:
            return ""
        return (
            f"An option is {style}, but only {self.seen[style]} of {self.number} questions mark an option so. "
            "Write “Answer: A” below the question, or a star after the right option."
        )
