"""The list of mentors, for administrators."""

from collections.abc import Sequence
from typing import ClassVar

from textual import work
from textual.binding import BindingType

from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.messages import DestinationAsked
from lms_tui.tui.screens.resource.form import FormScreen
from lms_tui.tui.screens.resource.list import ListScreen
from lms_tui.views import staff_mentors as present
from lms_tui.views.forms import Values, changed
from lms_tui.views.listing import Listing
from lms_tui.views.more import Destination
from lms_tui.views.rows import Row
from lms_tui.wire.base import Page
from lms_tui.wire.errors import NotFound
from lms_tui.wire.mentors import CreatedMentor, Mentor


class MentorsScreen(ListScreen[Mentor]):
    WHERE = Where.MENTORS
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)
    NAME = "Mentors"
    EMPTY = "No mentors yet. Press n to create one."
    FRESH = True

    async def page(self, number: int, wanted: str) -> Page[Mentor]:  # noqa: ARG002 - the server sends one page
        try:
            mentors = await self._lms.mentors.all()
        except NotFound:
            mentors = await self._lms.mentors.all_older()
        found = tuple(mentor for mentor in mentors if present.matches(mentor, wanted))
        return Page[Mentor].model_construct(count=len(found), next=None, previous=None, per_page=20, results=found)

    def identity(self, item: Mentor) -> str:
        return str(item.id)

    @property
    def listing(self) -> Listing[Mentor]:
        return present.MENTORS

    def details(self, item: Mentor, room: int) -> Sequence[Row]:
        return present.mentor_details(item, room)

    def action_open_item(self) -> None:
        if self.chosen is not None:
            self.post_message(DestinationAsked(Destination.STUDENTS, about=self.chosen))

    @work(name="create", group="person", exclusive=True)
    async def action_create(self) -> None:
        specs = present.mentor_form()

        async def save(values: Values) -> CreatedMentor:
            return await self._lms.mentors.create(present.new_mentor(changed(specs, values)))

        created = await self.app.push_screen_wait(FormScreen(self._lms, "New mentor", specs, save))
        if created is not None:
            self.keep(Mentor.model_validate(created.model_dump()))
            self.tell("Mentor created.")
