"""PDF output with Typst, its fonts, and the pictures of a document."""

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
_MAX_PICTURES: Final = 300


def is_installed() -> bool:
    """Return whether Typst is installed (`lms-tui[pdf]`)."""
    return find_spec("typst") is not None


def printed(source: Callable[[Writer], str]) -> bytes:
    """Return the PDF of the markup that `source` writes.

    Typst reads only the folder with the pictures of this document. If Typst rejects a formula, all formulas become
    lines of text.
    """
    import typst  # noqa: PLC0415  # slow to import and rarely needed

    with tempfile.TemporaryDirectory(prefix="lms-paper-") as folder:
        pictures = _Pictures(Path(folder))

        def compiled(writer: Writer) -> bytes:
            text = source(writer).encode()
            # The types of Typst expect a path, and the source is bytes.
            press: Any = typst.compile
            return bytes(press(text, root=folder, font_paths=[_FONTS], ignore_system_fonts=False))

        try:
            return compiled(Writer(pictures))
        except typst.TypstError:
            return compiled(Writer(pictures, plain_maths=True))


@dataclass(slots=True)
class _Pictures:
    """Writes the embedded pictures of exams to files. It never fetches an address."""

    folder: Path
    known: dict[str, str | None] = field(default_factory=dict)

    def __call__(self, address: str) -> str | None:
        if address not in self.known:
            self.known[address] = self._kept(address) if len(self.known) < _MAX_PICTURES else None
        return self.known[address]

    def _kept(self, address: str) -> str | None:
        from lms_tui.service.users import photos  # noqa: PLC0415  # slow to import and rarely needed

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
