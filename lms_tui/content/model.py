"""The document tree between exam HTML and cells. It is frozen, and every string in it has been cleaned."""

from dataclasses import dataclass
from enum import Flag, StrEnum, auto
from typing import Final


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


@dataclass(frozen=True, slots=True)
class Text:
    """`word`: the number of its first word in a numbered document. The next words have the next numbers."""

    text: str
    marks: Mark = Mark.NONE
    word: int = NO_WORD


@dataclass(frozen=True, slots=True)
class Maths:
    """A formula. `source` is cleaned LaTeX or MathML. `display` puts it on a separate line."""

    source: str
    display: bool = False
    mathml: bool = False
    word: int = NO_WORD


@dataclass(frozen=True, slots=True)
class Image:
    """An image with its size in pixels. 0 is unknown. `source` is untrusted, and this package never fetches it."""

    source: str
    alt: str = ""
    width: int = 0
    height: int = 0


@dataclass(frozen=True, slots=True)
class Link:
    """A link. Its text is shown with the host after it, and nothing opens it automatically."""

    href: str
    children: "tuple[Inline, ...]"


@dataclass(frozen=True, slots=True)
class Break:
    pass


@dataclass(frozen=True, slots=True)
class Gap:
    """A gap to fill in, numbered from 1."""

    number: int


Inline = Text | Maths | Image | Link | Break | Gap


class Direction(StrEnum):
    AUTO = "auto"
    LEFT_TO_RIGHT = "ltr"
    RIGHT_TO_LEFT = "rtl"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, or a heading if `level` is 1 to 6."""

    children: tuple[Inline, ...]
    level: int = 0
    direction: Direction = Direction.AUTO


@dataclass(frozen=True, slots=True)
class Preformatted:
    """Text with exact spaces and lines. `word`: the number of its first word, as in `Text`."""

    lines: tuple[str, ...]
    word: int = NO_WORD


@dataclass(frozen=True, slots=True)
class Item:
    """One list entry. `label` is shown before it, for example `•`, `1.` or `(a)`."""

    label: str
    blocks: "tuple[Block, ...]"


@dataclass(frozen=True, slots=True)
class Listing:
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Quote:
    blocks: "tuple[Block, ...]"


@dataclass(frozen=True, slots=True)
class Cell:
    blocks: "tuple[Block, ...]"
    header: bool = False
    columns: int = 1
    rows: int = 1
    align: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table. If `direction` is right-to-left, the first column is the rightmost."""

    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    direction: Direction = Direction.AUTO


@dataclass(frozen=True, slots=True)
class Figure:
    blocks: "tuple[Block, ...]"
    caption: tuple[Inline, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    pass


@dataclass(frozen=True, slots=True)
class Notice:
    """Replaces content that cannot be shown, such as a video, a frame or the rest of a very long text."""

    text: str


Block = Paragraph | Preformatted | Listing | Quote | Table | Figure | Rule | Notice


@dataclass(frozen=True, slots=True)
class Document:
    blocks: tuple[Block, ...]


class MathsStyle(StrEnum):
    """How formulas are shown. A formula without a picture is drawn in two dimensions."""

    PICTURE = "picture"
    TWO_DIMENSIONAL = "2d"
    LINE = "line"
    SOURCE = "source"
    WORDS = "words"


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


@dataclass(frozen=True, slots=True)
class Part:
    """One row of a picture that the terminal draws over `columns` × `rows` cells."""

    bitmap: Bitmap
    row: int
    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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
