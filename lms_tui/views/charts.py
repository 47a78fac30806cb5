"""Charts drawn in cells: bars, sparklines and ranges (pure). Fillings differ, because colour alone is not enough."""

from collections.abc import Sequence
from typing import Final

from lms_tui.views.rows import Row, Span, fitted, padded, row

PARTS: Final = "▏▎▍▌▋▊▉█"
"""Eighths of a cell from the left."""
LEVELS: Final = "▁▂▃▄▅▆▇█"
"""Eighths of a cell from below."""
GROUND: Final = "─"
FILLS: Final = ("█", "▓", "░", "?")
"""Fillings of the parts of one bar: correct, incorrect, unanswered, not marked."""
PARTLY: Final = "▒"
"""The filling of partly correct answers."""
LOW, POINT, HIGH, MINE = "├", "●", "┤", "▲"


def bar(value: float, most: float, room: int, *, look: str = "accent") -> Row:
    """Draw `value` as a share of `most`."""
    share = max(0.0, min(1.0, value / most)) if most > 0 else 0.0
    steps = len(PARTS)
    full, part = divmod(round(share * room * steps), steps)
    drawn = PARTS[-1] * full + (PARTS[part - 1] if part else "")
    if share and not drawn:
        drawn = PARTS[0]
    return row((drawn, look), (GROUND * (room - len(drawn)), "border"))


def shares(counts: Sequence[int], room: int) -> list[int]:
    """Divide `room` cells among counts. Each count above 0 gets at least one cell."""
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


def stacked(parts: Sequence[tuple[int, str]], room: int, fills: Sequence[str] = FILLS) -> Row:
    """Draw counts side by side in one bar. `parts`: each count with its look, as `[(52, "good"), (13, "bad")]`.

    `fills`: the filling of each part.
    """
    given = shares([count for count, _ in parts], room)
    return row(*((fill * n, look) for fill, n, (_, look) in zip(fills[: len(parts)], given, parts, strict=True)))


def sparkline(values: Sequence[float], room: int) -> str:
    """One column for each of the last `room` values, the newest at the right."""
    shown = values[-room:]
    if not shown:
        return ""
    least, most = min(shown), max(shown)
    top = len(LEVELS) - 1
    if most == least:
        return LEVELS[top // 2] * len(shown)
    return "".join(LEVELS[round((value - least) / (most - least) * top)] for value in shown)


def span_of(
    low: float, point: float | None, high: float, scale: tuple[float, float], room: int, mine: float | None = None
) -> Row:
    """`├──●──▲──┤`: from low to high on a scale, with a point and one's own value between."""
    least, most = scale
    reach = (most - least) or 1.0

    def place(value: float) -> int:
        return round(max(0.0, min(1.0, (value - least) / reach)) * (room - 1))

    first, last = place(low), max(place(high), place(low))
    drawn = [" "] * room
    drawn[first : last + 1] = GROUND * (last - first + 1)
    drawn[first], drawn[last] = LOW, HIGH
    signs = {place(value): sign for value, sign in ((point, POINT), (mine, MINE)) if value is not None}
    looks = {POINT: "accent", MINE: "good"}
    parts, done = [], 0
    for at, sign in sorted(signs.items()):
        parts += [("".join(drawn[done:at]), "dim"), (sign, looks[sign])]
        done = at + 1
    return row(*parts, ("".join(drawn[done:]), "dim"))


def labelled_bar(label: str, value: float, most: float, text: str, room: int, look: str) -> Row:
    """A bar between its label and its number. Without room for a bar, the number stands alone."""
    bar_room = min(40, room - 31)
    if bar_room < 4:
        return row((padded(label, 9), "dim"), fitted(text, room - 9))
    return (Span(padded(label, 9), "dim"), *bar(value, most, bar_room, look=look), Span(f"  {text}"))
