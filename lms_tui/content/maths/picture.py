"""Pictures of formulas, which are rows of equal width with a baseline, and ways to combine them."""

from collections.abc import Iterable, Sequence

from lms_tui.common.frozen import frozen
from lms_tui.content.cells import width


@frozen
class Picture:
    """A drawn formula. Each of its `rows` has `width` cells, and row `baseline` aligns with the text around it."""

    rows: tuple[str, ...]
    width: int
    baseline: int = 0

    @property
    def above(self) -> int:
        return self.baseline

    @property
    def below(self) -> int:
        return len(self.rows) - 1 - self.baseline

    @property
    def height(self) -> int:
        return len(self.rows)


NOTHING = Picture(("",), 0)


def line_of(text: str) -> Picture:
    """Return a picture of one row."""
    return Picture((text,), width(text))


def aligned(text: str, cells: int, align: str = "c") -> str:
    """Pad a row on the sides that `align` (l, c, r) leaves free."""
    spare = cells - width(text)
    left = {"l": 0, "r": spare}.get(align, spare // 2)
    return " " * left + text + " " * (spare - left)


def widened(picture: Picture, cells: int, align: str = "c") -> Picture:
    """Align the picture in a wider field."""
    spare = cells - picture.width
    if spare <= 0:
        return picture
    left = {"l": 0, "r": spare}.get(align, spare // 2)
    return Picture(tuple(" " * left + row + " " * (spare - left) for row in picture.rows), cells, picture.baseline)


def extended(picture: Picture, above: int, below: int) -> Picture:
    """Add blank rows up to the given height above and depth below the baseline."""
    up, down = max(0, above - picture.above), max(0, below - picture.below)
    if not up and not down:
        return picture
    blank = (" " * picture.width,)
    return Picture(blank * up + picture.rows + blank * down, picture.width, picture.baseline + up)


def beside(parts: Iterable[tuple[int, Picture]]) -> Picture:
    """Join pictures on one baseline, each with blanks before it."""
    placed = list(parts)
    if not placed:
        return NOTHING
    if len(placed) == 1 and not placed[0][0]:
        return placed[0][1]
    cells = sum([gap + picture.width for gap, picture in placed])
    if all(len(picture.rows) == 1 for _, picture in placed):
        return Picture(("".join([" " * gap + picture.rows[0] for gap, picture in placed]),), cells)
    above = max([picture.baseline for _, picture in placed])
    below = max([picture.below for _, picture in placed])
    full = [(gap, extended(picture, above, below).rows) for gap, picture in placed]
    rows = ["".join([" " * gap + part[at] for gap, part in full]) for at in range(above + below + 1)]
    return Picture(tuple(rows), cells, above)


def stacked(pictures: Sequence[Picture], baseline: int, align: str = "c") -> Picture:
    """Stack pictures. `baseline` is the baseline row of the result."""
    cells = max((picture.width for picture in pictures), default=0)
    rows = tuple(row for picture in pictures for row in widened(picture, cells, align).rows)
    return Picture(rows or ("",), cells, baseline)


def on_row(pictures: Sequence[Picture], which: int, align: str = "c") -> Picture:
    """Stack pictures. The baseline is that of picture `which`."""
    above = sum(picture.height for picture in pictures[:which])
    return stacked(pictures, above + pictures[which].baseline, align)
