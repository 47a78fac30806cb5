"""The passage that several questions share, in front of each of them (pure)."""

from collections.abc import Sequence
from typing import Final

from lms_tui.plain.speech import to_speech
from lms_tui.plain.typed_lines import Order

_SAME: Final = f"The passage is the same as above. Type {Order.READ} to read it again."


def passage(html: str | None) -> Sequence[str]:
    """The passage of a question and the heading of the question, nothing without a passage."""
    return ["Passage:", *to_speech(html), "The question:"] if html and html.strip() else []


class Passages:
    """The passages of one dialogue. A passage is read in full unless it is the one that was read last."""

    def __init__(self) -> None:
        self._last: str | None = None

    def before(self, html: str | None, *, again: bool = False) -> Sequence[str]:
        """The lines before a question. `again`: in full in any case."""
        if html and html == self._last and not again:
            return [_SAME]
        lines = passage(html)
        self._last = html if lines else self._last
        return lines
