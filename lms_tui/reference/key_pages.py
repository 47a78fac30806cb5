"""Make `docs/keys.md` from the commands of the screens."""

from collections.abc import Iterator
from typing import Final

from lms_tui.reference.tables import MADE, cell, table
from lms_tui.tui.commands import COMMANDS, WHILE_WRITING, Command, Where
from lms_tui.tui.commands.command import ANSWERS

_HEAD: Final = f"""# Keys

{MADE}

`?` shows the keys of a screen, and `ctrl+p` finds every command by its name. The keys below are the default keys. The
[settings](settings.md) page has the name of each command, with which other keys are given to it.
[Keys and terminals](terminals.md) lists the keys that terminals take for themselves.
"""
_NAMES: Final = {Where.EVERYWHERE: "On every screen", Where.RUNNER: "An exam"}


def page() -> str:
    return "\n".join([_HEAD, *_screens()]).rstrip("\n") + "\n"


def _screens() -> Iterator[str]:
    for where in Where:
        rows = [(_keys(each), cell(each.help)) for each in COMMANDS if where in each.where]
        if where is Where.RUNNER:
            rows += [(cell(keys), cell(words)) for keys, words in WHILE_WRITING]
        if rows:
            name = _NAMES.get(where, f"{where.value[0].upper()}{where.value[1:]}")
            yield f"## {name}\n\n{table(('keys', 'what they do'), rows)}"


def _keys(command: Command) -> str:
    label = command.keys_label()
    if command.variants == ANSWERS:
        label = f"{command.shown_as or label} · 1-{len(command.variants)}"
    elif command.sequence and command.keys:
        label = f"{command.sequence} · {command.keys}"
    return f"`{cell(label)}`" if label else "by its name"
