"""The lines around a question: the title, the time left, the save light, the sections and the notices."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.style import Style
from textual.app import ComposeResult

from lms_tui.tui.screens.runner.parts import BottomLine, NoticeLine, SectionsLine, TitleLine
from lms_tui.tui.widgets.drawn import Drawn, Piece
from lms_tui.tui.widgets.save_light import SaveLight
from lms_tui.tui.widgets.timer import TimerView
from lms_tui.views import runner as present
from lms_tui.views.glyphs import UNICODE, Glyphs

if TYPE_CHECKING:
    from lms_tui.attempt.keeper import Keeper
    from lms_tui.attempt.session import Session

_PAGE_FOR: Final = 4
"""Seconds that the last line shows each page of a notice."""


class Head(Drawn):
    """The row of the title, the time left and the save light. It is drawn once, not for each paint of the time."""

    DEFAULT_CSS = "Head { layout: horizontal; overflow: hidden hidden; }"

    def __init__(self, *widgets: Drawn) -> None:
        super().__init__(id="head")
        self._widgets = widgets

    def compose(self) -> ComposeResult:
        yield from self._widgets

    def draw(self, y: int) -> Sequence[Piece]:
        del y
        return ((" " * self.drawn_size.width, Style(bgcolor=self.looks["base"].bgcolor)),)


class StatusLines:
    """Owns these widgets. A window without room for lines shows notices in the last line."""

    def __init__(self, keeper: "Keeper", bottom: BottomLine, *, glyphs: Glyphs, badge: str, clock_hidden: bool) -> None:
        self._keeper = keeper
        self._bottom = bottom
        self._glyphs = glyphs
        self.clock_hidden = clock_hidden
        self.added_time = ""
        self._roomy = False
        self._title = TitleLine(keeper.session.title, badge)
        self._timer = TimerView(glyphs=glyphs, hidden=clock_hidden)
        self._light = SaveLight()
        self.sections = SectionsLine(plain=glyphs is not UNICODE)
        self.notice = NoticeLine()
        self._found: present.Notice | None = None
        self._told: present.Notice | None = None
        self._heard = keeper.session.told[-1:]

    def head(self) -> Head:
        return Head(self._title, self._timer, self._light)

    def arrange(self, *, roomy: bool) -> None:
        self._roomy = roomy
        self.sections.display = roomy and len(self._keeper.session.sections) > 1

    def show_place(self, session: "Session") -> None:
        """Name the section of the question, unless the line of sections names it already."""
        self._title.show("" if self.sections.display else present.group_name(session))

    def show(self, session: "Session", counts: present.Tally, reconnect_key: str) -> None:
        """Show what is saved and sent, and the most important notice."""
        if session.told[-1:] != self._heard:
            self._heard = session.told[-1:]
            if session.told:
                self._told = None  # older than what the institute says now
        silence = self._keeper.silence()
        self._light.show(present.light(session, counts, silence, self._glyphs))
        self._found = present.notice(session, counts, silence, reconnect_key)
        self._show_notice()

    def tell(self, notice: present.Notice | None) -> None:
        """Show a message in place of the notices, but not of the most severe and those of the end. None removes it."""
        self._told = notice
        self._show_notice()

    def _show_notice(self) -> None:
        found = self._found
        first = found is not None and (self._keeper.session.ending or found.severity is present.Severity.BAD)
        notice = found if first else self._told or found
        self.notice.show(notice)
        self._bottom.lasting(None if self._roomy else notice)

    def tick(self) -> None:
        """Turn the page of a notice in the last line every few seconds. Call once a second."""
        self._bottom.tick(max(1, round(_PAGE_FOR / self._keeper.second)))

    def show_clock(self, key: str) -> None:
        """Show the time left. `key` hides it."""
        self._timer.show(self._keeper.time_left(), hidden=self.clock_hidden, key=key, added=self.added_time)
