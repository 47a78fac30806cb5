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
"""Most bytes of one picture."""
LARGEST_SUM: Final = 24 * 1024 * 1024
"""Most bytes of all pictures of one file."""
_MAGIC: Final = (
    (b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"),
    (b"BM", "image/bmp"),
)  # fmt: skip
_IMAGE: Final = re.compile(r"<(?:img|object)\b[^<>]{0,4000}>", re.IGNORECASE)
_SOURCE: Final = re.compile(r"""(\b(?:src|data)\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+)""", re.IGNORECASE)
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
            return tag
        return f'{tag[: source.start()]}{source[1]}"{uri}"{tag[source.end() :]}'


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
