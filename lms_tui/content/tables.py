"""Draw tables with box characters, balanced columns, wrapped cells, and cells that span columns and rows."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Final

from lms_tui.common.frozen import frozen
from lms_tui.content import bidi
from lms_tui.content.cells import pad, width
from lms_tui.content.flow import Setting, runs_left, text_lines, together
from lms_tui.content.lines import Line, Mark, Run
from lms_tui.content.model import Block, Cell, Direction, Paragraph, Table
from lms_tui.content.tiles import plain

_WIDEST: Final = 10_000
"""Width in which the natural width of a cell is measured."""
_NARROWEST: Final = 6
"""Smallest readable width of a column of words. A table with too many columns becomes wider than the line."""
_LONGEST_WORD: Final = 16
"""A column is kept wide enough for its longest word up to this width."""
_MOST_COLUMNS: Final = 200
_JUNCTIONS: Final = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""Indexed by arms: 1 up, 2 right, 4 down, 8 left."""

Blocks = Callable[[Sequence[Block], int, Setting], list[Line]]


@frozen
class _Placed:
    """A cell with its place in the grid."""

    cell: Cell
    row: int
    column: int
    rows: int
    columns: int


def table(block: Table, cells: int, setting: Setting, blocks: Blocks) -> list[Line]:
    """Draw a table in `cells`. A table that cannot be read in this width is wider and scrolls sideways."""
    placed, rows, columns = _placed(block)
    if setting.bidi and _runs_left(block):
        placed = [
            replace(each, column=columns - each.column - each.columns, cell=_to_the_right(each.cell)) for each in placed
        ]
    lines = text_lines(block.caption, cells, Mark.BOLD) if block.caption else []
    if not columns:
        return lines
    # Right-to-left text is aligned to the right of its room, so its natural width must be measured without bidi.
    measured = replace(setting, bidi=False)
    widths = _widths(placed, columns, cells - 3 * columns - 1, measured, blocks)
    laid = [_lay(each, widths, setting, blocks) for each in placed]
    heights = _heights(placed, laid, rows)
    return lines + together(_draw(_Drawing(block, placed, laid, widths, heights)), cells)


def _placed(block: Table) -> tuple[list[_Placed], int, int]:
    """Put each cell into the first free column, as HTML does, and return cells, rows and columns."""
    taken: set[tuple[int, int]] = set()
    placed: list[_Placed] = []
    count = len(block.rows)
    for row, line in enumerate(block.rows):
        column = 0
        for cell in line:
            while (row, column) in taken:
                column += 1
            if column >= _MOST_COLUMNS:
                break
            rows = max(1, min(cell.rows, count - row))
            most = max(1, min(cell.columns, _MOST_COLUMNS - column))
            columns = next((at for at in range(1, most) if (row, column + at) in taken), most)
            taken.update((row + down, column + along) for down in range(rows) for along in range(columns))
            placed.append(_Placed(cell, row, column, rows, columns))
            column += columns
    columns = max((each.column + each.columns for each in placed), default=0)
    free = [(row, at) for row in range(count) for at in range(columns) if (row, at) not in taken]
    placed.extend(_Placed(Cell(()), row, at, 1, 1) for row, at in free)
    used = {each.column for each in placed}
    return _without_empty(placed, used, columns) if len(used) < columns else (placed, count, columns)


def _to_the_right(cell: Cell) -> Cell:
    return replace(cell, align=cell.align or "right")


def _runs_left(block: Table) -> bool:
    """Return whether the first column is the rightmost, by the table's direction or by most of its cells."""
    if block.direction is not Direction.AUTO:
        return block.direction is Direction.RIGHT_TO_LEFT
    first = (cell.blocks[0] for line in block.rows for cell in line if cell.blocks)
    texts = [child for child in first if isinstance(child, Paragraph) and bidi.has_letters(plain(child.children))]
    return sum(map(runs_left, texts)) * 2 > len(texts)


def _without_empty(placed: list[_Placed], used: set[int], columns: int) -> tuple[list[_Placed], int, int]:
    """Remove columns in which no cell begins, such as a colspan of 100 over nothing."""
    kept = [at for at in range(columns) if at in used]
    new = {at: place for place, at in enumerate(kept)}
    folded = [
        _Placed(
            each.cell,
            each.row,
            new[each.column],
            each.rows,
            sum(each.column <= at < each.column + each.columns for at in kept),
        )
        for each in placed
    ]
    return folded, max(each.row + each.rows for each in folded), len(kept)


def _natural(cell: Cell, setting: Setting, blocks: Blocks) -> int:
    """Return the width of a cell without wrapping."""
    return max((line.width for line in blocks(cell.blocks, _WIDEST, setting)), default=1) if cell.blocks else 1


def _least(cell: Cell, natural: int, setting: Setting, blocks: Blocks) -> int:
    """Return the minimum width of a cell: its widest formula, and its longest word up to a limit."""
    if natural <= _NARROWEST:
        return natural
    narrow = max((line.width for line in blocks(cell.blocks, _NARROWEST, setting)), default=1)
    word = max((_longest_word(line) for line in blocks(cell.blocks, _WIDEST, setting)), default=1)
    return min(natural, max(narrow, min(word, _LONGEST_WORD)))


def _longest_word(line: Line) -> int:
    return max((width(word) for word in line.text.split()), default=1)


def _widths(placed: Sequence[_Placed], columns: int, room: int, setting: Setting, blocks: Blocks) -> list[int]:
    """Return natural widths if they fit. Otherwise each column gets its minimum and a share of the rest."""
    by_span = sorted(placed, key=lambda each: each.columns)
    wanted = [_natural(each.cell, setting, blocks) for each in by_span]
    natural = [1] * columns
    for each, size in zip(by_span, wanted, strict=True):
        _widen(natural, range(each.column, each.column + each.columns), size)
    if sum(natural) <= room:
        return natural
    least = [1] * columns
    for each, size in zip(by_span, wanted, strict=True):
        _widen(least, range(each.column, each.column + each.columns), _least(each.cell, size, setting, blocks))
    return _shared(natural, [min(a, b) for a, b in zip(natural, least, strict=True)], room)


def _shared(natural: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Distribute spare cells evenly among the columns that are below their natural width."""
    widths = list(least)
    spare = room - sum(widths)
    while spare > 0:
        lacking = [at for at in range(len(widths)) if widths[at] < natural[at]]
        if not lacking:
            break
        share = max(1, spare // len(lacking))
        for at in lacking:
            given = min(share, natural[at] - widths[at], spare)
            widths[at] += given
            spare -= given
    return widths


def _widen(widths: list[int], span: range, wanted: int) -> None:
    """Widen the columns under a spanning cell. Borders inside the span count as room."""
    missing = wanted - sum(widths[at] for at in span) - 3 * (len(span) - 1)
    if missing <= 0:
        return
    share, rest = divmod(missing, len(span))
    for place, at in enumerate(span):
        widths[at] += share + (1 if place < rest else 0)


def _span(each: _Placed, widths: Sequence[int]) -> int:
    return sum(widths[each.column : each.column + each.columns]) + 3 * (each.columns - 1)


def _lay(each: _Placed, widths: Sequence[int], setting: Setting, blocks: Blocks) -> list[Line]:
    return blocks(each.cell.blocks, _span(each, widths), setting) if each.cell.blocks else []


def _heights(placed: Sequence[_Placed], laid: Sequence[list[Line]], rows: int) -> list[int]:
    heights = [1] * rows
    for each, lines in sorted(zip(placed, laid, strict=True), key=lambda pair: pair[0].rows):
        missing = len(lines) - sum(heights[each.row : each.row + each.rows]) - (each.rows - 1)
        if missing > 0:
            heights[each.row + each.rows - 1] += missing
    return heights


class _Drawing:
    """The grid of a table. Rules between rows are drawn only where rows are hard to tell apart."""

    def __init__(
        self,
        block: Table,
        placed: Sequence[_Placed],
        laid: Sequence[list[Line]],
        widths: Sequence[int],
        heights: Sequence[int],
    ) -> None:
        self.placed = placed
        self.laid = laid
        self.widths = list(widths)
        self.heights = list(heights)
        self.rows = len(heights)
        self.columns = len(widths)
        self.owner = {
            (each.row + down, each.column + along): at
            for at, each in enumerate(placed)
            for down in range(each.rows)
            for along in range(each.columns)
        }
        headers = [bool(line) and all(cell.header for cell in line) for line in block.rows]
        spread = any(height > 1 for height in heights) or any(each.rows > 1 or each.columns > 1 for each in placed)
        self._tops = list(accumulate(self.heights, initial=0))
        self.ruled = [spread or (row > 0 and headers[row - 1] and not headers[row]) for row in range(self.rows)]
        self._rules = list(accumulate(self.ruled[1:], initial=0))

    def has_rule(self, row: int, column: int) -> bool:
        """Return whether there is a rule above the cell. Row `rows` is the bottom."""
        if row in {0, self.rows}:
            return True
        return self.ruled[row] and self.owner.get((row - 1, column)) != self.owner.get((row, column))

    def has_wall(self, row: int, column: int) -> bool:
        """Return whether there is a wall left of the cell. Column `columns` is the right edge."""
        if column in {0, self.columns}:
            return True
        return self.owner.get((row, column - 1)) != self.owner.get((row, column))

    def junction(self, row: int, column: int) -> str:
        arms = 0
        if row > 0 and self.has_wall(row - 1, column):
            arms |= 1
        if column < self.columns and self.has_rule(row, column):
            arms |= 2
        if row < self.rows and self.has_wall(row, column):
            arms |= 4
        if column > 0 and self.has_rule(row, column - 1):
            arms |= 8
        return _JUNCTIONS[arms]

    def top(self, each: _Placed) -> int:
        """Return the text row of the whole table in which a cell begins."""
        return self._tops[each.row] + self._rules[each.row]


def _draw(drawing: _Drawing) -> list[Line]:
    lines: list[Line] = []
    place = 0
    for row in range(drawing.rows + 1):
        if row in {0, drawing.rows} or drawing.ruled[row]:
            if row not in {0, drawing.rows}:
                lines.append(_rule(drawing, row, place))
                place += 1
            else:
                lines.append(_rule(drawing, row, place))
        if row < drawing.rows:
            for _ in range(drawing.heights[row]):
                lines.append(_text_row(drawing, row, place))
                place += 1
    return lines


def _rule(drawing: _Drawing, row: int, place: int) -> Line:
    """Draw a rule between rows. A cell that spans the rule continues through it."""
    runs: list[Run] = []
    column = 0
    while column < drawing.columns:
        runs.append(Run(drawing.junction(row, column), Mark.DIM))
        if drawing.has_rule(row, column):
            runs.append(Run("─" * (drawing.widths[column] + 2), Mark.DIM))
            column += 1
            continue
        at = drawing.owner[row, column]
        runs.extend(_cell_runs(drawing, at, place))
        column = drawing.placed[at].column + drawing.placed[at].columns
    runs.append(Run(drawing.junction(row, drawing.columns), Mark.DIM))
    return _line(runs)


def _text_row(drawing: _Drawing, row: int, place: int) -> Line:
    runs: list[Run] = []
    column = 0
    while column < drawing.columns:
        at = drawing.owner[row, column]
        runs.append(Run("│", Mark.DIM))
        runs.extend(_cell_runs(drawing, at, place))
        column = drawing.placed[at].column + drawing.placed[at].columns
    runs.append(Run("│", Mark.DIM))
    return _line(runs)


def _cell_runs(drawing: _Drawing, at: int, place: int) -> list[Run]:
    each = drawing.placed[at]
    room = _span(each, drawing.widths)
    offset = place - drawing.top(each)
    lines = drawing.laid[at]
    if not 0 <= offset < len(lines):
        return [Run(" " * (room + 2))]
    line = lines[offset]
    spare = max(0, room - line.width)
    left = {"right": spare, "center": spare // 2}.get(each.cell.align, 0)
    if each.cell.align in {"right", "center"}:  # keep the rows of one formula aligned
        widest = max(one.width for one in lines)
        spare_all = max(0, room - widest)
        left = {"right": spare_all, "center": spare_all // 2}[each.cell.align] if len(lines) > 1 else left
    return [Run(" " * (left + 1)), *line.runs, Run(" " * (spare - left + 1))]


def _line(runs: Sequence[Run]) -> Line:
    merged: list[Run] = []
    for run in runs:
        drawn = run.colours is not None or run.part is not None
        alike = merged and (merged[-1].marks, merged[-1].word) == (run.marks, run.word)
        if alike and not (drawn or merged[-1].colours or merged[-1].part):
            merged[-1] = Run(merged[-1].text + run.text, run.marks, word=run.word)
        else:
            merged.append(run)
    return Line(tuple(merged), sum(width(run.text) for run in merged))


__all__ = ["pad", "table"]
