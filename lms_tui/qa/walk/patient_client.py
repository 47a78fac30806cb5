"""Send requests of a walk again if the line or a busy server lost them."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Final, Unpack

from lms_tui.client.connection import Access, Content
from lms_tui.client.recording import Exchange
from lms_tui.client.retry import parse_retry_after
from lms_tui.qa.walk.address_style import AddressStyle
from lms_tui.qa.walk.pace import Pace
from lms_tui.qa.walk.user_client import CannotWalkError, UserClient
from lms_tui.wire.errors import Unreachable

BUSY: Final = frozenset({429, 502, 503, 504})
"""Statuses that say nothing about the request."""
_PAUSES: Final = (0.5, 1.0, 2.0, 4.0)
_LONGEST_PAUSE: Final = 30.0


class PatientClient(UserClient):
    """Sends a request up to five times until there is a reply that is not busy. `repeated` counts the repetitions.

    Raises Unreachable if there was no reply. A reply that stays busy is returned. With `only_reads`, a request that
    could change something raises CannotWalkError.
    """

    def __init__(
        self,
        base_url: str,
        access: Access,
        username: str = "",
        style: AddressStyle | None = None,
        pace: Pace | None = None,
    ) -> None:
        super().__init__(base_url, access, username, style)
        self._sleep = access.sleep
        self._pace = pace
        self.repeated = 0
        self.only_reads = False

    async def send(self, method: str, path: str, **content: Unpack[Content]) -> Exchange:
        async def send_again() -> None:
            return None

        return await self._until_answered(lambda: self._send(method, path, **content), send_again)

    async def _send(self, method: str, path: str, **content: Unpack[Content]) -> Exchange:
        if self.only_reads and method != "GET":
            raise CannotWalkError(f"The walk only reads, and {method} {path} was not sent.", "Report this fault.")
        if self._pace is not None:
            await self._pace.wait()
        return await super().send(method, path, **content)

    async def send_once(self, method: str, path: str, find: Callable[[], Awaitable[Exchange | None]]) -> Exchange:
        """Send a request that must not be done twice. Before it is sent again, `find` looks for its effect.

        Return the reply, or what `find` found.
        """
        return await self._until_answered(lambda: self._send(method, path), find)

    async def _until_answered(
        self, send: Callable[[], Awaitable[Exchange]], find: Callable[[], Awaitable[Exchange | None]]
    ) -> Exchange:
        for pause in _PAUSES:
            try:
                exchange = await send()
                if exchange.status not in BUSY:
                    return exchange
                asked = parse_retry_after(exchange.header("retry-after") or None, datetime.now(UTC))
            except Unreachable as error:
                asked = error.retry_after
            self.repeated += 1
            await self._sleep(pause if asked is None else min(max(asked, pause), _LONGEST_PAUSE))
            found = await find()
            if found is not None:
                return found
        return await send()
