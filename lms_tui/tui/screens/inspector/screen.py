"""The network log: every request since the start of the program, with secrets hidden."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input

from lms_tui.client.har import TOKEN_VARIABLE, to_curl, write_har
from lms_tui.client.recording import Exchange, Recording
from lms_tui.common.private_files import make_private_folder
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.card import RowsPane
from lms_tui.tui.widgets.pane import Pane
from lms_tui.tui.widgets.row_list import Entry, RowList
from lms_tui.tui.widgets.search import close_search, open_search
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views import inspector as present
from lms_tui.views.format import counted
from lms_tui.views.rows import row


class InspectorScreen(CommandScreen[None]):
    WHERE = Where.INSPECTOR
    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(WHERE), Binding("f12", "back", show=False)]

    def __init__(self, recording: Recording, exports: Path) -> None:
        super().__init__()
        self._exports = exports
        self._recording = recording
        self._shown: dict[str, Exchange] = {}
        self._wanted = ""
        self._end: Callable[[], None] = lambda: None

    def compose(self) -> ComposeResult:
        yield TopLine("Network log")
        yield Input(
            placeholder="Words of method, path, status or body, then enter. Esc shows all requests.",
            id="search",
            compact=True,
            select_on_focus=False,
        )
        with Vertical():
            yield RowList("Requests", glyphs=self.glyphs, id="requests", pages=False)
            yield RowsPane("Details", glyphs=self.glyphs, id="details")
        yield self.command_bar()

    def on_mount(self) -> None:
        self._end = self._recording.listen(lambda _: self.call_next(self._show))
        self._show(newest=True)
        self.query_one(RowList).focus()

    def on_unmount(self) -> None:
        self._end()

    def _show(self, *, newest: bool = False) -> None:
        """Show the requests that match the filter, the newest last. `newest`: move the cursor there."""
        if not self.query(RowList):  # the screen is closing
            return
        kept = self._recording.numbered
        self._shown = {str(number): one for number, one in kept if present.matches(one, self._wanted)}
        last = next(reversed(self._shown), "")
        listed = self.query_one(RowList)
        follows = newest or listed.key not in self._shown
        note = f"{len(self._shown)} of {len(kept)}" if self._wanted else str(len(kept))
        listed.show(self._entries, note=note, key=last if follows else "")
        if not self._shown:
            words = "No request matches the filter." if self._wanted else "No requests yet."
            self.query_one("#details", RowsPane).show("Details", lambda _: [row((words, "dim"))])

    def _entries(self, room: int) -> list[Entry]:
        return [Entry(key, partial(present.line_of, one, room)) for key, one in self._shown.items()]

    @on(RowList.Highlighted)
    def _detail(self, message: RowList.Highlighted) -> None:
        exchange = self._shown.get(message.key)
        if exchange is not None:
            self.query_one("#details", RowsPane).show("Details", lambda _: present.rows_of(exchange))

    def action_filter_requests(self) -> None:
        open_search(self)

    @on(Input.Submitted, "#search")
    def _filter(self, event: Input.Submitted) -> None:
        self._wanted = event.value.strip()
        self._show()
        self.query_one(RowList).focus()

    def action_back(self) -> None:
        """Clear the filter, or leave the screen if there is none."""
        if not (self._wanted or self.query_one("#search").display):
            self.dismiss(None)
            return
        self._wanted = ""
        close_search(self)
        self._show()

    def action_copy_curl(self) -> None:
        exchange = self._shown.get(self.query_one(RowList).key)
        if exchange is not None:
            self.app.copy_to_clipboard(to_curl(exchange))
            self.notify(
                f"Copied as a curl command, if the terminal allows it. Set {TOKEN_VARIABLE} before you run it.",
                markup=False,
            )

    @work(name="save requests", group="save requests", exclusive=True)
    async def action_save_har(self) -> None:
        file = self._exports / f"requests-{datetime.now().astimezone():%Y%m%d-%H%M%S}.har"
        exchanges = tuple(self._shown.values())

        def save() -> None:
            make_private_folder(self._exports)
            write_har(file, exchanges)

        try:
            await asyncio.to_thread(save)
        except OSError as error:
            self.notify(f"The requests cannot be saved ({error.strerror}).", severity="error", markup=False)
        else:
            self.notify(f"Saved {counted(len(exchanges), 'request')} as {file}", markup=False)

    @property
    def scrolled_pane(self) -> Pane:
        return self.query_one("#details", RowsPane)
