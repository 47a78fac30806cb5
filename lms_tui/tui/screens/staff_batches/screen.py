"""The list of batches, for administrators."""

from collections.abc import Sequence
from typing import ClassVar

from textual import work
from textual.binding import BindingType

from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.screens.resource.form import FormScreen
from lms_tui.tui.screens.resource.list import ListScreen
from lms_tui.views import staff_batches as present
from lms_tui.views.forms import Values
from lms_tui.views.listing import Listing
from lms_tui.views.rows import Row
from lms_tui.wire.base import Page
from lms_tui.wire.batches import Batch


class BatchesScreen(ListScreen[Batch]):
    WHERE = Where.BATCHES
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)
    NAME = "Batches"
    EMPTY = "No batches yet. Press n to create one."

    async def page(self, number: int, wanted: str) -> Page[Batch]:
        return await self._lms.batches.page(number, search=wanted)

    def identity(self, item: Batch) -> str:
        return str(item.id)

    @property
    def listing(self) -> Listing[Batch]:
        return present.LISTING

    def details(self, item: Batch, room: int) -> Sequence[Row]:
        return present.details(item, room)

    @work(name="create", group="person", exclusive=True)
    async def action_create(self) -> None:
        async def save(values: Values) -> Batch:
            return await self._lms.batches.create(values["name"].strip())

        created = await self.app.push_screen_wait(FormScreen(self._lms, "New batch", present.batch_form(), save))
        if created is not None:
            self.keep(created)
            self.tell("Batch created.")
