"""Guess the encoding of a text that is not UTF-8, and name it in a sentence."""

import re
from typing import Final

_HIGH: Final = re.compile(rb"[\x80-\xff]")
_RUN: Final = re.compile(rb"[\x80-\xff]{2,}")
_LONG_RUN: Final = re.compile(rb"[\x80-\xff]{3,}")
_KANA: Final = re.compile("[\u3041-\u30fe]")
_NAMES: Final = {
    "cp932": "Shift-JIS", "euc_jp": "EUC-JP", "cp949": "EUC-KR", "gb18030": "GB 18030", "big5": "Big5",
    "cp1251": "Windows-1251", "cp1252": "Windows-1252", "latin-1": "ISO 8859-1", "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
}  # fmt: skip
_LONGEST: Final = 200_000
_SMALL_A: Final = 0xE0
"""The letter а in Windows-1251, which is frequent. The same byte is rare in the other code pages."""


def name_of(encoding: str) -> str:
    """Return the name of an encoding as people write it."""
    return _NAMES.get(encoding, encoding)


def guess(data: bytes) -> str:
    """Return the likely encoding of a text, or an empty string if the bytes do not tell it."""
    sample = data[:_LONGEST]
    sample = sample[: sample.rfind(b"\n") + 1] or sample
    high = len(_HIGH.findall(sample))
    if sum(map(len, _LONG_RUN.findall(sample))) * 3 < high:
        return _first(data, "cp1252", "latin-1")  # letters with accents between letters of ASCII
    for encoding in ("euc_jp", "cp932"):
        text = _decoded(sample, encoding)
        if len(_KANA.findall(text)) * 5 >= sum(char > "\x7f" for char in text) > 0:
            return encoding
    if _decoded(sample, "gb2312"):
        firsts = [run[at] for run in _RUN.findall(sample) for at in range(0, len(run) - 1, 2)]
        syllables = sum(0xB0 <= first <= 0xC8 for first in firsts)  # the rows of Hangul in KS X 1001
        return "cp949" if syllables * 20 >= 19 * len(firsts) else "gb18030"
    if sample.count(_SMALL_A) * 33 >= high and sum(byte >= _SMALL_A for byte in sample) * 10 >= 7 * high:
        return _first(data, "cp1251")
    return _first(sample, "big5")


def _first(data: bytes, *encodings: str) -> str:
    return next((encoding for encoding in encodings if _decoded(data, encoding)), "")


def _decoded(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return ""
