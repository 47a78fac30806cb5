"""Answering in words: what is typed goes to the journal at a pause; in a field every printable key is text."""

from abc import abstractmethod
from typing import TYPE_CHECKING

from textual import on
from textual.events import Key

from lms_tui.attempt.events import Visited, Wrote
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.screens.runner.autosave import Autosave
from lms_tui.tui.widgets.answer_editor import AnswerEditor
from lms_tui.tui.widgets.question import QuestionView
from lms_tui.views import answers
from lms_tui.views.answers import AnswerMode
from lms_tui.views.format import LETTERS
from lms_tui.views.runner import Severity
from lms_tui.wire.question_types import QuestionType

if TYPE_CHECKING:
    from lms_tui.attempt.keeper import Keeper
    from lms_tui.tui.screens.runner.board import Board

_NUMBER = frozenset("0123456789-.,+\u2212")


class WritingActions(CommandScreen[str]):
    """Fields, gaps and matches; the screen that has them gives keeper, board and a voice."""

    _keeper: "Keeper"
    _board: "Board"

    def __init__(self) -> None:
        super().__init__()
        self._autosave = Autosave(self._keep, self.set_timer)
        self._too_late: Wrote | None = None
        """What was written when the exam had been closed already."""
        self._matching = False
        """Every letter belongs to the left side that is highlighted."""

    @abstractmethod
    def _say(self, text: str, short: str = "", severity: Severity = Severity.PLAIN) -> None:
        """Say something in the last line for a few seconds; `short` where `text` does not fit."""

    @abstractmethod
    def _hush(self) -> None:
        """Take away what was said and is no warning."""

    @abstractmethod
    def _may_change(self) -> bool:
        """Whether the question on the screen may be answered now; says why where it may not."""

    @abstractmethod
    def _show_keys(self) -> None:
        """Show the keys that mean something now in the last line."""

    # Fields.

    def _keep(self, event: Wrote) -> None:
        self._keeper.do(event)
        self._board.draft(None)
        item = self._keeper.session.find(event.question_id)
        if item is not None and answers.written(item.answer, event.field) != event.text:
            self._too_late = event

    def settle(self) -> None:
        """Keep what is being written before anything else happens."""
        self._take()
        self._autosave.settle()

    def _write(self, typed: str = "") -> None:
        """Go into the field of the question on the screen; `typed`: the key that asked for it, already a part."""
        if self._may_change():
            self._board.editor.write(typed)

    def _leave_field(self) -> None:
        """Go back from the field to the question; what was written is kept."""
        self.settle()
        if self._board.editor.writing:
            self.set_focus(None)
        self._stop_matching()

    def _visit(self, place: int) -> None:
        self._leave_field()
        session = self._keeper.session
        if 0 <= place < len(session.items):
            self._keeper.do(Visited(session.items[place].question_id))
        self._show_keys()

    @on(AnswerEditor.Typed)
    def _take(self) -> None:
        """Fetch what stands in the field: also what its message has not told yet."""
        if (taken := self._board.editor.take()) is None:
            return
        (question_id, field), text = taken
        event = Wrote(question_id, field, text)
        self._board.draft(event)
        self._autosave.write(event)

    @on(AnswerEditor.Entered)
    def _entered(self) -> None:
        """What was said of the question would hide the keys of the field."""
        self._hush()
        self._show_keys()

    def _left_field(self, steps: int, done: bool) -> None:
        """Enter goes on to the next gap and out of the last; tab goes round."""
        self.settle()
        board = self._board
        count = len(board.form.fields)
        place = board.field_of(self._keeper.session.item) + steps
        if board.form.mode is AnswerMode.GAPS and steps and count > 1 and (not done or place < count):
            self._look_at(place % count)
            board.editor.write()
            return
        self._leave_field()
        board.refresh_state()
        self._show_keys()

    def _look_at(self, place: int) -> None:
        """Highlight a gap or a left side."""
        self._board.put_cursor(place)
        self._board.refresh_state()

    # Matches.

    def _match(self, choice: int) -> None:
        """Put what is offered beside the highlighted left side, and go on to the next that has nothing."""
        board, form = self._board, self._board.form
        if not (0 <= choice < len(form.texts)) or not self._may_change():
            return
        at = board.cursor
        self._keeper.do(Wrote(self._keeper.session.item.question_id, form.fields[at], form.texts[choice]))
        self._look_at(answers.next_open(form, self._keeper.session.item.answer, at))

    def _unmatch(self) -> None:
        if self._may_change():
            self._keeper.do(
                Wrote(self._keeper.session.item.question_id, self._board.form.fields[self._board.cursor], "")
            )
            self._board.refresh_state()

    def _turn(self, steps: int) -> None:
        """Put what is offered next, or before, beside the highlighted left side, and stay there."""
        form, at = self._board.form, self._board.cursor
        if self._may_change():
            now = answers.matched_of(form, self._keeper.session.item.answer)[at]
            choice = (now + steps) % len(form.texts) if now >= 0 else (0 if steps > 0 else len(form.texts) - 1)
            self._keeper.do(Wrote(self._keeper.session.item.question_id, form.fields[at], form.texts[choice]))
            self._board.refresh_state()

    def _begin_matching(self) -> None:
        if self._may_change():
            self._matching = True
            self._show_keys()

    def _stop_matching(self) -> None:
        if self._matching:
            self._matching = False
            self._show_keys()

    @on(QuestionView.RightClicked)
    def _match_clicked(self, message: QuestionView.RightClicked) -> None:
        if self._board.form.mode is AnswerMode.MATCH:
            self._match(message.choice)

    def _match_key(self, event: Key) -> None:
        """A key while every letter belongs to the match."""
        letter = (event.character or "").upper()
        rows = len(self._board.form.fields)
        match event.key:
            case "up" | "down" | "tab" | "shift+tab":
                self._look_at((self._board.cursor + (1 if event.key in {"down", "tab"} else -1)) % rows)
            case "left" | "right":
                self._turn(1 if event.key == "right" else -1)
            case "backspace" | "delete" | "space":
                self._unmatch()
            case _ if len(letter) == 1 and letter in LETTERS:
                self._match(LETTERS.index(letter))
            case _ if letter.isdigit() and 1 <= int(letter) <= rows:
                self._look_at(int(letter) - 1)
            case _:
                self._stop_matching()

    # Keys that mean something else where an answer is words.

    def _answer_key(self, event: Key) -> bool:
        """Take a digit or sign for the field it belongs to; False where the key is a command as ever."""
        form, character = self._board.form, event.character or ""
        if (
            form.mode is AnswerMode.LINE
            and self._keeper.session.item.kind == QuestionType.NUMERIC
            and character
            and character in _NUMBER
        ):
            self._write(character)
            return True
        if form.mode in {AnswerMode.GAPS, AnswerMode.MATCH} and character.isdigit() and character.isascii():
            place = int(character) - 1
            if 0 <= place < len(form.fields):
                self._look_at(place)
                if form.mode is AnswerMode.GAPS:
                    self._write()
            return True
        return False
