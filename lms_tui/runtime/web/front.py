"""The way in with a browser (`lms-tui serve --web`)."""

import asyncio
import logging
import socket
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack
from dataclasses import replace
from importlib.util import find_spec
from typing import Final

from lms_tui.common.frozen import frozen
from lms_tui.common.hosts import is_loopback
from lms_tui.common.settings import Paths
from lms_tui.runtime.sessions.host import CannotHostError
from lms_tui.runtime.sessions.hosted import HostState
from lms_tui.runtime.sessions.limits import Connections, Place
from lms_tui.runtime.sessions.listening import accept, listen
from lms_tui.runtime.web.addresses import Origins, Proxies, origins_of

_ADVICE: Final = "Give an address of this computer with --web-host, and a free port with --web."
_KEPT_OPEN: Final = 20.0
_LAST_REQUESTS: Final = 2.0

_log = logging.getLogger(__name__)


@frozen
class WebSettings:
    """`origins`: where browsers find the pages, if a proxy stands before them. `demo`: the passwords are public."""

    host: str
    port: int
    origins: Sequence[str] = ()
    proxies: Sequence[str] = ("127.0.0.1", "::1")
    demo: bool = False


class WebFront:
    """Listens for browsers on this computer, and for proxies with TLS."""

    def __init__(self, settings: WebSettings) -> None:
        self._settings = settings
        self._opened: tuple[socket.socket, Origins, Proxies] | None = None

    @property
    def for_others(self) -> bool:
        """Whether other computers reach the pages, directly or through a proxy."""
        return bool(self._settings.origins) or not is_loopback(self._settings.host)

    def open(self, _paths: Paths, stack: ExitStack) -> str:
        """Raises CannotHostError and CannotListenError."""
        settings = self._settings
        if find_spec("aiohttp") is None or find_spec("textual_serve") is None:
            raise CannotHostError(
                "The extra for browsers is not installed.",
                "Install it: pip install 'lms-tui[web]'. `lms-tui help extras` shows other ways.",
            )
        host = "127.0.0.1" if settings.host == "localhost" else settings.host
        if settings.demo and self.for_others:
            words = "The demo institute has public passwords and is served to this computer only."
            raise CannotHostError(words, "Leave out --web-host and --web-origin, or serve your own institute.")
        proxies = Proxies(settings.proxies)
        origins_of(host, settings.port, settings.origins)  # refuse before the port is taken
        listener = stack.enter_context(listen(host, settings.port, _ADVICE))
        origins = origins_of(host, listener.getsockname()[1], settings.origins)
        self._opened = listener, origins, proxies
        return f"Open {origins.first} in a browser."

    async def serve(self, host: HostState) -> None:
        from aiohttp import web  # noqa: PLC0415 - an extra

        from lms_tui.runtime.web.application import WebApplication  # noqa: PLC0415 - the same
        from lms_tui.runtime.web.browsers import Browsers  # noqa: PLC0415 - the same

        if self._opened is None:
            raise RuntimeError
        listener, origins, proxies = self._opened
        application = WebApplication(host, origins, proxies, Browsers(host.limits.idle)).application()
        runner = web.AppRunner(
            application, access_log=None, keepalive_timeout=_KEPT_OPEN, shutdown_timeout=_LAST_REQUESTS
        )
        await runner.setup()
        # All connections come from proxies. The application limits requests by the address of the person.
        every = host.limits.connections
        connections = Connections(replace(host.limits, of_address=every, waiting=every))

        def arrive(client: socket.socket, address: str) -> "_Arrival | None":
            if not proxies.may_connect(address):
                _log.info("%s: refused: neither this computer nor a proxy of --trust-proxy", address)
                return None
            return _Arrival(client, Place(address), runner.server)

        try:
            await accept(listener, connections, arrive)
        finally:
            await runner.cleanup()


@frozen
class _Arrival:
    client: socket.socket
    place: Place
    make: "Callable[[], asyncio.Protocol] | None"

    def serve(self) -> Coroutine[None, None, None]:
        return _connection(self)


async def _connection(arrival: _Arrival) -> None:
    """Serve a connection to its end."""
    if arrival.make is None:
        raise RuntimeError
    watched = _Watched(arrival.make())
    transport, _ = await asyncio.get_running_loop().connect_accepted_socket(lambda: watched, arrival.client)
    try:
        await watched.ended.wait()
    finally:
        transport.abort()


class _Watched(asyncio.Protocol):
    """Passes everything to the protocol of aiohttp, and notes the end of the connection."""

    def __init__(self, inner: asyncio.Protocol) -> None:
        self._inner = inner
        self.ended = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._inner.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        return self._inner.eof_received()

    def pause_writing(self) -> None:
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._inner.connection_lost(exc)
        self.ended.set()
