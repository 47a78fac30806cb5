"""Cut running text into words, and words into tiles: unbreakable pieces of text, formulas, images and gaps."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from lms_tui.common.frozen import frozen
from lms_tui.content.cells import clusters, counted, pad, width
from lms_tui.content.images.bitmap import Formula, Pictures
from lms_tui.content.images.blocks import WIDEST, half_blocks, size_in_cells
from lms_tui.content.lines import NO_WORD, Bitmap, Mark, Part, Run
from lms_tui.content.model import Break, Gap, Image, Inline, Link, Maths, MathsStyle, Text

if TYPE_CHECKING:
    from lms_tui.content.maths.picture import Picture

_SMALL: Final = Mark.SUB | Mark.SUP
_NOT_SMALL: Final = ~_SMALL
_BLANKS: Final = re.compile(r"[ \n\t]+")
_PIECES: Final = re.compile(" +|[^ ]+")
_NOT_FIRST: Final = frozenset(
    "、。，．・：；？！）］｝〉》」』】〕ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ%％,.!?:;)]}"
)
_BOLD_MATHS: Final = re.compile("[\U0001d400-\U0001d433\U0001d7ce-\U0001d7d7]+")


@frozen
class Tile:
    """A piece of a line that is never broken.

    `rows` are the rows of runs around a baseline. `gap` is the number of blanks before the tile if a line may break
    there, else None. `plain` is the text of a tile without marks.
    """

    rows: tuple[tuple[Run, ...], ...]
    width: int
    baseline: int = 0
    gap: int | None = None
    plain: str | None = None

    @property
    def is_whole(self) -> bool:
        """Whether the tile is a drawing that cannot be split."""
        return len(self.rows) > 1 or any(run.marks & Mark.MATHS or run.colours is not None for run in self.rows[0])


@dataclass(slots=True)
class Word:
    """Tiles without blanks between them. `gap` is the number of blanks before the word inside a line."""

    tiles: list[Tile] = field(default_factory=list)
    gap: int = 0
    ends_line: bool = False
    display: bool = False

    @property
    def is_breakable(self) -> bool:
        """Whether a line may break inside the word."""
        return any(tile.gap is not None for tile in self.tiles)

    @property
    def width(self) -> int:
        if len(self.tiles) == 1:
            return self.tiles[0].width
        return sum(tile.width + (tile.gap or 0 if at else 0) for at, tile in enumerate(self.tiles))


def plain(children: Iterable[Inline]) -> str:
    """Return the text of inline content without formulas and images."""
    parts = []
    for child in children:
        if isinstance(child, Text):
            parts.append(child.text)
        elif isinstance(child, Link):
            parts.append(plain(child.children))
    return "".join(parts)


def words_of(
    children: Iterable[Inline],
    style: MathsStyle,
    extra: Mark = Mark.NONE,
    pictures: Pictures | None = None,
    cells: int = WIDEST,
) -> list[Word]:
    """Cut running text into words. `extra`: marks added to every text.

    Punctuation beside a formula belongs to the formula's word. A picture that `pictures` finds is at most `cells` wide,
    on separate lines above its alternative text.
    """
    cutter = _Cutter()
    for child in _flat(children, extra):
        if isinstance(child, Break):
            cutter.end_line()
        elif isinstance(child, Image):
            cutter.text(*_shown(child) if pictures is None else cutter.picture(child, pictures, cells))
        elif not isinstance(child, Maths):
            cutter.text(*_shown(child), child.word if isinstance(child, Text) else NO_WORD)
        elif child.display and style is not MathsStyle.WORDS:
            if cutter.word.tiles:
                cutter.end_line()
            cutter.words.append(Word(list(_maths_tiles(child, style, pictures, cells)), ends_line=True, display=True))
            cutter.word = Word()
        else:
            cutter.word.tiles.extend(_maths_tiles(child, style, pictures, cells))
    if cutter.word.tiles:
        cutter.words.append(cutter.word)
    return cutter.words


@dataclass(slots=True)
class _Cutter:
    """The finished words and the current word."""

    words: list[Word] = field(default_factory=list)
    word: Word = field(default_factory=Word)

    def end_line(self) -> None:
        self.word.ends_line = True
        self.words.append(self.word)
        self.word = Word()

    def alone(self, tile: Tile) -> None:
        """Put a tile on a separate line."""
        if self.word.tiles:
            self.end_line()
        elif self.words:
            self.words[-1].ends_line = True
        self.words.append(Word([tile], ends_line=True))
        self.word = Word()

    def picture(self, image: Image, pictures: Pictures, cells: int) -> tuple[str, Mark]:
        """Add the picture if it is known, and return the words below it."""
        found = pictures.find(image.source) if image.source else None
        if found is None:
            return _shown(image)
        if isinstance(found, str):
            return image_words(image, found), Mark.DIM
        self.alone(picture_of(found, cells, graphics=pictures.graphics))
        return _shown(replace(image, width=found.shown[0], height=found.shown[1]))

    def text(self, text: str, marks: Mark, number: int = NO_WORD) -> None:
        words, word = self.words, self.word
        if marks is Mark.NONE and number == NO_WORD and text.isascii():
            self._plain_text(text)
            return
        for at, part in enumerate(_BLANKS.split(text)):
            if at:
                if word.tiles:
                    words.append(word)
                word = Word(gap=1)
            if not part:
                continue
            for place, piece in enumerate(_breakable(part)):
                if place:
                    words.append(word)
                    word = Word()
                word.tiles.append(text_tile(piece, marks, number))
                number += number != NO_WORD
        self.word = word

    def _plain_text(self, text: str) -> None:
        """Add text without marks, the most common kind, without a look at each character."""
        first, *rest = _BLANKS.split(text)
        if first:
            self.word.tiles.append(_plain_tile(first))
        if not rest:
            return
        if self.word.tiles:
            self.words.append(self.word)
        self.words.extend([Word([_plain_tile(part)], 1) for part in rest[:-1]])
        self.word = Word([_plain_tile(rest[-1])] if rest[-1] else [], 1)


def pieces_of(text: Text) -> list[str]:
    """Return the words that are numbered: the parts between blanks, or each character in a script without blanks."""
    shown, _ = _shown(text)
    return [piece for part in _BLANKS.split(shown) if part for piece in _breakable(part)]


def blanks_and_words(line: str) -> list[str]:
    """Cut a line of code into blanks and words."""
    return _PIECES.findall(line)


def _flat(children: Iterable[Inline], extra: Mark) -> Iterator[Inline]:
    """Replace links by their text and host. The host is omitted if the text names it."""
    for child in children:
        if isinstance(child, Link):
            yield from _flat(child.children, extra | Mark.LINK)
            host = _host(child.href)
            if host and host not in plain(child.children):
                yield Text(f" ({host})", Mark.DIM)
        elif isinstance(child, Text) and extra:
            yield replace(child, marks=child.marks | extra)
        else:
            yield child


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _shown(child: Inline) -> tuple[str, Mark]:
    """Return the text and marks that stand for a text, an image or a gap."""
    match child:
        case Text():
            if child.marks is Mark.NONE:
                return child.text, Mark.NONE
            size, rest = parted(child.marks)
            return (small(child.text, size) if size else child.text), rest
        case Image():
            return image_words(child), Mark.DIM
        case Gap():
            return f"[\xa0{child.number}\xa0______\xa0]", Mark.HIGHLIGHT
        case _:
            return "", Mark.NONE


@cache
def parted(marks: Mark) -> tuple[Mark, Mark]:
    """Split marks into small letters and styles. Cached, because few combinations occur."""
    return marks & _SMALL, marks & _NOT_SMALL


def picture_of(bitmap: Bitmap, cells: int, *, graphics: bool = False) -> Tile:
    columns, rows = size_in_cells(bitmap, max(1, min(cells, WIDEST)))
    return Tile(parts(bitmap, columns, rows) if graphics else half_blocks(bitmap, columns, rows), columns)


def parts(bitmap: Bitmap, columns: int, rows: int) -> tuple[tuple[Run, ...], ...]:
    """Return blank cells over which the terminal draws a picture."""
    blank = " " * columns
    return tuple((Run(blank, Mark.MATHS, part=Part(bitmap, row, columns, rows)),) for row in range(rows))


def image_words(image: Image, remark: str = "") -> str:
    """Return `[image: alt, 120×80]`. `remark`: why the picture is missing."""
    size = f", {image.width}×{image.height}" if image.width and image.height else ""
    told = f"; {remark}" if remark else ""
    return f"[image: {image.alt}{size}{told}]" if image.alt else f"[image{size}{told}]"


def small(text: str, marks: Mark) -> str:
    """Return text in superscript or subscript characters, or as `^(…)` and `_(…)`."""
    body = text.strip()
    if not body:
        return text
    below = Mark.SUB in marks
    from lms_tui.content.maths.symbols import lowered, raised  # noqa: PLC0415 - most texts have none

    tiny = lowered(body) if below else raised(body)
    sign = "_" if below else "^"
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{before}{tiny if tiny is not None else f'{sign}({body})'}{after}"


def _breakable(text: str) -> Iterator[str]:
    """Yield the parts of a word between which a line may break. Scripts without blanks break at every character."""
    if text.isascii() or width(text) == len(text):
        yield text
        return
    part = ""
    wide = False
    for cluster, size in clusters(text):
        is_wide = size == 2
        if part and (is_wide or wide) and cluster[0] not in _NOT_FIRST:
            yield part
            part = ""
        part += cluster
        wide = is_wide
    if part:
        yield part


def text_tile(text: str, marks: Mark, word: int = NO_WORD) -> Tile:
    if word != NO_WORD:
        return Tile(((Run(text, marks, word=word),),), width(text))
    return _plain_tile(text) if marks is Mark.NONE else _marked_tile(text, marks)


@counted(maxsize=4096)
def _plain_tile(text: str) -> Tile:
    return Tile(((Run(text),),), width(text), plain=text)


@counted(maxsize=2048)
def _marked_tile(text: str, marks: Mark) -> Tile:
    return Tile(((Run(text, marks),),), width(text))


def _maths_tiles(maths: Maths, style: MathsStyle, pictures: Pictures | None, cells: int) -> Iterator[Tile]:
    for tile in _formula_tiles(maths, style, pictures, cells):
        if maths.word == NO_WORD:
            yield tile
        else:
            yield replace(tile, rows=tuple(tuple(replace(run, word=maths.word) for run in row) for row in tile.rows))


def _formula_tiles(maths: Maths, style: MathsStyle, pictures: Pictures | None, cells: int) -> Iterator[Tile]:
    if style is MathsStyle.PICTURE:
        style = MathsStyle.TWO_DIMENSIONAL
        if pictures is not None and pictures.graphics:
            found = pictures.formula(maths)
            if found is not None and found.columns <= cells:
                yield _formula_tile(found)
                return
    from lms_tui.content.maths.render import pieces  # noqa: PLC0415 - most texts have no formula

    for at, (gap, picture) in enumerate(pieces(maths, style)):
        yield picture_tile(picture, gap if at else None)


def _formula_tile(formula: Formula) -> Tile:
    """Return a formula that the terminal draws over the letters of the same formula."""
    columns, rows = formula.columns, formula.rows
    first = formula.baseline - formula.text_baseline
    lines = []
    for row in range(rows):
        text = formula.text[row - first] if 0 <= row - first < len(formula.text) else ""
        part = Part(formula.bitmap, row, columns, rows)
        letters = pad(_BOLD_MATHS.sub(_thinned, text), columns)
        lines.append((Run(letters, Mark.MATHS, part=part),))
    return Tile(tuple(lines), columns, formula.baseline)


def picture_tile(picture: "Picture", gap: int | None = None) -> Tile:
    """Turn a formula into a tile. Mathematical bold letters become bold letters of one cell each."""
    return Tile(tuple(_maths_runs(row) for row in picture.rows), picture.width, picture.baseline, gap)


def _maths_runs(row: str) -> tuple[Run, ...]:
    if row.isascii() or not _BOLD_MATHS.search(row):
        return (Run(row, Mark.MATHS),)
    runs: list[Run] = []
    at = 0
    for match in _BOLD_MATHS.finditer(row):
        if match.start() > at:
            runs.append(Run(row[at : match.start()], Mark.MATHS))
        runs.append(Run("".join(_thin(char) for char in match[0]), Mark.MATHS | Mark.BOLD))
        at = match.end()
    if at < len(row):
        runs.append(Run(row[at:], Mark.MATHS))
    return tuple(runs)


def _thinned(found: "re.Match[str]") -> str:
    return "".join(map(_thin, found[0]))


def _thin(char: str) -> str:
    code = ord(char)
    if code >= 0x1D7CE:
        return chr(code - 0x1D7CE + ord("0"))
    return chr(code - 0x1D400 + ord("A")) if code < 0x1D41A else chr(code - 0x1D41A + ord("a"))
