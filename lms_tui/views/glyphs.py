"""The signs of the screens, as symbols and as ASCII (pure)."""

from typing import Final

from lms_tui.common.frozen import frozen


@frozen
class Glyphs:
    """Signs of one cell each. `border`: corners clockwise from top left, then the horizontal and vertical line."""

    answered: str = "●"
    seen: str = "○"
    marked: str = "◆"
    marked_answered: str = "◈"
    unseen: str = "·"
    unsent: str = "↑"
    note: str = "✎"
    cursor: str = "▸"
    struck: str = "✗"
    well: str = "●"
    sending: str = "◐"
    offline: str = "○"
    broken: str = "✗"
    clock: str = "◷"
    above: str = "▲"
    below: str = "▼"
    aside: str = "◂▸"
    thumb: str = "┃"
    dot: str = "·"
    radio: tuple[str, str] = ("( )", "(●)")
    box: tuple[str, str] = ("[ ]", "[✓]")
    border: str = "╭╮╯╰─│"


UNICODE: Final = Glyphs()
ASCII: Final = Glyphs(
    answered="*",
    seen="o",
    marked="?",
    marked_answered="#",
    unseen=".",
    unsent="^",
    note="+",
    cursor=">",
    struck="x",
    well="*",
    sending="~",
    offline="o",
    broken="x",
    clock="@",
    above="^",
    below="v",
    aside="<>",
    thumb="#",
    dot="-",
    radio=("( )", "(*)"),
    box=("[ ]", "[x]"),
    border="++++-|",
)
