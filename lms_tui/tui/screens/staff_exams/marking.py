"""Marking by hand: essays and files, and short texts of one question."""

import asyncio
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Input

from lms_tui.common.file_names import name_of_answer_file
from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.screens.resource.filtered import SortedScreen
from lms_tui.tui.screens.staff_exams.saved_file import save_download
from lms_tui.tui.widgets.row_list import RowList
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views import format as say
from lms_tui.views import marking as present
from lms_tui.views.error_messages import ErrorMessage, error_message
from lms_tui.views.listing import GIVEN, Listing
from lms_tui.views.rows import Row
from lms_tui.views.staff_exams import ExamLine
from lms_tui.wire.base import Page
from lms_tui.wire.errors import ApiError
from lms_tui.wire.files import FileReference
from lms_tui.wire.grading import AnswerToMark, Marker, MarkInput

if TYPE_CHECKING:
    from pathlib import Path

    from lms_tui.client.port import Lms

_PAUSE: Final = 0.5
"""Seconds without a key after which a comment is saved."""


class MarkingScreen(SortedScreen[AnswerToMark]):
    """Each mark is sent at once. A comment is sent while it is typed, after each pause."""

    WHERE = Where.MARKING
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)
    NAME = "Mark by hand"
    EMPTY = "No essay or file to mark. Press t to mark the short texts of a question."
    NONE_FOUND = "No answer matches. Press esc to show all."
    DEFAULT_CSS = """
    MarkingScreen #comment { display: none; height: 1; border: none; padding: 0 2; background: $panel; }
    MarkingScreen #comment.-shown { display: block; }
    """

    def __init__(self, lms: "Lms", line: ExamLine, downloads: "Path", *, badge: str = "") -> None:
        super().__init__(lms, badge=badge)
        self._downloads = downloads
        self._line = line
        self._question = 0
        self._hidden = self._by_student = False
        self._reason = ""
        self._marker = Marker.FIRST
        self._sending = asyncio.Lock()
        self._commented = ""
        """The key of the answer whose comment is in the field."""

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield Input(placeholder="Comment for the student", id="comment", compact=True, select_on_focus=False)

    # The answer and its mark.

    @property
    def heading(self) -> str:
        return self._line.title

    async def page(self, number: int, wanted: str) -> Page[AnswerToMark]:  # noqa: ARG002 - the filter is this computer's
        return await self._lms.staff_exams.answers_to_mark(self._line.exam.slug, number, question=self._question)

    def identity(self, item: AnswerToMark) -> str:
        return str(item.id)

    @property
    def unordered(self) -> Listing[AnswerToMark]:
        return present.listing(hidden=self._hidden, marker=self._marker)

    @property
    def shown(self) -> Mapping[str, AnswerToMark]:
        shown = super().shown
        if self._order is not GIVEN:
            return shown
        answers = present.ordered(shown.values(), by_student=self._by_student)
        return {self.identity(answer): answer for answer in answers}

    def details(self, item: AnswerToMark, room: int) -> Sequence[Row]:
        return present.details(item, room, hidden=self._hidden, marker=self._marker)

    def draw(self, key: str = "") -> None:
        super().draw(key)
        for line in self.query(TopLine):
            line.show(self.NAME, present.summary(self._items.values(), self._marker))
        if self._next and not self._loading and self._trouble is None:
            self._load()  # the next answer without marks may be on any page

    def trouble_of(self, error: ApiError) -> ErrorMessage:
        return error_message(error)

    def action_next_unmarked(self) -> None:
        key = present.next_unmarked(list(self.shown.values()), self.query_one(RowList).key, self._marker)
        if key:
            self.query_one(RowList).go_to(key)
        else:
            self.tell("Every answer has marks.")

    def action_hide_names(self) -> None:
        self._hidden = not self._hidden
        self.draw()

    def action_by_student(self) -> None:
        self._by_student, self._order = not self._by_student, GIVEN
        self.tell("Student by student." if self._by_student else "Question by question.")
        self.draw()

    def action_marker(self) -> None:
        """Give first, second or final marks."""
        modes = list(Marker)
        self._marker = modes[(modes.index(self._marker) + 1) % len(modes)]
        self.tell(present.MODES[self._marker])
        self.draw()

    @work(name="question", group="person", exclusive=True)
    async def action_short_texts(self) -> None:
        typed = await dialogs.ask_text(
            self.app,
            "Mark one question",
            "Number of a question with short texts or essays. Leave it empty for all essays and files.",
            placeholder="number",
            check=present.fault_of_number,
        )
        if typed is not None:
            self._question, self._reason, self._items = int(typed or 0), "", {}
            self.action_refresh()

    @work(name="files", group="person", exclusive=True)
    async def action_save_files(self) -> None:
        """Ask where each file of the selected answer is saved, and save it there."""
        answer = self.chosen
        files = [] if answer is None else list(filter(None, map(FileReference.read, answer.files)))
        if answer is None or not files:
            self.tell("This answer has no files.")
            return
        for number, file in enumerate(files, 1):
            usual = self._downloads / name_of_answer_file(answer.attempt, answer.question, number, file.name)
            download = partial(self._lms.staff_exams.file, answer.attempt, file.digest)
            await save_download(self, f"file {file.name}", usual, download)

    # Marks.

    def action_give_digit(self, digit: int) -> None:
        if (answer := self.chosen) is None:
            return
        if present.digit_is_all(answer):
            self._mark(answer, Decimal(digit))
        else:
            self._ask_marks(str(digit))

    def action_full_marks(self) -> None:
        answer = self.chosen
        if answer is not None and answer.max_marks is not None:
            self._mark(answer, answer.max_marks)

    def action_type_marks(self) -> None:
        self._ask_marks()

    @work(name="marks", group="person", exclusive=True)
    async def _ask_marks(self, begun: str = "") -> None:
        """Ask for the marks of the selected answer. `begun`: what has been typed of them."""
        answer = self.chosen
        if answer is None:
            return
        words, check = present.words_of_range(answer), partial(present.fault_of_marks, answer)
        typed = await dialogs.ask_text(self.app, "Marks", words, begun=begun, placeholder="marks", check=check)
        if typed is not None:
            points = present.typed_points(typed)
            self._mark(answer, points[0] if points else present.typed_marks(typed) or Decimal(), points)

    def _mark(self, answer: AnswerToMark, marks: Decimal, points: tuple[Decimal, ...] = ()) -> None:
        _, comment = present.parts_of_comment(answer)
        self._send(answer, marks, "" if self._marker is Marker.SECOND else comment, points)

    @work(name="send", group="send")
    async def _send(self, answer: AnswerToMark, marks: Decimal, comment: str, points: tuple[Decimal, ...] = ()) -> None:
        """Send the marks of an answer, one after the other. `points`: of each criterion, which the service adds up."""
        if answer.automatic and not self._reason:
            self._reason = await self._ask_reason()
            if not self._reason:
                return
        reason = self._reason if answer.automatic else ""
        mark = MarkInput(
            question=answer.question,
            attempt=answer.attempt,
            marks=marks,
            comment=comment,
            reason=reason,
            marker=self._marker.value,
            points=points,
        )
        try:
            async with self._sending:
                given = await self._lms.staff_exams.give_marks(self._line.exam.slug, mark)
        except ApiError as error:
            await self.explain(error)
            return
        names = ("marks", "comment", "is_released", "second_marks")
        changed = {name: getattr(given, name) for name in names}
        self._items[self.identity(answer)] = answer.model_copy(update=changed)
        self.draw()

    async def _ask_reason(self) -> str:
        words = "These short texts are marked automatically. Why do they get other marks?"
        typed = await dialogs.ask_text(self.app, "Reason", words, check=present.fault_of_reason)
        return typed or ""

    # The comment.

    def action_comment(self) -> None:
        answer = self.chosen
        if answer is None:
            return
        if self._marker is Marker.SECOND:
            self.tell("A comment belongs to the first or the final marks. Press d to change to them.")
            return
        if answer.marks is None:
            self.tell("Give marks first. A comment is kept with them.")
            return
        field = self.query_one("#comment", Input)
        _, comment = present.parts_of_comment(answer)
        with field.prevent(Input.Changed):
            field.value = comment
        self._commented = self.identity(answer)
        field.add_class("-shown")
        field.cursor_position = len(comment)
        self.set_focus(field)  # at once, because the next key may have arrived

    @on(Input.Changed, "#comment")
    def _typed(self) -> None:
        self._save_comment(_PAUSE)

    @on(Input.Submitted, "#comment")
    def _close_comment(self) -> None:
        self._save_comment(0)
        self.query_one("#comment").remove_class("-shown")
        self.query_one(RowList).focus()

    @work(name="comment", group="comment", exclusive=True)
    async def _save_comment(self, pause: float) -> None:
        await asyncio.sleep(pause)
        answer, text = self._items.get(self._commented), self.query_one("#comment", Input).value.strip()
        if answer is None or answer.marks is None:
            return
        points, comment = present.parts_of_comment(answer)
        if text != comment:
            self._send(answer, answer.marks, "\n".join(filter(None, (points, text))))

    def action_back(self) -> None:
        if self.query_one("#comment").has_class("-shown"):
            self._close_comment()
        else:
            super().action_back()

    # The release.

    @work(name="release", group="person", exclusive=True)
    async def action_release_marks(self) -> None:
        words = (
            "All marks of this exam that were given by hand count from now on, and students see them with the comments."
        )
        if not await dialogs.confirm(self.app, "Release the marks?", words, yes="Release"):
            return
        differ_by = await self._ask_difference()
        if differ_by is None:
            return
        try:
            released = await self._lms.staff_exams.release_marks(self._line.exam.slug, differ_by)
        except ApiError as error:
            await self.explain(error)
            return
        waiting = f" {say.counted(released.to_mark, 'answer')} without marks." if released.to_mark else ""
        self.tell(f"{say.counted(released.released, 'answer')} released.{waiting}")
        self.action_refresh()

    async def _ask_difference(self) -> str | None:
        """Ask by how much two marks may differ, if there are second marks. Return "" for any difference."""
        if all(answer.second_marks is None for answer in self._items.values()):
            return ""
        words = "The mean of two marks counts. By how much may they differ? Others wait for final marks. Empty: by any."
        check = present.fault_of_difference
        return await dialogs.ask_text(self.app, "Second marks", words, placeholder="such as 1.5", check=check)
