"""The exams of the institute for staff, and the pages of one of them."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal

from lms_tui.common.moments import now_of
from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.messages import DestinationAsked
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.screens.resource.filtered import SortedScreen
from lms_tui.tui.screens.staff_exams.saved_file import save_download
from lms_tui.tui.widgets.card import RowsPane
from lms_tui.tui.widgets.row_list import Entry, RowList
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views import staff_exams as present
from lms_tui.views.error_messages import ErrorMessage, error_message
from lms_tui.views.more import Destination, menu_row
from lms_tui.views.rows import Row
from lms_tui.views.staff_exams import ExamLine
from lms_tui.wire.base import Page
from lms_tui.wire.errors import ApiError

if TYPE_CHECKING:
    from lms_tui.attempt.ports import Clock
    from lms_tui.client.port import Lms


class StaffExamsScreen(SortedScreen[ExamLine]):
    WHERE = Where.STAFF_EXAMS
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)
    NAME = "Exams of the institute"
    EMPTY = "No exams yet. Import one with `lms-tui exam import`."
    FRESH = True
    LISTING = present.LISTING

    def __init__(self, lms: "Lms", clock: "Clock", downloads: Path, *, badge: str = "") -> None:
        super().__init__(lms, badge=badge)
        self._clock = clock
        self._downloads = downloads

    async def page(self, number: int, wanted: str) -> Page[ExamLine]:  # noqa: ARG002 - the filter is this computer's
        page = await self._lms.staff_exams.page(number)
        now = now_of(self._clock)
        lines = tuple(ExamLine(exam, now) for exam in page.results)
        return Page[ExamLine].model_construct(**{**dict(page), "results": lines})

    def identity(self, item: ExamLine) -> str:
        return item.exam.slug

    def details(self, item: ExamLine, room: int) -> Sequence[Row]:
        return present.with_next_step(item, room)

    def trouble_of(self, error: ApiError) -> ErrorMessage:
        return error_message(error)

    def action_open_item(self) -> None:
        if self.chosen is not None:
            self.post_message(DestinationAsked(Destination.STAFF_EXAM, about=self.chosen))

    @work(name="gradebook", group="export", exclusive=True)
    async def action_gradebook(self) -> None:
        """Ask which gradebook to write, and for which program, and save it."""
        if self.chosen is None:
            return
        if not self.chosen.exam.may_change:
            self.tell("Moderators and administrators write gradebooks.")
            return
        files = present.gradebooks(self.chosen)
        title = present.gradebook_question(self._items.values())
        place = await dialogs.choose(self.app, title, [file.words for file in files])
        if place is None:
            return
        file = files[place]
        usual = self._downloads / f"{file.slug or 'all-exams'}-{file.kind}.csv"
        download = partial(self._lms.staff_exams.gradebook_file, file.kind, file.slug)
        await save_download(self, "gradebook", usual, download)


class StaffExamScreen(CommandScreen[None]):
    """The pages of one exam."""

    WHERE = Where.STAFF_EXAM
    CSS_PATH = str(Path(__file__).with_name("screen.tcss"))
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)

    def __init__(self, line: ExamLine, *, badge: str = "") -> None:
        super().__init__()
        self._line = line
        self._badge = badge

    def compose(self) -> ComposeResult:
        yield TopLine(self._line.title, "", self._badge)
        with Horizontal():
            yield RowList("Pages", glyphs=self.glyphs)
            yield RowsPane("Exam", lambda room: present.details(self._line, room), glyphs=self.glyphs)
        yield self.command_bar()

    def on_mount(self) -> None:
        pages = present.pages_of(self._line.exam)
        pane = self.query_one(RowList)
        pane.show(lambda room: [Entry(page.place.value, menu_row(page, room)) for page in pages])
        pane.focus()

    @on(RowList.Selected)
    def action_open_item(self) -> None:
        if key := self.query_one(RowList).key:
            self.post_message(DestinationAsked(Destination(key), about=self._line))
