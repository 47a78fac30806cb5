"""Every command, declared once. Bindings, footer, palette entries and help rows are made from it.

A screen sets `BINDINGS = bindings(Where.REVIEW)` and has a method `action_<id>` for each of its commands. Settings
replace keys by command id (`App.set_keymap`). A command with `variants` has one binding id for each: `choose.1`.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Final

from textual.binding import Binding, BindingType

from lms_tui.tui.commands.command import ANSWERS, Command, Group, Where, in_words, readable, with_alt
from lms_tui.tui.commands.exam import EXAM, WHILE_WRITING
from lms_tui.tui.commands.institute import INSTITUTE
from lms_tui.tui.commands.practice import PRACTICE

__all__ = [
    "COMMANDS",
    "WHILE_WRITING",
    "Command",
    "Group",
    "Where",
    "bindings",
    "commands_by_id",
    "commands_of",
    "help_of",
    "in_words",
    "known_ids",
    "readable",
    "sequences_of",
    "with_alt",
]

COMMANDS: Final[tuple[Command, ...]] = (*EXAM, *PRACTICE, *INSTITUTE)


@cache
def commands_of(where: Where) -> tuple[Command, ...]:
    """Return the commands of a screen, then those of every screen whose first key the screen does not use."""
    own = [command for command in COMMANDS if where in command.where]
    taken = {key for command in own for key in command.keys.split(",") if key}
    general = [
        command
        for command in COMMANDS
        if Where.EVERYWHERE in command.where and where is not Where.EVERYWHERE
        if command.keys.split(",")[0] not in taken
    ]
    return (*own, *general)


@cache
def commands_by_id(where: Where) -> Mapping[str, Command]:
    """Return the commands of a screen, with the general ones, by their ids."""
    return {command.id: command for command in commands_of(where)}


def bindings(where: Where) -> list[BindingType]:
    """Return the `BINDINGS` of a screen class, or of the app for `Where.EVERYWHERE`.

    In the exam and in practice, a letter can be text. There, alt with the letter is the same command.
    """
    keys_for = with_alt if where in {Where.RUNNER, Where.PRACTICE} else str
    return [binding for command in COMMANDS if where in command.where for binding in _bindings(command, keys_for)]


def _bindings(command: Command, keys_for: Callable[[str], str]) -> Iterable[Binding]:
    (own, keys), *variants = command.all_keys()
    if keys:
        yield Binding(
            keys_for(keys), command.action, command.label, show=command.footer, id=own, priority=command.priority
        )
    for number, (identity, keys) in enumerate(variants):
        yield Binding(keys_for(keys), f"{command.action}({number})", show=False, id=identity)


def sequences_of(where: Where) -> dict[str, str]:
    """Return the action for each sequence of two characters."""
    return {command.sequence: command.action for command in commands_of(where) if command.sequence}


def help_of(where: Where, keymap: Mapping[str, str] | None = None) -> list[tuple[Group, list[tuple[str, str]]]]:
    """Return rows of keys and descriptions under the headings of the help."""
    rows: dict[Group, list[tuple[str, str]]] = {group: [] for group in Group}
    palette_key = next(c.first_key(keymap) for c in COMMANDS if c.id == "command_palette")
    for command in commands_of(where):
        keys, text = command.keys_label(keymap), command.help
        if not keys:
            keys, text = palette_key, f"{text} (by its name in the list of commands)"
        if command.variants == ANSWERS:
            keys = f"{command.shown_as} · 1-{len(command.variants)}"
        elif command.sequence and command.keys and command.id not in (keymap or {}):
            keys = f"{command.sequence} · {command.keys}"
        rows[command.group].append((keys, text))
    if where is Where.RUNNER:
        rows[Group.ANSWER] += WHILE_WRITING
    return [(group, entries) for group, entries in rows.items() if entries]


def known_ids() -> frozenset[str]:
    """Return the ids that settings may give keys to."""
    return frozenset(identity for command in COMMANDS for identity, _ in command.all_keys())
