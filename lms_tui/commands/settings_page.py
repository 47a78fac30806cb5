"""The page of every setting, made from the models and the declared commands: what `docs/settings.md` holds."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Final, get_type_hints

from lms_tui.common.settings import PREFIX, Appearance, Network, Runner
from lms_tui.tui.commands import COMMANDS, Command
from lms_tui.tui.themes import NAMES

SECTIONS: Final = (("appearance", Appearance), ("runner", Runner), ("network", Network))
OPTIONS: Final = frozenset({"theme", "reduced_motion", "ascii"})
"""Settings that are options of the command line too."""
WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "theme": f"Colours: {', '.join(NAMES)}, or any theme that Textual knows.",
        "maths": "How formulas are drawn: as pictures (with the extra `pictures`, where the terminal draws them), in "
        "two dimensions, in one line, or as their source.",
        "reduced_motion": "Nothing moves by itself.",
        "ascii": "Draw without box characters and symbols.",
        "pictures": "Who draws pictures: the terminal by the protocol it has, or half blocks of text; `auto` asks it.",
        "pace_line": "In the exam, the share of the time that this question has used.",
        "show_clock": "The clock of the exam; hidden, it comes back at the thresholds.",
        "timeout": "Seconds to wait for an answer of the server, 1 to 300.",
        "ca_file": "A PEM file with certificates to trust besides the system's; a profile may have its own.",
        "allow_plain_http": "Send passwords without encryption to servers other than this computer.",
    }
)
_HEAD: Final = f"""# Settings

<!-- Made by `python -m lms_tui.commands.settings_page`; a test holds it to the program. -->

A setting is read from `settings.toml`, then from the environment, then from an option; the later one wins. The file is
in `~/.config/lms-tui` on Linux, in the application folder of the user elsewhere; `LMS_TUI_CONFIG_DIR` names another
directory, and `--data-dir` or `LMS_TUI_DATA_DIR` where answers, tokens and the practice institute are kept. A value
that cannot be used is told at the start, and nothing is guessed.

```toml
[appearance]
theme = "light"

[keys]
mark = "f5,m"
```

The variable of a setting is `{PREFIX}` and its name in capitals.
"""
_KEYS: Final = """
## `[keys]`

A command's name, and the keys that replace its own, with commas between them: one character, or a name such as `f2`,
`ctrl+s`, `enter`, `pagedown`. A command without keys is in the palette (`ctrl+p`).
"""


def page() -> str:
    """Every setting and every command, with what it is when nobody says otherwise."""
    return "\n".join([_HEAD, *_sections(), _KEYS, *_commands()]) + "\n"


def _sections() -> Iterator[str]:
    for name, model in SECTIONS:
        yield f"## `[{name}]`\n\n| key | value | when not set | what it does |\n|---|---|---|---|"
        kinds = get_type_hints(model)
        for spec in fields(model):
            option = f" Also `--{spec.name.replace('_', '-')}`." if spec.name in OPTIONS else ""
            default = _written(spec.default)
            yield f"| `{spec.name}` | {_kind(kinds[spec.name])} | `{default}` | {WORDS[spec.name]}{option} |"
        yield ""


def _kind(kind: object) -> str:
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return ", ".join(f'`"{value}"`' for value in kind)
    named: Mapping[object, str] = {
        bool: "`true`, `false`",
        float: "a number",
        str: "a text",
        Path | None: "the path of a file",
    }
    return named[kind]


def _written(value: object) -> str:
    """As the file would say it."""
    match value:
        case bool():
            return str(value).lower()
        case None:
            return '""'
        case str():
            return f'"{value}"'
        case _:
            return str(value)


def _commands() -> Iterator[str]:
    yield "| name | keys | what it does | where |\n|---|---|---|---|"
    for command in COMMANDS:
        where = ", ".join(sorted(place.value for place in command.where))
        yield f"| `{command.id}` | {_keys(command)} | {command.help} | {where} |"
        for number, keys in enumerate(command.variants, 1):
            yield f"| `{command.id}.{number}` | {_quoted(keys)} | The same, number {number} | {where} |"


def _keys(command: Command) -> str:
    sequence = f"`{command.sequence}`" if command.sequence else ""
    return " ".join(part for part in (_quoted(command.keys), sequence) if part)


def _quoted(keys: str) -> str:
    return " ".join(f"`{key}`" for key in keys.replace("|", "pipe").split(",") if key)


if __name__ == "__main__":
    Path("docs/settings.md").write_text(page(), encoding="utf-8")
