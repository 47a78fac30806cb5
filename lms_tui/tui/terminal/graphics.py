"""Pictures drawn by the terminal, with the protocol of kitty or iTerm2, or with sixels.

Widgets draw blank cells that name a row of a picture (`drawn.PART`). After each frame the visible cells are collected,
and the pictures of which every cell is visible are drawn over them. No key waits for a picture.

The protocol is found out after the first paint. A picture moves the cursor of a terminal that draws it, and the
terminal reports the position of its cursor.
"""

import base64
import os
import re
import zlib
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from textual.geometry import Region

from lms_tui.common.frozen import frozen
from lms_tui.common.settings import Appearance, Drawing
from lms_tui.tui.terminal.escapes import write_escape
from lms_tui.tui.widgets.drawn import BITMAPS, PART

if TYPE_CHECKING:
    from rich.segment import Segment
    from textual.app import App
    from textual.events import CursorPosition
    from textual.timer import Timer

    from lms_tui.content.images import Bitmap

_AFTER_FRAME: Final = 0.03
"""Seconds between a frame and its pictures. No pictures are made while a person scrolls."""
_TEXT_AT: Final = re.compile(r"\x1b\[(\d+);(\d+)H(?=[^\x1b]|\x1b\[[\d;]*m)")
"""A move of the cursor that text follows, in colours or not."""
_USUAL_CELL: Final = (8, 16)
_LARGEST_CELL: Final = 64
_CHUNK: Final = 4_096
_COLOURS: Final = 128
_LEAST_SIZE: Final = (60, 16)
_PIXEL: Final = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="


class Protocol(StrEnum):
    KITTY = "kitty"
    ITERM = "iterm"
    SIXEL = "sixel"


@frozen
class Placement:
    """A picture of `columns` × `rows` cells, of which `count` rows from row `first` on are seen at column x, row y."""

    number: int
    x: int
    y: int
    columns: int
    rows: int
    first: int
    count: int

    @property
    def region(self) -> Region:
        return Region(self.x, self.y, self.columns, self.count)


def placements(rows: Iterable[Iterable["Segment"]]) -> tuple[Placement, ...]:
    """The pictures in the rows of a screen, with those of their rows that are seen whole."""
    found: dict[tuple[int, ...], Placement] = {}
    for y, row in enumerate(rows):
        x = 0
        for segment in row:
            cells = segment.cell_length
            style = segment.style
            if style is not None and style._meta is not None and (part := style.meta.get(PART)):  # noqa: SLF001 - the property unpickles
                number, at, columns, tall = part
                key = (number, x, y - at, columns, tall)
                known = found.get(key)
                if cells != columns:
                    pass
                elif known is None:
                    found[key] = Placement(number, x, y, columns, tall, at, 1)
                elif known.y + known.count == y:
                    found[key] = Placement(number, x, known.y, columns, tall, known.first, known.count + 1)
            x += cells
    return tuple(found.values())


# Control sequences.


def _packed(text: str, control: str) -> str:
    """A command of the kitty protocol with its data in chunks."""
    chunks = [text[at : at + _CHUNK] for at in range(0, len(text), _CHUNK)] or [""]
    last = len(chunks) - 1
    return "".join(
        f"\x1b_G{f'{control},' if not at else ''}m={int(at < last)};{chunk}\x1b\\" for at, chunk in enumerate(chunks)
    )


def kitty_sent(bitmap: "Bitmap", name: int) -> str:
    """Hand a picture over under a name, to be placed as often as wanted."""
    data = base64.standard_b64encode(zlib.compress(bitmap.pixels, 3)).decode()
    return _packed(data, f"a=t,q=2,i={name},f=24,o=z,s={bitmap.width},v={bitmap.height}")


def kitty_placed(bitmap: "Bitmap", name: int, place: Placement) -> str:
    top = bitmap.height * place.first // place.rows
    tall = max(1, bitmap.height * place.count // place.rows)
    return f"\x1b_Ga=p,q=2,C=1,i={name},c={place.columns},r={place.count},y={top},h={tall}\x1b\\"


KITTY_CLEARED: Final = "\x1b_Ga=d,d=a,q=2\x1b\\"


@lru_cache(maxsize=64)
def _cropped(bitmap: "Bitmap", first: int, count: int, rows: int) -> "tuple[int, int, bytes]":
    top, end = bitmap.height * first // rows, max(1, bitmap.height * (first + count) // rows)
    line = bitmap.width * 3
    return bitmap.width, end - top, bitmap.pixels[top * line : end * line]


@lru_cache(maxsize=64)
def iterm(bitmap: "Bitmap", place: Placement) -> str:
    import io  # noqa: PLC0415 - see below

    from PIL import Image  # noqa: PLC0415 - the bitmap came from it

    width, height, pixels = _cropped(bitmap, place.first, place.count, place.rows)
    out = io.BytesIO()
    Image.frombytes("RGB", (width, height), pixels).save(out, "PNG", compress_level=3)
    data = out.getvalue()
    how = f"inline=1;size={len(data)};width={place.columns};height={place.count};preserveAspectRatio=0"
    return f"\x1b]1337;File={how}:{base64.standard_b64encode(data).decode()}\x07"


_LONG_RUN: Final = re.compile(rb"(.)\1{3,254}", re.DOTALL)


@lru_cache(maxsize=64)
def sixel(bitmap: "Bitmap", place: Placement, cell: tuple[int, int], *, lowest: bool = False) -> str:
    """Return a picture in sixels, as tall as its cells.

    `lowest` is true if the picture ends on the last row of the screen. Sixels below that row would scroll the screen.
    """
    from PIL import Image  # noqa: PLC0415 - the bitmap came from it

    tall = place.count * cell[1]
    size = place.columns * cell[0], max(6, tall // 6 * 6) if lowest else tall
    width, height, pixels = _cropped(bitmap, place.first, place.count, place.rows)
    image = Image.frombytes("RGB", (width, height), pixels).resize(size, Image.Resampling.BILINEAR)
    flat = image.quantize(_COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    palette, data = flat.getpalette() or [], flat.tobytes()
    parts = [f'\x1bP0;0;0q"1;1;{size[0]};{size[1]}']
    for number in range(len(palette) // 3):
        red, green, blue = (round(value / 2.55) for value in palette[number * 3 : number * 3 + 3])
        parts.append(f"#{number};2;{red};{green};{blue}")
    bands = []
    for top in range(0, size[1], 6):
        band = [data[at * size[0] : (at + 1) * size[0]] for at in range(top, min(top + 6, size[1]))]
        used = sorted(set(b"".join(band)))
        bands.append("$".join(f"#{number}{_sixels(band, number)}" for number in used))
    return "".join(parts) + "-".join(bands) + "\x1b\\"


def _sixels(band: list[bytes], number: int) -> str:
    """One colour of six rows: a character for each column, long runs by their length."""
    columns = 0
    for bit, row in enumerate(band):
        columns |= int.from_bytes(row.translate(_bits(bit, number)))
    text = columns.to_bytes(len(band[0])).translate(_SHIFTED)
    return _LONG_RUN.sub(lambda found: b"!%d%s" % (len(found[0]), found[1]), text).decode()


@lru_cache(maxsize=6 * _COLOURS)
def _bits(bit: int, number: int) -> bytes:
    """A table that makes a pixel of one colour the bit of its row."""
    return bytes(number) + bytes([1 << bit]) + bytes(255 - number)


_SHIFTED: Final = bytes(value + 63 if value < 64 else 63 for value in range(256))


def cell_pixels() -> tuple[int, int]:
    """Return the width and height of a cell in pixels, 8 by 16 when the terminal does not tell."""
    try:
        import fcntl  # noqa: PLC0415 - not everywhere
        import struct  # noqa: PLC0415 - with it
        import termios  # noqa: PLC0415 - with it
    except ImportError:
        return _USUAL_CELL
    for descriptor in (2, 1, 0):
        try:
            rows, columns, width, height = struct.unpack("HHHH", fcntl.ioctl(descriptor, termios.TIOCGWINSZ, bytes(8)))
        except OSError:  # it leads elsewhere
            continue
        if rows and columns and width and height:
            return min(_LARGEST_CELL, max(4, width // columns)), min(_LARGEST_CELL, max(6, height // rows))
    return _USUAL_CELL


def drawn(protocol: Protocol, bitmap: "Bitmap", columns: int, rows: int) -> str:
    """A whole picture at the cursor, for a terminal that keeps what was printed."""
    place = Placement(0, 0, 0, columns, rows, 0, rows)
    if protocol is Protocol.ITERM:
        return iterm(bitmap, place)
    if protocol is Protocol.SIXEL:
        return sixel(bitmap, place, cell_pixels())
    data = base64.standard_b64encode(zlib.compress(bitmap.pixels, 3)).decode()
    return _packed(data, f"a=T,q=2,C=1,f=24,o=z,s={bitmap.width},v={bitmap.height},c={columns},r={rows}")


# Asking and drawing.


class Graphics:
    """Draws pictures on the terminal of an app. `protocol`: from the settings, or None until the terminal answers."""

    def __init__(
        self, app: "App[None]", protocol: Protocol | None = None, environment: Mapping[str, str] = os.environ
    ) -> None:
        self._app = app
        self._multiplexed = "TMUX" in environment or environment.get("TERM", "").startswith(("tmux", "screen"))
        self._asked = False
        self._heard: list[tuple[int, int]] = []
        self._shown: tuple[Placement, ...] = ()
        self._names: dict[int, int] = {}
        self._damaged = False
        self._timer: Timer | None = None
        self.protocol = protocol

    def _write(self, text: str) -> None:
        write_escape(self._app, f"\x1b[?2026h\x1b7{text}\x1b8\x1b[?2026l")

    def ask(self) -> None:
        """Find out which protocol the terminal knows.

        Draws one pixel with each protocol over the last row but one and asks for the cursor after each. Then the row is
        drawn again. A multiplexer is asked for sixels only, because it would show the other protocols as its title.
        """
        app, size = self._app, self._app.size
        if app.is_headless or app.is_web or size.width < _LEAST_SIZE[0] or size.height < _LEAST_SIZE[1]:
            return
        self._asked = True
        place, tries = f"\x1b[{size.height - 1};1H", ""
        if not self._multiplexed:
            tries += f"{place}\x1b_Ga=T,q=2,i=1,f=24,s=1,v=1,c=2,r=1;AAAA\x1b\\\x1b[6n{KITTY_CLEARED}"
            tries += f"{place}\x1b]1337;File=inline=1;width=2;height=1;preserveAspectRatio=0:{_PIXEL}\x07\x1b[6n"
        # These sixels are empty and only move the cursor down.
        tries += f'\x1b[2;1H\x1bP0;1q"1;1;1;100{"?-" * 16}\x1b\\\x1b[6n'
        strips = app.screen._compositor.render_strips()  # noqa: SLF001 - the row on the terminal
        under = strips[size.height - 2].render(app.console) if size.height - 2 < len(strips) else ""
        self._write(f"{tries}{place}\x1b[0m{under}")

    def hear(self, event: "CursorPosition") -> bool:
        """Take one cursor report. Return True after the last one when the terminal draws pictures."""
        expected = 1 if self._multiplexed else 3
        if not self._asked or len(self._heard) >= expected or event.y == self._app.size.height - 1:
            return False
        self._heard.append((event.x, event.y))
        if len(self._heard) < expected:
            return False
        *wide, (_, down) = self._heard
        if wide and wide[0][0] == 2:
            self.protocol = Protocol.KITTY
        elif down > 1:
            self.protocol = Protocol.SIXEL
        elif len(wide) > 1 and wide[1][0] == 2:
            self.protocol = Protocol.ITERM
        return self.protocol is not None

    def displayed(self) -> None:
        """A frame has gone to the terminal."""
        if self.protocol is not None:
            if self._timer is not None:
                self._timer.stop()
            self._timer = self._app.set_timer(_AFTER_FRAME, self._draw)

    def wrote(self, text: str) -> None:
        """Take text that goes to the terminal. Where it stands in the cells of a picture, the picture is gone."""
        if self.protocol is not Protocol.KITTY and self._shown and not self._damaged:
            starts = [(int(x) - 1, int(y) - 1) for y, x in _TEXT_AT.findall(text)]
            covered = [each.region for each in self._shown]
            self._damaged = any(x < cells.right and cells.y <= y < cells.bottom for cells in covered for x, y in starts)

    def _draw(self) -> None:
        self._timer = None
        screen = self._app.screen
        found = placements(screen._compositor.render_strips())  # noqa: SLF001 - the rows on the terminal
        if found == self._shown and not self._damaged:
            return
        self._damaged = False
        commands = [KITTY_CLEARED] if self.protocol is Protocol.KITTY and self._shown else []
        self._shown = found
        commands += [self._drawn(bitmap, each) for each in found if (bitmap := BITMAPS.get(each.number)) is not None]
        if commands:
            self._write("".join(commands))

    def _drawn(self, bitmap: "Bitmap", place: Placement) -> str:
        at = f"\x1b[{place.y + 1};{place.x + 1}H"
        if self.protocol is Protocol.ITERM:
            return at + iterm(bitmap, place)
        if self.protocol is Protocol.SIXEL:
            lowest = place.y + place.count >= self._app.size.height
            return at + sixel(bitmap, place, cell_pixels(), lowest=lowest)
        name = self._names.get(place.number)
        sent = ""
        if name is None:
            name = self._names[place.number] = len(self._names) + 2
            sent = kitty_sent(bitmap, name)
        return sent + at + kitty_placed(bitmap, name, place)

    def forget(self) -> None:
        """Send every picture again with the next frame, because the terminal may have missed some."""
        self._names.clear()
        self._damaged = True

    def release(self) -> None:
        """Take the pictures away, and the terminal's copies of them."""
        if self.protocol is Protocol.KITTY and self._names:
            self._write("\x1b_Ga=d,d=A,q=2\x1b\\")


def graphics_of(app: "App[None]", appearance: Appearance) -> Graphics | None:
    """Return the graphics that the settings name, or ask the terminal. Return None when pictures are switched off."""
    if appearance.ascii or appearance.pictures is Drawing.BLOCKS:
        return None
    if appearance.pictures is not Drawing.AUTO:
        return Graphics(app, Protocol(appearance.pictures.value))
    graphics = Graphics(app)
    graphics.ask()
    return graphics
