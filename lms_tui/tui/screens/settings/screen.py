"""The settings: each with its value, meaning and default, changed in place."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from lms_tui.common.frozen import frozen
from lms_tui.common.settings import SettingsError
from lms_tui.tui import dialogs
from lms_tui.tui.commands import COMMANDS, Command, Where, bindings, readable
from lms_tui.tui.commands.conflicts import Conflict, conflicts
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.card import RowsPane
from lms_tui.tui.widgets.row_list import Entry, RowList
from lms_tui.tui.widgets.search import close_search, open_search
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views.format import holds
from lms_tui.views.rows import Row, fitted, padded, row, strong, wrapped
from lms_tui.views.settings import Setting, all_settings, from_text, shown, with_value

if TYPE_CHECKING:
    from lms_tui.common.settings import Settings
    from lms_tui.common.settings_file import Value


class Configured(Protocol):
    """The program that settings change. The changes raise SettingsError."""

    keymap: dict[str, str]
    settings: "Settings"

    def change_setting(self, setting: Setting, value: "Value | None") -> None: ...

    def change_keys(self, command: str, keys: str | None) -> None: ...


_KEYS = "keys:"
_WORDS_FROM = 100
"""Columns of the list from which it has the meaning of each setting."""


class SettingsScreen(CommandScreen[None]):
    """Below the sections of the settings file are the keys of all commands."""

    WHERE = Where.SETTINGS
    DEFAULT_CSS = """
    SettingsScreen RowList { height: 1fr; }
    SettingsScreen #search { display: none; height: 1; border: none; padding: 0 2; background: $panel; }
    SettingsScreen #about { height: 7; }
    SettingsScreen.-short #about { height: 5; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(WHERE), Binding("down", "to_list", show=False)]

    def __init__(self, program: Configured) -> None:
        super().__init__()
        self._program = program
        self._wanted = ""

    def compose(self) -> ComposeResult:
        yield TopLine("Settings", str(self._program.settings.paths.settings))
        yield Input(placeholder="Type to filter. Esc shows all.", id="search", compact=True, select_on_focus=False)
        yield RowList("Settings", glyphs=self.glyphs)
        yield RowsPane("About", glyphs=self.glyphs, id="about")
        yield self.command_bar()

    def on_mount(self) -> None:
        listed = self.query_one(RowList)
        listed.follow(self._describe)
        listed.show(self._entries)
        listed.focus()

    def action_back(self) -> None:
        if self.query_one("#search").display:
            close_search(self)
        elif len(self.app.screen_stack) == 1:
            self.app.exit()
        else:
            self.dismiss()

    # The search.

    def action_filter_rows(self) -> None:
        open_search(self)

    @on(Input.Changed, "#search")
    def _search(self, event: Input.Changed) -> None:
        self._wanted = event.value.strip()
        self.query_one(RowList).show(self._entries)

    @on(Input.Submitted, "#search")
    def action_to_list(self) -> None:
        self.query_one(RowList).focus()

    # The rows.

    def _entries(self, room: int) -> list[Entry]:
        entries: list[Entry] = []
        heading = ""
        for each in self._lines():
            if not holds(f"{each.heading} {each.name} {each.value} {each.words}", self._wanted):
                continue
            if each.heading != heading:
                heading = each.heading
                entries += [*([Entry("", ())] if entries else []), Entry("", row(strong(heading, "title")))]
            entries.append(Entry(each.key, _row(each.name, each.value, each.words, room, changed=each.changed)))
        none = wrapped("No setting contains these words. Press esc to show all.", room, "dim")
        return entries or [Entry("", line) for line in none]

    def _lines(self) -> "Iterator[_Line]":
        for setting in all_settings(self._program.settings):
            told = f"{shown(setting.value)}{f' (set by {setting.fixed})' if setting.fixed else ''}"
            name, changed = setting.name.replace("_", " "), setting.value != setting.default
            yield _Line(setting.name, setting.section.title(), name, told, setting.words, changed)
        keymap = self._program.keymap
        for keys in _all_keys():
            told = " · ".join(map(readable, keymap.get(keys.identity, keys.default).split(",")))
            name, changed = f"{keys.label} ({keys.command.where[0].value})", keys.identity in keymap
            yield _Line(_KEYS + keys.identity, "Keys", name, told, keys.command.help, changed)

    @on(RowList.Highlighted)
    def _describe(self) -> None:
        key = self.query_one(RowList).key
        if not key:
            return
        words: list[str] = []
        if keys := self._keys(key):
            default = " · ".join(map(readable, keys.default.split(",")))
            words = [f"{keys.command.help}.", f"Default: {default}. In the file: {keys.identity} under [keys]."]
            words += [f"{_told(found)}." for found in self._conflicts_of(keys, self._program.keymap)]
        elif setting := self._setting(key):
            words = [setting.words, f"Default: {shown(setting.default)}. {setting.effect}"]
            if setting.fixed:
                words.append(f"{setting.fixed} sets this value, so it cannot be changed here.")
            elif setting.choices:
                words.append(f"Values: {', '.join(setting.choices)}.")
        self.query_one("#about", RowsPane).show("About", lambda room: _paragraphs(words, room))

    def _setting(self, key: str) -> Setting | None:
        return next((found for found in all_settings(self._program.settings) if found.name == key), None)

    def _keys(self, key: str) -> "_Keys | None":
        return next((keys for keys in _all_keys() if _KEYS + keys.identity == key), None)

    def _conflicts_of(self, keys: "_Keys", keymap: Mapping[str, str]) -> list[Conflict]:
        return [found for found in conflicts(keymap) if keys.identity in {found.first, found.second}]

    # Changes.

    @on(RowList.Selected)
    def action_change_setting(self) -> None:
        key = self.query_one(RowList).key
        if keys := self._keys(key):
            self._change_keys(keys)
        elif setting := self._setting(key):
            self._change(setting)

    def action_reset_setting(self) -> None:
        key = self.query_one(RowList).key
        if keys := self._keys(key):
            self._write(lambda: self._program.change_keys(keys.identity, None))
        elif (setting := self._setting(key)) and not self._is_fixed(setting):
            self._write(lambda: self._program.change_setting(setting, None))

    def _is_fixed(self, setting: Setting) -> bool:
        if setting.fixed:
            self.notify(f"{setting.fixed} sets this value.", severity="warning", timeout=5, markup=False)
        return bool(setting.fixed)

    @work(name="change", group="person", exclusive=True)
    async def _change(self, setting: Setting) -> None:
        if self._is_fixed(setting):
            return
        if setting.name == "theme":
            from lms_tui.tui.screens.settings.themes import choose_theme  # noqa: PLC0415 - when first asked for

            name = await choose_theme(self.app)
            if name is not None:
                self._write(lambda: self._program.change_setting(setting, name))
            return
        if setting.kind is bool:
            self._write(lambda: self._program.change_setting(setting, not setting.value))
            return
        if choices := setting.choices:
            chosen = await dialogs.choose(self.app, setting.name, choices, chosen=choices.index(setting.value))
            if chosen is not None:
                self._write(lambda: self._program.change_setting(setting, choices[chosen]))
            return
        value = "" if setting.value is None else shown(setting.value)
        text = await dialogs.ask_text(
            self.app, setting.name, setting.words, value=value, check=lambda text: self._fault(setting, text)
        )
        if text is not None:
            self._write(lambda: self._program.change_setting(setting, from_text(setting, text)))

    def _fault(self, setting: Setting, text: str) -> str:
        try:
            with_value(self._program.settings, setting, from_text(setting, text))
        except SettingsError as error:
            return str(error)
        return ""

    @work(name="change", group="person", exclusive=True)
    async def _change_keys(self, keys: "_Keys") -> None:
        now = self._program.keymap.get(keys.identity, keys.default)
        body = f"{keys.command.help}. Write one character or a name such as f5 or ctrl+s, several with commas."
        text = await dialogs.ask_text(
            self.app, f"Keys of “{keys.label}”", body, value=now, check=lambda text: self._key_fault(keys, text)
        )
        if text is not None:
            self._write(lambda: self._program.change_keys(keys.identity, text.replace(" ", "")))

    def _key_fault(self, keys: "_Keys", text: str) -> str:
        """Name what a key means already."""
        if not all(key.strip() for key in text.split(",")):
            return "Write keys with a comma between them."
        taken = self._conflicts_of(keys, {**self._program.keymap, keys.identity: text})
        return f"{_told(taken[0])}. Choose another key." if taken else ""

    def _write(self, change: Callable[[], None]) -> None:
        try:
            change()
        except SettingsError as error:
            self.notify(f"{error} {error.advice}", severity="error", timeout=15, markup=False)
        self.query_one(RowList).show(self._entries)
        self._describe()


@frozen
class _Line:
    """A setting, or the keys of a command."""

    key: str
    heading: str
    name: str
    value: str
    words: str
    changed: bool


@frozen
class _Keys:
    """Keys that can be replaced. Commands without keys are in the list of commands only."""

    identity: str
    label: str
    default: str
    command: Command


def _all_keys() -> Iterator[_Keys]:
    for command in COMMANDS:
        for number, (identity, keys) in enumerate(command.all_keys()):
            if keys:
                yield _Keys(identity, f"{command.label} {number}" if number else command.label, keys, command)


def _told(conflict: Conflict) -> str:
    """Name both commands of a conflict as the list names them."""
    labels = {keys.identity: keys.label for keys in _all_keys()}
    first, second = (labels.get(identity, identity) for identity in (conflict.first, conflict.second))
    return f"{readable(conflict.key)} is “{first}” and “{second}” ({conflict.where.value})"


def _row(name: str, value: str, words: str, room: int, *, changed: bool) -> Row:
    """A row of three columns, without the words where there is little room."""
    left = min(36, room // 2)
    middle = 32 if room >= _WORDS_FROM else room - left - 2
    told = padded(fitted(value, middle - 2), middle)
    return row(
        "  ",
        padded(fitted(name, left - 2), left - 2),
        (told, "accent" if changed else "base"),
        (fitted(words, room - left - middle) if room >= _WORDS_FROM else "", "dim"),
    )


def _paragraphs(words: Sequence[str], room: int) -> list[Row]:
    return [line for text in words for line in wrapped(text, room, "base")]
