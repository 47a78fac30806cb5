"""The base class of widgets that draw their own rows and repaint only changed rows.

Textual's line cache composes border, padding and background again for each changed row. These widgets give finished
rows to the compositor. A row that looks the same stays the same object, so its escape sequences are made only once.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.style import Style as VisualStyle
from textual.widget import Widget

from lms_tui.content.cells import width
from lms_tui.content.lines import Mark, Part, Run
from lms_tui.views.to_ascii import to_ascii

if TYPE_CHECKING:
    from lms_tui.content.images import Bitmap

LOOKS: Final = {
    "base": "$foreground",
    "dim": "$text-muted",
    "faded": "$foreground 32%",
    "accent": "$primary",
    "good": "$success",
    "warning": "$warning",
    "bad": "bold $error",
    "chosen": "bold $foreground on $primary 24%",
    "cursor": "$foreground on $foreground 8%",
    "current": "bold $block-cursor-foreground on $block-cursor-background",
    "border": "$border-blurred",
    "border-focused": "$border",
    "title": "bold $primary",
    "code": "$secondary on $panel",
    "maths": "$foreground",
    "link": "underline $primary",
    "highlight": "$background on $accent",
    "marker": "underline $foreground on $warning 30%",
    "bar-plain": "$foreground on $panel",
    "bar-good": "bold $background on $success",
    "bar-warning": "bold $background on $warning",
    "bar-bad": "bold $background on $error",
}
"""Styles by name, in the colours of the theme.

They are no component classes: Textual would match each of them against all rules, for each widget and each change.
"""
_VARIABLE: Final = re.compile(r"\$([\w-]+)")
_ATTRIBUTES: Final = {
    Mark.BOLD: Style(bold=True),
    Mark.ITALIC: Style(italic=True),
    Mark.UNDERLINE: Style(underline=True),
    Mark.STRIKE: Style(strike=True),
}
_COLOURED: Final = {Mark.CODE: "code", Mark.MATHS: "maths", Mark.LINK: "link", Mark.DIM: "dim"}


class Looks:
    """The styles of one widget in the present theme."""

    def __init__(self, widget: Widget) -> None:
        self.background = background = widget.background_colors[1]
        colours, behind = widget.app.theme_variables, VisualStyle(background=background)
        self._named = {name: (behind + _parsed(look, colours)).rich_style for name, look in LOOKS.items()}
        self._marked: dict[tuple[str, Mark], Style] = {}
        self.filters = tuple(widget.get_line_filters())
        self.plain = widget.app.has_class("-ascii")

    def __getitem__(self, name: str) -> Style:
        return self._named[name]

    def of(self, base: str, marks: Mark) -> Style:
        """The style of a run of text. `base`: the look below it."""
        if not marks:
            return self._named[base]
        key = (base, marks)
        if (style := self._marked.get(key)) is None:
            style = self._marked[key] = self._combined(base, marks)
        return style

    def _combined(self, base: str, marks: Mark) -> Style:
        style = self._named[base]
        for mark, name in _COLOURED.items():
            if mark in marks and base == "base":
                named = self._named[name]
                style += Style(color=named.color, underline=named.underline)
                if mark is Mark.CODE:
                    style += Style(bgcolor=named.bgcolor)
        if Mark.HIGHLIGHT in marks:
            style += self._named["highlight"]
        if Mark.MARKER in marks:
            style += self._named["marker"]
        if Mark.SELECTED in marks:
            style += Style(reverse=True)
        for mark, attribute in _ATTRIBUTES.items():
            if mark in marks:
                style += attribute
        return style

    def drawn(self, base: str, marks: Mark, colours: tuple[int, int] | None = None, part: Part | None = None) -> Style:
        """The style of a run of the layout: text, half blocks, or cells of a picture that the terminal draws."""
        if part is not None:
            return part_style(part) + Style(bgcolor=self._named[base].bgcolor)
        return self.of(base, marks) if colours is None else pixel_style(*colours)


def _parsed(look: str, colours: Mapping[str, str]) -> VisualStyle:
    # Textual itself would lose the share of a variable such as `auto 60%`.
    return VisualStyle.parse(_VARIABLE.sub(lambda found: colours[found[1]], look))


Piece = tuple[str, Style]


class Drawn(Widget, can_focus=False):
    """A subclass implements `draw` or `strip`. Rows are cached until `redraw` is called."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "Drawn { background: $background; color: $foreground; }"

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._rows: list[Strip | None] = []
        self._drawn_for: Size | None = None
        self._looks: Looks | None = None
        self.generation = 0
        """Number of theme changes. A subclass uses it as a key of cached rows."""

    @property
    def looks(self) -> Looks:
        if self._looks is None:
            self._looks = Looks(self)
        return self._looks

    @property
    def drawn_size(self) -> Size:
        """The size that rows are drawn for. Textual looks `size` up in the layout of the screen each time."""
        return self._drawn_for or self.size

    def draw(self, y: int) -> Sequence[Piece]:
        """Return the pieces of row y. They are cut or filled to the width of the widget."""
        del y
        return ()

    def strip(self, y: int) -> Strip:
        """Return row y, as wide as the widget. Override it in a subclass that caches finished rows."""
        return self.finished(self.draw(y))

    def finished(self, pieces: Iterable[Piece]) -> Strip:
        width = self.drawn_size.width
        if self.looks.plain:
            pieces = [(to_ascii(text), style) for text, style in pieces]
        segments = [Segment(text, style) for text, style in pieces if text]
        drawn = Strip(segments).adjust_cell_length(width, self.looks["base"])
        for line_filter in self.looks.filters:
            drawn = drawn.apply_filter(line_filter, self.looks.background)
        return drawn

    def on_hide(self) -> None:
        self._drawn_for = None  # changes of a hidden widget are not fitted to its size

    def render_lines(self, crop: Region) -> list[Strip]:
        size = self.size
        if size != self._drawn_for:
            self._drawn_for = size
            self.fit()
        self.begin_drawing()
        if len(self._rows) != size.height:
            self._rows = [None] * size.height
        rows = [self._row(y) for y in range(crop.y, crop.bottom)]
        if crop.x or crop.width < size.width:
            return [row.crop(crop.x, crop.right) for row in rows]
        return rows

    def _row(self, y: int) -> Strip:
        if not 0 <= y < len(self._rows):
            return Strip.blank(self.size.width, self.looks["base"])
        if (row := self._rows[y]) is None:
            row = self._rows[y] = self.strip(y)
        return row

    def redraw(self, *rows: int) -> None:
        """Paint these rows again, or all rows."""
        if not rows:
            self._rows = []
            self.refresh()
            return
        shown = [y for y in rows if 0 <= y < len(self._rows)]
        for y in shown:
            self._rows[y] = None
        self._paint(shown)

    def redraw_changed(self) -> None:
        """Draw all rows again, and paint those that look different."""
        before, size = self._rows, self.size
        if size != self._drawn_for or len(before) != size.height:
            self.redraw()
            return
        self.begin_drawing()
        self._rows = [None] * size.height
        self._paint([y for y, row in enumerate(before) if row is None or self._row(y) != row])

    def _paint(self, rows: Sequence[int]) -> None:
        if rows:  # without a region, the whole widget would be painted
            width = self.size.width
            self.refresh(*(Region(0, y, width, 1) for y in rows))

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._looks = None
        self._rows = []
        self.generation += 1

    def on_resize(self) -> None:
        self.redraw()

    def begin_drawing(self) -> None:
        """Forget what was worked out for all rows. Called before rows are drawn."""

    def fit(self) -> None:
        """Called after a change of size, before rows are drawn."""
        self._rows = []

    def paint_runs(self, runs: Iterable[Run], base: str) -> list[Piece]:
        looks = self.looks
        return [
            (run.text, looks.of(base, run.marks))
            if run.colours is None and run.part is None
            else (run.text, looks.drawn(base, run.marks, run.colours, run.part))
            for run in runs
        ]


@lru_cache(maxsize=8192)
def pixel_style(upper: int, lower: int) -> Style:
    """The style of a half block. `upper` and `lower` are the colours of the two pixels as 0xRRGGBB."""
    return Style(color=Color.from_rgb(*upper.to_bytes(3)), bgcolor=Color.from_rgb(*lower.to_bytes(3)))


PART: Final = "part"
"""Key of the metadata of cells that the terminal covers with a picture."""


BITMAPS: "Final[WeakValueDictionary[int, Bitmap]]" = WeakValueDictionary()
"""Pictures by their number in the metadata. They live as long as a text holds them."""


@lru_cache(maxsize=256)
def part_style(part: Part) -> Style:
    number = int.from_bytes(part.bitmap.key[:6])
    BITMAPS[number] = part.bitmap
    return Style(meta={PART: (number, part.row, part.columns, part.rows)})


def entry_at(row: str, x: int, entries: Iterable[str]) -> str:
    """Return the one of these texts that stands in column x of a row, or ""."""
    places = ((entry, width(row[: row.find(entry)])) for entry in entries if entry in row)
    return next((entry for entry, start in places if start <= x < start + width(entry)), "")


def cells(pieces: Iterable[Piece]) -> int:
    return sum(width(text) for text, _ in pieces)
