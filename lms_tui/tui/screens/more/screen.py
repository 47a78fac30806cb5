"""The menu of screens beyond the exams. Staff and administrators see more entries."""

from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType

from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.messages import DestinationAsked
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.row_list import Entry, RowList
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views.forms import identifier
from lms_tui.views.more import EVERYONE, NO_STAFF_EXAMS, Destination, MenuGroup, groups, menu_row
from lms_tui.views.rows import row, strong, wrapped

if TYPE_CHECKING:
    from lms_tui.tui.permissions import Permissions


class MoreScreen(CommandScreen[None]):
    WHERE = Where.MORE
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)

    def __init__(self, permissions: "Permissions", *, badge: str = "") -> None:
        super().__init__()
        self._permissions = permissions
        self._badge = badge
        self._groups: tuple[MenuGroup, ...] = ()
        self._remark = ""

    def compose(self) -> ComposeResult:
        yield TopLine("More", "", self._badge)
        yield RowList("More", glyphs=self.glyphs)
        yield self.command_bar()

    def on_mount(self) -> None:
        self.query_one(RowList).focus()
        self._draw()
        self._ask()

    @work(name="permissions", group="permissions", exclusive=True)
    async def _ask(self) -> None:
        administers, watches = await self._permissions.administers(), await self._permissions.watches()
        self._groups = groups(administers=administers, watches=watches)
        # An administrator is let in wherever the server has the list.
        self._remark = NO_STAFF_EXAMS if administers and not watches else ""
        self._draw()

    def _draw(self) -> None:
        self.query_one(RowList).show(self._entries)

    def _entries(self, room: int) -> list[Entry]:
        entries = [Entry(entry.place.value, menu_row(entry, room)) for entry in EVERYONE]
        for heading, group in self._groups:
            entries += [Entry("", ()), Entry("", row(strong(heading, "title")))]
            entries += [Entry(entry.place.value, menu_row(entry, room)) for entry in group]
        return [
            *entries,
            *(Entry("", line) for line in ([(), *wrapped(self._remark, room, "dim")] if self._remark else ())),
        ]

    @on(RowList.Selected)
    def action_open_item(self) -> None:
        if key := self.query_one(RowList).key:
            self._go(Destination(key))

    @work(name="ask", group="ask", exclusive=True)
    async def _go(self, place: Destination) -> None:
        """Open a destination. Another user needs a number first."""
        if place is not Destination.PERSON:
            self.post_message(DestinationAsked(place))
            return
        number = await dialogs.ask_text(
            self.app,
            "Find a user",
            "User ID (the last part of the link to their details)",
            placeholder="user ID",
            check=identifier,
        )
        if number:
            self.post_message(DestinationAsked(place, number=int(number)))
