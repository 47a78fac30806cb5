"""The part of the app that settings change: theme, keys and movement."""

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from textual import work
from textual.app import App

from lms_tui.common.cleaning import clean_line
from lms_tui.tui import themes
from lms_tui.tui.commands import Where, help_of, known_ids, with_alt
from lms_tui.tui.terminal.key_order import SequentialKeysApp
from lms_tui.tui.widgets.plain_bar import choose_bars

if TYPE_CHECKING:
    from lms_tui.common.settings import Settings
    from lms_tui.common.settings_file import Value
    from lms_tui.views.settings import Setting

Result = TypeVar("Result")


class ConfiguredApp(SequentialKeysApp[Result]):
    """`settings` are the present settings. `keymap` holds their keys of known commands."""

    def __init__(self, settings: "Settings") -> None:
        super().__init__()
        self.settings = settings
        for theme in themes.THEMES:
            self.register_theme(theme)
        appearance = settings.appearance
        chosen = appearance.theme if appearance.theme in self.available_themes else themes.NAMES[0]
        # Set before the style sheet is read, which is then read only once.
        self.set_reactive(App.theme, chosen)
        self.stylesheet.set_variables(self.get_css_variables())
        self.set_class(self.current_theme.dark, "-dark-mode", update=False)
        self.set_class(not self.current_theme.dark, "-light-mode", update=False)
        self.set_class(appearance.ascii, "-ascii", update=False)
        choose_bars(plain=appearance.ascii)
        self.keymap: dict[str, str] = {}
        self._motion = self.animation_level
        self._use_keys_and_movement()

    def _use_keys_and_movement(self) -> None:
        self.animation_level = "none" if self.settings.appearance.reduced_motion else self._motion
        self.keymap.clear()
        self.keymap.update({name: keys for name, keys in self.settings.keys.items() if name in known_ids()})
        self.set_keymap({name: with_alt(keys) for name, keys in self.keymap.items()})

    def on_mount(self) -> None:
        """Tell what the settings name that does not exist, and keys that mean two things."""
        if unknown := sorted(set(self.settings.keys) - known_ids()):
            self._warn(f"Unknown commands under [keys] in the settings: {', '.join(unknown)}.")
        theme = self.settings.appearance.theme
        if theme not in self.available_themes:
            known = f"{', '.join(themes.NAMES[:-1])} and {themes.NAMES[-1]}"
            self._warn(f"Unknown theme “{clean_line(theme)}” in the settings. Using {self.theme}. Themes: {known}.")
        if self.keymap:
            from lms_tui.tui.commands.conflicts import conflicts  # noqa: PLC0415 - most people change no keys

            for conflict in conflicts(self.keymap)[:1]:
                self._warn(f"A key in the settings means two things: {conflict.words}.")

    def _warn(self, words: str) -> None:
        self.notify(words, severity="warning", timeout=15, markup=False)

    # Changes.

    def change_setting(self, setting: "Setting", value: "Value | None") -> None:
        """Write a setting into the file, or remove it with None, and use it. Raises SettingsError."""
        from lms_tui.common.settings_file import change  # noqa: PLC0415 - when first needed
        from lms_tui.views.settings import with_value  # noqa: PLC0415 - the same

        default = "" if setting.default is None else setting.default
        changed = with_value(self.settings, setting, default if value is None else value)
        change(self.settings.paths.settings, setting.section, setting.name, value)
        self.settings = changed
        if setting.name == "theme" and changed.appearance.theme in self.available_themes:
            self.theme = changed.appearance.theme
        self._use_keys_and_movement()

    def change_keys(self, command: str, keys: str | None) -> None:
        """Write the keys of a command into the file, or remove them with None, and use them. Raises SettingsError."""
        from lms_tui.common.settings_file import change  # noqa: PLC0415 - when first needed

        change(self.settings.paths.settings, "keys", command, keys)
        changed = {name: value for name, value in self.settings.keys.items() if name != command}
        if keys is not None:
            changed[command] = keys
        self.settings = replace(self.settings, keys=MappingProxyType(changed))
        self._use_keys_and_movement()

    # Commands of every screen.

    def action_command_palette(self) -> None:
        """Show the commands. Textual's own palette has an ID, and fails while one with it is still open elsewhere."""
        from lms_tui.tui.command_palette import CommandSearch  # noqa: PLC0415 - when first asked for

        if not isinstance(self.screen, CommandSearch):
            self.push_screen(CommandSearch())

    async def action_help(self) -> None:
        """Show the keys of the screen or of the dialog over it."""
        from lms_tui.tui.modal import KeyedModal  # noqa: PLC0415 - when first asked for
        from lms_tui.tui.screens.help.screen import HelpScreen  # noqa: PLC0415 - the same

        screen = self.screen
        if isinstance(screen, KeyedModal):
            if screen.KEYS:
                await self.push_screen(HelpScreen(screen.NAME, [("Keys", screen.KEYS)]))
        elif not isinstance(screen, HelpScreen) and not screen.is_modal:
            about: Where = getattr(screen, "WHERE", Where.EVERYWHERE)
            groups = [(group.value, keys) for group, keys in help_of(about, self.keymap)]
            await self.push_screen(HelpScreen(f"this screen: {about.value}", groups))

    async def action_settings(self) -> None:
        from lms_tui.tui.screens.settings.screen import SettingsScreen  # noqa: PLC0415 - when first asked for

        if not isinstance(self.screen, SettingsScreen) and not self.screen.is_modal:
            await self.push_screen(SettingsScreen(self))

    @work(name="theme", group="theme", exclusive=True)
    async def action_choose_theme(self) -> None:
        from lms_tui.common.user_errors import AdvisedError  # noqa: PLC0415 - when first asked for
        from lms_tui.tui.screens.settings.themes import choose_theme  # noqa: PLC0415 - the same
        from lms_tui.views.settings import all_settings  # noqa: PLC0415 - the same

        chosen = await choose_theme(self)
        setting = next(found for found in all_settings(self.settings) if found.name == "theme")
        if chosen is None or chosen == setting.value:
            return
        if setting.fixed:
            self._warn(f"{setting.fixed} sets the theme at each start. “{chosen}” stays until the program ends.")
            return
        try:
            self.change_setting(setting, chosen)
        except AdvisedError as error:
            self._warn(f"{error} {error.advice}")

    def action_next_theme(self) -> None:
        self.theme = themes.following(self.theme)
        self.notify(f"Colours: {self.theme}", timeout=2, markup=False)
