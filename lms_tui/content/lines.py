"""Lines of cells. The app draws exam HTML and all its rows as such lines.

The first paint needs these types, and none of the tree in `model`.
"""

from dataclasses import dataclass
from enum import Flag, auto
from typing import Final

from lms_tui.common.frozen import frozen


class Mark(Flag):
    """How a run of text is styled. A screen maps each mark to a style of its terminal."""

    NONE = 0
    BOLD = auto()
    ITALIC = auto()
    UNDERLINE = auto()
    STRIKE = auto()
    SUB = auto()
    SUP = auto()
    CODE = auto()
    LINK = auto()
    MATHS = auto()
    DIM = auto()
    HIGHLIGHT = auto()
    MARKER = auto()
    SELECTED = auto()


NO_WORD: Final = -1
"""The number of text that was not numbered."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Bitmap:
    """Rows of RGB pixels on white, with the original size as `shown` and a digest as `key`."""

    width: int
    height: int
    pixels: bytes
    shown: tuple[int, int]
    key: bytes

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bitmap) and self.key == other.key


@frozen
class Part:
    """One row of a picture that the terminal draws over `columns` × `rows` cells."""

    bitmap: Bitmap
    row: int
    columns: int
    rows: int


@frozen
class Run:
    """Cells of one style, and of one word of a numbered document.

    `colours` are the foreground and background of half blocks as 0xRRGGBB. `part` is the part of a picture that the
    terminal draws over these blank cells.
    """

    text: str
    marks: Mark = Mark.NONE
    colours: tuple[int, int] | None = None
    part: Part | None = None
    word: int = NO_WORD


@frozen
class Line:
    """One row of cells, `width` cells wide in the terminal.

    `base` is False for a row that only holds parts above or below the text, such as a numerator. A list label stands
    before the first base row.

    `span` is the width of the whole block if it is wider than its room, else 0. The rows of such a block scroll
    sideways together.
    """

    runs: tuple[Run, ...]
    width: int
    base: bool = True
    span: int = 0

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)
