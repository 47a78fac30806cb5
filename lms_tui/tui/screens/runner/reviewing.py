"""Opens the overview, keeps it up to date, and does what was chosen there."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from lms_tui.attempt.values import Goal
from lms_tui.tui.screens.runner.overview import END, Contents, Overview, QuestionGrid, Wish
from lms_tui.views import overview as words
from lms_tui.views.glyphs import Glyphs
from lms_tui.views.runner import Filter
from lms_tui.views.time_left import clock_text
from lms_tui.views.times import stem_of

if TYPE_CHECKING:
    from textual.app import App

    from lms_tui.attempt.keeper import Keeper
    from lms_tui.tui.screens.runner.exam_widgets import ExamWidgets


class Reviewing:
    """The overview. `visit` goes to a question, and `end` opens the dialog that ends the section or the exam."""

    def __init__(
        self,
        keeper: "Keeper",
        widgets: "ExamWidgets",
        glyphs: Glyphs,
        *,
        visit: Callable[[int], None],
        end: Callable[[Goal], None],
    ) -> None:
        self._keeper = keeper
        self._widgets = widgets
        self._glyphs = glyphs
        self._visit = visit
        self._end = end

    def open(self, app: "App[None]", goal: Goal = Goal.ATTEMPT) -> None:
        """Open the overview, from which `goal` can be ended."""
        current, chosen = self._keeper.session.current, self._widgets.cells.chosen
        grid = QuestionGrid(glyphs=self._glyphs, id="overview")
        shown = Overview(self._read, self._describe, current, grid=grid, chosen=chosen, goal=goal)
        app.push_screen(shown, partial(self._chosen, goal))

    def paint(self, app: "App[None]") -> None:
        """Show the newest state, where the overview is open."""
        if isinstance(app.screen, Overview):
            app.screen.paint()

    def _read(self, chosen: Filter) -> Contents:
        session, counts = self._keeper.session, self._widgets.counts
        headings = words.headings(session)
        return Contents(
            tuple(
                replace(cell, group=headings.named.get(cell.group, cell.group))
                for cell in self._widgets.cells.cells(session, chosen)
            ),
            headings.ended | headings.later if chosen in {Filter.ALL, Filter.UNSEEN} else {},
            headings.shorter,
            counts,
            words.count_words(session, counts),
            session.title,
            "" if self._widgets.status.clock_hidden else f"{self._glyphs.clock} {clock_text(self._keeper.time_left())}",
        )

    def _describe(self, place: int) -> tuple[str, str]:
        """Return the state of a question, and the first line of its text."""
        session = self._keeper.session
        item = session.items[place]
        first = stem_of(self._keeper.question(item.question_id).question.question_html)
        return words.state_words(session, item, noted=self._widgets.cells.noted(item.question_id)), first

    def _chosen(self, goal: Goal, wish: Wish) -> None:
        if wish == END:
            self._end(goal if self._keeper.session.more_sections else Goal.ATTEMPT)
        elif wish is not None:
            self._visit(wish)
