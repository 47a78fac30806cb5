"""Scroll bars for terminals without block characters. The thumb consists of coloured blanks."""

from typing import ClassVar

from textual.scrollbar import ScrollBar, ScrollBarRender


class PlainBar(ScrollBarRender):
    VERTICAL_BARS: ClassVar[list[str]] = [" "] * 8
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "] * 8


def choose_bars(*, plain: bool) -> None:
    """Set the look of all scroll bars. Textual keeps it on the class."""
    ScrollBar.renderer = PlainBar if plain else ScrollBarRender
