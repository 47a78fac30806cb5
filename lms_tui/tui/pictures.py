"""The pictures of what is read: those that texts hold, and those at addresses, which come later and wait for no one."""

import asyncio
import logging
import os
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Final

from lms_tui.content.bidi import leave_words_to_terminal, turns_words
from lms_tui.content.html import parse
from lms_tui.content.images import Bitmap, decode, embedded, show_from
from lms_tui.content.images.bitmap import LARGEST, Formula
from lms_tui.content.images.found import images_of
from lms_tui.content.model import Maths
from lms_tui.wire.errors import ApiError

if TYPE_CHECKING:
    from textual.app import App

    from lms_tui.client.port import Lms, PictureAddress
    from lms_tui.client.port import Pictures as Source
    from lms_tui.tui.ports import PictureShelf

_log = logging.getLogger(__name__)
_KEPT: Final = 64
"""Pictures kept in memory, of at most 1.2 MB each; others are read again from the disk."""
_AT_ONCE: Final = 3
_MOST: Final = 500
"""Addresses that are followed for one sign-in."""
_COMING: Final = "it is being read"
_FAILED: Final = "it could not be read; z tries again"
_SMALL: Final = 16_384
"""Characters of a data URI up to which it is read at once."""
_NONE: Final = "it is no picture that can be shown"


class PictureBook:
    """Finds pictures for the layout. What is not there yet is sought in the background, and `changed` is called.

    Pictures of the service itself are read when they are first looked for; those of other servers only after
    `allow`, which is the answer of a person. `begin` runs a coroutine beside the screen.
    """

    def __init__(
        self,
        source: "Source",
        shelf: "PictureShelf | None",
        begin: Callable[[Coroutine[Any, Any, None]], object],
        changed: Callable[[], None],
    ) -> None:
        self._source = source
        self._shelf = shelf
        self._begin = begin
        self._found: OrderedDict[str, Bitmap] = OrderedDict()
        self._remarks: dict[str, str] = {}
        self._allowed: set[str] = set()
        self._changed = changed
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._followed = 0
        self.graphics = False
        """Whether the terminal draws them itself."""

    def find(self, source: str) -> Bitmap | str | None:
        """The pixels of an image, else why they are not there; None for what is no address of a picture."""
        if source.startswith("data:") and len(source) < _SMALL:
            return embedded(source)
        if (found := self._found.get(source)) is not None:
            self._found.move_to_end(source)
            return found
        if source not in self._remarks:
            self._seek(source)
        return self._remarks[source] or None

    def drawn_by_terminal(self) -> None:
        """Leave pictures to the terminal from now on."""
        self.graphics = True
        self._changed()

    def formula(self, maths: Maths) -> Formula | None:  # noqa: ARG002 - half blocks are too coarse for letters
        return None

    def _seek(self, source: str) -> None:
        if source.startswith("data:"):
            self._remarks[source] = _COMING
            self._begin(self._unpack(source))
            return
        address = self._source.locate(source)
        if address is None or self._followed >= _MOST:
            self._remarks[source] = ""
        elif address.host and not self._allows(address.host):
            self._remarks[source] = f"z reads it from {address.host}"
        else:
            self._followed += 1
            self._remarks[source] = _COMING
            self._begin(self._fetch(source, address))

    def _allows(self, host: str) -> bool:
        return host in self._allowed or (self._shelf is not None and self._shelf.allows(host))

    async def _fetch(self, source: str, address: "PictureAddress") -> None:
        async with self._turns:
            try:
                data = await self._read(address)
            except ApiError as error:
                _log.info("a picture could not be read: %s", error)
                self._remarks[source] = _FAILED
            else:
                self._put(source, await asyncio.to_thread(decode, data))
        self._changed()

    async def _unpack(self, source: str) -> None:
        """Read a large picture that the text holds itself, in a thread: it takes up to a tenth of a second."""
        async with self._turns:
            self._put(source, await asyncio.to_thread(embedded, source))
        self._changed()

    def _put(self, source: str, bitmap: Bitmap | None) -> None:
        if bitmap is None:
            self._remarks[source] = _NONE
            return
        self._remarks.pop(source, None)
        self._found[source] = bitmap
        while len(self._found) > _KEPT:
            self._found.popitem(last=False)

    async def _read(self, address: "PictureAddress") -> bytes:
        shelf = self._shelf
        if shelf is None:
            return await self._source.read(address, LARGEST)
        if (kept := await asyncio.to_thread(shelf.find, address.url)) is not None:
            return kept
        data = await self._source.read(address, LARGEST)
        await asyncio.to_thread(shelf.keep, address.url, data)
        return data

    # What a person is asked and tells.

    def hosts(self, texts: Sequence[str | None]) -> tuple[str, ...]:
        """Other servers whose pictures some HTML names and that nobody agreed to ask."""
        located = (self._source.locate(source) for source in sources_in(texts) if source not in self._found)
        return tuple(dict.fromkeys(a.host for a in located if a is not None and a.host and not self._allows(a.host)))

    def allow(self, host: str) -> None:
        """Ask this server for its pictures from now on; kept on the disk, so that nobody is asked twice."""
        self._allowed.add(host)
        if self._shelf is not None:
            self._shelf.allow(host)
        self._remarks = {source: told for source, told in self._remarks.items() if not told.endswith(f" {host}")}
        self._changed()

    def try_again(self, texts: Sequence[str | None]) -> bool:
        """Forget what failed in some HTML, so that it is sought again; False where nothing had."""
        failed = [source for source in sources_in(texts) if self._remarks.get(source) == _FAILED]
        for source in failed:
            del self._remarks[source]
        if failed:
            self._changed()
        return bool(failed)


def sources_in(texts: Sequence[str | None]) -> list[str]:
    """The sources of the images in some HTML that are addresses."""
    found = (image.source for text in texts if text for image in images_of(parse(text)))
    return [source for source in found if source and not source.startswith("data:")]


def book_for(app: "App[None]", lms: "Lms", shelf: "PictureShelf | None", *, plain: bool) -> PictureBook:
    """The pictures of a signed-in service, from now on those of the layout; `plain`: a terminal without symbols.

    The layout learns here, too, whether the terminal turns words of right-to-left scripts itself.
    """

    def begin(work: Coroutine[Any, Any, None]) -> object:
        return app.run_worker(work, name="picture", group="pictures", exit_on_error=False)

    book = PictureBook(lms.pictures, shelf, begin, lambda: lay_out_again(app))
    show_from(None if plain else book)
    leave_words_to_terminal(turning=turns_words(os.environ))
    return book


def lay_out_again(app: "App[None]") -> None:
    """Tell the widgets that may hold pictures that one has come, or is drawn otherwise from now on."""
    for screen in app.screen_stack:
        for widget in screen.walk_children():
            if (changed := getattr(widget, "pictures_changed", None)) is not None:
                changed()
