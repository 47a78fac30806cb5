"""Lists that a filter narrows as one types, and lists to browse that a server may lack."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from textual import on, work
from textual.widgets import Input

from lms_tui.common.cleaning import clean_line
from lms_tui.tui.messages import DestinationAsked
from lms_tui.tui.screens.resource.list import ListScreen
from lms_tui.tui.widgets.row_list import RowList
from lms_tui.tui.widgets.search import open_search
from lms_tui.views.error_messages import ErrorMessage, error_message
from lms_tui.views.format import holds
from lms_tui.views.listing import GIVEN, Listing, Order
from lms_tui.wire.errors import ApiError, NotOffered

if TYPE_CHECKING:
    from lms_tui.client.port import Lms

Item = TypeVar("Item")


class FilteredScreen(ListScreen[Item], Generic[Item]):
    """A list whose filter is this computer's. Pages are loaded until enough rows match."""

    NONE_FOUND = "No row contains these words. Press esc to show all."
    SEARCH = "Type to filter. Esc shows all."

    def words(self, item: Item) -> str:
        """Return the text in which the filter searches."""
        return " ".join(self.listing.cells(item))

    @property
    def shown(self) -> Mapping[str, Item]:
        if not self._wanted:
            return self._items
        return {key: item for key, item in self._items.items() if holds(clean_line(self.words(item)), self._wanted)}

    def trouble_of(self, error: ApiError) -> ErrorMessage:
        return error_message(error)

    def action_filter_rows(self) -> None:
        open_search(self)

    @on(Input.Changed, "#search")
    def _filter(self, event: Input.Changed) -> None:
        self.search(event.value.strip())

    def search(self, wanted: str) -> None:
        if wanted != self._wanted:
            self._wanted = wanted
            self.draw()

    def action_scroll_details(self, pages: int) -> None:
        """Scroll the details, or go from the filter to the list."""
        if self.query_one("#search").has_focus:
            self.query_one(RowList).focus()
        else:
            super().action_scroll_details(pages)


class SortedScreen(FilteredScreen[Item], Generic[Item]):
    """A filtered list that is sorted by its columns. `LISTING` has the values of each column."""

    LISTING: ClassVar[Listing[Any]]

    def __init__(self, lms: "Lms", *, badge: str = "") -> None:
        super().__init__(lms, badge=badge)
        self._order = GIVEN

    @property
    def listing(self) -> Listing[Item]:
        return replace(self.unordered, order=self._order)

    @property
    def unordered(self) -> Listing[Item]:
        return self.LISTING

    @property
    def shown(self) -> Mapping[str, Item]:
        shown = super().shown
        if self._order is GIVEN:
            return shown
        return {self.identity(item): item for item in self.listing.sorted(shown.values())}

    def draw(self, key: str = "") -> None:
        super().draw(key)
        if self._order is not GIVEN:
            self.load_more()  # a sorted list needs every row

    def action_sort(self) -> None:
        self._sort(self.columned.following(self.query_one(RowList).inner_width, self._items.values()))

    @on(RowList.HeadingClicked)
    def _sort_by_clicked(self, event: RowList.HeadingClicked) -> None:
        room = self.query_one(RowList).inner_width
        self._sort(self.columned.clicked(event.x, room, self._items.values()))

    def _sort(self, order: Order) -> None:
        self._order = order
        self.draw()


class BrowseScreen(FilteredScreen[Item], Generic[Item]):
    """A list to browse. If the server lacks it, the screen says so and asks what to open."""

    ADVICE: ClassVar[str] = ""
    """The advice on a server without this list. `{key}` stands for the key of the command `ASK`."""
    ASK: ClassVar[str] = ""
    """The command that opens something that is not in the list."""

    @abstractmethod
    async def asked(self) -> DestinationAsked | None:
        """Ask what to open. Return None when cancelled."""

    @abstractmethod
    def opened(self, item: Item) -> DestinationAsked:
        """Return what enter opens."""

    def action_open_item(self) -> None:
        if self.chosen is not None:
            self.post_message(self.opened(self.chosen))

    def trouble_of(self, error: ApiError) -> ErrorMessage:
        if isinstance(error, NotOffered):
            return ErrorMessage(str(error), self.ADVICE.format(key=self.key_of(self.ASK)), again=False)
        return super().trouble_of(error)

    def _fail(self, error: ApiError) -> None:
        super()._fail(error)
        if isinstance(error, NotOffered) and self.is_on_top:
            self.ask()

    @work(name="ask", group="ask", exclusive=True)
    async def ask(self) -> None:
        if (asked := await self.asked()) is not None:
            self.post_message(asked)
