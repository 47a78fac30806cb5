"""Draw roots, corners, arrows, braces and grid rows around finished pictures."""

import re
from collections.abc import Sequence
from typing import Final

from lms_tui.content.cells import width
from lms_tui.content.maths.picture import NOTHING, Picture, aligned, beside, line_of, on_row, stacked, widened
from lms_tui.content.maths.tree import Atom, Grid, Root, inline

_NUMBER: Final = re.compile(r"[−+]?\d*[.,]?\d*")


def grid_row(row: Sequence[Picture], widths: Sequence[int], aligns: Sequence[str], node: Grid) -> Picture:
    parts: list[tuple[int, Picture]] = []
    above, below = (max((getattr(each, side) for each in row), default=0) for side in ("above", "below"))
    wall = stacked([line_of("│")] * (above + below + 1), above)
    for at, cells in enumerate(widths):
        picture = row[at] if at < len(row) else NOTHING
        align = aligns[at]
        if at and at - 1 in node.bars:
            parts.append((1, wall))
            parts.append((1, widened(picture, cells, align)))
            continue
        parts.append((_gap(at, node), widened(picture, cells, align)))
    return beside(parts)


def _gap(column: int, node: Grid) -> int:
    """Blanks before a column without a bar."""
    return 0 if not column else (node.gap or (2 if column % 2 == 0 else 0))


def ruled(lines: Sequence[Picture], widths: Sequence[int], node: Grid) -> list[Picture]:
    """Return the rows with rules below those in `rules`. Rules cross the bars."""
    rule = "".join(
        ("─┼─" if at and at - 1 in node.bars else "─" * _gap(at, node)) + "─" * cells for at, cells in enumerate(widths)
    )
    last = len(lines) - 1
    parts = ((line, line_of(rule)) if at in node.rules and at < last else (line,) for at, line in enumerate(lines))
    return [picture for pair in parts for picture in pair]


def column_align(cells: Sequence[Sequence[Picture]], at: int, node: Grid) -> str:
    """Return the alignment of a column. A centred column of numbers is aligned right, −1 under 1."""
    align = node.aligns[at] if at < len(node.aligns) else "c"
    texts = [row[at].rows[0] for row in cells if at < len(row) and row[at].height == 1]
    return "r" if align == "c" and len(texts) == len(cells) and all(map(_NUMBER.fullmatch, texts)) else align


def has_bar(picture: Picture) -> bool:
    return any("─" in row for row in picture.rows)


def short_root(head: str, body: Picture, node: Root) -> Picture:
    only = inline(node.body)
    if len(only) == 1 and isinstance(only[0], Atom):
        return beside([(0, line_of(head)), (0, body)])
    line = line_of(" " * width(head) + "_" * body.width)
    return on_row([line, beside([(0, line_of(head)), (0, body)])], 1, "l")


def tall_root(body: Picture, degree: str) -> Picture:
    left = max(1, width(degree))
    rows = [" " * left + "┌" + "─" * body.width]
    for at, row in enumerate(body.rows):
        last = at == body.height - 1
        lead = aligned("╲", left, "r") if last else " " * left
        if degree and (at == body.height - 2 or (body.height == 1 and at == 0)):
            lead = aligned(degree, left, "r")
        rows.append(lead + "│" + row)
    if body.height == 1:
        rows[0] = aligned(degree, left, "r") + rows[0][left:]
        rows[1] = aligned("╲", left, "r") + rows[1][left:]
    return Picture(tuple(rows), body.width + left + 1, body.baseline + 1)


def corners(base: Picture, upper: Picture, lower: Picture) -> Picture:
    """Draw scripts at the upper and lower corner of a tall base."""
    cells = max(upper.width, lower.width)
    above = base.above + upper.height - 1
    below = base.below + lower.height - 1
    rows = [" " * cells] * (above + below + 1)
    if upper.width:
        for at, row in enumerate(widened(upper, cells, "l").rows):
            rows[at] = row
    if lower.width:
        start = above + below + 1 - lower.height
        for at, row in enumerate(widened(lower, cells, "l").rows):
            rows[start + at] = row
    return Picture(tuple(rows), cells, above)


def long_arrow(base: Picture, sign: str, cells: int) -> Picture:
    """Draw an arrow as long as the text above it."""
    if cells < 2 and sign == "=":
        return base
    cells = max(cells + 2, 3)
    drawn = {"→": "─" * (cells - 1) + "→", "⟶": "─" * (cells - 1) + "→", "←": "←" + "─" * (cells - 1),
             "⟵": "←" + "─" * (cells - 1), "↔": "←" + "─" * (cells - 2) + "→", "=": "═" * cells}  # fmt: skip
    return line_of(drawn.get(sign, base.rows[0]))


def braced(base: Picture, *, over: bool) -> Picture:
    if base.width < 3:
        mark = "⏞" if over else "⏟"
    else:
        middle = (base.width - 2) // 2
        left, joint, right = ("╭", "┴", "╮") if over else ("╰", "┬", "╯")
        mark = left + "─" * (middle - (1 - base.width % 2) if base.width % 2 == 0 else middle) + joint
        mark += "─" * (base.width - width(mark) - 1) + right
    return on_row([line_of(mark), base], 1) if over else on_row([base, line_of(mark)], 0)
