"""Where one can go from home, besides exams; what staff looks after is offered to those who may."""

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
from lms_tui.views.more import ADMINISTRATORS, EVERYONE, Destination, MenuEntry, menu_row
from lms_tui.views.rows import row, strong

if TYPE_CHECKING:
    from lms_tui.tui.permissions import Permissions


class MoreScreen(CommandScreen[None]):
    WHERE = Where.MORE
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)

    def __init__(self, permissions: "Permissions", *, badge: str = "") -> None:
        super().__init__()
        self._permissions = permissions
        self._badge = badge
        self._staff: tuple[MenuEntry, ...] = ()

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
        if await self._permissions.administers():
            self._staff = ADMINISTRATORS
            self._draw()

    def _draw(self) -> None:
        self.query_one(RowList).show(self._entries)

    def _entries(self, room: int) -> list[Entry]:
        entries = [Entry(entry.place.value, menu_row(entry, room)) for entry in EVERYONE]
        if self._staff:
            entries += [Entry("", ()), Entry("", row(strong("For administrators", "title")))]
            entries += [Entry(entry.place.value, menu_row(entry, room)) for entry in self._staff]
        return entries

    @on(RowList.Selected)
    def action_open_item(self) -> None:
        if key := self.query_one(RowList).key:
            self._go(Destination(key))

    @work(name="ask", group="ask", exclusive=True)
    async def _go(self, place: Destination) -> None:
        """Some places need to be told which one."""
        app = self.app
        match place:
            case Destination.PERSON:
                text = await dialogs.ask_text(
                    app,
                    "Someone else",
                    "Every user has a number; it is the last part of the address of their details.",
                    placeholder="number of the user",
                    check=_number_wrong,
                )
                asked = DestinationAsked(place, number=int(text)) if text else None
            case Destination.COURSE:
                text = await dialogs.ask_text(
                    app,
                    "A course",
                    "The number is in the address of the course on your institute's pages.",
                    placeholder="number of the course",
                    check=_number_wrong,
                )
                asked = DestinationAsked(place, number=int(text)) if text else None
            case Destination.POST:
                text = await dialogs.ask_text(
                    app,
                    "A post",
                    "The name is the last part of the post's address, such as welcome; the whole address does too.",
                    placeholder="name or address of the post",
                    check=lambda typed: "" if typed.strip("/ ") else "Type the post's name.",
                )
                asked = DestinationAsked(place, name=text.rstrip("/").rpartition("/")[2]) if text else None
            case _:
                asked = DestinationAsked(place)
        if asked is not None:
            self.post_message(asked)

    def action_back(self) -> None:
        self.dismiss(None)


def _number_wrong(text: str) -> str:
    return "" if text.isascii() and text.isdigit() and 0 < int(text) < 2**63 else "Type a number, such as 12."
