"""Pictures by their address, in memory: `lms_tui.client.port.Pictures`."""

import asyncio

from lms_tui.client.port import PictureAddress
from lms_tui.wire.errors import NotFound


class FakePictures:
    """`known`: bytes by address; `asked`: what was read, in order; `held`: clear it to let no answer out."""

    def __init__(self, known: dict[str, bytes] | None = None) -> None:
        self.known = known or {}
        self.asked: list[str] = []
        self.held = asyncio.Event()
        self.held.set()

    def locate(self, source: str) -> PictureAddress | None:
        if source.startswith("/"):
            return PictureAddress(f"https://lms.example.org{source}")
        scheme, _, rest = source.partition("://")
        return PictureAddress(source, rest.partition("/")[0]) if scheme == "https" else None

    async def read(self, address: PictureAddress, largest: int) -> bytes:
        self.asked.append(address.url)
        await self.held.wait()
        if (data := self.known.get(address.url)) is None or len(data) > largest:
            raise NotFound("There is no such picture.", status=404)
        return data
