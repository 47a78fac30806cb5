"""The pictures of what is read: those that texts hold, and those at addresses, which come later and wait for no one."""

import asyncio
import logging
import os
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Final

from textual.color import Color, ColorParseError

from lms_tui.content.bidi import leave_words_to_terminal, turns_words
from lms_tui.content.html import parse
from lms_tui.content.images import Bitmap, Formula, decode, embedded, payload_of, show_from
from lms_tui.content.images.bitmap import LARGEST
from lms_tui.content.images.found import images_of
from lms_tui.content.model import Maths
from lms_tui.tui.terminal.rasterizer import Rasterizer, is_installed, is_svg
from lms_tui.wire.errors import ApiError

if TYPE_CHECKING:
    from textual.app import App

    from lms_tui.client.port import Lms, PictureAddress
    from lms_tui.client.port import Pictures as Source
    from lms_tui.views.ports import ImageCache

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
_DRAWINGS: Final = "data:image/svg"
_FORMULAS: Final = 512
"""Formulas kept as pictures, of some 50 KB each."""
_UNDRAWN: Final = "lms-tui[pictures] draws it"
_NONE: Final = "it is no picture that can be shown"


class PictureBook:
    """Finds pictures for the layout. What is not there yet is sought in the background, and `changed` is called.

    Pictures of the service itself are read when they are first looked for; those of other servers only after
    `allow`, which is the answer of a person. `begin` runs a coroutine beside the screen. `rasterizer` draws SVG and
    formulas, the latter in the current `colours` (ink and paper, #rrggbb).
    """

    def __init__(
        self,
        source: "Source",
        shelf: "ImageCache | None",
        begin: Callable[[Coroutine[Any, Any, None]], object],
        changed: Callable[[], None],
        *,
        rasterizer: Rasterizer | None = None,
        colours: Callable[[], tuple[str, str]] = lambda: ("#000000", "#ffffff"),
    ) -> None:
        self._rasterizer = rasterizer
        self._colours = colours
        self._formulas: OrderedDict[tuple[Maths, str, str], Formula | None] = OrderedDict()
        self._drawing = False
        self._waiting: list[tuple[Maths, str, str]] = []
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
        if source.startswith("data:") and len(source) < _SMALL and source[: len(_DRAWINGS)].lower() != _DRAWINGS:
            return embedded(source)
        if (found := self._found.get(source)) is not None:
            self._found.move_to_end(source)
            return found
        if self._rasterizer is None and source[: len(_DRAWINGS)].lower() == _DRAWINGS:
            return _UNDRAWN
        if source not in self._remarks:
            self._seek(source)
        return self._remarks[source] or None

    def drawn_by_terminal(self) -> None:
        """Leave pictures to the terminal from now on."""
        self.graphics = True
        self._changed()

    @property
    def formulas(self) -> bool:
        """Whether formulas can be pictures: half blocks are too coarse for letters."""
        return self.graphics and self._rasterizer is not None

    def formula(self, maths: Maths) -> Formula | None:
        """A formula as a picture; one that is not drawn yet is text until it is."""
        if not self.formulas:
            return None
        key = (maths, *self._colours())
        if key in self._formulas:
            self._formulas.move_to_end(key)
            return self._formulas[key]
        self._formulas[key] = None
        while len(self._formulas) > _FORMULAS:
            self._formulas.popitem(last=False)
        self._waiting.append(key)
        if not self._drawing:
            self._drawing = True
            self._begin(self._draw_formulas())
        return None

    async def _draw_formulas(self) -> None:
        """Draw what is waiting; formulas of the question on the screen come first and do not wait for more."""
        try:
            while self._waiting:
                keys, self._waiting = self._waiting, []
                found = [await self._drawn(key) for key in keys]
                if any(found):
                    self._changed()
        finally:
            self._drawing = False

    async def _drawn(self, key: tuple[Maths, str, str]) -> bool:
        rasterizer = self._rasterizer
        found = await asyncio.to_thread(rasterizer.formula, *key) if rasterizer is not None else None
        if found is None or key not in self._formulas:
            return False
        self._formulas[key] = found
        return True

    def colours_changed(self) -> None:
        """Draw formulas in the colours of now."""
        if self.formulas:
            self._changed()

    def close(self) -> None:
        """Draw nothing more."""
        self._waiting.clear()
        if self._rasterizer is not None:
            self._rasterizer.close()
            self._rasterizer = None

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
                self._put(source, await asyncio.to_thread(self._decoded, data))
        self._changed()

    async def _unpack(self, source: str) -> None:
        """Read a large picture that the text holds itself, in a thread: it takes up to a tenth of a second."""
        async with self._turns:
            payload = await asyncio.to_thread(payload_of, source)
            self._put(source, await asyncio.to_thread(self._decoded, payload) if payload is not None else None)
        self._changed()

    def _decoded(self, data: bytes) -> Bitmap | None:
        rasterizer = self._rasterizer
        return decode(data) if rasterizer is None or not is_svg(data) else rasterizer.svg(data)

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


def book_for(app: "App[None]", lms: "Lms", shelf: "ImageCache | None", *, plain: bool) -> PictureBook:
    """The pictures of a signed-in service, from now on those of the layout; `plain`: a terminal without symbols.

    The layout learns here, too, whether the terminal turns words of right-to-left scripts itself.
    """

    def begin(work: Coroutine[Any, Any, None]) -> object:
        return app.run_worker(work, name="picture", group="pictures", exit_on_error=False)

    def colours() -> tuple[str, str]:
        return _hex(app, "foreground", "#000000"), _hex(app, "background", "#ffffff")

    rasterizer = Rasterizer() if is_installed() and not plain else None
    book = PictureBook(lms.pictures, shelf, begin, lambda: lay_out_again(app), rasterizer=rasterizer, colours=colours)
    show_from(None if plain else book)
    leave_words_to_terminal(turning=turns_words(os.environ))
    return book


def _hex(app: "App[None]", name: str, otherwise: str) -> str:
    """A colour of the theme without transparency; one that only the terminal knows is `otherwise`."""
    try:
        colour = Color.parse(app.theme_variables[name])
    except (KeyError, ColorParseError):
        return otherwise
    return otherwise if colour.ansi is not None else colour.hex6


def lay_out_again(app: "App[None]") -> None:
    """Tell the widgets that may hold pictures that one has come, or is drawn otherwise from now on."""
    for screen in app.screen_stack:
        for widget in screen.walk_children():
            if (changed := getattr(widget, "pictures_changed", None)) is not None:
                changed()
