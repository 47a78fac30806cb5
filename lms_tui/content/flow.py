"""Fill words and formulas of a paragraph into lines. Formulas are aligned at their baseline."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from lms_tui.common.frozen import frozen
from lms_tui.content import bidi
from lms_tui.content.cells import clusters, cut, width
from lms_tui.content.images.bitmap import Pictures
from lms_tui.content.lines import NO_WORD, Line, Mark, Run
from lms_tui.content.model import Direction, MathsStyle, Paragraph, Text
from lms_tui.content.tiles import Tile, Word, parted, plain, text_tile, words_of

_OBJECT_DIRECTION: Final = "a"
"""Stands for a formula in the bidirectional algorithm, as a left-to-right letter does."""
_INDENT: Final = 4
_VISIBLE_BLANKS: Final = Mark.UNDERLINE | Mark.STRIKE | Mark.CODE | Mark.HIGHLIGHT


@frozen
class Setting:
    """How a document is laid out."""

    style: MathsStyle = MathsStyle.TWO_DIMENSIONAL
    bidi: bool = True
    pictures: Pictures | None = None


def paragraph(block: Paragraph, cells: int, setting: Setting) -> list[Line]:
    """Break a paragraph into lines of at most `cells`. A line is longer only if its content cannot be broken."""
    extra = Mark.BOLD if block.level else Mark.NONE
    if (plainly := _plain_lines(block, cells, extra)) is not None:
        return plainly
    words = words_of(block.children, setting.style, extra, setting.pictures, cells)
    right = mixed = False
    if setting.bidi:
        text = plain(block.children)
        right = _runs_left(block.direction, text)
        mixed = right or bidi.has_right_to_left(text)
    lines: list[Line] = []
    for filled in _filled(words, cells):
        lines.extend(_composed(filled, cells, mixed=mixed, right=right))
    return lines


def _plain_lines(block: Paragraph, cells: int, extra: Mark) -> list[Line] | None:
    """Fill text of one style without making tiles, or return None. Most table cells are such text."""
    if len(block.children) != 1 or block.direction is Direction.RIGHT_TO_LEFT:
        return None
    child = block.children[0]
    if not isinstance(child, Text) or not child.text.isascii() or child.word != NO_WORD:
        return None
    size, marks = parted(child.marks)
    if size:
        return None
    if extra:
        marks |= extra
    words = child.text.split()
    whole = " ".join(words)
    if len(whole) <= cells:
        return [Line((Run(whole, marks),), len(whole))] if whole else []
    rows: list[str] = []
    at = 0
    while len(whole) - at > cells:
        end = whole.rfind(" ", at, at + cells + 1)
        if end < 0:
            return None
        rows.append(whole[at:end])
        at = end + 1
    rows.append(whole[at:])
    return [Line((Run(row, marks),), len(row)) for row in rows]


def runs_left(block: Paragraph) -> bool:
    """Return whether a paragraph runs from right to left, by its `direction` or by its letters."""
    return _runs_left(block.direction, plain(block.children))


def _runs_left(direction: Direction, text: str) -> bool:
    if direction is not Direction.AUTO:
        return direction is Direction.RIGHT_TO_LEFT
    return bidi.base_direction(text) == "R"


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
    """Fill lines greedily. A formula is broken only if it is long."""
    line = _Filled()
    for word in words:
        room = cells - line.width - (word.gap if line.tiles else 0)
        tiles = word.tiles
        size = tiles[0].width if len(tiles) == 1 else word.width
        if word.display:
            if line.tiles:
                yield line
            line = _Filled()
            yield from _displayed(word, cells)
            continue
        if size <= room:
            _put(line, word.gap, tiles)
        elif size <= cells and (size <= cells * 0.5 or not word.is_breakable):
            if line.tiles:
                yield _moved(line)
            _put(line, 0, tiles)
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
    """Yield the full lines of a long word. `line` holds the rest afterwards."""
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
    """Cut text that is wider than a line. A formula stays whole and may be wider than the line."""
    if tile.is_whole or len(tile.rows[0]) != 1:
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
        line.add(gap, text_tile(head, run.marks, run.word))
        gap = 0
        if rest:
            yield _moved(line)


def _displayed(word: Word, cells: int) -> Iterator[_Filled]:
    """Lay a display formula out on separate, indented lines. Break it at relations if it is too wide."""
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


def _composed(line: _Filled, cells: int, *, mixed: bool, right: bool) -> list[Line]:
    """Turn the tiles of a line into rows of runs."""
    tiles = list(_visual(line.tiles, right=right)) if mixed else line.tiles
    start = max(0, cells - line.width) if right and not line.display else 0
    if (text := _plain(tiles, start)) is not None:
        kept = text.rstrip(" ")
        runs: tuple[Run, ...] = (Run(kept.replace("\xa0", " ")),) if kept else ()
        size = start + line.width - (len(text) - len(kept))
        return [Line(runs, size, span=size if size > cells else 0)]
    tall = [tile for _, tile in tiles if len(tile.rows) > 1]
    above = max((tile.baseline for tile in tall), default=0)
    below = max((len(tile.rows) - 1 - tile.baseline for tile in tall), default=0)
    rows: list[Line] = []
    for level in range(-above, below + 1):
        runs, size = _row(tiles, level, start)
        rows.append(Line(runs, size, base=level == 0))
    return together(rows, cells)


def _plain(tiles: Sequence[tuple[int, Tile]], start: int) -> str | None:
    """Return the text of a line without marks, or None. Most lines have no marks."""
    parts = [" " * start] if start else []
    for gap, tile in tiles:
        if tile.plain is None:
            return None
        parts.append(" " * gap + tile.plain if gap else tile.plain)
    return "".join(parts)


def together(lines: list[Line], cells: int) -> list[Line]:
    """Mark the rows of a block that is wider than its room, to scroll them sideways together."""
    if all(line.width <= cells for line in lines):
        return lines
    widest = max(line.width for line in lines)
    return [replace(line, span=widest) for line in lines]


def _row(tiles: Sequence[tuple[int, Tile]], level: int, start: int) -> tuple[tuple[Run, ...], int]:
    """Return the runs of one row and its width. Neighbours of one style become one run."""
    row = _Runs(blanks=start)
    for gap, tile in tiles:
        at = tile.baseline + level
        if not 0 <= at < len(tile.rows):
            row.blanks += gap + tile.width
        elif tile.plain is not None and row.marks is Mark.NONE and row.word == NO_WORD:
            blanks = row.blanks + gap
            row.texts.append(" " * blanks + tile.plain if blanks else tile.plain)
            row.place += blanks + tile.width
            row.blanks = 0
        else:
            row.blanks += gap
            for run in tile.rows[at]:
                row.add(run)
            row.place += tile.width
    row.end_run()
    return _finished(row.runs, row.place)


@dataclass(slots=True)
class _Runs:
    """Collects the runs of a row. `blanks` are pending and `place` counts the cells so far."""

    runs: list[Run] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    marks: Mark = Mark.NONE
    word: int = NO_WORD
    place: int = 0
    blanks: int = 0

    def add(self, run: Run) -> None:
        drawn = run.colours is not None or run.part is not None
        if run.marks is not self.marks or run.word != self.word or drawn:
            apart = run.word != self.word
            if self.blanks and not apart and not (self.marks and self.marks & _VISIBLE_BLANKS):
                self._put_blanks()
            self.end_run()
            if self.blanks:
                self.marks = self.marks if apart and run.marks is self.marks else Mark.NONE
                self.word = NO_WORD
                self._put_blanks()
                self.end_run()
            self.marks, self.word = run.marks, run.word
        elif self.blanks:
            self._put_blanks()
        if drawn:
            self.runs.append(run)
        else:
            self.texts.append(run.text)

    def _put_blanks(self) -> None:
        self.texts.append(" " * self.blanks)
        self.place += self.blanks
        self.blanks = 0

    def end_run(self) -> None:
        if self.texts:
            self.runs.append(Run("".join(self.texts), self.marks, word=self.word))
            self.texts = []


def _finished(runs: list[Run], size: int) -> tuple[tuple[Run, ...], int]:
    """Remove blanks at the end and turn no-break spaces into spaces."""
    while runs:
        text = runs[-1].text
        kept = text.rstrip(" ") if runs[-1].colours is None and runs[-1].part is None else text
        size -= len(text) - len(kept)
        if kept:
            if kept is not text:
                runs[-1] = replace(runs[-1], text=kept)
            break
        runs.pop()
    return tuple(replace(run, text=run.text.replace("\xa0", " ")) if "\xa0" in run.text else run for run in runs), size


def _visual(tiles: Sequence[tuple[int, Tile]], *, right: bool) -> Iterator[tuple[int, Tile]]:
    """Put the tiles of a line into visual order. A formula moves as a whole."""
    parts: list[tuple[str, Tile]] = []
    for gap, tile in tiles:
        parts.extend([(" ", text_tile(" ", Mark.NONE))] * gap)
        if tile.is_whole:
            parts.append((_OBJECT_DIRECTION, tile))
            continue
        for run in tile.rows[0]:
            parts.extend((text[0], text_tile(text, run.marks, run.word)) for text, _ in clusters(run.text))
    resolved = bidi.levels([char for char, _ in parts], 1 if right else 0)
    ordered: list[tuple[str, Tile]] = []
    for at in bidi.order(resolved):
        char, tile = parts[at]
        if resolved[at] % 2 and bidi.mirrored(char) != char:
            run = tile.rows[0][0]
            tile = text_tile(bidi.mirrored(char) + run.text[1:], run.marks, run.word)
        ordered.append((char, tile))
    yield from ((0, tile) for _, tile in bidi.placed(ordered))


def text_lines(text: str, cells: int, marks: Mark = Mark.NONE) -> list[Line]:
    """Fill plain words into lines."""
    return paragraph(Paragraph((Text(text, marks),)), cells, Setting())
