"""A kept home screen in a list and a pane, and the keys that already work in it."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from textual.events import Event, Key
from textual.screen import Screen

from lms_tui.tui.messages import KeysSettled
from lms_tui.tui.widgets.card import RowsPane
from lms_tui.tui.widgets.drawn import LOOKS
from lms_tui.tui.widgets.row_list import Entry, RowList
from lms_tui.views.kept_list import KeptEntry, SeenList
from lms_tui.views.rows import Row

_MOVES: Final = frozenset({"up", "down", "j", "k", "pageup", "pagedown", "home", "end"})
NOTE: Final = "refreshing"


def moves(event: Event) -> bool:
    """Whether a key only moves the cursor, which needs no answer of the server."""
    return isinstance(event, Key) and event.key in _MOVES


async def keys_settled(screen: Screen[None]) -> None:
    """Wait in a worker until the keys that were delivered have moved the cursor. The screen must hold later ones."""
    message = KeysSettled()
    screen.post_message(message)
    await message.settled.wait()


def show_kept(exams: RowList, pane: RowsPane, seen: SeenList) -> None:
    """Show a kept list, marked as such. Only the details of its first row are known."""
    kept = seen.kept
    details = [_drawable(row) for row in kept.details]

    def follow() -> None:
        pane.show("Details", lambda _: details if exams.key == kept.first else ())

    entries = drawable((*kept.entries, *kept.extras))
    exams.follow(follow)
    exams.show(lambda _: entries, note=NOTE, key=seen.key)
    follow()


def drawable(entries: Iterable[KeptEntry]) -> list[Entry]:
    return [Entry(entry.key, _drawable(entry.row)) for entry in entries]


def _drawable(row: Row) -> Row:
    """Return a row without looks of another version."""
    return tuple(span if span.look in LOOKS else replace(span, look="base") for span in row)
