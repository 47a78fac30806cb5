"""No command rests only on keys that a common terminal takes."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from lms_tui.tui.commands import COMMANDS, Command, Where

PAGE: Final = Path(__file__).parents[2] / "docs" / "terminals.md"
TERMINALS: Final = frozenset(
    {
        *("kitty", "WezTerm", "Alacritty", "GNOME Terminal", "Konsole", "Windows Terminal", "iTerm2"),
        *("Terminal (macOS)", "foot", "xterm", "tmux", "VS Code"),
    }
)


def taken() -> Mapping[str, frozenset[str]]:
    """The keys of each terminal in the table."""
    rows = re.findall(r"^\| ([^|`]+?) \| (.*?) \| [^|]*\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: frozenset(re.findall(r"`([^`]+)`", keys)) for name, keys in rows if name in TERMINALS}


def test_the_table_has_twelve_terminals_and_names_of_keys() -> None:
    assert set(taken()) == TERMINALS
    named = re.compile(r"((ctrl|alt|shift)\+)*(f\d\d?|[a-z0-9]|[a-z]+(_[a-z]+)*)")
    assert all(named.fullmatch(key) for keys in taken().values() for key in keys)


def ways(command: Command) -> tuple[str, ...]:
    return (*command.keys_of(), *([command.sequence] if command.sequence else []))


@pytest.mark.parametrize("command", [c for c in COMMANDS if ways(c)], ids=lambda c: f"{c.id}-{c.where[0].name}")
def test_every_command_has_a_key_that_no_terminal_takes(command: Command) -> None:
    gone = frozenset().union(*taken().values())
    free = [key for key in ways(command) if key not in gone and not key.startswith("alt+")]
    assert free, f"{command.id} has only {ways(command)}"


def test_every_screen_is_left_by_a_key_that_no_terminal_takes() -> None:
    """`ctrl+q` alone would keep a person in VS Code's terminal from leaving."""
    quits = next(c for c in COMMANDS if c.id == "quit" and Where.EVERYWHERE in c.where)
    leaves = next(c for c in COMMANDS if c.id == "leave")
    assert quits.keys == leaves.keys
