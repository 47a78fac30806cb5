"""Pixels to cells: the upper half block has one pixel as its colour and the one below as its background."""

from functools import lru_cache
from typing import Final

from lms_tui.content.model import Bitmap, Run

CELL: Final = (8, 16)
"""Pixels of a terminal's cell, as most fonts have it."""
WIDEST, TALLEST = 72, 20
"""Cells that a picture takes at most in running text; enlarged it takes the screen."""
_LEAST_ROWS: Final = 3
_HALF: Final = "▀"


def size_in_cells(bitmap: Bitmap, columns: int, rows: int = TALLEST, *, enlarge: bool = False) -> tuple[int, int]:
    """Columns and rows for a picture in its own size, made smaller to fit, a tiny one larger to be seen.

    `enlarge`: as large as fits.
    """
    width, height = bitmap.shown
    natural_columns, natural_rows = width / CELL[0], height / CELL[1]
    scale = min(columns / natural_columns, rows / natural_rows)
    if not enlarge:
        scale = min(scale, max(1.0, _LEAST_ROWS / natural_rows))
    return max(1, min(columns, round(natural_columns * scale))), max(1, min(rows, round(natural_rows * scale)))


@lru_cache(maxsize=128)
def half_blocks(bitmap: Bitmap, columns: int, rows: int) -> tuple[tuple[Run, ...], ...]:
    """Draw a picture in so many cells; neighbours of the same colours are one run."""
    from PIL import Image  # noqa: PLC0415 - the bitmap came from it, so that it is there

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
    """Five bits of each channel are kept: neighbours that look the same become one run."""
    red, green, blue = (min(255, (channel + 4) // 8 * 8) for channel in pixels[at : at + 3])
    return red << 16 | green << 8 | blue
