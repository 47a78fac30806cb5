"""A dialog that asks for the path of a file, and completes it."""

import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, Final

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, OptionList
from textual.worker import Worker

from lms_tui.common.detached import MOMENT, run_detached
from lms_tui.tui.dialogs import LineDialog
from lms_tui.tui.modal import Keys

_MOST: Final = 200
_LOOKED_AT: Final = 5_000
"""Most names of a folder that are read, because a folder can have millions."""


async def ask_path(
    app: App[Any],
    title: str,
    body: str,
    *,
    begun: str = "",
    types: Sequence[str] = (),
    check: Callable[[str], Awaitable[str]],
) -> str | None:
    """Ask for a path and return it as it was typed, or None when cancelled.

    `check` returns the fault of a path, or "". While it runs, the dialog can be left and the path can be changed.

    Without `begun`, the files of the home folder are listed, and a key replaces its path. `types`: the ends of names
    that are listed (`.pdf`), all if empty.
    """
    accepted = tuple(kind.casefold() for kind in types)
    return await app.push_screen_wait(_PathDialog(title, body, begun, accepted, check))


def path_offers(typed: str, types: tuple[str, ...] = ()) -> Sequence[str]:
    """Return the paths that begin as typed, the folders first with a slash at their end.

    Hidden names are offered once their dot is typed. Names with control characters are left out, and files of other
    types.
    """
    folder, begun = os.path.split(typed)
    names: list[tuple[bool, str]] = []
    with suppress(OSError, ValueError), os.scandir(Path(folder or ".").expanduser()) as entries:
        for _, entry in zip(range(_LOOKED_AT), entries, strict=False):
            hidden = entry.name.startswith(".") and not begun.startswith(".")
            name = entry.name.casefold()
            if name.startswith(begun.casefold()) and not hidden and entry.name.isprintable():
                is_file = not entry.is_dir()
                if not (is_file and types) or name.endswith(types):
                    names.append((is_file, entry.name))
    return [os.path.join(folder, name) + ("" if is_file else "/") for is_file, name in sorted(names)[:_MOST]]  # noqa: PTH118 - keeps what was typed, such as ~


class _PathDialog(LineDialog):
    """Lists the paths that complete what is typed below the field. `types`: small letters."""

    DEFAULT_CSS = """
    _PathDialog #offers { max-height: 6; }
    _PathDialog.-low #offers { max-height: 3; }
    """
    KEYS: ClassVar[Keys] = (
        ("enter", "Take the highlighted path or the typed one, or press the selected button"),
        ("tab", "Complete the path: put the highlighted one into the field, or the first"),
        ("↓ · ↑", "Highlight a path, or scroll the text"),
        ("esc", "Close without a change"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [Binding("tab", "complete", show=False, priority=True)]

    def __init__(
        self, title: str, body: str, begun: str, types: tuple[str, ...], check: Callable[[str], Awaitable[str]]
    ) -> None:
        super().__init__(
            title, body, value=begun or "~/", placeholder="~/report.pdf", check=lambda _: "", selected=not begun
        )
        self._types = types
        self._check_path = check
        self._checking: Worker[None] | None = None
        self._taken = ""
        """The path that is checked."""
        self._told = False
        """Whether the person was told that the path is being read."""
        self._offered: str | None = None
        """The text whose paths are listed, None while they are looked for."""
        self._completes = False
        """Whether tab was pressed while the paths were looked for."""

    def fields(self) -> ComposeResult:
        yield from super().fields()
        listed = OptionList(id="offers", compact=True, markup=False)
        listed.can_focus = listed.display = False
        yield listed

    @property
    def _listed(self) -> OptionList:
        return self.query_one("#offers", OptionList)

    @property
    def _is_open(self) -> bool:
        """Whether the dialog is still there. It, or the app, may be closed while a drive is waited for."""
        return self.app.is_running and self in self.app.screen_stack

    def on_mount(self) -> None:
        self._offer()

    @on(Input.Changed)
    def _offer(self) -> None:
        typed = self.query_one(Input).value
        if typed.strip() != self._taken:  # the change may be that of a path that was taken with enter
            self._stop_checking()
        self._offered, self._completes = None, False
        self._list([text for text in self._shown if text.casefold().startswith(typed.casefold())])
        self.run_worker(self._find(typed), name="paths", group="paths", exclusive=True)

    async def _find(self, typed: str) -> None:
        """List the paths that begin as typed. A drive may hang."""
        found = await run_detached(path_offers, typed, self._types) if typed else ()
        if list(found) == [typed]:
            found = ()  # nothing is left to complete
        if not self._is_open:
            return
        self._list(found)
        self._offered = typed
        if self._completes:
            self.action_complete()

    @property
    def _shown(self) -> list[str]:
        return [str(option.prompt) for option in self._listed.options]

    def _list(self, paths: Sequence[str]) -> None:
        if list(paths) != self._shown:
            self._listed.clear_options().add_options([Content(text) for text in paths])
            self._listed.display = bool(paths)
        self.call_after_refresh(self.fit)

    def take(self, text: str) -> None:
        """Check a path and close the dialog with it, or show its fault."""
        if self._checking is None:
            self._told, self._taken = False, text
            self._checking = self.run_worker(self._check_and_finish(text), name="check", group="check")

    async def _check_and_finish(self, text: str) -> None:
        slow = self.set_timer(MOMENT, self._say_reading)
        try:
            fault = await self._check_path(text)
        finally:
            slow.stop()
        self._checking = None
        if self._is_open:
            self.finish(text, fault)

    def _say_reading(self) -> None:
        if self._is_open:
            self._told = True
            self.show_error("Reading … Press esc to stop.")

    def action_cancel(self) -> None:
        """Close the dialog. Escape right after enter on a slow line does not stop a file that is about to be added."""
        if self._checking is None or self._told:
            super().action_cancel()

    def _stop_checking(self) -> None:
        if self._checking is not None:
            self._checking.cancel()
            self._checking = None
        self.show_error("")

    def action_read(self, rows: int) -> None:
        """Highlight another path, where some are listed."""
        if not self._listed.display:
            super().action_read(rows)
        elif rows > 0:
            self._listed.action_cursor_down()
        else:
            self._listed.action_cursor_up()

    def action_complete(self) -> None:
        """Put a path into the field. Where none is listed, select the next button."""
        if not self.query_one(Input).has_focus:
            self.app.action_focus_next()
        elif self._offered is None:
            self._completes = True
        elif self._listed.display:
            self._put(self._listed.highlighted or 0)
        else:
            self.app.action_focus_next()

    @on(Input.Submitted)
    def _take_highlighted(self, event: Input.Submitted) -> None:
        """Put the highlighted path into the field. A folder is opened, and a file is taken."""
        if self._listed.display and (place := self._listed.highlighted) is not None:
            self._put(place)
            if self.query_one(Input).value.endswith("/"):
                event.prevent_default()

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        self._put(event.option_index)

    def _put(self, place: int) -> None:
        field = self.query_one(Input)
        field.value = str(self._listed.get_option_at_index(place).prompt)
        field.cursor_position = len(field.value)
        field.focus()
