"""Decode the bytes of a picture from a server or file to pixels; refuse pictures that are broken or too large.

Reads PNG, JPEG, GIF, WebP and BMP, and the first frame of an animation. SVG is drawn in a separate process
(`lms_tui.tui.terminal.rasterizer`), because a hostile SVG can crash its library. Without that process, the picture's
alternative text is shown.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol
from urllib.parse import unquote_to_bytes

from lms_tui.content.model import Bitmap, Maths, MathsStyle

LARGEST: Final = 4 * 1024 * 1024
"""Bytes of one picture."""
MOST_PIXELS: Final = 4_000_000
"""Pixels of one picture: 12 MB once read, a tenth of a second of a core."""
_KEPT: Final = 640
"""Pixels that a picture is wide and high at most once it is read: more than any terminal shows."""
_FORMATS: Final = ("PNG", "JPEG", "GIF", "WEBP", "BMP")
_DATA: Final = re.compile(r"data:image/[a-z0-9.+-]{1,20}((?:;[a-z0-9=-]{1,30}){0,3}),", re.IGNORECASE)


@lru_cache(maxsize=64)
def embedded(source: str) -> Bitmap | None:
    """Read the picture of a data URI; None where it is none, or cannot be read."""
    payload = payload_of(source)
    return None if payload is None else decode(payload)


def payload_of(source: str) -> bytes | None:
    """The bytes of a data URI of a picture; None where it is none."""
    found = _DATA.match(source)
    if found is None or len(source) > 2 * LARGEST:
        return None
    payload = unquote_to_bytes(source[found.end() :])
    if ";base64" in found[1].lower():
        try:
            payload = base64.b64decode(re.sub(rb"\s", b"", payload) + b"==")
        except (binascii.Error, ValueError):
            return None
    return payload


def decode(data: bytes) -> Bitmap | None:
    """Read a picture of at most LARGEST bytes and MOST_PIXELS pixels; None where it is not one."""
    if not 0 < len(data) <= LARGEST:
        return None
    import io  # noqa: PLC0415 - see below
    import warnings  # noqa: PLC0415 - see below

    from PIL import Image  # noqa: PLC0415 - 20 ms that exams without pictures save

    try:
        with warnings.catch_warnings(), Image.open(io.BytesIO(data), formats=_FORMATS) as image:
            warnings.simplefilter("ignore")
            width, height = image.size
            if not 0 < width * height <= MOST_PIXELS:
                return None
            image.draft("RGB", (_KEPT, _KEPT))
            image.load()
            flat = image.convert("RGBA")
            paper = Image.new("RGBA", flat.size, "white")
            paper.alpha_composite(flat)
            small = paper.convert("RGB")
            small.thumbnail((_KEPT, _KEPT))
            return Bitmap(*small.size, small.tobytes(), (width, height), hashlib.sha256(data).digest())
    except Exception:  # noqa: BLE001 - Pillow raises whatever a broken file leads its many readers to
        return None


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula as a picture of whole cells; `baseline`: the row that stands on the line.

    `text`: the rows of the same in letters, its first at the top of the picture or below, for the cells under it: what
    a screen reader says, and what is seen where the picture is not.
    """

    bitmap: Bitmap
    columns: int
    rows: int
    baseline: int
    text: tuple[str, ...] = ()
    text_baseline: int = 0


class Pictures(Protocol):
    """Where pictures come from and who draws them."""

    @property
    def graphics(self) -> bool:
        """Whether the terminal draws them, over blank cells; else they are half blocks."""
        ...

    @property
    def formulas(self) -> bool:
        """Whether formulas can be pictures, too."""
        ...

    def find(self, source: str) -> Bitmap | str | None:
        """The pixels of an image, or words about why they are not there (yet); None for what is no picture."""
        ...

    def formula(self, maths: Maths) -> Formula | None:
        """A formula as a picture; None where it can only be text."""
        ...


class _Embedded:
    """The pictures that a document holds itself."""

    graphics = False
    formulas = False

    def find(self, source: str) -> Bitmap | None:
        return embedded(source)

    def formula(self, maths: Maths) -> None:  # noqa: ARG002 - nobody draws them here
        return None


EMBEDDED: Final[Pictures] = _Embedded()
_SHOWN: Final[ContextVar[Pictures | None]] = ContextVar("pictures", default=EMBEDDED)


def show_from(pictures: Pictures | None) -> None:
    """Lay out with these pictures from now on, in this task and those that it begins; None: with their words only.

    A context variable, because whether there are pictures is a matter of the terminal and not of any one screen.
    """
    _SHOWN.set(pictures)


@contextmanager
def showing(pictures: Pictures | None) -> Iterator[None]:
    """The same for what is laid out inside."""
    token = _SHOWN.set(pictures)
    try:
        yield
    finally:
        _SHOWN.reset(token)


def now_shown() -> Pictures | None:
    return _SHOWN.get()


def following(style: MathsStyle, styles: Sequence[MathsStyle]) -> MathsStyle:
    """The rung of the maths ladder after this one: pictures before all of `styles`, where the terminal draws them."""
    shown = now_shown()
    rungs = (MathsStyle.PICTURE, *styles) if shown is not None and shown.formulas else (*styles,)
    return rungs[(rungs.index(style) + 1) % len(rungs)] if style in rungs else rungs[1 % len(rungs)]
