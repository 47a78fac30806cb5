"""Decode text files: by byte order mark, then as UTF-8, then by a guess that is reported."""

import codecs
from typing import Final

from lms_tui.banks.encodings import guess, name_of
from lms_tui.banks.model import NotAnExam
from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen

_UNKNOWN: Final = (
    "The encoding of the file is not known. Name it with `lms-tui exam convert --encoding NAME`, or save it as UTF-8."
)
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@frozen
class Decoded:
    """Decoded text. `warning` is a sentence if the encoding was guessed or bytes were lost, else empty."""

    text: str
    warning: str = ""
    known: bool = True
    """False if the bytes do not tell the encoding, so that letters are wrong."""
    is_utf8: bool = False


def decode(data: bytes) -> Decoded:
    """Decode a text file. Every line end becomes a newline."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _marked(data[len(mark) :], encoding)
    if _wide(data):
        return _guessed(data)
    try:
        return Decoded(_lines(data.decode("utf-8")), is_utf8=True)
    except UnicodeDecodeError:
        return _guessed(data)


def _marked(data: bytes, encoding: str) -> Decoded:
    text = data.decode(encoding, errors="replace")
    lost = "Some bytes do not match the byte order mark of the file. They are shown as �." if "\ufffd" in text else ""
    return Decoded(_lines(text), lost)


def _guessed(data: bytes) -> Decoded:
    encoding = _wide(data) or guess(data)
    if not encoding:
        return Decoded(_lines(data.decode("latin-1")), _UNKNOWN, known=False)
    told = f"The file is not UTF-8. It was read as {name_of(encoding)}. If letters look wrong, use --encoding."
    return Decoded(_lines(data.decode(encoding, errors="replace")), told)


def recoded(data: bytes, encoding: str) -> bytes:
    """Return a text in the named encoding as UTF-8. Raises NotAnExam."""
    try:
        return data.decode(encoding).encode("utf-8") if encoding else data
    except (UnicodeError, LookupError):
        message = f"The file is not in the encoding {clean_line(encoding)[:40]}."
        raise NotAnExam(message, "Name another one, such as shift_jis, gb18030, big5, euc_kr or cp1251.") from None


def _wide(data: bytes) -> str:
    """Return the encoding if this looks like ASCII text in UTF-16, else an empty string."""
    head = data[:4096]
    if head.count(0) * 4 < len(head):
        return ""
    return "utf-16-le" if head[1::2].count(0) >= head[::2].count(0) else "utf-16-be"


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
