"""Compare texts that students type with keys (standard library only)."""

import unicodedata
from typing import Final

from lms_tui.common.cleaning import HINTS

_AS_TYPED: Final = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201b\u02bc\u2032", "'"),
        **dict.fromkeys("\u201c\u201d\u201f\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"),
        "\u00ad": None,
    }
)
"""Signs that word processors write in place of those on a keyboard. Soft hyphens have none."""


def folded(text: str, *, case_sensitive: bool = False) -> str:
    """Return a text for comparison: one blank for white space, plain quotes and hyphens, and usually small letters."""
    plain = " ".join(HINTS.sub("", unicodedata.normalize("NFC", text)).translate(_AS_TYPED).split())
    return plain if case_sensitive else plain.casefold()
