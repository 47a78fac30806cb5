"""Keys from the settings that mean two things on one screen."""

import unicodedata
from collections.abc import Iterator, Mapping

from lms_tui.common.frozen import frozen
from lms_tui.tui.commands import commands_of, readable, sequences_of
from lms_tui.tui.commands.command import Where


@frozen
class Conflict:
    """`first` and `second` are ids of commands. The first one gets the key."""

    where: Where
    key: str
    first: str
    second: str

    @property
    def words(self) -> str:
        return f"{readable(self.key)} is “{self.first}” and “{self.second}” ({self.where.value})"


def conflicts(keymap: Mapping[str, str]) -> tuple[Conflict, ...]:
    """Return each key that two commands of a screen have, if the settings name one of them."""
    return tuple(found for where in Where for found in _on(where, keymap))


def _on(where: Where, keymap: Mapping[str, str]) -> Iterator[Conflict]:
    holders = {sequence[0]: action for sequence, action in sequences_of(where).items()}
    for command in commands_of(where):
        for identity, keys in command.all_keys():
            for key in filter(None, (key.strip() for key in keymap.get(identity, keys).split(","))):
                first = holders.setdefault(_named(key), identity)
                if first != identity and not keymap.keys().isdisjoint({first, identity}):
                    yield Conflict(where, key, first, identity)


def _named(key: str) -> str:
    """Return a character for its name, as `?` for `question_mark`."""
    if len(key) == 1 or "+" in key:
        return key
    try:
        return unicodedata.lookup(key.replace("_", " "))
    except KeyError:
        return key
