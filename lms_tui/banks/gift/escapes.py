"""Hide the escaped characters of GIFT before the text is split, and restore them afterwards."""

import re
from typing import Final

# Noncharacters cannot occur in text, so they can stand for hidden characters.
_NAMES: Final = "\\~=#{}:n"
_HIDDEN: Final = {char: chr(0xFDD0 + at) for at, char in enumerate(_NAMES)}
_SHOWN: Final = str.maketrans({hidden: "\n" if char == "n" else char for char, hidden in _HIDDEN.items()})
_STRANGERS: Final = str.maketrans({chr(code): "\ufffd" for code in range(0xFDD0, 0xFDF0)})
_ESCAPE: Final = re.compile(r"\\([\\~=#{}:n])")
_TAG: Final = re.compile(
    r"""</?[A-Za-z][A-Za-z0-9]*(?:\s+[\w:.-]+(?:\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>=~{}]+))?)+\s*/?>"""
)
_IN_TAG: Final = str.maketrans({char: _HIDDEN[char] for char in "~=#{}:"})


def hide(text: str) -> str:
    """Hide escaped characters, and control characters in HTML attributes, which authors often forget to escape."""
    hidden = _ESCAPE.sub(lambda found: _HIDDEN[found[1]], text.translate(_STRANGERS))
    if "<" in hidden and "=" in hidden:
        hidden = _TAG.sub(lambda found: found[0].translate(_IN_TAG), hidden)
    return hidden


def show(text: str) -> str:
    """Restore what `hide` hid, without the backslashes."""
    return text.translate(_SHOWN)
