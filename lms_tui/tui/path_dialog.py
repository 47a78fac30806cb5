"""A dialog that asks for the path of a file, and completes it."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, Final

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, OptionList

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
    check: Callable[[str], str] = lambda _: "",
) -> str | None:
    """Ask for a path and return it as it was typed, or None when cancelled. See `dialogs.ask_text`.

    Without `begun`, the files of the home folder are listed, and a key replaces its path. `types`: the ends of names
    that are listed (`.pdf`), all if empty.
    """
    dialog = _PathDialog(title, body, value=begun or "~/", placeholder="~/report.pdf", check=check, selected=not begun)
    dialog.types = tuple(kind.casefold() for kind in types)
    return await app.push_screen_wait(dialog)


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
    """Lists the paths that complete what is typed below the field. `types` as `ask_path` has it."""

    DEFAULT_CSS = """
    _PathDialog #offers { max-height: 6; }
    _PathDialog.-low #offers { max-height: 3; }
    """
    KEYS: ClassVar[Keys] = (
        ("enter", "Take the path, or press the selected button"),
        ("tab", "Complete the path: take the highlighted one, or the first"),
        ("↓ · ↑", "Highlight a path, or scroll the text"),
        ("esc", "Close without a change"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [Binding("tab", "complete", show=False, priority=True)]

    types: tuple[str, ...] = ()

    def fields(self) -> ComposeResult:
        yield from super().fields()
        listed = OptionList(id="offers", compact=True, markup=False)
        listed.can_focus = listed.display = False
        yield listed

    @property
    def _listed(self) -> OptionList:
        return self.query_one("#offers", OptionList)

    def on_mount(self) -> None:
        self._offer()

    @on(Input.Changed)
    def _offer(self) -> None:
        typed = self.query_one(Input).value
        found = path_offers(typed, self.types) if typed else ()
        if list(found) == [typed]:
            found = ()  # nothing is left to complete
        self._listed.clear_options().add_options([Content(text) for text in found])
        self._listed.display = bool(found)
        self.show_error("")
        self.call_after_refresh(self.fit)

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
        if self._listed.display and self.query_one(Input).has_focus:
            self._put(self._listed.highlighted or 0)
        else:
            self.app.action_focus_next()

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        self._put(event.option_index)

    def _put(self, place: int) -> None:
        field = self.query_one(Input)
        field.value = str(self._listed.get_option_at_index(place).prompt)
        field.cursor_position = len(field.value)
        field.focus()
