import re
from typing import Final

_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """Replace what no database keeps (NUL, lone surrogates) by a visible mark; everything else stays as given."""
    return _UNSTORABLE.sub("\ufffd", text)
