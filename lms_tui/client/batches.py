from collections.abc import AsyncIterator
from typing import Final

from lms_tui.client.connection import Connection
from lms_tui.client.pages import filled, identified, page_at, pages
from lms_tui.wire.base import Page
from lms_tui.wire.batches import Batch

_PATH: Final = "/api/v2.5/admin/batches/"


class HttpBatches:
    """The endpoints of batches. Requests that change something are sent once."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def page(self, number: int = 1, *, search: str = "") -> Page[Batch]:
        return await page_at(self._connection, _PATH, Batch, number, search=search)

    def pages(self, *, search: str = "") -> AsyncIterator[Page[Batch]]:
        return pages(self._connection, _PATH, Batch, filled({"search": search}))

    async def read(self, batch_id: int) -> Batch:
        return identified(await self._connection.get(f"{_PATH}{batch_id}"), Batch, batch_id)

    async def create(self, name: str) -> Batch:
        return identified(await self._connection.send("POST", _PATH, body={"name": name}), Batch)
