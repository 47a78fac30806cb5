"""The open connections of a process, of which each client may have a share."""

import asyncio
import logging
from collections.abc import Iterable, Iterator
from typing import Final, Protocol

from starlette.types import ASGIApp, Receive, Scope, Send

from lms_tui.service.core.context import CONNECTION
from lms_tui.service.core.error_replies import unavailable
from lms_tui.service.core.networks import network_of
from lms_tui.service.core.settings import Limits

_LOG: Final = logging.getLogger("lms_tui.service")
_REAP_SECONDS: Final = 0.5


class Member(Protocol):
    """A connection. `address`: of the client that sent the latest request. `owner`: its network.

    `is_within`: the limits allow its requests. `has_arrived`: the first request that is not answered is complete.
    """

    address: str
    owner: str
    is_within: bool

    @property
    def is_idle(self) -> bool: ...

    @property
    def has_arrived(self) -> bool: ...

    def abort(self) -> None: ...

    def reap(self, now: float) -> None: ...

    def sending(self, send: Send) -> Send: ...


class Connections:
    """Closes idle connections when there are too many, first those of the owner that has the most.

    The owner is a network: of the client, or behind a trusted proxy the one that the proxy names.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._count = 0
        self._of: dict[str, dict[Member, None]] = {}
        """The connections of each owner. The one whose last request is longest ago comes first."""
        self._timer: asyncio.TimerHandle | None = None

    def __iter__(self) -> Iterator[Member]:
        return (member for members in list(self._of.values()) for member in list(members))

    def add(self, member: Member, address: str) -> None:
        self._count += 1
        self._enter(member, address)
        if self._timer is None:
            self._reap_later()

    def remove(self, member: Member) -> None:
        if self._leave(member):
            self._count -= 1

    def rest(self, member: Member) -> None:
        """Note that a connection has answered its last request."""
        if self._leave(member):
            self._of.setdefault(member.owner, {})[member] = None

    def admit(self, member: Member, address: str) -> bool:
        """Return whether a connection with a request from this address is within the limits."""
        if member.address != address and self._leave(member):
            self._enter(member, address)
        elif not member.is_within:
            member.is_within = self._make_room(member)
        return member.is_within

    def _enter(self, member: Member, address: str) -> None:
        member.address, member.owner = address, network_of(address)
        self._of.setdefault(member.owner, {})[member] = None
        member.is_within = self._make_room(member)

    def _leave(self, member: Member) -> bool:
        members = self._of.get(member.owner, {})
        if member not in members:
            return False
        del members[member]
        if not members:
            del self._of[member.owner]
        return True

    def _make_room(self, newest: Member) -> bool:
        own = self._of.get(newest.owner, {})
        if len(own) > self._limits.share:
            self._close_idle(own, newest)
        if self._count > self._limits.connections:
            for members in sorted(self._of.values(), key=len, reverse=True):
                if self._close_idle(members, newest):
                    break
        return len(own) <= self._limits.share and self._count <= self._limits.connections

    def _close_idle(self, members: Iterable[Member], newest: Member) -> bool:
        idle = next((member for member in members if member.is_idle and member is not newest), None)
        if idle is None:
            return False
        self.remove(idle)
        idle.abort()
        return True

    def _reap_later(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(_REAP_SECONDS, self._reap)

    def _reap(self) -> None:
        self._timer = None
        now = asyncio.get_running_loop().time()
        for member in self:
            member.reap(now)
        if self._count:
            self._reap_later()


class Admission:
    """Middleware that refuses a request if its client has too many connections that are not idle."""

    def __init__(self, app: ASGIApp, connections: Connections) -> None:
        self._app = app
        self._connections = connections

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        member: Member | None = scope["state"].get(CONNECTION) if scope["type"] == "http" else None
        if member is None:
            await self._app(scope, receive, send)
        elif self._connections.admit(member, (scope["client"] or ("",))[0]):
            await self._app(scope, receive, member.sending(send))
        else:
            _LOG.warning("a request was refused: too many connections")
            await unavailable({"Connection": "close"})(scope, receive, member.sending(send))
