"""The keys in the last line, chosen for the question and the field on the screen."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from lms_tui.tui.commands import Where, commands_of, in_words, readable
from lms_tui.views.answers import AnswerMode
from lms_tui.views.format import LETTERS
from lms_tui.views.glyphs import ASCII, Glyphs

if TYPE_CHECKING:
    from lms_tui.tui.screens.runner.answer_fields import AnswerFields, KeyOf
    from lms_tui.tui.screens.runner.parts import BottomLine

Hints = tuple[tuple[str, str], ...]
_ORDER: Final = (
    *("choose", "next_question", "mark", "previous_question", "go_to", "overview"),
    *("strike", "undo", "toggle_option", "next_unanswered", "next_marked"),
)
"""Commands of the last line, the most important first. As many are shown as there is room for."""
_ALWAYS: Final = ("end", "help")
_OF_OPTIONS: Final = frozenset({"choose", "toggle_option", "strike"})
_USEFUL: Final = {
    AnswerMode.CHOOSE: _OF_OPTIONS,
    AnswerMode.ESSAY: frozenset({"toggle_option"}),
    AnswerMode.MATCH: frozenset({"toggle_option"}),
}
"""The commands of `_OF_OPTIONS` that work in each mode."""


class KeyHints:
    def __init__(self, key_of: "KeyOf", key_beside_text: "KeyOf", keymap: Mapping[str, str], glyphs: Glyphs) -> None:
        labels = {command.id: command.label for command in commands_of(Where.RUNNER)}
        self._known = {name: (key_of(name), labels[name]) for name in (*_ORDER, *_ALWAYS)}
        self._beside_text = {name: (key_beside_text(name), labels[name]) for name in _ORDER}
        self._key_of = key_of
        self._plain = glyphs is ASCII
        help_keys = next(command.keys_of(keymap) for command in commands_of(Where.RUNNER) if command.id == "help")
        # In a field every key of one character is text.
        self._help_in_field: Hints = tuple((readable(key), "help") for key in help_keys if len(key) > 1)[:1]

    @property
    def all(self) -> tuple[Hints, Hints]:
        return self._but(frozenset()), tuple(self._known[name] for name in _ALWAYS)

    def show(self, bottom: "BottomLine", fields: "AnswerFields", *, matching: bool) -> None:
        mode, always = fields.form.mode, self.all[1]
        useful = _USEFUL.get(mode, frozenset()) if fields.form.choices else frozenset()
        keys = self._but(_OF_OPTIONS - useful)
        if fields.editor.writing:
            enter = {AnswerMode.ESSAY: "new line", AnswerMode.GAPS: "next gap"}.get(mode, "done")
            bottom.use((("esc", "back to the question"), ("enter", enter)), self._help_in_field)
        elif matching:
            rows, cycle = (in_words(keys) if self._plain else keys for keys in ("↑↓", "←→"))
            letters = f"a-{LETTERS[min(len(fields.form.texts), len(LETTERS)) - 1].lower()}"
            bottom.use(((letters, "match"), (rows, "row"), (cycle, "cycle"), ("space", "clear")), (("esc", "done"),))
        elif mode is AnswerMode.MATCH:
            bottom.use(((self._key_of("choose"), "match"), (fields.write_key, "all letters"), *keys), always)
        elif fields.take_letters:
            topic = ((f"1-{min(len(fields.form.choices), 9)}", "topic"),) if fields.form.choices else ()
            keys = tuple(self._beside_text[name] for name in _ORDER if name not in _OF_OPTIONS - useful)
            bottom.use((("letters", "write"), *topic, ("esc", "commands"), *keys), always)
        elif fields.form.writes:
            topic = ((self._key_of("choose"), "topic"),) if fields.form.choices else ()
            bottom.use((*topic, (fields.write_key, "write"), *keys), always)
        else:
            bottom.use(keys, always)

    def _but(self, useless: frozenset[str]) -> Hints:
        return tuple(self._known[name] for name in _ORDER if name not in useless)
