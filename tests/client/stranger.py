"""A stranger's server for client tests: answers by table, remembers what reached it."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from lms_tui.client.connection import Access

BASE = "https://learn.example.edu"
TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyX2lkIjo3fQ.c2lnbmF0dXJl"
ME = {"id": 7, "username": "asha", "display_name": "Asha Rao"}


@dataclass(frozen=True)
class Answer:
    """An answer as it goes over the wire: `body` is packed already where a header says so."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


Reply = Answer | Exception | Callable[[httpx.Request], Answer]


def answer(body: object, status: int = 200) -> Answer:
    return Answer(json.dumps(body).encode(), status)


def raw(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    return Answer(body, status, headers or {})


def page(results: list[Any], next_url: str | None = None, **more: object) -> dict[str, object]:
    return {"count": len(results), "next": next_url, "previous": None, "per_page": 20, "results": results, **more}


@dataclass
class Stranger:
    """`replies`: for "METHOD /path", what is answered, the last one again and again."""

    replies: dict[str, list[Reply]] = field(default_factory=dict)
    requests: list[httpx.Request] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)

    def on(self, route: str, *replies: Reply) -> "Stranger":
        self.replies[route] = list(replies)
        return self

    def access(self, **changes: Any) -> Access:
        return Access(
            **{"transport": httpx.MockTransport(self._handle), "sleep": self._sleep, "timeout": 5.0, **changes}
        )

    def seen(self, route: str) -> list[httpx.Request]:
        return [request for request in self.requests if f"{request.method} {request.url.path}" == route]

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    def _handle(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        queue = self.replies.get(f"{request.method} {request.url.path}")
        if queue is None:
            queue = [answer({"detail": "Not found."}, 404)]
        reply = queue.pop(0) if len(queue) > 1 else queue[0]
        if isinstance(reply, Exception):
            raise reply
        given = reply if isinstance(reply, Answer) else reply(request)
        return httpx.Response(given.status, headers=given.headers, stream=httpx.ByteStream(given.body))


def signed_in_stranger() -> Stranger:
    stranger = Stranger()
    stranger.on("POST /api/v2.5/auth-token/", answer({"token": TOKEN}))
    stranger.on("GET /api/v2.2/me/", answer(ME))
    return stranger
