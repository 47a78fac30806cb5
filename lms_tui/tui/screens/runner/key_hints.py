"""The keys in the last line, chosen for the question and the field on the screen."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from lms_tui.common.frozen import frozen
from lms_tui.tui.commands import Where, commands_by_id, in_words, readable
from lms_tui.views.answers import AnswerMode
from lms_tui.views.format import LETTERS
from lms_tui.views.glyphs import ASCII, Glyphs

if TYPE_CHECKING:
    from lms_tui.tui.screens.runner.answer_fields import AnswerFields, KeyOf


@frozen
class Hint:
    """An entry of the last line. A click runs `action`, or presses the key `press`.

    With `brief`, the entry is shown in every window, as `brief` where the last line has no room for it.
    """

    key: str
    label: str
    action: str = ""
    press: str = ""
    brief: "Hint | None" = None


Hints = tuple[Hint, ...]
_ORDER: Final = (
    *("choose", "next_question", "mark", "previous_question", "command_palette", "go_to", "overview"),
    *("strike", "undo", "calculator", "note", "toggle_option", "next_unanswered", "next_marked"),
)
"""Commands of the last line, the most important first. As many are shown as there is room for."""
_ALWAYS: Final = ("end", "help")
_MOVES: Final = ("next_question", "previous_question")
_OF_OPTIONS: Final = frozenset({"choose", "toggle_option", "strike"})
_USEFUL: Final = {
    AnswerMode.CHOOSE: _OF_OPTIONS,
    AnswerMode.ESSAY: frozenset({"toggle_option"}),
    AnswerMode.MATCH: frozenset({"toggle_option"}),
}
"""The commands of `_OF_OPTIONS` that work in each mode."""
_ACTIONS: Final = {
    "choose": "screen.explain_choice",
    "help": "app.help",
    "command_palette": "app.command_palette",
}
_LABELS: Final = {"command_palette": "more"}


class KeyHints:
    def __init__(self, key_of: "KeyOf", key_beside_text: "KeyOf", keymap: Mapping[str, str], glyphs: Glyphs) -> None:
        commands = commands_by_id(Where.RUNNER)
        names = (*_ORDER, *_ALWAYS)
        actions = {name: _ACTIONS.get(name, f"screen.{name}") for name in names}
        labels = {name: _LABELS.get(name, commands[name].label) for name in names}
        self._known = {name: Hint(key_of(name), labels[name], actions[name]) for name in names}
        self._more = replace(self._known["command_palette"], key=commands["command_palette"].shortest_key(keymap))
        self._beside_text = {name: Hint(key_beside_text(name), labels[name], actions[name]) for name in _ORDER}
        # Without these, the mouse alone reaches neither the next question nor the commands that have no room.
        for hints in (self._known, self._beside_text):
            hints["next_question"] = replace(hints["next_question"], brief=hints["next_question"])
        self._known["command_palette"] = replace(self._known["command_palette"], brief=self._more)
        self._in_field = tuple(
            Hint(key, commands[name].label, actions[name])
            for name in (*_MOVES, "mark")
            if (key := commands[name].key_in_field(keymap))
        )
        self._key_of = key_of
        self._plain = glyphs is ASCII
        # In a field every key of one character is text.
        long = (key for key in commands["help"].keys_of(keymap) if len(key) > 1)
        self._help_in_field: Hints = tuple(Hint(readable(key), "help", actions["help"]) for key in long)[:1]

    @property
    def all(self) -> tuple[Hints, Hints]:
        return self._but(frozenset()), tuple(self._known[name] for name in _ALWAYS)

    def of(self, fields: "AnswerFields", *, matching: bool) -> tuple[Hints, Hints]:
        """Return the keys for the question and the field on the screen, and those that are always shown."""
        form, always = fields.form, self.all[1]
        useless = _OF_OPTIONS - (_USEFUL.get(form.mode, frozenset()) if form.choices else frozenset())
        write = Hint(fields.write_key, "files" if form.mode is AnswerMode.FILES else "write", "screen.pick")
        if fields.editor.writing:
            more_gaps = form.mode is AnswerMode.GAPS and not fields.at_last_gap
            enter = "new line" if form.mode is AnswerMode.ESSAY else "next gap" if more_gaps else "done"
            back = Hint("esc", "back to the question", press="escape", brief=Hint("esc", "back", press="escape"))
            next_field = Hint("enter", enter, press="enter")
            return (back, replace(next_field, brief=next_field), *self._in_field), self._help_in_field
        if matching:
            return self._of_matching(len(form.texts)), (Hint("esc", "done", press="escape"),)
        if form.mode is AnswerMode.MATCH:
            match, clear = Hint(self._key_of("choose"), "match", "screen.explain_choice"), self._known["toggle_option"]
            others = (replace(hint, label="clear row") if hint == clear else hint for hint in self._but(useless))
            return (match, Hint(fields.write_key, "all letters", "screen.pick"), *others), always
        if fields.take_letters:
            letters = (Hint("letters", "write", "screen.pick"), *self._topic(f"1-{min(len(form.choices), 9)}", fields))
            moves = tuple(self._beside_text[name] for name in _MOVES)
            others = (self._beside_text[name] for name in _ORDER if name not in useless and name not in _MOVES)
            commands = Hint("esc", "commands", press="escape", brief=self._more)
            return (*letters, *moves, commands, *others), always
        if form.writes or form.mode is AnswerMode.FILES:
            return (*self._topic(self._key_of("choose"), fields), write, *self._but(useless)), always
        return self._but(useless), always

    @staticmethod
    def _topic(key: str, fields: "AnswerFields") -> Hints:
        return (Hint(key, "topic", "screen.option_down"),) if fields.form.choices else ()

    def _of_matching(self, choices: int) -> Hints:
        rows, cycle = (in_words(keys) if self._plain else keys for keys in ("↑↓", "←→"))
        letters = f"a-{LETTERS[min(choices, len(LETTERS)) - 1].lower()}"
        return (
            Hint(letters, "match", "screen.explain_choice"),
            Hint(rows, "row", press="down"),
            Hint(cycle, "cycle", press="right"),
            Hint("space", "clear", press="space"),
        )

    def _but(self, useless: frozenset[str]) -> Hints:
        return tuple(self._known[name] for name in _ORDER if name not in useless)
