"""Setting a paper: the typesetter with its fonts, and the pictures it may show."""

import base64
import binascii
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from lms_tui.service.papers.markup import Writer

_FONTS: Final = Path(__file__).with_name("fonts")
_DATA: Final = "data:image/"
_MOST_PICTURES: Final = 300


def is_installed() -> bool:
    """Say whether there is a typesetter (`lms-tui[pdf]`)."""
    return find_spec("typst") is not None


def printed(source: Callable[[Writer], str]) -> bytes:
    """Return a PDF of what source writes.

    The typesetter reads nothing but a folder of this paper's pictures. A formula that it does not take costs the paper
    its typeset formulas, and not the paper.
    """
    import typst  # noqa: PLC0415  # only papers pay for the typesetter

    with tempfile.TemporaryDirectory(prefix="lms-paper-") as folder:
        pictures = _Pictures(Path(folder))

        def compiled(writer: Writer) -> bytes:
            text = source(writer).encode()
            # Its types ask for one kind of path in all places, and the source is no path.
            press: Any = typst.compile
            return bytes(press(text, root=folder, font_paths=[_FONTS], ignore_system_fonts=False))

        try:
            return compiled(Writer(pictures))
        except typst.TypstError:
            return compiled(Writer(pictures, plain_maths=True))


@dataclass(slots=True)
class _Pictures:
    """Pictures that travel inside exams, drawn anew as files; an address of a stranger is never visited."""

    folder: Path
    known: dict[str, str | None] = field(default_factory=dict)

    def __call__(self, address: str) -> str | None:
        if address not in self.known:
            self.known[address] = self._kept(address) if len(self.known) < _MOST_PICTURES else None
        return self.known[address]

    def _kept(self, address: str) -> str | None:
        from lms_tui.service.users import photos  # noqa: PLC0415  # only papers with pictures pay for the image library

        kind, found, encoded = address.partition(";base64,")
        if not found or not kind.lower().startswith(_DATA):
            return None
        try:
            image = photos.decode(base64.b64decode("".join(encoded.split()), validate=True))
        except (binascii.Error, ValueError, photos.BadPhoto):
            return None
        name = f"{len(self.known)}.png"
        image.save(self.folder / name, "PNG")
        return name
