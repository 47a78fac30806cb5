"""Load the pictures of texts. Pictures at addresses are fetched in the background."""

import asyncio
import logging
import os
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Final

from textual.color import Color, ColorParseError

from lms_tui.content.bidi import leave_words_to_terminal, turns_words
from lms_tui.content.images import Bitmap, Formula, decode, embedded, payload_of, show_from
from lms_tui.content.images.bitmap import LARGEST
from lms_tui.content.images.found import sources_in
from lms_tui.content.model import Maths
from lms_tui.tui.terminal.rasterizer import Rasterizer, is_installed, is_svg
from lms_tui.wire.errors import ApiError

if TYPE_CHECKING:
    from textual.app import App

    from lms_tui.client.port import Lms, PictureAddress
    from lms_tui.client.port import Pictures as Source
    from lms_tui.views.ports import ImageCache

FindPicture = Callable[[str], bytes | None]
"""Returns the bytes of a picture by its address in the HTML, None without it."""

_log = logging.getLogger(__name__)
_KEPT: Final = 64
"""The number of pictures in memory, of at most 1.2 MB each. Others are read from the disk again."""
_AT_ONCE: Final = 3
_MOST: Final = 500
"""Addresses that are followed for one sign-in."""
_COMING: Final = "it is being loaded"
_FAILED: Final = "it could not be loaded; z tries again"
_SMALL: Final = 16_384
"""Characters of a data URI up to which it is read at once."""
_DRAWINGS: Final = "data:image/svg"
_FORMULAS: Final = 512
"""Formulas kept as pictures, of some 50 KB each."""
_UNDRAWN: Final = "needs lms-tui[pictures]"
_NONE: Final = "it cannot be shown"


class PictureLoader:
    """Finds pictures for the layout.

    A missing picture is loaded in the background, and `changed` is called after that. Pictures of the institute's
    server are fetched when the layout first asks for them. Pictures of other servers are fetched after the user has
    agreed (`allow`). `begin` runs a coroutine in the background. `rasterizer` draws SVG and formulas, with formulas in
    the present `colours` (ink and paper, #rrggbb). `of_deck` finds the pictures that cards of practice keep.
    """

    def __init__(
        self,
        source: "Source",
        cache: "ImageCache | None",
        begin: Callable[[Coroutine[Any, Any, None]], object],
        changed: Callable[[], None],
        *,
        rasterizer: Rasterizer | None = None,
        colours: Callable[[], tuple[str, str]] = lambda: ("#000000", "#ffffff"),
        of_deck: FindPicture = lambda _: None,
    ) -> None:
        self._rasterizer = rasterizer
        self._colours = colours
        self._formulas: OrderedDict[tuple[Maths, str, str], Formula | None] = OrderedDict()
        self._drawing = False
        self._waiting: list[tuple[Maths, str, str]] = []
        self._source = source
        self._cache = cache
        self._of_deck = of_deck
        self._begin = begin
        self._found: OrderedDict[str, Bitmap] = OrderedDict()
        self._remarks: dict[str, str] = {}
        self._allowed: set[str] = set()
        self._changed = changed
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._followed = 0
        self.graphics = False
        """Whether the terminal draws the pictures itself."""

    def find(self, source: str) -> Bitmap | str | None:
        """Return the pixels of an image, or the reason why there are none, or None for a source that is no address."""
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
        """Let the terminal draw pictures from now on."""
        self.graphics = True
        self._changed()

    @property
    def formulas(self) -> bool:
        """Whether formulas can be pictures. Half blocks are too coarse for letters."""
        return self.graphics and self._rasterizer is not None

    def formula(self, maths: Maths) -> Formula | None:
        """Return a formula as a picture, or None until it is drawn. It is shown as text until then."""
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
        """Draw the waiting formulas. They are shown before formulas that were added later are drawn."""
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
        """Draw formulas in the present colours."""
        if self.formulas:
            self._changed()

    def close(self) -> None:
        """Stop drawing."""
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
            self._remarks[source] = f"z loads it from {address.host}"
        else:
            self._followed += 1
            self._remarks[source] = _COMING
            self._begin(self._fetch(source, address))

    def _allows(self, host: str) -> bool:
        return host in self._allowed or (self._cache is not None and self._cache.allows(host))

    async def _fetch(self, source: str, address: "PictureAddress") -> None:
        async with self._turns:
            try:
                data = await self._read(source, address)
            except ApiError as error:
                _log.info("a picture could not be read: %s", error)
                self._remarks[source] = _FAILED
            else:
                self._put(source, await asyncio.to_thread(self._decoded, data))
        self._changed()

    async def _unpack(self, source: str) -> None:
        """Read a large picture of a data URI in a thread, because it takes up to a tenth of a second."""
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

    async def _read(self, source: str, address: "PictureAddress") -> bytes:
        if (kept := await asyncio.to_thread(self._kept, source, address.url)) is not None:
            return kept
        data = await self._source.read(address, LARGEST)
        if self._cache is not None:
            await asyncio.to_thread(self._cache.keep, address.url, data)
        return data

    def _kept(self, source: str, url: str) -> bytes | None:
        found = None if self._cache is None else self._cache.find(url)
        return self._of_deck(source) if found is None else found

    async def read(self, source: str) -> bytes | None:
        """Return the bytes of a picture. Return None if it cannot be read now, or the user has not agreed."""
        address = self._source.locate(source)
        if address is None or (address.host and not self._allows(address.host)):
            return None
        async with self._turns:
            try:
                return await self._read(source, address)
            except ApiError:
                return None

    # Permissions of the user.

    def hosts(self, texts: Sequence[str | None]) -> tuple[str, ...]:
        """Return the other servers that have pictures of some HTML and that the user has not agreed to."""
        located = (self._source.locate(source) for source in sources_in(texts) if source not in self._found)
        return tuple(dict.fromkeys(a.host for a in located if a is not None and a.host and not self._allows(a.host)))

    def allow(self, host: str) -> None:
        """Fetch pictures from this server from now on. The permission is kept on the disk."""
        self._allowed.add(host)
        if self._cache is not None:
            self._cache.allow(host)
        self._remarks = {source: told for source, told in self._remarks.items() if not told.endswith(f" {host}")}
        self._changed()

    def try_again(self, texts: Sequence[str | None]) -> bool:
        """Forget the failed pictures of some HTML, so they are fetched again. Return whether there were any."""
        failed = [source for source in sources_in(texts) if self._remarks.get(source) == _FAILED]
        for source in failed:
            del self._remarks[source]
        if failed:
            self._changed()
        return bool(failed)


def picture_loader(
    app: "App[None]", lms: "Lms", cache: "ImageCache | None", of_deck: FindPicture, *, plain: bool
) -> PictureLoader:
    """Make the picture loader of a signed-in user and use it for the layout. `plain` is a terminal without symbols.

    This also sets whether the terminal reorders words of right-to-left scripts itself.
    """

    def begin(work: Coroutine[Any, Any, None]) -> object:
        return app.run_worker(work, name="picture", group="pictures", exit_on_error=False)

    def colours() -> tuple[str, str]:
        return _hex(app, "foreground", "#000000"), _hex(app, "background", "#ffffff")

    rasterizer = Rasterizer() if is_installed() and not plain else None
    loader = PictureLoader(
        lms.pictures,
        cache,
        begin,
        lambda: lay_out_again(app),
        rasterizer=rasterizer,
        colours=colours,
        of_deck=of_deck,
    )
    show_from(None if plain else loader)
    leave_words_to_terminal(turning=turns_words(os.environ))
    return loader


def _hex(app: "App[None]", name: str, otherwise: str) -> str:
    """Return a colour of the theme without transparency. If only the terminal knows the colour, return `otherwise`."""
    try:
        colour = Color.parse(app.theme_variables[name])
    except (KeyError, ColorParseError):
        return otherwise
    return otherwise if colour.ansi is not None else colour.hex6


def lay_out_again(app: "App[None]") -> None:
    """Tell the widgets with pictures that one has been loaded or is drawn differently now."""
    for screen in app.screen_stack:
        for widget in screen.walk_children():
            if (changed := getattr(widget, "pictures_changed", None)) is not None:
                changed()
