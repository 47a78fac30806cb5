"""The results and the statistics of an exam for staff, and the review of one attempt."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import BindingType

from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.messages import DestinationAsked
from lms_tui.tui.saving import fault_of, place_of, save
from lms_tui.tui.screens.resource.filtered import SortedScreen
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views import format as say
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

    def action_open_item(self) -> None:
        result = self.chosen
        if result is None:
            return
        if result.ended is None:
            self.tell("The exam of this student is running.")
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
        ending = present.ENDINGS[place]
        usual = self._downloads / f"{self._line.exam.slug}.{ending}"
        check = partial(fault_of, usual=usual)
        typed = await dialogs.ask_text(self.app, "Save the results", "Path", value=str(usual), check=check)
        if typed is None:
            return
        try:
            content = await self._lms.staff_exams.results_file(self._line.exam.slug, ending, self._progress)
            kept = await asyncio.to_thread(save, *place_of(typed, usual), ending, content)
        except ApiError as error:
            await self.explain(error)
        except OSError as error:
            words = f"The file cannot be written ({error.strerror}). Choose another folder, or free some disk space."
            await dialogs.notice(self.app, "Not saved", words, error=True)
        else:
            self.notify(f"Saved as {kept}", title="Results", timeout=10, markup=False)
        finally:
            self._show_right("")

    def _progress(self, done: int, whole: int | None) -> None:
        self._show_right(say.bytes_of(done) + (f" of {say.bytes_of(whole)}" if whole else ""))

    def _show_right(self, text: str) -> None:
        for line in self.query(TopLine):
            line.show(self.NAME, text)


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
