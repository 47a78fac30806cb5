"""The tree of subjects in a card."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.geometry import Region, Size

from lms_tui.tui.widgets.pane import FRAME
from lms_tui.tui.widgets.row_list import Entry, RowList
from lms_tui.views import subjects as present
from lms_tui.views.glyphs import UNICODE, Glyphs
from lms_tui.views.rows import wrapped
from lms_tui.wire.attempts import SubjectAnalytics


class SubjectTree(RowList):
    """As high as its rows. The page that holds it scrolls."""

    DEFAULT_CSS = "SubjectTree { height: auto; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "fold", show=False),
    ]

    def __init__(self, title: str, *, glyphs: Glyphs = UNICODE, id: str | None = None) -> None:
        super().__init__(title, glyphs=glyphs, id=id)
        self._subjects: Sequence[SubjectAnalytics] = ()
        self._folded: frozenset[int] = frozenset()
        self._remark: Sequence[tuple[str, str]] = ()

    def say(self, text: str, look: str = "dim") -> None:
        """Show a text in place of subjects."""
        self._subjects, self._remark = (), ((text, look),)
        self._show()

    def show_subjects(self, subjects: Sequence[SubjectAnalytics]) -> None:
        self._subjects = subjects
        self._remark = () if subjects else (("The server sends no subjects.", "dim"),)
        self._show()

    def _show(self, key: str = "") -> None:
        self.show(self._tree, key=key)
        self.lay_out()

    def _tree(self, room: int) -> list[Entry]:
        if self._remark:
            return [Entry("", line) for text, look in self._remark for line in wrapped(text, room, look)]
        shown = present.branches(self._subjects, self._folded)
        columns = present.Columns.of(present.branches(self._subjects), room)
        lines = [Entry(str(branch.subject.id), present.line(branch, columns)) for branch in shown]
        return [Entry("", present.heading(columns)), *lines]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - Textual calls it
        return len(self._tree(max(1, width - FRAME))) + 2

    def action_fold(self) -> None:
        """Open or close the subject at the cursor. From a part, move to its parent."""
        subject = next((s for s in self._subjects if str(s.id) == self.key), None)
        if subject is None:
            return
        if subject.id in present.parents(self._subjects):
            self._folded ^= {subject.id}
            self._show(self.key)
        elif subject.parent is not None:
            self.go_to(str(subject.parent))

    def fold_all(self) -> None:
        """Close all subjects with parts, or open all if one is closed."""
        self._folded = frozenset() if self._folded else present.parents(self._subjects)
        self._show(self.key)

    @on(RowList.Selected)
    def _clicked(self, event: RowList.Selected) -> None:
        event.stop()
        self.action_fold()

    @on(RowList.Highlighted)
    def _reveal_row(self, event: RowList.Highlighted) -> None:
        """Scroll the page to the cursor."""
        event.stop()
        page = next((above for above in self.ancestors if isinstance(above, VerticalScroll)), None)
        if self.has_focus and page is not None:
            y = self.region.y - page.region.y + page.scroll_offset.y + self.cursor_row
            page.scroll_to_region(Region(0, y, self.size.width, 1), animate=False)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.prevent_default()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.prevent_default()
