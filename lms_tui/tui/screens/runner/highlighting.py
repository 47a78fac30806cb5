"""The highlighter: words of the passage and the question are chosen by keys or with the mouse, and marked."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from textual import on
from textual.events import Key

from lms_tui.content.lines import NO_WORD
from lms_tui.tui.commands import in_words
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.screens.runner.key_hints import Hint, Hints
from lms_tui.tui.widgets.marked_pane import MarkedPane
from lms_tui.views.format import counted
from lms_tui.views.highlights import Range
from lms_tui.views.runner import Severity

if TYPE_CHECKING:
    from lms_tui.attempt.keeper import Keeper
    from lms_tui.tui.screens.runner.announcer import Announcer
    from lms_tui.tui.screens.runner.exam_widgets import ExamWidgets

_STEPS: Final = {"left": -1, "right": 1, "ctrl+left": -1, "ctrl+right": 1, "tab": 1}
_ROWS: Final = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}
_EDGES: Final = {"home": False, "end": True}
_SELECT: Final = "shift+"


class Highlighting:
    """While `active`, keys choose words. `leave_field`: saves and leaves what is being typed."""

    def __init__(
        self,
        keeper: "Keeper",
        widgets: "ExamWidgets",
        announcer: "Announcer",
        keys_of: Callable[[str], tuple[str, ...]],
        *,
        leave_field: Callable[[], None],
        changed: Callable[[], None],
    ) -> None:
        self._keeper = keeper
        self._widgets = widgets
        self._marks = widgets.text_marks
        self._announcer = announcer
        self._leave_field = leave_field
        self._keys_of = keys_of
        self._changed = changed
        self.active = False
        self._word = self._anchor = 0
        """The word of the cursor, and the word where the selection began."""

    # By keys.

    def begin(self) -> None:
        """Choose words by keys, from the first one in the window on."""
        if not self._allowed():
            return
        self._leave_field()
        self._marks.begin(self._keeper.session.item, unfolded=True)
        self._widgets.show_words()
        first = self._marks.first_visible()
        if first == NO_WORD:
            self.stop()
            self._announcer.say("This question has no words to highlight.", "No words to highlight.")
        else:
            self.active = True
            self._put(first, extend=False)
            self._changed()

    def stop(self) -> None:
        self.active = False
        self._marks.end()
        self._widgets.show_words()
        self._changed()

    def leave(self) -> None:
        if self.active:
            self.stop()

    def handle_key(self, event: Key) -> bool:
        """Handle a key while `active`. Return False for a key that is a command."""
        key = event.key
        self._announcer.hush()
        extend = key.startswith(_SELECT) and len(key) > len(_SELECT) + 1
        name = key.removeprefix(_SELECT) if extend else key
        if name in _STEPS:
            self._put(self._word + _STEPS[name], extend=extend)
        elif name in _ROWS:
            self._put(self._marks.beside(self._word, _ROWS[name]), extend=extend)
        elif name in _EDGES:
            self._put(self._marks.edge(self._word, last=_EDGES[name]), extend=extend)
        elif key == "enter" or key in self._keys_of("highlight"):
            self._highlight(self._range)
            self._put(self._word, extend=False)
        elif key == "escape":
            self.stop()
        elif not event.is_printable:
            self.stop()
            return False
        return True

    def _put(self, word: int, *, extend: bool) -> None:
        """Move the cursor to a word, if there is one of this number."""
        texts = self._marks.texts(self._keeper.session.item)
        self._word = max(texts[0].first, min(word, texts[-1].stop - 1))
        if not extend:
            self._anchor = self._word
        self._marks.reveal(self._word)
        self._marks.choose(self._range)

    @property
    def _range(self) -> Range:
        first, last = sorted((self._anchor, self._word))
        return first, last + 1

    # With the mouse.

    def drag(self, message: MarkedPane.Dragged) -> None:
        """Choose the words between two places, and mark them when the button is released."""
        session = self._keeper.session
        self.leave()
        if not session.items or session.read_only:
            return
        if not self._marks.choosing(session.item):
            self._marks.begin(session.item, unfolded=False)
            self._widgets.show_words()
        first, last = sorted(self._marks.word((message.pane, *place)) for place in (message.start, message.end))
        if first != NO_WORD:
            self._marks.choose((first, last + 1))
        if message.done:
            if self._marks.chosen is not None:
                self._highlight(self._marks.chosen)
            self.stop()

    def _allowed(self) -> bool:
        if why := self._keeper.session.read_only:
            self._announcer.say(why, severity=Severity.WARNING)
        return not why

    def _highlight(self, chosen: Range) -> None:
        words = counted(chosen[1] - chosen[0], "word")
        if self._marks.toggle(chosen):
            self._announcer.say(f"{words} highlighted. The same again removes it.", f"{words} highlighted.")
        else:
            self._announcer.say(f"The highlight is removed from {words}.", f"Highlight removed: {words}.")

    @staticmethod
    def hints(*, plain: bool) -> tuple[Hints, Hints]:
        """Return the keys while words are chosen. `plain`: arrows are named in words."""
        shown: Hints = (
            Hint("enter", "highlight or remove", press="enter"),
            Hint("←→", "word", press="right"),
            Hint("↑↓", "row", press="down"),
            Hint("shift+→", "select", press="shift+right"),
        )
        if plain:
            shown = tuple(replace(hint, key=in_words(hint.key)) for hint in shown)
        return shown, (Hint("esc", "done", press="escape"),)


class HighlightCommands(CommandScreen[str]):
    """The exam screen is this class with the commands of the attempt."""

    _highlighting: Highlighting

    def action_highlight(self) -> None:
        self._highlighting.begin()

    @on(MarkedPane.Dragged)
    def _words_dragged(self, message: MarkedPane.Dragged) -> None:
        self._highlighting.drag(message)
