"""Rows of spans: text with the name of its look, measured in cells (pure)."""

import re
from collections.abc import Iterable, Sequence

from lms_tui.common.frozen import frozen
from lms_tui.content.cells import cut, width
from lms_tui.content.lines import Mark, Part, Run


@frozen
class Span:
    """`look`: one of `lms_tui.tui.widgets.drawn.LOOKS`. `colours`, `part`: of a picture, as in `Run`."""

    text: str
    look: str = "base"
    marks: Mark = Mark.NONE
    colours: tuple[int, int] | None = None
    part: Part | None = None

    @property
    def cells(self) -> int:
        return width(self.text)


Row = tuple[Span, ...]
EMPTY: Row = ()


def row(*parts: "str | tuple[str, str] | Span") -> Row:
    """Build a row: `row("plain", ("muted", "dim"))`. Empty texts are left out."""
    spans = (part if isinstance(part, Span) else Span(*((part,) if isinstance(part, str) else part)) for part in parts)
    return tuple(span for span in spans if span.text)


def spans(runs: Iterable[Run], look: str = "base") -> Row:
    """Convert a line of `content.layout`."""
    return tuple(Span(run.text, look, run.marks, run.colours, run.part) for run in runs)


def strong(text: str, look: str = "base") -> Span:
    return Span(text, look, Mark.BOLD)


def title_rows(text: str, room: int) -> list[Row]:
    """Return bold rows of a title. The text must be clean."""
    return [row(strong(plain(line))) for line in wrapped(text, room)]


def cells(spans: Iterable[Span]) -> int:
    return sum(span.cells for span in spans)


def plain(spans: Iterable[Span]) -> str:
    return "".join(span.text for span in spans)


def fitted(text: str, room: int) -> str:
    """Cut text to `room` cells. An ellipsis marks the cut."""
    if room <= 0:
        return ""
    if width(text) <= room:
        return text
    if room == 1:
        return "…"
    head, _ = cut(text, room - 1)
    return f"{head}…" if width(head) < room else "…"


def padded(text: str, room: int, *, right: bool = False) -> str:
    """Cut or fill text to exactly `room` cells."""
    text = fitted(text, room)
    blanks = " " * (room - width(text))
    return blanks + text if right else text + blanks


def fitted_row(spans: Sequence[Span], room: int) -> Row:
    """Cut a row to `room` cells."""
    kept: list[Span] = []
    left = room
    for span in spans:
        if left <= 0:
            break
        text = fitted(span.text, left)
        kept.append(Span(text, span.look, span.marks))
        left -= width(text)
    return tuple(kept)


def filled_row(spans: Sequence[Span], room: int) -> Row:
    """Cut or fill a row to exactly `room` cells."""
    kept = fitted_row(spans, room)
    return (*kept, Span(" " * (room - cells(kept)))) if cells(kept) < room else kept


def wrapped(text: str, room: int, look: str = "base") -> list[Row]:
    """Wrap text into rows of at most `room` cells. A longer word is broken."""
    lines: list[Row] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split():
            left = word
            while left:
                if width(line) + bool(line) + width(left) <= room:
                    line, left = f"{line} {left}" if line else left, ""
                elif line:
                    lines.append(row((line, look)))
                    line = ""
                else:
                    line, left = cut(left, max(room, 1))
                    lines.append(row((line, look)))
                    line = ""
        lines.append(row((line, look)))
    return lines


def flowed(spans: Sequence[Span], room: int) -> list[Row]:
    """Wrap a row of spans into rows of at most `room` cells."""
    if cells(spans) <= room:
        return [tuple(spans)]
    rows: list[Row] = []
    line: list[Span] = []
    for span in spans:
        for word in re.findall(r"\s+|\S+", span.text):
            if cells(line) + width(word) > room:
                if line:
                    rows.append(_stripped(line))
                line = []
                if word.isspace():
                    continue
            line.append(Span(fitted(word, room), span.look, span.marks))
    return [*rows, _stripped(line)] if line else rows


def _stripped(line: list[Span]) -> Row:
    while line and line[-1].text.isspace():
        line.pop()
    return tuple(line)


def pairs(entries: Iterable[tuple[str, str]], room: int) -> list[Row]:
    """Labels and values in two columns. Entries without a value are left out.

    Labels take at most half of the room, and what the values leave of the other half.
    """
    entries = [(label, value) for label, value in entries if value]
    widest = max((width(value) for _, value in entries), default=0)
    label_room = min(max((width(label) for label, _ in entries), default=0), max(room // 2, room - 2 - widest))
    rows: list[Row] = []
    for label, value in entries:
        for number, line in enumerate(wrapped(value, max(4, room - label_room - 2))):
            head = padded(label if not number else "", label_room)
            rows.append(row((f"{head}  ", "dim"), *line))
    return rows
