"""The students of a mentor, for administrators."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import BindingType

from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.screens.resource.form import FormScreen
from lms_tui.tui.screens.resource.list import ListScreen
from lms_tui.views import forms
from lms_tui.views import staff_mentors as present
from lms_tui.views.forms import Values
from lms_tui.views.listing import Listing
from lms_tui.views.rows import Row
from lms_tui.wire.base import Page
from lms_tui.wire.errors import ApiError
from lms_tui.wire.mentors import Mentor, MentorStudent

if TYPE_CHECKING:
    from lms_tui.client.port import Lms


class MentorStudentsScreen(ListScreen[MentorStudent]):
    WHERE = Where.MENTOR_STUDENTS
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)
    NAME = "Students"
    EMPTY = "This mentor has no students yet. Press a to assign some."

    def __init__(self, lms: "Lms", mentor: Mentor, *, badge: str = "") -> None:
        super().__init__(lms, badge=badge)
        self._mentor = mentor

    @property
    def about(self) -> str:
        return f"of {present.name_of(self._mentor)}"

    async def page(self, number: int, wanted: str) -> Page[MentorStudent]:  # noqa: ARG002 - the server sends one page
        found = tuple(s for s in await self._lms.mentors.students(self._mentor.id) if present.matches(s, wanted))
        return Page[MentorStudent].model_construct(
            count=len(found), next=None, previous=None, per_page=20, results=found
        )

    def identity(self, item: MentorStudent) -> str:
        return item.username

    @property
    def listing(self) -> Listing[MentorStudent]:
        return present.STUDENTS

    def details(self, item: MentorStudent, room: int) -> Sequence[Row]:
        return present.student_details(item, room)

    @work(name="assign", group="person", exclusive=True)
    async def action_assign(self) -> None:
        async def save(values: Values) -> bool:
            await self._lms.mentors.assign(self._mentor.id, forms.names(values["students_username"]))
            return True

        title = f"Assign students to {present.name_of(self._mentor)}"
        note = "Type user names, with commas. If one name is unknown, no student is assigned."
        if await self.app.push_screen_wait(FormScreen(self._lms, title, present.students_form(), save, note=note)):
            self.action_refresh()

    @work(name="unassign", group="person", exclusive=True)
    async def action_unassign(self) -> None:
        student = self.chosen
        if student is None:
            return
        name = present.name_of(student)
        if not await dialogs.confirm(
            self.app,
            f"Remove {name} from this mentor?",
            f"{name} leaves the students of {present.name_of(self._mentor)}. The account and its exams are kept.",
            yes="Remove",
            danger=True,
        ):
            return
        try:
            await self._lms.mentors.remove(self._mentor.id, (student.username,))
        except ApiError as error:
            await self.explain(error)
        else:
            self.drop(student)
