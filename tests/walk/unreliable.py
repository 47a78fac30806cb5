"""A connection that loses requests and replies."""

from random import Random

import httpx

from tests.walk.wrong_server import answered


class Unreliable(httpx.AsyncBaseTransport):
    """Lose the given share of requests: before the server reads them, after its reply, or as a busy reply."""

    def __init__(self, inner: httpx.AsyncBaseTransport, random: Random, share: float) -> None:
        self._inner = inner
        self._random = random
        self._share = share

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if self._random.random() >= self._share:
            return await self._inner.handle_async_request(request)
        match self._random.randrange(3):
            case 0:
                raise httpx.ConnectError("refused")
            case 1:
                await self._inner.handle_async_request(request)
                raise httpx.ReadError("reset")
            case _:
                return answered(self._random.choice([429, 502, 503, 504]), b"<h1>busy</h1>")
