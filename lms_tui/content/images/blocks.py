"""Draw pixels as half blocks. Each cell shows one pixel above another."""

from functools import lru_cache
from typing import Final

from lms_tui.content.lines import Bitmap, Run

CELL: Final = (8, 16)
"""Pixels of a terminal cell in most fonts."""
WIDEST, TALLEST = 72, 20
"""Largest size in cells of a picture in running text."""
_LEAST_ROWS: Final = 3
_HALF: Final = "▀"


def size_in_cells(bitmap: Bitmap, columns: int, rows: int = TALLEST, *, enlarge: bool = False) -> tuple[int, int]:
    """Return the columns and rows for a picture in its own size, scaled to fit.

    A tiny picture is enlarged so it can be seen. `enlarge` makes the picture as large as fits.
    """
    width, height = bitmap.shown
    natural_columns, natural_rows = width / CELL[0], height / CELL[1]
    scale = min(columns / natural_columns, rows / natural_rows)
    if not enlarge:
        scale = min(scale, max(1.0, _LEAST_ROWS / natural_rows))
    return max(1, min(columns, round(natural_columns * scale))), max(1, min(rows, round(natural_rows * scale)))


@lru_cache(maxsize=128)
def half_blocks(bitmap: Bitmap, columns: int, rows: int) -> tuple[tuple[Run, ...], ...]:
    """Draw a picture in `columns` by `rows` cells. Neighbours of the same colours become one run."""
    from PIL import Image  # noqa: PLC0415 - see bitmap.decode

    image = Image.frombytes("RGB", (bitmap.width, bitmap.height), bitmap.pixels)
    pixels = image.resize((columns, rows * 2), Image.Resampling.BOX).tobytes()
    return tuple(_row(pixels, columns, y) for y in range(rows))


def _row(pixels: bytes, columns: int, y: int) -> tuple[Run, ...]:
    runs: list[Run] = []
    upper, lower = 2 * y * columns * 3, (2 * y + 1) * columns * 3
    count = 0
    before: tuple[int, int] | None = None
    for x in range(0, columns * 3, 3):
        colours = _colour(pixels, upper + x), _colour(pixels, lower + x)
        if colours != before and before is not None:
            runs.append(_run(before, count))
            count = 0
        before = colours
        count += 1
    if before is not None:
        runs.append(_run(before, count))
    return tuple(runs)


def _run(colours: tuple[int, int], count: int) -> Run:
    return Run((" " if colours[0] == colours[1] else _HALF) * count, colours=colours)


def _colour(pixels: bytes, at: int) -> int:
    """Return a colour with five bits a channel, so similar neighbours become one run."""
    red, green, blue = (min(255, (channel + 4) // 8 * 8) for channel in pixels[at : at + 3])
    return red << 16 | green << 8 | blue
