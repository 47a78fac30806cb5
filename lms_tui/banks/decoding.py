"""Decode text files: by byte order mark, then as UTF-8, then by a guess that is reported."""

import codecs
from dataclasses import dataclass
from typing import Final

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NAMES: Final = {"cp1252": "Windows-1252", "latin-1": "ISO 8859-1", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}


@dataclass(frozen=True, slots=True)
class Decoded:
    """Decoded text. `warning` is a sentence if the encoding was guessed or bytes were lost, else empty."""

    text: str
    warning: str = ""


def decode(data: bytes) -> Decoded:
    """Decode a text file. Every line end becomes a newline."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _marked(data[len(mark) :], encoding)
    if _wide(data):
        return _guessed(data)
    try:
        return Decoded(_lines(data.decode("utf-8")))
    except UnicodeDecodeError:
        return _guessed(data)


def _marked(data: bytes, encoding: str) -> Decoded:
    text = data.decode(encoding, errors="replace")
    lost = "Some bytes do not match the byte order mark of the file. They are shown as �." if "\ufffd" in text else ""
    return Decoded(_lines(text), lost)


def _guessed(data: bytes) -> Decoded:
    for encoding in (_wide(data), "cp1252", "latin-1"):
        if not encoding:
            continue
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        name = _NAMES[encoding]
        return Decoded(
            _lines(text), f"The file is not UTF-8. It was read as {name}. If letters look wrong, save it as UTF-8."
        )
    return Decoded(_lines(data.decode("utf-8", errors="replace")))


def _wide(data: bytes) -> str:
    """Return the encoding if this looks like ASCII text in UTF-16, else an empty string."""
    head = data[:4096]
    if head.count(0) * 4 < len(head):
        return ""
    return "utf-16-le" if head[1::2].count(0) >= head[::2].count(0) else "utf-16-be"


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
