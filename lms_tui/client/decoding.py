"""From bytes of a stranger to a cleaned JSON tree, in bounded memory and time."""

import json
import math
import zlib
from collections.abc import AsyncIterable
from typing import Any, Final

from lms_tui.common.cleaning import clean_tree
from lms_tui.wire.errors import NotTheService

LARGEST_BODY: Final = 8 * 1024 * 1024
"""Bytes after decompression."""
_DEEPEST: Final = 64
_LONGEST_INTEGER: Final = 40


async def read_body(chunks: AsyncIterable[bytes], encoding: str, largest: int = LARGEST_BODY) -> bytes:
    """Collect a body as it was sent, decompressing at most `largest` bytes; raises NotTheService beyond.

    The HTTP library decompresses a whole chunk before anyone can say stop: 64 KB of gzip become 64 MB at once.
    """
    encoding = encoding.strip().lower()
    if encoding not in {"", "identity", "gzip", "x-gzip", "deflate"}:
        raise NotTheService("The server packed its answer in a way that was not asked for.")
    unpack = None if encoding in {"", "identity"} else zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
    body = bytearray()
    async for chunk in chunks:
        try:
            body += chunk if unpack is None else unpack.decompress(chunk, largest + 1 - len(body))
        except zlib.error:
            raise NotTheService("The server's answer arrived damaged.") from None
        if len(body) > largest:
            raise NotTheService("The server's answer is far larger than any answer of this service.")
    if unpack is not None and body and not unpack.eof:
        raise NotTheService("The server's answer arrived incomplete.")
    return bytes(body)


def decode(body: bytes) -> object:
    """Read cleaned JSON, None for an empty body; raises NotTheService for a web page, half a body and nonsense.

    A number that JSON does not know (NaN, Infinity, 1e999, thousands of digits) reads as null, so that it costs its
    field and not the exam around it.
    """
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NotTheService("The server's answer is not text.") from None
    if not text.strip():
        return None
    if text.lstrip().startswith("<"):
        raise NotTheService("The server answered with a web page.")
    try:
        tree = json.loads(text, parse_constant=_nothing, parse_float=_finite, parse_int=_integer)
    except (ValueError, RecursionError):
        raise NotTheService("The server's answer is incomplete or not in the service's language.") from None
    if is_too_deep(tree):
        raise NotTheService("The server's answer is nested too deeply to be one of this service.")
    return clean_tree(tree)


def _nothing(_name: str) -> None:
    return None


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


def _integer(text: str) -> int | None:
    return int(text) if len(text) <= _LONGEST_INTEGER else None


def is_too_deep(tree: object) -> bool:
    """Whether JSON is nested deeper than any answer, and than a function that calls itself may follow."""
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
