"""The document tree between exam HTML and cells. It is frozen, and every string in it has been cleaned."""

from enum import StrEnum

from lms_tui.common.frozen import frozen
from lms_tui.content.lines import NO_WORD, Mark


@frozen
class Text:
    """`word`: the number of its first word in a numbered document. The next words have the next numbers."""

    text: str
    marks: Mark = Mark.NONE
    word: int = NO_WORD


@frozen
class Maths:
    """A formula. `source` is cleaned LaTeX or MathML. `display` puts it on a separate line."""

    source: str
    display: bool = False
    mathml: bool = False
    word: int = NO_WORD


@frozen
class Image:
    """An image with its size in pixels. 0 is unknown. `source` is untrusted, and this package never fetches it."""

    source: str
    alt: str = ""
    width: int = 0
    height: int = 0


@frozen
class Link:
    """A link. Its text is shown with the host after it, and nothing opens it automatically."""

    href: str
    children: "tuple[Inline, ...]"


@frozen
class Break:
    pass


@frozen
class Gap:
    """A gap to fill in, numbered from 1."""

    number: int


Inline = Text | Maths | Image | Link | Break | Gap


class Direction(StrEnum):
    AUTO = "auto"
    LEFT_TO_RIGHT = "ltr"
    RIGHT_TO_LEFT = "rtl"


@frozen
class Paragraph:
    """A paragraph, or a heading if `level` is 1 to 6."""

    children: tuple[Inline, ...]
    level: int = 0
    direction: Direction = Direction.AUTO


@frozen
class Preformatted:
    """Text with exact spaces and lines. `word`: the number of its first word, as in `Text`."""

    lines: tuple[str, ...]
    word: int = NO_WORD


@frozen
class Item:
    """One list entry. `label` is shown before it, for example `•`, `1.` or `(a)`."""

    label: str
    blocks: "tuple[Block, ...]"


@frozen
class Listing:
    items: tuple[Item, ...]


@frozen
class Quote:
    blocks: "tuple[Block, ...]"


@frozen
class Cell:
    blocks: "tuple[Block, ...]"
    header: bool = False
    columns: int = 1
    rows: int = 1
    align: str = ""


@frozen
class Table:
    """A table. If `direction` is right-to-left, the first column is the rightmost."""

    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    direction: Direction = Direction.AUTO


@frozen
class Figure:
    blocks: "tuple[Block, ...]"
    caption: tuple[Inline, ...] = ()


@frozen
class Rule:
    pass


@frozen
class Notice:
    """Replaces content that cannot be shown, such as a video, a frame or the rest of a very long text."""

    text: str


Block = Paragraph | Preformatted | Listing | Quote | Table | Figure | Rule | Notice


@frozen
class Document:
    blocks: tuple[Block, ...]


class MathsStyle(StrEnum):
    """How formulas are shown. A formula without a picture is drawn in two dimensions."""

    PICTURE = "picture"
    TWO_DIMENSIONAL = "2d"
    LINE = "line"
    SOURCE = "source"
    WORDS = "words"
