"""Decode the body of a reply into cleaned JSON, with limits on memory and time."""

import json
import math
import zlib
from collections.abc import AsyncIterable
from typing import Any, Final

from lms_tui.common.cleaning import clean_tree
from lms_tui.wire.errors import NotTheService

LARGEST_BODY: Final = 8 * 1024 * 1024
"""Limit in bytes after decompression."""
_DEEPEST: Final = 64
_LONGEST_INTEGER: Final = 40


async def read_body(chunks: AsyncIterable[bytes], encoding: str, largest: int = LARGEST_BODY) -> bytes:
    """Collect and decompress a body of at most `largest` bytes. Raises NotTheService for a larger one.

    httpx would decompress a whole chunk at once, and 64 KB of gzip can become 64 MB.
    """
    encoding = encoding.strip().lower()
    if encoding not in {"", "identity", "gzip", "x-gzip", "deflate"}:
        raise NotTheService("The server's reply has an unknown compression.")
    unpack = None if encoding in {"", "identity"} else zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
    body = bytearray()
    async for chunk in chunks:
        try:
            body += chunk if unpack is None else unpack.decompress(chunk, largest + 1 - len(body))
        except zlib.error:
            raise NotTheService("The server's reply is damaged.") from None
        if len(body) > largest:
            raise NotTheService("The server's reply is too large.")
    if unpack is not None and body and not unpack.eof:
        raise NotTheService("The server's reply is incomplete.")
    return bytes(body)


def decode(body: bytes) -> object:
    """Return cleaned JSON, or None for an empty body. Raises NotTheService for a web page or invalid JSON.

    Numbers outside JSON (NaN, Infinity, 1e999, thousands of digits) are read as null. The rest of the reply is kept.
    """
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NotTheService("The server's reply is not text.") from None
    if not text.strip():
        return None
    if text.lstrip().startswith("<"):
        raise NotTheService("The server replied with a web page.")
    try:
        tree = json.loads(text, parse_constant=_nothing, parse_float=_finite, parse_int=_integer)
    except (ValueError, RecursionError):
        raise NotTheService("The server's reply is incomplete or not JSON.") from None
    if is_too_deep(tree):
        raise NotTheService("The server's reply is nested too deeply.")
    return clean_tree(tree)


def _nothing(_name: str) -> None:
    return None


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


def _integer(text: str) -> int | None:
    return int(text) if len(text) <= _LONGEST_INTEGER else None


def is_too_deep(tree: object) -> bool:
    """Return whether JSON is nested deeper than any valid reply and than recursion may go."""
    level: list[Any] = [tree]
    for _ in range(_DEEPEST):
        level = [
            child
            for value in level
            if isinstance(value, dict | list)
            for child in (value.values() if isinstance(value, dict) else value)
        ]
        if not level:
            return False
    return True
