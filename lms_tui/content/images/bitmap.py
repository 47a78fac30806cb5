"""Decode untrusted pictures to pixels, and refuse pictures that are broken or too large.

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
from functools import lru_cache
from typing import Final, Protocol
from urllib.parse import unquote_to_bytes

from lms_tui.common.frozen import frozen
from lms_tui.content.lines import Bitmap
from lms_tui.content.model import Maths, MathsStyle

LARGEST: Final = 4 * 1024 * 1024
"""Most bytes of one picture."""
MOST_PIXELS: Final = 4_000_000
"""Most pixels of one picture: 12 MB when decoded, a tenth of a second of processor time."""
_KEPT: Final = 640
"""Largest width and height of a decoded picture in pixels, more than a terminal can show."""
_FORMATS: Final = ("PNG", "JPEG", "GIF", "WEBP", "BMP")
_DATA: Final = re.compile(r"data:image/[a-z0-9.+-]{1,20}((?:;[a-z0-9=-]{1,30}){0,3}),", re.IGNORECASE)


@lru_cache(maxsize=64)
def embedded(source: str) -> Bitmap | None:
    """Decode the picture in a data URI. Returns None if there is no readable picture."""
    payload = payload_of(source)
    return None if payload is None else decode(payload)


def payload_of(source: str) -> bytes | None:
    """Return the bytes of the picture in a data URI, or None."""
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
    """Decode a picture of at most LARGEST bytes and MOST_PIXELS pixels. Returns None if it cannot be decoded."""
    if not 0 < len(data) <= LARGEST:
        return None
    import io  # noqa: PLC0415 - as PIL
    import warnings  # noqa: PLC0415 - as PIL

    from PIL import Image  # noqa: PLC0415 - its import takes 20 ms, and many exams have no pictures

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
    except Exception:  # noqa: BLE001 - Pillow raises many kinds of errors for broken files
        return None


@frozen
class Formula:
    """A formula drawn as a picture of whole cells.

    `baseline` is the row of the picture that aligns with the text line. `text` holds the formula as rows of text, for
    screen readers and for terminals that lose the picture. `text_baseline` is the baseline row of `text`.
    """

    bitmap: Bitmap
    columns: int
    rows: int
    baseline: int
    text: tuple[str, ...] = ()
    text_baseline: int = 0


class Pictures(Protocol):
    """A source of pictures."""

    @property
    def graphics(self) -> bool:
        """Whether the terminal draws pictures over blank cells. Otherwise half blocks are used."""
        ...

    @property
    def formulas(self) -> bool:
        """Whether formulas can be pictures."""
        ...

    def find(self, source: str) -> Bitmap | str | None:
        """Return the pixels of an image, a reason why they are missing, or None if `source` is not a picture."""
        ...

    def formula(self, maths: Maths) -> Formula | None:
        """Return the picture of a formula, or None if it can only be shown as text."""
        ...


class _Embedded:
    """Only the pictures that a document itself contains."""

    graphics = False
    formulas = False

    def find(self, source: str) -> Bitmap | None:
        return embedded(source)

    def formula(self, maths: Maths) -> None:  # noqa: ARG002 - the signature of the protocol
        return None


EMBEDDED: Final[Pictures] = _Embedded()
_SHOWN: Final[ContextVar[Pictures | None]] = ContextVar("pictures", default=EMBEDDED)


def show_from(pictures: Pictures | None) -> None:
    """Use these pictures for layout in this task and the tasks it starts. With `None`, show alternative texts only.

    The pictures are in a context variable, because they depend on the terminal and not on a screen.
    """
    _SHOWN.set(pictures)


@contextmanager
def showing(pictures: Pictures | None) -> Iterator[None]:
    """Use these pictures for layout inside the `with` block."""
    token = _SHOWN.set(pictures)
    try:
        yield
    finally:
        _SHOWN.reset(token)


def now_shown() -> Pictures | None:
    return _SHOWN.get()


def following(style: MathsStyle, styles: Sequence[MathsStyle]) -> MathsStyle:
    """Return the style after this one. Pictures come first if the terminal draws formulas."""
    shown = now_shown()
    rungs = (MathsStyle.PICTURE, *styles) if shown is not None and shown.formulas else (*styles,)
    return rungs[(rungs.index(style) + 1) % len(rungs)] if style in rungs else rungs[1 % len(rungs)]
