"""The straight way of the hot writes through a connection: no task, no ASGI, one write; all else is uvicorn's."""

import asyncio
from collections.abc import Iterable
from typing import ClassVar, Final

from starlette.requests import Request
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from lms_tui.service.core.errors import answer_of
from lms_tui.service.core.settings import Limits
from lms_tui.service.core.urls import Urls
from lms_tui.service.server.fast_path.endpoint import METHOD, Endpoint, Head
from lms_tui.service.server.protocol import GuardedProtocol

_SOON: Final = 0.5
"""Seconds that a body may come behind its head before the request takes the usual way, which knows how to wait."""
_MOST_BASES: Final = 64
_JSON: Final = (b"content-type", b"application/json")
_ASKED: Final = "PUT a heartbeat or an answer"


class _NoEvent:
    """Nobody waits for messages of a request that is read whole."""

    def set(self) -> None:
        pass


class StraightCycle:
    """A request under way, with what uvicorn reads and writes of one: it is told apart from its own by nothing else."""

    __slots__ = ("disconnected", "keep_alive", "response_complete")
    message_event: Final = _NoEvent()

    def __init__(self, *, keep_alive: bool) -> None:
        self.keep_alive = keep_alive
        self.disconnected = False
        self.response_complete = False


class StraightProtocol(GuardedProtocol):
    """Gives plain hot writes to the writer itself and sends each answer when the writer has it."""

    endpoint: ClassVar[Endpoint]
    bases: ClassVar[dict[tuple[str, bytes], Urls]]
    _head: Head | None = None
    _body = b""
    _hurry: asyncio.TimerHandle | None = None
    _idle_since: float | None = None

    def data_received(self, data: bytes) -> None:
        self._idle_since = None
        super().data_received(data)
        if self._head is not None and self._hurry is None:
            self._hurry = self.loop.call_later(_SOON, self._take_usual_way)

    def on_headers_complete(self) -> None:
        if self._is_free() and self.parser.get_method() == METHOD:
            self._head = self.endpoint.head(self.url, self.headers)
        if self._head is None:
            super().on_headers_complete()
        else:
            self._in_head, self._in_body = False, True

    def on_body(self, body: bytes) -> None:
        if self._head is None:
            super().on_body(body)
        else:
            self._body += body

    def on_message_complete(self) -> None:
        head, body = self._head, self._body
        if head is not None:
            urls = self._urls(head)
            move = None if urls is None else self.endpoint.move(head, body, urls)
            if move is None:
                self._take_usual_way()
            else:
                keep_alive = self.parser.get_http_version() != "1.0" and self.parser.should_keep_alive()
                cycle = StraightCycle(keep_alive=keep_alive)
                self.endpoint.writer.submit(move, lambda answer: self._reply(cycle, answer))
                self._forget()
                self._running = cycle
                self.cycle = cycle  # type: ignore[assignment]  # uvicorn names its own class, of which it needs no more
                self._since = None
                self._in_body = False
                return
        super().on_message_complete()

    def shutdown(self) -> None:
        # What has begun to arrive is still answered, as anywhere else.
        self._take_usual_way()
        super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def reap(self, now: float) -> None:
        super().reap(now)
        if self._idle_since is not None and now - self._idle_since > self.timeout_keep_alive:
            self.timeout_keep_alive_handler()

    def _is_free(self) -> bool:
        """Whether a request may be answered at once: none is before it, the client reads, and no limit is reached."""
        cycle: RequestResponseCycle | None = self.cycle  # uvicorn has none before the first request
        return (
            (cycle is None or cycle.response_complete)
            and not self.flow.write_paused
            and not self.transport.is_closing()
            and (self.limit_concurrency is None or max(len(self.connections), len(self.tasks)) < self.limit_concurrency)
        )

    def _take_usual_way(self) -> None:
        """Let uvicorn have the request as far as it has come."""
        if self._head is None:
            return
        body = self._body
        self._forget()
        super().on_headers_complete()
        if body:
            super().on_body(body)

    def _end(self, error: Exception) -> None:
        if self._head is not None:
            self._forget()
            self._in_body = False
        super()._end(error)

    def _forget(self) -> None:
        self._head, self._body = None, b""
        if self._hurry is not None:
            self._hurry.cancel()
            self._hurry = None

    def _urls(self, head: Head) -> Urls | None:
        """Return the addresses as the client sees them, None where a proxy tells more than http or https."""
        scheme: str = self.scheme or ""
        forwarded = head.headers.get(b"x-forwarded-proto")
        if forwarded is not None and self._trusts_peer():
            if forwarded not in {b"http", b"https"}:
                return None
            scheme = forwarded.decode("ascii")
        key = scheme, head.headers[b"host"]
        urls = self.bases.get(key)
        if urls is None:
            if len(self.bases) >= _MOST_BASES:
                self.bases.clear()
            base = Request({**self.scope, "scheme": scheme, "path": "/", "query_string": b""}).base_url
            urls = self.bases[key] = Urls(str(base).rstrip("/"))
        return urls

    def _trusts_peer(self) -> bool:
        return isinstance(self.app, ProxyHeadersMiddleware) and (self.client or ("",))[0] in self.app.trusted_hosts

    def _reply(self, cycle: StraightCycle, answer: bytes | Exception) -> None:
        cycle.response_complete = True
        if not self.transport.is_closing():
            if isinstance(answer, bytes):
                self._send(cycle, 200, [(b"content-length", b"%d" % len(answer)), _JSON], answer)
            else:
                refusal = answer_of(answer, _ASKED)
                self._send(cycle, refusal.status_code, refusal.raw_headers, bytes(refusal.body))
        if self.pipeline or self._last_words is not None:
            self.on_response_complete()
        else:
            # As uvicorn would, but for a timer to each answer: `reap` sees idle connections too.
            self.server_state.total_requests += 1
            self._idle_since = self.loop.time()

    def _send(self, cycle: StraightCycle, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> None:
        lines = [b"%b: %b\r\n" % line for line in (*self.server_state.default_headers, *headers)]
        if not cycle.keep_alive:
            lines.append(b"connection: close\r\n")
        self.transport.write(b"%b%b\r\n%b" % (STATUS_LINE[status], b"".join(lines), body))
        if not cycle.keep_alive:
            self.transport.close()


def straight(limits: Limits, endpoint: Endpoint) -> type[StraightProtocol]:
    """Make the protocol for these limits and this endpoint, as uvicorn takes it: a class."""
    return type("ServiceProtocol", (StraightProtocol,), {"limits": limits, "endpoint": endpoint, "bases": {}})
