"""The help: every key of a screen under its heading, in one or two columns (pure)."""

from collections.abc import Mapping

from lms_tui.tui.commands import Where, help_of, in_words
from lms_tui.views.rows import EMPTY, Row, filled_row, padded, row, strong, wrapped


def help_rows(where: Where, keymap: Mapping[str, str], room: int, *, plain: bool = False) -> list[Row]:
    """`plain`: for a terminal that draws no symbols."""
    say = in_words if plain else str
    blocks = [
        _block(group.value, [(say(keys), text) for keys, text in entries], room if room < 96 else room // 2 - 2)
        for group, entries in help_of(where, keymap)
    ]
    if room < 96:
        return [line for block in blocks for line in (*block, EMPTY)][:-1]
    left, right = _halves(blocks)
    half = room // 2 - 2
    rows = max(len(left), len(right))
    left += [EMPTY] * (rows - len(left))
    right += [EMPTY] * (rows - len(right))
    return [(*filled_row(one, half + 4), *other) for one, other in zip(left, right, strict=True)]


def _block(heading: str, entries: list[tuple[str, str]], room: int) -> list[Row]:
    keys_room = min(18, room // 3)
    rows: list[Row] = [(strong(heading, "title"),)]
    for keys, text in entries:
        for number, line in enumerate(wrapped(text, room - keys_room)):
            rows.append(row((padded(keys if not number else "", keys_room), "accent"), *line))
    return rows


def _halves(blocks: list[list[Row]]) -> tuple[list[Row], list[Row]]:
    """Fill the left column to about half of all rows, whole blocks only."""
    total = sum(len(block) + 1 for block in blocks)
    left: list[Row] = []
    right: list[Row] = []
    for block in blocks:
        column = left if len(left) + len(block) // 2 < total // 2 and not right else right
        column += [*block, EMPTY]
    return left, right
