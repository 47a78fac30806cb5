"""GIFT's escapes: hide every escaped character before the text is split, bring it back after."""

import re
from typing import Final

# Noncharacters: no text may hold them, so they are free to stand for something else.
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
    """Hide what is escaped, and control characters between the quotes of HTML attributes, where many forget to."""
    hidden = _ESCAPE.sub(lambda found: _HIDDEN[found[1]], text.translate(_STRANGERS))
    if "<" in hidden and "=" in hidden:
        hidden = _TAG.sub(lambda found: found[0].translate(_IN_TAG), hidden)
    return hidden


def show(text: str) -> str:
    """Bring back what `hide` hid, without the backslashes."""
    return text.translate(_SHOWN)
