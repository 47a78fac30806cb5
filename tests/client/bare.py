"""A server on a real socket that answers byte for byte what a test gives it, after a sign-in as it should be."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from lms_tui.client.api import HttpLms
from lms_tui.client.auth import sign_in
from lms_tui.client.connection import Access
from lms_tui.client.recording import Recording
from tests.client.stranger import ME, TOKEN
from tests.waiting import PATIENCE


def http(body: bytes, head: bytes = b"HTTP/1.1 200 OK") -> bytes:
    return b"%s\r\nContent-Length: %d\r\n\r\n%s" % (head, len(body), body)


@dataclass
class Bare:
    """`reply`: the bytes of the next answers; the connection ends after each."""

    reply: bytes = b""
    address: str = ""
    heads: list[bytes] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            head = await reader.readuntil(b"\r\n\r\n")
            self.heads.append(head)
            length = next((line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), b":0")
            await reader.readexactly(int(length.partition(b":")[2]))
            writer.write(self._answer(head.split(b" ", 2)[1]))
            await writer.drain()
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()

    def _answer(self, path: bytes) -> bytes:
        if path == b"/api/v2.5/auth-token/":
            return http(json.dumps({"token": TOKEN}).encode())
        return http(json.dumps(ME).encode()) if path == b"/api/v2.2/me/" else self.reply


async def _no_pause(_seconds: float) -> None:
    """Reading again is not waited for."""


@asynccontextmanager
async def signed_in_bare(recording: Recording | None = None) -> AsyncIterator[tuple[Bare, HttpLms]]:
    """The server, and a recorded client that is signed in to it."""
    bare = Bare()
    server = await asyncio.start_server(bare.serve, "127.0.0.1", 0)
    bare.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    access = Access(timeout=PATIENCE, sleep=_no_pause, recorder=recording or Recording())
    lms = (await sign_in(bare.address, "asha", "practice", access=access)).lms
    try:
        yield bare, lms
    finally:
        await lms.close()
        server.close()
        await server.wait_closed()
