"""Exam HTML in a box that scrolls."""

from collections.abc import Sequence

from lms_tui.content.layout import layout
from lms_tui.content.lines import Line
from lms_tui.content.model import Document, MathsStyle
from lms_tui.content.words import numbered
from lms_tui.tui.widgets.drawn import Piece
from lms_tui.tui.widgets.marked_pane import MarkedPane
from lms_tui.views.glyphs import UNICODE, Glyphs

_EMPTY = Document(())


class DocumentView(MarkedPane):
    """Shows a Document. Text is wrapped. Wide tables and formulas scroll sideways."""

    DEFAULT_CSS = "DocumentView { height: 1fr; }"

    def __init__(
        self,
        document: Document = _EMPTY,
        *,
        title: str = "",
        style: MathsStyle = MathsStyle.TWO_DIMENSIONAL,
        glyphs: Glyphs = UNICODE,
        id: str | None = None,
    ) -> None:
        super().__init__(glyphs=glyphs, id=id)
        self._document = document
        self._title = title
        self._style = style
        self._numbered = False
        self._lines: tuple[Line, ...] | None = None

    def show(
        self, document: Document, *, title: str = "", style: MathsStyle | None = None, numbered: bool = False
    ) -> None:
        """Show a document from its start. The same document keeps its scroll position. `numbered`: its words are."""
        same = document == self._document and style in {None, self._style}
        if same and (title, numbered) == (self._title, self._numbered):
            return
        if not same:
            self.top = self.aside = 0
        self._document, self._title, self._style = document, title, style or self._style
        self._numbered = numbered
        self._lines = None
        self.redraw()

    @property
    def lines(self) -> tuple[Line, ...]:
        if self._lines is None:
            document = numbered(self._document) if self._numbered else self._document
            self._lines = layout(document, self.inner_width, self._style)
        return self._lines

    @property
    def length(self) -> int:
        return len(self.lines)

    @property
    def widest(self) -> int:
        return max((line.width for line in self.lines), default=0)

    def pictures_changed(self) -> None:
        """Lay out again, because a picture has been loaded."""
        self._lines = None
        self.redraw()

    def fit(self) -> None:
        super().fit()
        self._lines = None
        self.top = max(0, min(self.top, self.length - self.window))
        self.aside = 0

    def titles(self) -> tuple[Sequence[Piece], Sequence[Piece]]:
        return ((f" {self._title} ", self.looks["title"]),) if self._title else (), ()

    def inner_row(self, number: int) -> Sequence[Piece]:
        return self.text_row(self.lines[number], self.inner_width)

    def text_line(self, number: int) -> Line:
        return self.lines[number]
