"""The fast path of heartbeats and answers, without a task and without ASGI. uvicorn serves all other requests."""

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

_BODY_SECONDS: Final = 0.5
"""Seconds in which a body must follow its head. After that uvicorn takes the request over."""
_MAX_BASES: Final = 64
_JSON: Final = (b"content-type", b"application/json")
_REQUEST_NAME: Final = "PUT a heartbeat or an answer"


class _NoEvent:
    """Replaces the event of a request, for which no task waits."""

    def set(self) -> None:
        pass


class FastPathCycle:
    """A request in progress, with the attributes of uvicorn's `RequestResponseCycle` that uvicorn uses."""

    __slots__ = ("disconnected", "keep_alive", "response_complete")
    message_event: Final = _NoEvent()

    def __init__(self, *, keep_alive: bool) -> None:
        self.keep_alive = keep_alive
        self.disconnected = False
        self.response_complete = False


class FastPathProtocol(GuardedProtocol):
    """Passes plain heartbeats and answers directly to the writer, and sends the responses that it returns."""

    endpoint: ClassVar[Endpoint]
    bases: ClassVar[dict[tuple[str, bytes], Urls]]
    _head: Head | None = None
    _body = b""
    _body_timer: asyncio.TimerHandle | None = None
    _idle_since: float | None = None

    def data_received(self, data: bytes) -> None:
        self._idle_since = None
        super().data_received(data)
        if self._head is not None and self._body_timer is None:
            self._body_timer = self.loop.call_later(_BODY_SECONDS, self._leave_fast_path)

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
            write = None if urls is None else self.endpoint.parse(head, body, urls)
            if write is None:
                self._leave_fast_path()
            else:
                keep_alive = self.parser.get_http_version() != "1.0" and self.parser.should_keep_alive()
                cycle = FastPathCycle(keep_alive=keep_alive)
                self.endpoint.writer.submit(write, lambda answer: self._reply(cycle, answer))
                self._clear()
                self._running = cycle
                self.cycle = cycle  # type: ignore[assignment]  # uvicorn annotates its own class
                self._since = None
                self._in_body = False
                return
        super().on_message_complete()

    def shutdown(self) -> None:
        # A request that has begun to arrive is still answered.
        self._leave_fast_path()
        super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        self._clear()
        super().connection_lost(exc)

    def reap(self, now: float) -> None:
        super().reap(now)
        if self._idle_since is not None and now - self._idle_since > self.timeout_keep_alive:
            self.timeout_keep_alive_handler()

    def _is_free(self) -> bool:
        """Return whether no request is before this one, the client reads, and no limit is reached."""
        cycle: RequestResponseCycle | None = self.cycle  # `cycle` is None before the first request
        return (
            (cycle is None or cycle.response_complete)
            and not self.flow.write_paused
            and not self.transport.is_closing()
            and (self.limit_concurrency is None or max(len(self.connections), len(self.tasks)) < self.limit_concurrency)
        )

    def _leave_fast_path(self) -> None:
        """Pass the request to uvicorn as far as it has arrived."""
        if self._head is None:
            return
        body = self._body
        self._clear()
        super().on_headers_complete()
        if body:
            super().on_body(body)

    def _end(self, error: Exception) -> None:
        if self._head is not None:
            self._clear()
            self._in_body = False
        super()._end(error)

    def _clear(self) -> None:
        self._head, self._body = None, b""
        if self._body_timer is not None:
            self._body_timer.cancel()
            self._body_timer = None

    def _urls(self, head: Head) -> Urls | None:
        """Return the addresses as the client sees them, None for a scheme that the fast path does not know."""
        scheme: str = self.scheme or ""
        forwarded = head.headers.get(b"x-forwarded-proto")
        if forwarded is not None and self._trusts_peer():
            if forwarded not in {b"http", b"https"}:
                return None
            scheme = forwarded.decode("ascii")
        key = scheme, head.headers[b"host"]
        urls = self.bases.get(key)
        if urls is None:
            if len(self.bases) >= _MAX_BASES:
                self.bases.clear()
            base = Request({**self.scope, "scheme": scheme, "path": "/", "query_string": b""}).base_url
            urls = self.bases[key] = Urls(str(base).rstrip("/"))
        return urls

    def _trusts_peer(self) -> bool:
        return isinstance(self.app, ProxyHeadersMiddleware) and (self.client or ("",))[0] in self.app.trusted_hosts

    def _reply(self, cycle: FastPathCycle, answer: bytes | Exception) -> None:
        cycle.response_complete = True
        if not self.transport.is_closing():
            if isinstance(answer, bytes):
                self._send(cycle, 200, [(b"content-length", b"%d" % len(answer)), _JSON], answer)
            else:
                refusal = answer_of(answer, _REQUEST_NAME)
                self._send(cycle, refusal.status_code, refusal.raw_headers, bytes(refusal.body))
        if self.pipeline or self._final_response is not None:
            self.on_response_complete()
        else:
            # Like uvicorn, but without a timer for each response: `reap` closes idle connections.
            self.server_state.total_requests += 1
            self._idle_since = self.loop.time()

    def _send(self, cycle: FastPathCycle, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> None:
        lines = [b"%b: %b\r\n" % line for line in (*self.server_state.default_headers, *headers)]
        if not cycle.keep_alive:
            lines.append(b"connection: close\r\n")
        self.transport.write(b"%b%b\r\n%b" % (STATUS_LINE[status], b"".join(lines), body))
        if not cycle.keep_alive:
            self.transport.close()


def fast_path_protocol(limits: Limits, endpoint: Endpoint) -> type[FastPathProtocol]:
    """Return a protocol class for these limits and this endpoint, as uvicorn needs it."""
    return type("ServiceProtocol", (FastPathProtocol,), {"limits": limits, "endpoint": endpoint, "bases": {}})
