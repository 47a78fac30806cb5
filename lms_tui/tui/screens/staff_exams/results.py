"""The results and the statistics of an exam for staff, and the review of one attempt."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import BindingType

from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.messages import DestinationAsked
from lms_tui.tui.screens.resource.filtered import SortedScreen
from lms_tui.tui.screens.staff_exams.saved_file import save_download
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views import staff_results as present
from lms_tui.views.error_messages import ErrorMessage, error_message
from lms_tui.views.more import Destination
from lms_tui.views.rows import Row
from lms_tui.views.staff_exams import ExamLine
from lms_tui.wire.attempts import Attempt
from lms_tui.wire.base import Page
from lms_tui.wire.errors import ApiError
from lms_tui.wire.exams import Exam
from lms_tui.wire.grading import ExamResult, ItemStatistics

if TYPE_CHECKING:
    from pathlib import Path

    from lms_tui.client.port import Lms


class StaffResultsScreen(SortedScreen[ExamResult]):
    WHERE = Where.STAFF_RESULTS
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)
    NAME = "Results"
    EMPTY = "No student has started this exam yet."
    NONE_FOUND = "No student matches. Press esc to show all."
    FRESH = True
    LISTING = present.RESULTS

    def __init__(self, lms: "Lms", line: ExamLine, downloads: "Path", *, badge: str = "") -> None:
        super().__init__(lms, badge=badge)
        self._line = line
        self._downloads = downloads

    @property
    def heading(self) -> str:
        return self._line.title

    async def page(self, number: int, wanted: str) -> Page[ExamResult]:  # noqa: ARG002 - the filter is this computer's
        return await self._lms.staff_exams.results(self._line.exam.slug, number)

    def identity(self, item: ExamResult) -> str:
        return str(item.id)

    def details(self, item: ExamResult, room: int) -> Sequence[Row]:
        return present.result_details(item, room)

    def trouble_of(self, error: ApiError) -> ErrorMessage:
        return error_message(error)

    def _ended(self) -> ExamResult | None:
        """Return the selected result, or say that there is no review yet."""
        result = self.chosen
        if result is None or result.ended is not None:
            return result
        self.tell("The exam of this student is running.")
        return None

    def action_open_item(self) -> None:
        result = self._ended()
        if result is None:
            return
        exam = Exam(title=f"{present.name_of(result)}, {self._line.title}")
        attempt = Attempt(id=result.id, exam=exam, total_questions=len(result.answers))
        self.post_message(DestinationAsked(Destination.STAFF_REVIEW, about=attempt))

    @work(name="export", group="export", exclusive=True)
    async def action_export(self) -> None:
        """Ask for the kind and the path of a file, download it and save it."""
        place = await dialogs.choose(self.app, "Write the results of every student to a file", present.FILES)
        if place is None:
            return
        slug, ending = self._line.exam.slug, present.ENDINGS[place]
        usual = self._downloads / f"{slug}.{ending}"
        await save_download(self, "results", usual, partial(self._lms.staff_exams.results_file, slug, ending))

    @work(name="export", group="export", exclusive=True)
    async def action_save_review(self) -> None:
        """Ask for a path, and save the review of the selected student there."""
        result = self._ended()
        if result is None:
            return
        usual = self._downloads / f"{self._line.exam.slug}-{result.id}.pdf"
        await save_download(self, "review", usual, partial(self._lms.staff_exams.review_pdf, result.id))


class StaffStatisticsScreen(SortedScreen[ItemStatistics]):
    WHERE = Where.STAFF_STATISTICS
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)
    NAME = "Statistics"
    EMPTY = "The exam has no questions."
    NONE_FOUND = "No question matches. Press esc to show all."
    LISTING = present.STATISTICS

    def __init__(self, lms: "Lms", line: ExamLine, *, badge: str = "") -> None:
        super().__init__(lms, badge=badge)
        self._line = line

    @property
    def heading(self) -> str:
        return self._line.title

    async def page(self, number: int, wanted: str) -> Page[ItemStatistics]:  # noqa: ARG002 - there is one page
        found = await self._lms.staff_exams.statistics(self._line.exam.slug)
        for line in self.query(TopLine):
            line.show(self.NAME, present.summary(found))
        items = found.questions
        return Page[ItemStatistics].model_construct(
            count=len(items), next=None, previous=None, per_page=len(items), results=items
        )

    def identity(self, item: ItemStatistics) -> str:
        return str(item.number)

    def details(self, item: ItemStatistics, room: int) -> Sequence[Row]:
        return present.item_details(item, room)

    def trouble_of(self, error: ApiError) -> ErrorMessage:
        return error_message(error)
