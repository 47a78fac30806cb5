"""Replies of the server about an attempt that seldom change. The journal keeps them for a resume without the server."""

from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from lms_tui.attempt.desk import Desk
from lms_tui.wire.base import Wire
from lms_tui.wire.errors import ApiError, Refused, SignInNeeded

Reply = TypeVar("Reply", bound=Wire)


class Told(Generic[Reply]):
    """The reply to one request. `refused` is kept where the server lacks the endpoint."""

    def __init__(self, desk: Desk, name: str, ask: Callable[[], Awaitable[Reply]], refused: Reply) -> None:
        self._desk = desk
        self._name = name
        self._ask = ask
        self._refused = refused
        self._read = ("", refused)
        """The text that was read last, and what it holds."""

    @property
    def known(self) -> Reply | None:
        """The reply of the server, None before it."""
        text = self._desk.text(self._name)
        if text and text != self._read[0]:
            self._read = (text, type(self._refused).model_validate_json(text))
        return self._read[1] if text else None

    async def read(self, *, again: bool = False) -> None:
        """Ask the server unless its reply is known. With `again`, a newer reply replaces it.

        Without a reply, what is known stays.
        """
        if again or self.known is None:
            try:
                told = await self._ask()
            except SignInNeeded:
                return
            except Refused:
                told = self.known or self._refused
            except ApiError:
                return
            self._desk.keep(self._name, told.model_dump_json())
