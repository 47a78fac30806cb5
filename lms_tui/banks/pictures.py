"""Embed the pictures of an exam file into its HTML, and report missing ones."""

import base64
import binascii
import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import unquote

LARGEST: Final = 512 * 1024
"""The most bytes of a picture that is kept unchanged. A larger one becomes a smaller copy."""
LARGEST_READ: Final = 24 * 1024 * 1024
"""The most bytes of a picture of which a copy is made."""
_MOST_PIXELS: Final = 64_000_000
"""The most pixels of a picture of which a copy is made, more than a phone takes."""
_SIDE: Final = 1280
"""Width and height of the largest copy, more than a terminal can show."""
LARGEST_SUM: Final = 24 * 1024 * 1024
"""Most bytes of all pictures of one file."""
_MAGIC: Final = (
    (b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"),
    (b"BM", "image/bmp"),
)  # fmt: skip
_FORMATS: Final = ("PNG", "JPEG", "GIF", "WEBP", "BMP")
_IMAGE: Final = re.compile(r"<(?:img|object)\b[^<>]{0,4000}>", re.IGNORECASE)
_SOURCE: Final = re.compile(r"""(\b(?:src|data)\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+)""", re.IGNORECASE)
_ALT: Final = re.compile(r"""\balt\s*=\s*["']?[^\s"'>]""", re.IGNORECASE)
_ELSEWHERE: Final = re.compile(r"(?:https?:)?//|mailto:|cid:", re.IGNORECASE)


class Missing(Exception):
    """`str(error)` ends the sentence "The picture “x” …"."""


@dataclass(slots=True)
class Budget:
    """Counts the picture bytes of one file."""

    spent: int = 0


@dataclass(slots=True)
class Pictures:
    """Turns references into data URIs. `fetch` returns the bytes of a member of the same file, or raises Missing."""

    fetch: Callable[[str], bytes]
    budget: Budget = field(default_factory=Budget)
    problems: list[str] = field(default_factory=list)
    known: dict[str, str] = field(default_factory=dict)

    def embed(self, markup: str) -> str:
        """Embed every picture of the file into this HTML, and collect failures in `problems`."""
        if "<" not in markup:
            return markup
        return _IMAGE.sub(self._tag, markup)

    def uri(self, reference: str) -> str:
        """Return a picture as a data URI. Raises Missing."""
        if reference not in self.known:
            data = self.fetch(reference)
            if len(data) > LARGEST and b"<svg" not in data[:4096]:
                data = smaller(data)
                self.problems.append(f"The picture “{shown(reference)}” is large. A smaller copy was imported.")
            if len(data) > LARGEST:
                raise Missing(f"is larger than {LARGEST // 1024} KiB and was left out")
            self.budget.spent += len(data)
            if self.budget.spent > LARGEST_SUM:
                raise Missing(
                    f"was left out, because the pictures of this file are larger than {LARGEST_SUM >> 20} MiB"
                )
            self.known[reference] = data_uri(data)
        return self.known[reference]

    def told(self) -> list[str]:
        """Return and clear the problems since the last call."""
        told = list(dict.fromkeys(self.problems))
        self.problems.clear()
        return told

    def _tag(self, found: "re.Match[str]") -> str:
        tag = found[0]
        source = _SOURCE.search(tag)
        if not source:
            return tag
        reference = html.unescape(source[2].strip("\"'")).strip()
        if not reference or reference[:5].lower() == "data:" or _ELSEWHERE.match(reference):
            return tag
        try:
            uri = self.uri(reference)
        except Missing as problem:
            self.problems.append(f"The picture “{shown(reference)}” {problem}.")
            # Without its address, because a check would report it again.
            alt = "" if _ALT.search(tag) else f' alt="{html.escape(shown(reference))}"'
            return f'{tag[: source.start()]}src=""{alt}{tag[source.end() :]}'
        return f'{tag[: source.start()]}{source[1]}"{uri}"{tag[source.end() :]}'


def smaller(data: bytes) -> bytes:
    """Return a copy of a picture with at most 1280 pixels a side. Raises Missing if it cannot be decoded."""
    import warnings  # noqa: PLC0415 - as PIL
    from io import BytesIO  # noqa: PLC0415 - as PIL

    from PIL import Image, ImageOps  # noqa: PLC0415 - its import takes 20 ms, and most files have no large picture

    if len(data) > LARGEST_READ:
        raise Missing(f"is larger than {LARGEST_READ >> 20} MiB and was left out")
    stream = BytesIO()
    try:
        with warnings.catch_warnings(), Image.open(BytesIO(data), formats=_FORMATS) as image:
            warnings.simplefilter("ignore")
            if image.width * image.height <= _MOST_PIXELS:
                image.draft("RGB", (_SIDE, _SIDE))
                upright = ImageOps.exif_transpose(image).convert("RGBA")
                upright.thumbnail((_SIDE, _SIDE))
                paper = Image.new("RGBA", upright.size, "white")
                paper.alpha_composite(upright)
                paper.convert("RGB").save(stream, "JPEG", quality=85)
    except Exception:  # noqa: BLE001 - Pillow raises many kinds of errors for broken files
        raise Missing("cannot be decoded and was left out") from None
    if not stream.tell():
        raise Missing("has too many pixels and was left out")
    return stream.getvalue()


def data_uri(data: bytes) -> str:
    """Return bytes as a data URI. Raises Missing if they are not a picture."""
    kind = next((kind for magic, kind in _MAGIC if data.startswith(magic)), "")
    if data[8:12] == b"WEBP":
        kind = "image/webp"
    if not kind and b"<svg" in data[:4096]:
        kind = "image/svg+xml"
    if not kind:
        raise Missing("is not in a known picture format and was left out")
    return f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}"


def from_base64(text: str) -> bytes:
    """Decode base64 with any line breaks. Raises Missing."""
    if len(text) > 2 * LARGEST_SUM:
        raise Missing("is too large and was left out")
    packed = re.sub(r"\s+", "", text)
    try:
        return base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise Missing("is not valid base64 and was left out") from None


def shown(reference: str) -> str:
    """Shorten a reference for use in a sentence."""
    plain = unquote(reference).replace("\n", " ")
    name = PurePosixPath(plain).name or plain
    return name if len(name) <= 60 else f"{name[:59]}…"
