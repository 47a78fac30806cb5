"""Lists that the API document does not have. A server may lack them."""

from typing import Final, Generic, TypeVar

from lms_tui.client.connection import Connection
from lms_tui.client.pages import page_at
from lms_tui.wire.base import Page, Wire
from lms_tui.wire.errors import ApiError, NotOffered

Item = TypeVar("Item", bound=Wire)
_LACKING: Final = frozenset({404, 405})


class OptionalList(Generic[Item]):
    """One list. If the server lacks it, it is requested once in a session, and then raises NotOffered at once.

    `of`: what the list holds, for the message.
    """

    def __init__(self, connection: Connection, path: str, item: type[Item], of: str) -> None:
        self._connection = connection
        self._path = path
        self._item = item
        self._of = of
        self._lacking = False

    async def page(self, number: int, **query: str) -> Page[Item]:
        """Read one page, counted from 1. Empty values of the query are left out."""
        if self._lacking:
            raise self._not_offered()
        try:
            return await page_at(self._connection, self._path, self._item, number, **query)
        except ApiError as error:
            if number > 1 or error.status not in _LACKING:
                raise
            self._lacking = True
            raise self._not_offered() from error

    def _not_offered(self) -> NotOffered:
        return NotOffered(f"This server has no list of {self._of}.")
