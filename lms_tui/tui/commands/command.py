"""A command: its id, keys, label, description, and the screens that have it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY
from enum import StrEnum
from typing import Final

from textual.keys import key_to_character

from lms_tui.common.frozen import frozen


class Where(StrEnum):
    """The screen that has a command."""

    EVERYWHERE = "everywhere"
    SIGN_IN = "sign in"
    HOME = "home"
    ATTEMPTS = "exams"
    INSTRUCTIONS = "instructions"
    RUNNER = "exam"
    RESULT = "result"
    REVIEW = "review"
    REPLAY = "replay"
    PRACTICE = "practice"
    DECK = "deck"
    STATS = "statistics"
    MORE = "more"
    PROFILE = "your details"
    PERSON = "another user"
    NOTICES = "notices"
    POST = "post"
    COURSES = "courses"
    VIDEOS = "videos"
    COURSE = "course"
    STAFF_COURSE = "course for staff"
    TOKENS = "playback tokens"
    POSTS = "posts"
    USERS = "users"
    MENTORS = "mentors"
    MENTOR_STUDENTS = "students of a mentor"
    BATCHES = "batches"
    STAFF_EXAMS = "exams of the institute"
    STAFF_EXAM = "exam of the institute"
    BOARD = "live board"
    STAFF_RESULTS = "results of an exam"
    STAFF_STATISTICS = "statistics of an exam"
    MARKING = "marking by hand"
    FORM = "form"
    POST_FORM = "post form"
    SETTINGS = "settings"
    INSPECTOR = "network log"
    HELP = "help"


class Group(StrEnum):
    """Headings of the help, in this order."""

    ANSWER = "Answering"
    MOVE = "Moving"
    LIST = "Lists"
    VIEW = "View"
    AID = "Aids"
    EXAM = "The exam"
    PROGRAM = "The program"


@frozen
class Command:
    """A command that a user can give by a key or in the palette.

    `keys` are separated by commas, each with Textual's name or as one character. Without keys, the command is only in
    the palette. `sequence` has two characters that are typed one after the other. `variants` are the keys of each
    numbered form, whose action gets the number from 0. With `footer`, the command is shown in the footer if there is
    room, in the order of declaration.
    """

    id: str
    keys: str
    label: str
    help: str
    where: tuple[Where, ...]
    _: KW_ONLY
    group: Group
    footer: bool = True
    shown_as: str = ""
    sequence: str = ""
    variants: tuple[str, ...] = ()
    palette: bool = True
    priority: bool = False

    @property
    def action(self) -> str:
        return self.id

    def keys_of(self, keymap: Mapping[str, str] | None = None) -> tuple[str, ...]:
        """Return the keys in Textual's names, with the changes of the settings."""
        keys = (keymap or {}).get(self.id, self.keys)
        return tuple(key.strip() for key in keys.split(",") if key.strip())

    def all_keys(self) -> Iterator[tuple[str, str]]:
        """Return the id and the keys of the command and of each numbered form. Settings replace keys by these ids."""
        yield self.id, self.keys
        for number, keys in enumerate(self.variants, 1):
            yield f"{self.id}.{number}", keys

    def keys_label(self, keymap: Mapping[str, str] | None = None) -> str:
        """Return the keys for people, with the changes of the settings: `n · →`."""
        if (replaced := (keymap or {}).get(self.id)) is not None:
            return " · ".join(readable(key) for key in replaced.split(","))
        if self.shown_as:
            return self.shown_as
        names = [readable(key) for key in self.keys.split(",") if key]
        return " · ".join(names + ([self.sequence] if self.sequence else []))

    def key_beside_text(self, keymap: Mapping[str, str] | None = None) -> str:
        """Return the key for the footer where letters are text: an arrow, a function key, or alt with the letter."""
        keys = self.keys_of(keymap)
        beside = (key for key in (*keys, *map(alt_key, keys)) if key and not types_text(key))
        return readable(next(beside, "")) or self.first_key(keymap)

    def key_in_field(self, keymap: Mapping[str, str] | None = None) -> str:
        """Return alt with the first letter among the keys, or "" without one."""
        return next(filter(None, map(alt_key, self.keys_of(keymap))), "")

    def shortest_key(self, keymap: Mapping[str, str] | None = None) -> str:
        """Return the key for a footer with little room, "" without a key."""
        return min((readable(key) for key in self.keys_of(keymap)), key=len, default="")

    def first_key(self, keymap: Mapping[str, str] | None = None) -> str:
        """Return the key for the footer."""
        if (replaced := (keymap or {}).get(self.id)) is not None:
            return readable(replaced.split(",")[0])
        return self.shown_as or (readable(self.keys.split(",")[0]) if self.keys else self.sequence)


_READABLE: Final[Mapping[str, str]] = {
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "escape": "esc",
    "enter": "enter",
    "pageup": "pgup",
    "pagedown": "pgdn",
    "question_mark": "?",
    "slash": "/",
    "delete": "del",
}


_ARROWS: Final[Mapping[str, str]] = {"←": "left", "→": "right", "↑": "up", "↓": "down"}


def in_words(keys: str) -> str:
    """Return keys for a terminal that draws no symbols: `n or right`."""
    named = re.sub(f"[{''.join(_ARROWS)}]+", lambda found: " ".join(_ARROWS[arrow] for arrow in found[0]), keys)
    return named.replace(" · ", " or ")


def readable(key: str) -> str:
    """Return a key for people: `ctrl+←`."""
    *modifiers, name = key.strip().split("+")
    return "+".join([*modifiers, _READABLE.get(name, name)])


def types_text(key: str) -> bool:
    """Return whether a key, by Textual's name, types a character where text is written: `a`, `equals_sign`."""
    character = key_to_character(key)
    return character is not None and character.isprintable()


def alt_key(key: str) -> str:
    """Return Textual's name of alt with a letter, or "" for another key."""
    if len(key) != 1 or not key.isalpha():
        return ""
    return f"alt+{key}" if key.islower() else f"alt+shift+{key.lower()}"


def with_alt(keys: str) -> str:
    """Add alt with each letter to keys that are separated by commas."""
    return ",".join([*keys.split(","), *filter(None, (alt_key(key.strip()) for key in keys.split(",")))])


ANSWERS: Final = ("a,1", "b,2", "c,3", "d,4", "e,5", "6", "7", "8", "9")
"""Keys of the first nine things to choose from."""
