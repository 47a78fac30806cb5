"""Collect running text while it is read: styled pieces, folded white space, formulas and gaps."""

import re
from dataclasses import dataclass, field
from typing import Final

from lms_tui.common.frozen import frozen
from lms_tui.content.delimiters import OBJECT, formulas
from lms_tui.content.lines import Mark
from lms_tui.content.model import Break, Gap, Image, Inline, Link, Maths, Text

_BLANKS: Final = re.compile(r"[ \t\n\r\f]+")
_GAP: Final = re.compile(r"\[\[\s*(\d{1,3})\s*\]\]")


@frozen
class Style:
    marks: Mark = Mark.NONE
    link: str = ""
    serial: int = 0
    """Distinguishes neighbouring links to the same address."""


PLAIN: Final = Style()


@dataclass(slots=True)
class InlineCollector:
    """Collects the inline content of one paragraph. With `keep_lines`, newlines are line breaks."""

    keep_lines: bool = False
    pieces: list[tuple[str | Inline, Style]] = field(default_factory=list)

    def text(self, text: str, style: Style) -> None:
        """Add text. White space is folded as in HTML."""
        if self.keep_lines:
            for at, line in enumerate(text.split("\n")):
                if at:
                    self.pieces.append((Break(), style))
                self._add(_BLANKS.sub(" ", line), style)
        else:
            self._add(_BLANKS.sub(" ", text), style)

    def _add(self, text: str, style: Style) -> None:
        if text.startswith(" ") and self._after_blank():
            text = text[1:]
        if text:
            self.pieces.append((text, style))

    def _after_blank(self) -> bool:
        if not self.pieces:
            return True
        last = self.pieces[-1][0]
        return isinstance(last, Break) or (isinstance(last, str) and last.endswith(" "))

    def put(self, item: Inline, style: Style) -> None:
        """Add an item that is not text."""
        self.pieces.append((item, style))

    def take(self) -> tuple[Inline, ...]:
        """Return the collected content with formulas and gaps found, and start a new paragraph."""
        gathered, self.pieces = self.pieces, []
        if len(gathered) == 1 and (plain := _only_words(*gathered[0])) is not None:
            return plain
        pieces = _trimmed(gathered)
        return _linked(_resolved(pieces)) if pieces else ()


def _only_words(item: "str | Inline", style: Style) -> "tuple[Inline, ...] | None":
    """Return the content of a paragraph of plain words, or None. Most paragraphs are plain words."""
    if not isinstance(item, str) or style.link or "\\" in item or "$" in item or "[[" in item:
        return None
    text = "" if _blank(item) else item.rstrip(" \n").lstrip(" ")
    return (Text(text, style.marks),) if text else ()


Pieces = list[tuple[str | Inline, Style]]


def _trimmed(pieces: Pieces) -> Pieces:
    """Remove blanks and breaks at both ends, and blanks before breaks."""
    kept: Pieces = []
    for item, style in pieces:
        if isinstance(item, Break) and kept:
            last, last_style = kept[-1]
            if isinstance(last, str):
                kept[-1] = (last.rstrip(" "), last_style)
        kept.append((item, style))
    shown = [at for at, (item, _) in enumerate(kept) if not (isinstance(item, Break) or _blank(item))]
    if not shown:
        return []
    kept = kept[shown[0] : shown[-1] + 1]
    if isinstance(kept[-1][0], str):
        kept[-1] = (kept[-1][0].rstrip(" \n"), kept[-1][1])
    if isinstance(kept[0][0], str):
        kept[0] = (kept[0][0].lstrip(" "), kept[0][1])
    return kept


def _blank(item: "str | Inline") -> bool:
    return isinstance(item, str) and not item.strip(" \xa0")


def _resolved(pieces: Pieces) -> Pieces:
    """Separate formulas and gaps from the text, even across changes of style and line breaks."""
    flat = "".join(_flat(item) for item, _ in pieces)
    if "\\" not in flat and "$" not in flat and "[[" not in flat:
        return pieces
    cuts: list[tuple[int, int, str | Inline]] = [
        (found.start, found.end, found.literal or Maths(found.source, found.display)) for found in formulas(flat)
    ]
    taken = [(start, end) for start, end, _ in cuts]
    cuts.extend(
        (match.start(), match.end(), Gap(int(match[1])))
        for match in _GAP.finditer(flat)
        if not any(start < match.end() and match.start() < end for start, end in taken)
    )
    return _cut_out(pieces, sorted(cuts, key=lambda cut: cut[0]))


def _flat(item: "str | Inline") -> str:
    if isinstance(item, str):
        return item
    return "\n" if isinstance(item, Break) else OBJECT


def _cut_out(pieces: Pieces, cuts: list[tuple[int, int, "str | Inline"]]) -> Pieces:
    result: Pieces = []
    waiting = list(reversed(cuts))
    place = 0
    skip_to = 0
    for item, style in pieces:
        text = _flat(item)
        end = place + len(text)
        at = max(place, skip_to)
        while waiting and waiting[-1][0] < end:
            start, stop, new = waiting.pop()
            if isinstance(item, str) and start > at:
                result.append((item[at - place : start - place], style))
            result.append((new, style))
            at = skip_to = stop
        if at < end:
            result.append((item[at - place :] if isinstance(item, str) else item, style))
        place = end
    return result


def _linked(pieces: Pieces) -> tuple[Inline, ...]:
    """Join neighbouring text of one style and wrap links around their content."""
    result: list[Inline] = []
    held: list[Inline] = []
    current = PLAIN

    def close() -> None:
        if held and current.link:
            result.append(Link(current.link, tuple(held)))
        else:
            result.extend(held)
        held.clear()

    for item, style in pieces:
        if (style.link, style.serial) != (current.link, current.serial):
            close()
            current = style
        if not isinstance(item, str):
            held.append(item)
        elif item:
            last = held[-1] if held else None
            if isinstance(last, Text) and last.marks == style.marks:
                held[-1] = Text(last.text + item, style.marks)
            else:
                held.append(Text(item, style.marks))
    close()
    return tuple(result)


__all__ = ["PLAIN", "Image", "InlineCollector", "Style"]
