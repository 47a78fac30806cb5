"""Remove control sequences and invisible characters from every row before it reaches the terminal.

Texts are cleaned where they come in (`lms_tui.common.cleaning`). This module applies the same rule where they go out,
for every widget, the library's own included. It looks once at each segment of a row that is drawn again.
"""

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from lms_tui.common.cleaning import clean
from lms_tui.views.to_ascii import to_ascii


class VisibleOnly(LineFilter):
    """Replaces dangerous characters by visible marks of the same width."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - Textual passes it
        # A printable text holds no control, format, separator or surrogate character. Hard blanks and joiners are
        # not printable and are checked one by one.
        if all(segment.text.isprintable() for segment in segments):
            return segments
        return [self._visible(segment) for segment in segments]

    @staticmethod
    def _visible(segment: Segment) -> Segment:
        text, style, control = segment
        if control or text.isprintable():
            return segment
        shown = clean(text).translate(_BLANKS)
        if shown == text:
            return segment
        return Segment(set_cell_size(shown, cell_len(text)) if len(text) > 1 else shown, style)


class AsciiSymbols(LineFilter):
    """Replaces the symbols of the program and of the library for terminals that cannot draw them."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - Textual passes it
        if all(segment.text.isascii() for segment in segments):
            return segments
        return [segment if segment.control else Segment(to_ascii(segment.text), segment.style) for segment in segments]


_BLANKS = {ord("\n"): " ", ord("\t"): " "}
