"""Servers that are wrong in one way: the real service's answers, one of them changed.

Most need the service once: what it answered to a whole walk is heard and answered again. Where a wrong server does
something else instead of saying something else, the service stands behind it (`real`).
"""

import base64
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

Tree = Any
Memory = dict[str, Any]


@dataclass(slots=True)
class Reply:
    """An answer on its way; `user`: whose token asked; `asked`: the body of the request."""

    status: int
    tree: Tree
    user: str
    asked: Tree
    query: dict[str, str]

    def refuse(self, status: int) -> None:
        self.status, self.tree = status, {"detail": "no"}

    @property
    def rows(self) -> list[Tree]:
        """Rows of a page of a list, or the answer itself as the only one; none of a refusal."""
        if self.status >= 400 or not isinstance(self.tree, dict):
            return []
        return list(self.tree.get("results", [self.tree]))


Change = Callable[[Reply, Memory], object]
Send = Callable[[httpx.Request], Awaitable[httpx.Response]]
Twist = Callable[[Send, httpx.Request, Memory], Awaitable[httpx.Response]]


@dataclass(frozen=True, slots=True)
class Deviation:
    """`at`: what `METHOD /path` matches. `rules`: exactly those that the walk has to call broken or different.

    `real`: the service stands behind it, because it does or leads to something that was not heard.
    """

    name: str
    rules: frozenset[str]
    at: str
    change: Change | None = None
    live: Twist | None = None
    real: bool = False


@dataclass(frozen=True, slots=True)
class Heard:
    """One request of a walk through the right server, and what it answered."""

    key: tuple[str, str, str, bytes]
    status: int
    content: bytes


class Listening(httpx.AsyncBaseTransport):
    """Writes down what the service answers."""

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner
        self.heard: list[Heard] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await self._inner.handle_async_request(request)
        content = await response.aread()
        self.heard.append(Heard(_key(request), response.status_code, content))
        return answered(response.status_code, content)


@dataclass(slots=True)
class Answering(httpx.AsyncBaseTransport):
    """Answers as the service did, in its order; what was never asked is answered 404."""

    heard: list[Heard]
    place: int = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        key = _key(request)
        found = [place for place, one in enumerate(self.heard) if one.key == key]
        place = next((one for one in found if one >= self.place), found[-1] if found else None)
        if place is None:
            return answered(404, b'{"detail": "Not found"}')
        self.place = max(self.place, place + 1)
        return answered(self.heard[place].status, self.heard[place].content)


@dataclass(slots=True)
class WrongServer(httpx.AsyncBaseTransport):
    """Another server with one deviation planted in it."""

    inner: httpx.AsyncBaseTransport
    deviation: Deviation
    memory: Memory = field(default_factory=dict)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if not re.search(self.deviation.at, f"{request.method} {request.url.path}"):
            return await self.inner.handle_async_request(request)
        if self.deviation.live is not None:
            return await self.deviation.live(self.inner.handle_async_request, request, self.memory)
        response = await self.inner.handle_async_request(request)
        content = await response.aread()
        reply = Reply(response.status_code, _tree(content), user_of(request), _tree(request.content), _query(request))
        assert self.deviation.change is not None
        self.deviation.change(reply, self.memory)
        return answered(reply.status, json.dumps(reply.tree).encode())


def user_of(request: httpx.Request) -> str:
    """Return the user of a request's token, or ""."""
    claims = request.headers.get("authorization", "").partition(".")[2].partition(".")[0]
    tree = _tree(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
    return str(tree["username"]) if isinstance(tree, dict) else ""


def _key(request: httpx.Request) -> tuple[str, str, str, bytes]:
    # The forged token has the claims of the right one.
    return request.method, str(request.url), request.headers.get("authorization", "")[-12:], request.content


def _query(request: httpx.Request) -> dict[str, str]:
    return dict(request.url.params)


def _tree(content: bytes) -> Tree:
    try:
        return json.loads(content)
    except ValueError:
        return None


def answered(status: int, content: bytes) -> httpx.Response:
    return httpx.Response(status, stream=httpx.ByteStream(content), headers={"content-type": "application/json"})
