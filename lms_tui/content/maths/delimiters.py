"""Draw brackets, bars and braces of any height."""

from typing import Final

from lms_tui.content.maths.picture import Picture, extended, line_of

# top, middle, bottom, and the centre if it differs
_PIECES: Final[dict[str, tuple[str, str, str, str]]] = {
    "(": ("⎛", "⎜", "⎝", "⎜"),
    ")": ("⎞", "⎟", "⎠", "⎟"),
    "[": ("⎡", "⎢", "⎣", "⎢"),
    "]": ("⎤", "⎥", "⎦", "⎥"),
    "{": ("⎧", "⎪", "⎩", "⎨"),
    "}": ("⎫", "⎪", "⎭", "⎬"),
    "⌊": ("⎢", "⎢", "⎣", "⎢"),
    "⌋": ("⎥", "⎥", "⎦", "⎥"),
    "⌈": ("⎡", "⎢", "⎢", "⎢"),
    "⌉": ("⎤", "⎥", "⎥", "⎥"),
    "|": ("│", "│", "│", "│"),
    "∣": ("│", "│", "│", "│"),
    "‖": ("║", "║", "║", "║"),
    "∥": ("║", "║", "║", "║"),
}
_ANGLES: Final = {"⟨": "╱╲", "⟩": "╲╱", "〈": "╱╲", "〉": "╲╱"}
BRACES: Final = frozenset("{}")


def delimiter(sign: str, above: int, below: int) -> Picture:
    """Draw a delimiter over the rows from `above` to `below` the baseline. An empty delimiter draws nothing."""
    height = above + below + 1
    if not sign:
        return Picture(("",) * height, 0, above)
    if height == 1:
        return line_of(sign)
    if sign in _ANGLES:
        return _angle(sign, height, above)
    pieces = _PIECES.get(sign)
    if pieces is None:
        return extended(line_of(sign), above, below)
    top, middle, bottom, centre = pieces
    rows = [top, *[middle] * (height - 2), bottom]
    if height > 2:
        rows[min(max(above, 1), height - 2)] = centre
    return Picture(tuple(rows), 1, above)


def _angle(sign: str, height: int, above: int) -> Picture:
    upper, lower = tuple(_ANGLES[sign])
    half = (height + 1) // 2
    rows = []
    for at in range(height):
        distance = half - 1 - at if at < half else at - (height - half)
        place = distance if upper == "╱" else half - 1 - distance
        rows.append(" " * place + (upper if at < height / 2 else lower) + " " * (half - 1 - place))
    return Picture(tuple(rows), half, above)
