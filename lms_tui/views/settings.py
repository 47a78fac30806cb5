"""Every setting: its value, meaning and default, and what sets it (pure)."""

from collections.abc import Mapping
from dataclasses import fields, replace
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, get_type_hints

from lms_tui.common.frozen import frozen
from lms_tui.common.settings import Appearance, Network, Runner, Settings, checked
from lms_tui.common.settings_file import Value

SECTIONS: Final = (("appearance", Appearance), ("runner", Runner), ("network", Network))
OPTIONS: Final = frozenset({"theme", "reduced_motion", "ascii"})
"""Settings that are also options of the command line."""
WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "theme": "Colours: dark, light, high-contrast, or any theme that Textual knows.",
        "maths": "How formulas are drawn: as pictures (needs the extra `pictures` and a terminal with graphics), in "
        "two dimensions, in one line, or as their source.",
        "reduced_motion": "Turn animations off.",
        "ascii": "Draw without box characters and symbols.",
        "pictures": "How pictures are drawn: by a graphics protocol, or with half blocks. `auto` asks the terminal.",
        "mouse": "Take clicks and the wheel. Without it, the terminal's own mouse selects text.",
        "pace_line": "Show how much of its time the current question has used.",
        "show_clock": "Show the time left. A hidden clock reappears when little time is left.",
        "time_signal": "Announce the last 10, 5 and 1 minutes also by the bell of the terminal, or by a "
        "notice of the desktop (OSC 9, where the terminal knows it).",
        "timeout": "Seconds to wait for the server, 1 to 300.",
        "ca_file": "A PEM file with certificates to trust besides the system's. A profile can have its own file.",
        "allow_plain_http": "Send passwords to other computers without encryption.",
    }
)
_AT_ONCE: Final = frozenset({"theme", "reduced_motion"})
_NEXT_EXAM: Final = frozenset({"maths", "pace_line", "show_clock", "time_signal"})


@frozen
class Setting:
    """`fixed`: the variable or option that sets the value, or ""."""

    section: str
    name: str
    kind: object
    value: Any
    default: Any
    words: str
    fixed: str = ""

    @property
    def effect(self) -> str:
        if self.name in _AT_ONCE:
            return "A change takes effect at once."
        when = "in the next exam" if self.name in _NEXT_EXAM else "at the next start"
        return f"A change takes effect {when}."

    @property
    def choices(self) -> tuple[str, ...]:
        """The values to choose from, () where a text is written."""
        return tuple(self.kind) if isinstance(self.kind, type) and issubclass(self.kind, StrEnum) else ()


def all_settings(settings: Settings) -> tuple[Setting, ...]:
    return tuple(
        Setting(
            section, spec.name, kinds[spec.name], getattr(getattr(settings, section), spec.name), spec.default,
            WORDS[spec.name], settings.fixed.get(spec.name, ""),
        )
        for section, model in SECTIONS
        for kinds in (get_type_hints(model),)
        for spec in fields(model)
    )  # fmt: skip


def with_value(settings: Settings, setting: Setting, value: Value) -> Settings:
    """Return the settings with another value. Raises SettingsError."""
    section = checked(getattr(settings, setting.section), setting.name, value)
    changes: dict[str, Any] = {setting.section: section}
    return replace(settings, **changes)


def from_text(setting: Setting, text: str) -> Value:
    """Return what a person wrote as a value of this setting. `checked` finds its faults."""
    if setting.kind is float:
        try:
            return float(text)
        except ValueError:
            return text
    return text


def shown(value: object) -> str:
    """Return a value for people."""
    match value:
        case bool():
            return "yes" if value else "no"
        case None:
            return "none"
        case float():
            return f"{value:g}"
        case Path():
            return str(value)
        case _:
            return str(value)
