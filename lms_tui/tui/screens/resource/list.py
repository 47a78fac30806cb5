"""The screen of every list. It loads pages as the user scrolls, and shows the details of the chosen item."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.css.query import NoMatches
from textual.widgets import Input, Static

from lms_tui.tui import dialogs
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.card import RowsPane
from lms_tui.tui.widgets.row_list import Entry, RowList
from lms_tui.tui.widgets.search import close_search, open_search
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views.error_messages import ErrorMessage, error_message
from lms_tui.views.listing import Listing
from lms_tui.views.rows import Row, wrapped
from lms_tui.wire.base import Page
from lms_tui.wire.errors import ApiError, Forbidden, Refused, SignInNeeded

if TYPE_CHECKING:
    from lms_tui.client.port import Lms

Item = TypeVar("Item")


class ListScreen(CommandScreen[None], Generic[Item]):
    """Subclasses fetch the pages, describe the items, and add their commands."""

    NAME: ClassVar[str] = ""
    EMPTY: ClassVar[str] = "The list is empty."
    """The text of an empty list: what the user can do."""
    NONE_FOUND: ClassVar[str] = "Nothing matches. Press esc to show all."
    SEARCH: ClassVar[str] = "Part of the name, then enter. Esc shows all."
    STEADY: ClassVar[bool] = False
    """Whether each column keeps its width, because the contents change while one looks."""
    FRESH: ClassVar[bool] = False
    """Whether the list is fetched again each time the screen is shown, because other screens change it."""
    AUTO_FOCUS = ""
    CSS_PATH = str(Path(__file__).with_name("list.tcss"))
    BINDINGS: ClassVar[list[BindingType]] = [
        # While the list is shown, it handles these keys. In a narrow window they scroll the details.
        Binding("down,pagedown", "scroll_details(1)", show=False),
        Binding("up,pageup", "scroll_details(-1)", show=False),
    ]

    def __init__(self, lms: "Lms", *, badge: str = "") -> None:
        super().__init__()
        self._lms = lms
        self._badge = badge
        self._items: dict[str, Item] = {}
        self._wanted = ""
        self._next = 1
        self._loading = self._asked = self._sought = False
        self._trouble: ErrorMessage | None = None

    @abstractmethod
    async def page(self, number: int, wanted: str) -> "Page[Item]":
        """Fetch one page. `number`: from 1. `wanted`: the search text. Raises ApiError."""

    @abstractmethod
    def identity(self, item: Item) -> str:
        """Return the key of an item."""

    @property
    @abstractmethod
    def listing(self) -> Listing[Item]: ...

    @property
    def columned(self) -> Listing[Item]:
        """The listing with the columns that the items need."""
        return self.listing if self.STEADY else replace(self.listing, columns=self.listing.needed(self._items.values()))

    @abstractmethod
    def details(self, item: Item, room: int) -> Sequence[Row]: ...

    def compose(self) -> ComposeResult:
        yield TopLine(self.NAME, self.about, self._badge)
        yield Static("", id="trouble", markup=False)
        # With select_on_focus, keys that are typed ahead would replace each other.
        yield Input(placeholder=self.SEARCH, id="search", compact=True, select_on_focus=False)
        with Horizontal():
            yield RowList(self.heading, glyphs=self.glyphs, id="list")
            yield RowsPane("Details", glyphs=self.glyphs, id="details")
        yield self.command_bar()

    @property
    def heading(self) -> str:
        """The title of the list."""
        return self.NAME

    @property
    def about(self) -> str:
        """The text to the right of the title."""
        return ""

    def on_mount(self) -> None:
        self.query_one(RowList).focus()

    def on_screen_resume(self) -> None:
        if self.FRESH or not self._asked:
            self.action_refresh()

    def action_refresh(self) -> None:
        self._load(afresh=True)

    def action_retry(self) -> None:
        self.action_refresh()

    @on(RowList.EndNear)
    def load_more(self) -> None:
        """Fetch the next page, if there is one and no other is on its way."""
        if not self._loading and self._trouble is None and self._next:
            self._load()

    @work(name="list", group="list", exclusive=True)
    async def _load(self, *, afresh: bool = False) -> None:
        self._loading, self._trouble, self._asked = True, None, True
        if afresh:
            self._next = 1
        self.draw()
        try:
            page = await self.page(self._next, self._wanted)
        except SignInNeeded as error:
            # It still loads: the list must not ask for more pages, and so for another sign-in, behind the dialog.
            if await dialogs.sign_in_again(self.app, self._lms):
                self._load(afresh=afresh)
            else:
                self._fail(error)
        except ApiError as error:
            self._fail(error)
        else:
            found = {self.identity(item): item for item in page.results}
            self._items = found if afresh else {**self._items, **found}
            self._next = self._next + 1 if page.next and page.results else 0
            self._loading = False
            self.draw(next(iter(found), "") if self._sought and afresh else "")
            self._sought = False

    def _fail(self, error: ApiError) -> None:
        self._loading = False
        self._trouble = self.trouble_of(error)
        if isinstance(error, Forbidden):
            self._items = {}
        self.draw()

    def trouble_of(self, error: ApiError) -> ErrorMessage:
        """Return what the screen says about an error of the list."""
        message = error_message(error)
        if not isinstance(error, Forbidden):
            return message
        advice = "This list is for administrators of the institute. Press esc to go back."
        return ErrorMessage(message.what, advice, again=False)

    def draw(self, key: str = "") -> None:
        """Show the items. `key` is the item to move the cursor to."""
        trouble = self._trouble
        again = f" Press {self.key_of('refresh')} to try again." if trouble is not None and trouble.again else ""
        try:
            label = self.query_one("#trouble", Static)
        except NoMatches:  # the screen is being removed
            return
        label.update(Content(f"! {trouble.text}{again}" if trouble else ""))
        label.set_class(trouble is not None, "-shown")
        note = f"“{self._wanted}”" if self._wanted else ""
        self.query_one(RowList).show(self._entries, note=note, key=key)
        self.show_details()

    @property
    def shown(self) -> Mapping[str, Item]:
        """The items in the list, by their keys."""
        return self._items

    def _entries(self, room: int) -> list[Entry]:
        listing, shown = self.columned, self.shown
        entries = [Entry("", listing.heading(room))] if shown else []
        entries += [Entry(key, partial(listing.line, item, room)) for key, item in shown.items()]
        remark = ""
        if self._loading:
            remark = "Loading …"
        elif not shown and self._trouble is None:
            remark = self.NONE_FOUND if self._wanted else self.EMPTY
        return entries + [Entry("", line) for line in (wrapped(remark, room, "dim") if remark else ())]

    @property
    def chosen(self) -> Item | None:
        return self._items.get(self.query_one(RowList).key)

    @on(RowList.Highlighted)
    def show_details(self) -> None:
        item = self.chosen
        pane = self.query_one("#details", RowsPane)
        pane.show("Details", (lambda room: self.details(item, room)) if item is not None else (lambda _: ()))

    def keep(self, item: Item) -> None:
        """Show a new or changed item, and move the cursor to it."""
        key = self.identity(item)
        self._items = {**({} if key in self._items else {key: item}), **self._items, key: item}
        self.draw(key)

    def drop(self, item: Item) -> None:
        self._items = {key: known for key, known in self._items.items() if key != self.identity(item)}
        self.draw()

    def tell(self, text: str) -> None:
        self.notify(text, timeout=4, markup=False)

    async def explain(self, error: ApiError) -> None:
        """Show why a command failed."""
        await dialogs.notice(self.app, "Command failed", error_message(error).text, error=isinstance(error, Refused))

    @on(RowList.Selected)
    def _select(self) -> None:
        self.action_open_item()

    def action_open_item(self) -> None:
        """In a narrow window, show the details in place of the list."""
        if self.chosen is not None and not self.has_class("-wide"):
            self.set_focus(None)  # before the list is hidden, which would move the focus to the search
            self.add_class("-reading")

    def action_scroll_details(self, pages: int) -> None:
        self.query_one("#details", RowsPane).scroll_pages(pages)

    def action_back(self) -> None:
        if self.has_class("-reading"):
            self.remove_class("-reading")
            self.query_one(RowList).focus()
        elif self._wanted or self.query_one("#search").display:
            self._close_search()
        else:
            self.dismiss(None)

    def action_find(self) -> None:
        open_search(self).value = ""

    @on(Input.Submitted, "#search")
    def _search(self, event: Input.Submitted) -> None:
        self.query_one(RowList).focus()
        self.search(event.value.strip())

    def search(self, wanted: str) -> None:
        self._wanted, self._sought = wanted, bool(wanted)
        self._load(afresh=True)

    def _close_search(self) -> None:
        close_search(self)
        if self._wanted:
            self.search("")
