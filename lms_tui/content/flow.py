"""Paragraphs: words and formulas filled into lines, formulas on their baseline, lines only as tall as needed."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from lms_tui.content import bidi
from lms_tui.content.cells import clusters, cut, width
from lms_tui.content.maths import Picture, pieces
from lms_tui.content.maths.picture import line_of
from lms_tui.content.maths.symbols import lowered, raised
from lms_tui.content.model import (
    Break,
    Direction,
    Gap,
    Image,
    Inline,
    Line,
    Link,
    Mark,
    Maths,
    MathsStyle,
    Paragraph,
    Run,
    Text,
)

_OBJECT_DIRECTION: Final = "a"
"""What a formula is to the bidirectional algorithm: a letter that runs from left to right."""
_INDENT: Final = 4
_SPLIT: Final = re.compile(r"([ \n\t]+)")
_NOT_FIRST: Final = frozenset(
    "、。，．・：；？！）］｝〉》」』】〕ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ%％,.!?:;)]}"
)
_BOLD_MATHS: Final = re.compile("[\U0001d400-\U0001d433\U0001d7ce-\U0001d7d7]+")


@dataclass(frozen=True, slots=True)
class Tile:
    """What is never torn apart by the filler: `rows` of runs around a baseline; `gap`: blanks before it where a
    line may end there, None where it may not."""

    rows: tuple[tuple[Run, ...], ...]
    width: int
    baseline: int = 0
    gap: int | None = None


@dataclass(slots=True)
class Word:
    """Tiles without a blank between them. `gap`: blanks before the word where it does not begin a line."""

    tiles: list[Tile] = field(default_factory=list)
    gap: int = 0
    ends_line: bool = False
    display: bool = False

    @property
    def width(self) -> int:
        return sum(tile.width + (tile.gap or 0 if at else 0) for at, tile in enumerate(self.tiles))


@dataclass(frozen=True, slots=True)
class Setting:
    """How a document is to be laid out."""

    style: MathsStyle = MathsStyle.TWO_DIMENSIONAL
    bidi: bool = True


def paragraph(block: Paragraph, cells: int, setting: Setting) -> list[Line]:
    """Fill a paragraph into lines of at most `cells`; only what cannot be broken is longer."""
    extra = Mark.BOLD if block.level else Mark.NONE
    words = list(_words(block.children, setting, extra))
    right = setting.bidi and _runs_left(block)
    lines: list[Line] = []
    for filled in _filled(words, cells):
        lines.extend(_composed(filled, cells, setting, right=right))
    return lines


def _runs_left(block: Paragraph) -> bool:
    if block.direction is not Direction.AUTO:
        return block.direction is Direction.RIGHT_TO_LEFT
    return bidi.first_strong(plain(block.children)) == "R"


def plain(children: Iterable[Inline]) -> str:
    """The words of running text without formulas and images."""
    parts = []
    for child in children:
        if isinstance(child, Text):
            parts.append(child.text)
        elif isinstance(child, Link):
            parts.append(plain(child.children))
    return "".join(parts)


def _words(children: Iterable[Inline], setting: Setting, extra: Mark) -> Iterator[Word]:
    """Cut running text into words; a formula is glued to the punctuation beside it."""
    word = Word()
    for child in _flat(children, extra):
        if isinstance(child, Break):
            word.ends_line = True
            yield word
            word = Word()
        elif isinstance(child, Maths) and child.display and setting.style is not MathsStyle.WORDS:
            if word.tiles:
                word.ends_line = True
                yield word
            yield Word(list(_maths_tiles(child, setting)), ends_line=True, display=True)
            word = Word()
        elif isinstance(child, Maths):
            word.tiles.extend(_maths_tiles(child, setting))
        else:
            text, marks = _shown(child)
            for part in _SPLIT.split(text):
                if not part:
                    continue
                if part[0] in " \n\t":
                    if word.tiles:
                        yield word
                    word = Word(gap=1)
                else:
                    for at, piece in enumerate(_breakable(part)):
                        if at:
                            yield word
                            word = Word()
                        word.tiles.append(_text_tile(piece, marks))
    if word.tiles:
        yield word


def _flat(children: Iterable[Inline], extra: Mark) -> Iterator[Inline]:
    """Links opened: their text, then where they lead, unless the text says it."""
    for child in children:
        if isinstance(child, Link):
            yield from _flat(child.children, extra | Mark.LINK)
            host = _host(child.href)
            if host and host not in plain(child.children):
                yield Text(f" ({host})", Mark.DIM)
        elif isinstance(child, Text) and extra:
            yield Text(child.text, child.marks | extra)
        else:
            yield child


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _shown(child: Inline) -> tuple[str, Mark]:
    """What stands in the text for a text, an image or a gap."""
    match child:
        case Text():
            return small(child.text, child.marks), child.marks & ~(Mark.SUB | Mark.SUP)
        case Image():
            return image_words(child), Mark.DIM
        case Gap():
            return f"[\xa0{child.number}\xa0______\xa0]", Mark.HIGHLIGHT
        case _:
            return "", Mark.NONE


def image_words(image: Image) -> str:
    """`[image: alt, 120×80]`."""
    size = f", {image.width}×{image.height}" if image.width and image.height else ""
    return f"[image: {image.alt}{size}]" if image.alt else f"[image{size}]"


def small(text: str, marks: Mark) -> str:
    """Text set above or below the line, with the characters there are for it, else `^(…)` and `_(…)`."""
    if not marks & (Mark.SUB | Mark.SUP) or not text.strip():
        return text
    body = text.strip()
    tiny = lowered(body) if marks & Mark.SUB else raised(body)
    sign = "_" if marks & Mark.SUB else "^"
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{before}{tiny if tiny is not None else f'{sign}({body})'}{after}"


def _breakable(text: str) -> Iterator[str]:
    """Parts of a word between which a line may end: scripts written without blanks break at every character."""
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


@lru_cache(maxsize=4096)
def _text_tile(text: str, marks: Mark) -> Tile:
    return Tile(((Run(text, marks),),), width(text))


def _maths_tiles(maths: Maths, setting: Setting) -> Iterator[Tile]:
    for at, (gap, picture) in enumerate(pieces(maths, setting.style)):
        yield picture_tile(picture, gap if at else None)


def picture_tile(picture: Picture, gap: int | None = None) -> Tile:
    """A formula's rows as runs; bold letters of mathematics become letters with a bold style, one cell each."""
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


def _thin(char: str) -> str:
    code = ord(char)
    if code >= 0x1D7CE:
        return chr(code - 0x1D7CE + ord("0"))
    return chr(code - 0x1D400 + ord("A")) if code < 0x1D41A else chr(code - 0x1D41A + ord("a"))


@dataclass(slots=True)
class _Filled:
    """The tiles of one line, each with the blanks before it."""

    tiles: list[tuple[int, Tile]] = field(default_factory=list)
    width: int = 0
    display: bool = False

    def add(self, gap: int, tile: Tile) -> None:
        blanks = gap if self.tiles else 0
        self.tiles.append((blanks, tile))
        self.width += blanks + tile.width


def _filled(words: Iterable[Word], cells: int) -> Iterator[_Filled]:
    """Greedy filling; a formula with soft places is broken at them only where it is long."""
    line = _Filled()
    for word in words:
        room = cells - line.width - (word.gap if line.tiles else 0)
        if word.display:
            if line.tiles:
                yield line
                line = _Filled()
            yield from _displayed(word, cells)
            continue
        if word.width <= room:
            _put(line, word.gap, word.tiles)
        elif word.width <= cells and (word.width <= cells * 0.5 or all(tile.gap is None for tile in word.tiles)):
            if line.tiles:
                yield line
            line = _Filled()
            _put(line, 0, word.tiles)
        else:
            yield from _broken(line, word, cells)
        if word.ends_line:
            yield line
            line = _Filled()
    if line.tiles:
        yield line


def _put(line: _Filled, gap: int, tiles: Sequence[Tile]) -> None:
    for at, tile in enumerate(tiles):
        line.add(tile.gap or 0 if at else gap, tile)


def _broken(line: _Filled, word: Word, cells: int) -> Iterator[_Filled]:
    """Yield the lines that a long word fills; `line` is left holding its end."""
    groups: list[list[Tile]] = []
    for tile in word.tiles:
        if tile.gap is not None or not groups:
            groups.append([])
        groups[-1].append(tile)
    for at, group in enumerate(groups):
        gap = group[0].gap or 0 if at else word.gap
        size = sum(tile.width for tile in group)
        if line.tiles and line.width + gap + size > cells:
            yield _moved(line)
        if size <= cells:
            _put_group(line, gap, group)
        else:
            for tile in group:
                yield from _torn(line, tile, gap, cells)
                gap = 0


def _put_group(line: _Filled, gap: int, group: Sequence[Tile]) -> None:
    for at, tile in enumerate(group):
        line.add(0 if at else gap, tile)


def _moved(line: _Filled) -> _Filled:
    full = _Filled(line.tiles, line.width)
    line.tiles, line.width = [], 0
    return full


def _torn(line: _Filled, tile: Tile, gap: int, cells: int) -> Iterator[_Filled]:
    """Cut a text that is wider than a line; a formula stays whole and is longer than the line."""
    if len(tile.rows) > 1 or len(tile.rows[0]) != 1 or tile.rows[0][0].marks & Mark.MATHS:
        if line.tiles and line.width + tile.width > cells:
            yield _moved(line)
        line.add(gap, tile)
        return
    run = tile.rows[0][0]
    rest = run.text
    while rest:
        room = cells - line.width - (gap if line.tiles else 0)
        if room < min(cells, 8) and line.tiles and width(rest) > room:
            yield _moved(line)
            room = cells
        head, rest = cut(rest, room)
        line.add(gap, _text_tile(head, run.marks))
        gap = 0
        if rest:
            yield _moved(line)


def _displayed(word: Word, cells: int) -> Iterator[_Filled]:
    """A formula on lines of its own, indented, broken at relations where it is too wide."""
    indent = Tile(((Run(" " * _INDENT),),), _INDENT)
    size = word.width
    if size <= cells:
        line = _Filled(display=True)
        if size + _INDENT <= cells:
            line.add(0, indent)
        _put(line, 0, word.tiles)
        yield line
        return
    line = _Filled(display=True)
    for full in _broken(line, word, cells):
        full.display = True
        yield full
    if line.tiles:
        yield line


def _composed(line: _Filled, cells: int, setting: Setting, *, right: bool) -> list[Line]:
    """Turn the tiles of a line into rows of runs."""
    tiles = line.tiles
    if setting.bidi and (right or any(_is_right_to_left(tile) for _, tile in tiles)):
        tiles = list(_visual(tiles, right=right))
    start = max(0, cells - line.width) if right and not line.display else 0
    above = max((tile.baseline for _, tile in tiles), default=0)
    below = max((len(tile.rows) - 1 - tile.baseline for _, tile in tiles), default=0)
    rows: list[Line] = []
    for level in range(-above, below + 1):
        runs, size = _row(tiles, level, start)
        rows.append(Line(runs, size, base=level == 0))
    return rows


def _row(tiles: Sequence[tuple[int, Tile]], level: int, start: int) -> tuple[tuple[Run, ...], int]:
    runs: list[Run] = []
    place = 0
    blanks = start
    for gap, tile in tiles:
        blanks += gap
        at = tile.baseline + level
        if not 0 <= at < len(tile.rows):
            blanks += tile.width
            continue
        if blanks:
            _append(runs, Run(" " * blanks))
            place += blanks
            blanks = 0
        for run in tile.rows[at]:
            _append(runs, run)
        place += tile.width
    return _finished(runs, place)


def _append(runs: list[Run], run: Run) -> None:
    if runs and runs[-1].marks == run.marks:
        runs[-1] = Run(runs[-1].text + run.text, run.marks)
    elif (
        run.text.isspace()
        and runs
        and not run.marks
        and not runs[-1].marks & (Mark.UNDERLINE | Mark.STRIKE | Mark.CODE | Mark.HIGHLIGHT)
    ):
        runs[-1] = Run(runs[-1].text + run.text, runs[-1].marks)
    else:
        runs.append(run)


def _finished(runs: list[Run], size: int) -> tuple[tuple[Run, ...], int]:
    """Without blanks at the end; hard blanks become blanks."""
    while runs:
        text = runs[-1].text
        kept = text.rstrip(" ")
        size -= len(text) - len(kept)
        if kept:
            runs[-1] = Run(kept, runs[-1].marks)
            break
        runs.pop()
    return tuple(Run(run.text.replace("\xa0", " "), run.marks) for run in runs), size


def _is_right_to_left(tile: Tile) -> bool:
    return len(tile.rows) == 1 and any(bidi.has_right_to_left(run.text) for run in tile.rows[0])


def _visual(tiles: Sequence[tuple[int, Tile]], *, right: bool) -> Iterator[tuple[int, Tile]]:
    """Reorder a line for drawing; formulas move as wholes."""
    parts: list[tuple[str, Tile]] = []
    for gap, tile in tiles:
        parts.extend([(" ", _text_tile(" ", Mark.NONE))] * gap)
        if len(tile.rows) > 1 or any(run.marks & Mark.MATHS for run in tile.rows[0]):
            parts.append((_OBJECT_DIRECTION, tile))
            continue
        for run in tile.rows[0]:
            parts.extend((text[0], _text_tile(text, run.marks)) for text, _ in clusters(run.text))
    resolved = bidi.levels([char for char, _ in parts], 1 if right else 0)
    for at in bidi.order(resolved):
        char, tile = parts[at]
        if resolved[at] % 2 and bidi.mirrored(char) != char:
            run = tile.rows[0][0]
            tile = _text_tile(bidi.mirrored(char) + run.text[1:], run.marks)
        yield 0, tile


def text_lines(text: str, cells: int, marks: Mark = Mark.NONE) -> list[Line]:
    """Fill plain words into lines."""
    return paragraph(Paragraph((Text(text, marks),)), cells, Setting())


__all__ = ["Setting", "Tile", "line_of", "paragraph", "picture_tile", "plain", "text_lines"]
