"""The text of a paragraph as runs of one style each, which can be cut and written as HTML."""

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from lms_tui.common.frozen import frozen

OBJECT: Final = "\ufffc"
"""Stands for a picture or a formula in the text of a run."""
_SHOWN: Final = {"bold": "b", "italic": "i", "underlined": "u", "raised": "sup", "lowered": "sub"}
_OF_WHOLE: Final = ("bold", "underlined")
"""Styles that are layout or the sign of a right answer when all of a text has them."""


@frozen
class Style:
    """The style of a run. `coloured` means a colour other than black, `marked` a highlight."""

    bold: bool = False
    italic: bool = False
    underlined: bool = False
    raised: bool = False
    lowered: bool = False
    marked: bool = False
    coloured: bool = False


PLAIN: Final = Style()


@frozen
class Run:
    """A text of one style. A picture or a formula has `html`, and the text OBJECT."""

    text: str
    style: Style = PLAIN
    html: str = ""


@frozen
class Runs:
    """A line of runs."""

    runs: tuple[Run, ...] = ()

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)

    def __bool__(self) -> bool:
        return bool(self.text.strip())

    def cut(self, start: int, end: int | None = None) -> "Runs":
        """Return the runs between two places of the text, without blanks around them."""
        text = self.text[start:end]
        start += len(text) - len(text.lstrip())
        return Runs(tuple(_between(self.runs, start, start + len(text.strip()))))

    def __add__(self, other: "Runs") -> "Runs":
        return Runs((*self.runs, *other.runs))

    def has(self, style: str) -> bool:
        """Return whether every letter has a style."""
        words = [run for run in self.runs if run.text.strip(f" \t\n.{OBJECT}")]
        return bool(words) and all(getattr(run.style, style) for run in words)

    def touches(self, style: str) -> bool:
        """Return whether any letter has a style."""
        return any(getattr(run.style, style) for run in self.runs if run.text.strip(f" \t\n.{OBJECT}"))

    @property
    def html(self) -> str:
        """Return HTML. A style of the whole text is left out."""
        bare = [name for name in _OF_WHOLE if self.has(name)]
        return "".join(_tagged(run, bare) for run in joined(self.runs)).strip()


def joined(runs: Iterable[Run]) -> Iterator[Run]:
    """Join neighbours of the same style."""
    last: Run | None = None
    for run in runs:
        if last is not None and not run.html and not last.html and _shown(run) == _shown(last):
            last = replace(last, text=last.text + run.text)
            continue
        if last is not None:
            yield last
        last = run
    if last is not None:
        yield last


def lines_html(lines: Sequence[Runs]) -> str:
    """Return several paragraphs as HTML. One alone has no `p`."""
    written = [line.html for line in lines if line]
    return written[0] if len(written) == 1 else "".join(f"<p>{line}</p>" for line in written)


def _shown(run: Run) -> tuple[bool, ...]:
    return tuple(getattr(run.style, name) for name in _SHOWN)


def _between(runs: Iterable[Run], start: int, end: int) -> Iterator[Run]:
    at = 0
    for run in runs:
        after = at + len(run.text)
        if after > start and at < end:
            yield replace(run, text=run.text[max(0, start - at) : end - at])
        at = after


def _tagged(run: Run, bare: Sequence[str]) -> str:
    text = run.html or re.sub(r"\n", "<br>", html.escape(run.text, quote=False))
    if not run.html and not run.text.strip():
        return text
    for name, tag in _SHOWN.items():
        if getattr(run.style, name) and name not in bare and not run.html:
            text = f"<{tag}>{text}</{tag}>"
    return text
