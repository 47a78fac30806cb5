"""The field with the words by which a list is searched. It stands above the list and is hidden at first."""

from typing import TypeVar

from textual.screen import Screen
from textual.widgets import Input

from lms_tui.tui.widgets.row_list import RowList

Result = TypeVar("Result")


def open_search(screen: Screen[Result]) -> Input:
    """Show the field and focus it at once, because the next key may have arrived."""
    field = screen.query_one("#search", Input)
    field.display = True
    screen.set_focus(field)
    return field


def close_search(screen: Screen[Result]) -> None:
    """Empty and hide the field, and focus the list."""
    screen.query_one(RowList).focus()
    field = screen.query_one("#search", Input)
    field.value = ""
    field.display = False
