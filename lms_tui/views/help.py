"""The help screen: keys under headings, in one or two columns (pure)."""

from collections.abc import Iterable, Sequence

from lms_tui.content.cells import width
from lms_tui.views.rows import EMPTY, Row, filled_row, fitted, padded, row, strong, wrapped

Keys = Sequence[tuple[str, str]]
"""Each key as shown to people, with its description."""


def help_rows(groups: Iterable[tuple[str, Keys]], room: int) -> list[Row]:
    """`groups`: each heading with its keys."""
    blocks = [_block(heading, keys, room if room < 96 else room // 2 - 2) for heading, keys in groups]
    if room < 96:
        return [line for block in blocks for line in (*block, EMPTY)][:-1]
    left, right = _halves(blocks)
    half = room // 2 - 2
    rows = max(len(left), len(right))
    left += [EMPTY] * (rows - len(left))
    right += [EMPTY] * (rows - len(right))
    return [(*filled_row(one, half + 4), *other) for one, other in zip(left, right, strict=True)]


def _block(heading: str, entries: Keys, room: int) -> list[Row]:
    keys_room = min(18, room * 2 // 5)
    rows: list[Row] = [(strong(heading, "title"),)]
    for keys, text in entries:
        beside = width(keys) < keys_room
        if not beside:
            rows.append(row((fitted(keys, room), "accent")))
        for number, line in enumerate(wrapped(text, room - keys_room)):
            rows.append(row((padded(keys if beside and not number else "", keys_room), "accent"), *line))
    return rows


def _halves(blocks: list[list[Row]]) -> tuple[list[Row], list[Row]]:
    """Split the blocks into two columns of about the same height."""
    total = sum(len(block) + 1 for block in blocks)
    left: list[Row] = []
    right: list[Row] = []
    for block in blocks:
        column = left if len(left) + len(block) // 2 < total // 2 and not right else right
        column += [*block, EMPTY]
    return left, right
