"""Lists that a filter narrows as one types, and lists to browse that a server may lack."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Generic, TypeVar

from textual import on, work
from textual.widgets import Input

from lms_tui.common.cleaning import clean_line
from lms_tui.tui.messages import DestinationAsked
from lms_tui.tui.screens.resource.list import ListScreen
from lms_tui.tui.widgets.row_list import RowList
from lms_tui.tui.widgets.search import open_search
from lms_tui.views.error_messages import ErrorMessage, error_message
from lms_tui.views.format import holds
from lms_tui.wire.errors import ApiError, NotOffered

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


class BrowseScreen(FilteredScreen[Item], Generic[Item]):
    """A list to browse. If the server lacks it, the screen says so and asks what to open."""

    ADVICE: ClassVar[str] = ""
    """The advice on a server without this list. `{key}`: the key of the command `ASK`."""
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
        if isinstance(error, NotOffered) and self.is_current:
            self.ask()

    @work(name="ask", group="ask", exclusive=True)
    async def ask(self) -> None:
        if (asked := await self.asked()) is not None:
            self.post_message(asked)
