"""The document tree between exam HTML and cells: small, frozen, and safe (every string in it has been cleaned)."""

from dataclasses import dataclass
from enum import Flag, StrEnum, auto


class Mark(Flag):
    """How a run of text is set; a screen turns each into the style its terminal has."""

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


@dataclass(frozen=True, slots=True)
class Text:
    text: str
    marks: Mark = Mark.NONE


@dataclass(frozen=True, slots=True)
class Maths:
    """`source`: cleaned LaTeX or MathML; `display`: a line of its own."""

    source: str
    display: bool = False
    mathml: bool = False


@dataclass(frozen=True, slots=True)
class Image:
    """`source` is a stranger's address and is never fetched by this room. Width and height in pixels, 0 unknown."""

    source: str
    alt: str = ""
    width: int = 0
    height: int = 0


@dataclass(frozen=True, slots=True)
class Link:
    """A link is shown as its text with the host behind it; nothing follows it by itself."""

    href: str
    children: "tuple[Inline, ...]"


@dataclass(frozen=True, slots=True)
class Break:
    pass


@dataclass(frozen=True, slots=True)
class Gap:
    """A place to fill in: `number` from 1."""

    number: int


Inline = Text | Maths | Image | Link | Break | Gap


class Direction(StrEnum):
    AUTO = "auto"
    LEFT_TO_RIGHT = "ltr"
    RIGHT_TO_LEFT = "rtl"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """`level` 1 to 6: a heading; 0: plain."""

    children: tuple[Inline, ...]
    level: int = 0
    direction: Direction = Direction.AUTO


@dataclass(frozen=True, slots=True)
class Preformatted:
    """Exact spaces and lines."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a list; `label` as it is to be shown: `•`, `1.`, `(a)`."""

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
    """`direction` right-to-left: the first column is the rightmost."""

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
    """Stands for something that cannot be shown: a video, a frame, content cut for its size."""

    text: str


Block = Paragraph | Preformatted | Listing | Quote | Table | Figure | Rule | Notice


@dataclass(frozen=True, slots=True)
class Document:
    blocks: tuple[Block, ...]


class MathsStyle(StrEnum):
    """The rungs of the maths ladder; a formula that cannot be a picture is drawn in two dimensions."""

    PICTURE = "picture"
    TWO_DIMENSIONAL = "2d"
    LINE = "line"
    SOURCE = "source"
    WORDS = "words"


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Bitmap:
    """Rows of RGB pixels on white. `shown`: width and height of the original picture. `key`: a digest, for equality."""

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
    """One row of a picture that the terminal draws itself, over `columns` × `rows` cells."""

    bitmap: Bitmap
    row: int
    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class Run:
    """Cells of one style. `colours`: of a picture, foreground and background as 0xRRGGBB.

    `part`: what the terminal draws over these cells, which are blank.
    """

    text: str
    marks: Mark = Mark.NONE
    colours: tuple[int, int] | None = None
    part: Part | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One row of cells. `width`: cells, as the terminal will count them.

    `base`: the row carries text; False for a row that only holds what reaches above or below it, such as the
    numerator of a fraction. A label stands before the first row that is a base.

    `span`: cells of the whole block (a table, code, a drawn formula) where it is wider than its room, else 0: its rows
    scroll sideways together, in their own box, and everything else stays.
    """

    runs: tuple[Run, ...]
    width: int
    base: bool = True
    span: int = 0

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)
