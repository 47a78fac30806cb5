"""Charts in cells: bars, a line of columns, ranges; each says its numbers too, so that no colour is needed (pure)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lms_tui.views.rows import Row, Span, row

PARTS: Final = "▏▎▍▌▋▊▉█"
"""Eighths of a cell from the left."""
LEVELS: Final = "▁▂▃▄▅▆▇█"
"""Eighths of a cell from below."""
GROUND: Final = "─"
FILLS: Final = ("█", "▓", "░", "?")
"""What sets the parts of one bar apart without a colour: right, wrong, unanswered, and not judged yet."""
LOW, POINT, HIGH = "├", "●", "┤"


def bar(value: float, most: float, room: int, *, look: str = "accent") -> Row:
    """A bar of `value` of `most`, and the rest as ground."""
    share = max(0.0, min(1.0, value / most)) if most > 0 else 0.0
    steps = len(PARTS)
    full, part = divmod(round(share * room * steps), steps)
    drawn = PARTS[-1] * full + (PARTS[part - 1] if part else "")
    if share and not drawn:
        drawn = PARTS[0]
    return row((drawn, look), (GROUND * (room - len(drawn)), "border"))


def shares(counts: Sequence[int], room: int) -> list[int]:
    """Divide cells among counts: they add up to `room`, and nothing that is there gets none."""
    total = sum(counts)
    if not total or room <= 0:
        return [0] * len(counts)
    exact = [count * room / total for count in counts]
    given = [max(int(share), 1) if count else 0 for share, count in zip(exact, counts, strict=True)]
    while sum(given) != room:
        more = sum(given) < room
        gaps = [(e - g if more else g - e, n) for n, (e, g) in enumerate(zip(exact, given, strict=True))]
        able = [(gap, n) for gap, n in gaps if (counts[n] if more else given[n] > 1)]
        if not able:
            break
        given[max(able)[1]] += 1 if more else -1
    return given


def stacked(parts: Sequence[tuple[int, str]], room: int) -> Row:
    """Counts side by side in one bar, each with a look and a fill of its own: `[(52, "good"), (13, "bad")]`."""
    given = shares([count for count, _ in parts], room)
    fills = [FILLS[min(n, len(FILLS) - 1)] for n in range(len(parts))]
    return row(*((fill * n, look) for fill, n, (_, look) in zip(fills, given, parts, strict=True)))


def sparkline(values: Sequence[float], room: int) -> str:
    """One column a value, the newest at the right; only as many as there is room for."""
    shown = values[-room:]
    if not shown:
        return ""
    least, most = min(shown), max(shown)
    top = len(LEVELS) - 1
    if most == least:
        return LEVELS[top // 2] * len(shown)
    return "".join(LEVELS[round((value - least) / (most - least) * top)] for value in shown)


def span_of(low: float, point: float | None, high: float, scale: tuple[float, float], room: int) -> Row:
    """`├──┼─●─┤`: from low to high on a scale, with the point that lies between."""
    least, most = scale
    reach = (most - least) or 1.0

    def place(value: float) -> int:
        return round(max(0.0, min(1.0, (value - least) / reach)) * (room - 1))

    first, last = place(low), max(place(high), place(low))
    drawn = [" "] * room
    drawn[first : last + 1] = GROUND * (last - first + 1)
    drawn[first], drawn[last] = LOW, HIGH
    text = "".join(drawn)
    if point is None:
        return row((text, "dim"))
    at = place(point)
    return row((text[:at], "dim"), (POINT, "accent"), (text[at + 1 :], "dim"))


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a chart: its height, its look and filling, and a level marked across it (an average)."""

    value: float
    look: str = "accent"
    mark: float | None = None
    fill: str = LEVELS[-1]


def columns(entries: Sequence[Column], height: int, room: int, *, most: float = 0.0, slots: int = 0) -> list[Row]:
    """Columns of eighths of a cell, `height` rows high; the mark is a line where the column does not reach it.

    `most`: what the full height stands for, `slots`: for how many columns to plan, where charts belong together.
    """
    shown = entries[:room]
    most = most or max((max(e.value, e.mark or 0.0) for e in shown), default=0.0) or 1.0
    slots = max(slots, len(shown), 1)
    wide = max(1, min(4, (room + 1) // slots - 1))
    gap = " " if slots * (wide + 1) <= room + 1 else ""
    rows: list[Row] = []
    for level in range(height - 1, -1, -1):
        spans: list[Span] = []
        for number, entry in enumerate(shown):
            text, look = _cell(entry, level, height, most)
            spans += [Span(text * wide, look), *([Span(gap)] if gap and number < len(shown) - 1 else [])]
        rows.append(row(*spans))
    return rows


def _cell(entry: Column, level: int, height: int, most: float) -> tuple[str, str]:
    """What one column shows in one row; a filling of its own has no eighths."""
    part = max(0.0, min(1.0, entry.value / most)) * height - level
    solid = entry.fill == LEVELS[-1]
    if part >= 1 or (not solid and part >= 0.5):
        return entry.fill, entry.look
    if part > 0 and (solid or not level):
        return _level(part), entry.look
    if entry.mark is not None and int(min(entry.mark / most, 0.999) * height) == level:
        return GROUND, "warning"
    return (" " if level or entry.value > 0 else LEVELS[0]), "border"


def _level(share: float) -> str:
    return LEVELS[max(0, min(len(LEVELS) - 1, round(share * len(LEVELS)) - 1))]
