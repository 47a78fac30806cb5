"""Scroll bars for terminals that draw no blocks: the thumb is a run of coloured blanks."""

from typing import ClassVar

from textual.scrollbar import ScrollBar, ScrollBarRender


class PlainBar(ScrollBarRender):
    VERTICAL_BARS: ClassVar[list[str]] = [" "] * 8
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "] * 8


def choose_bars(*, plain: bool) -> None:
    """Say how every scroll bar is drawn: Textual keeps it with the class."""
    ScrollBar.renderer = PlainBar if plain else ScrollBarRender
