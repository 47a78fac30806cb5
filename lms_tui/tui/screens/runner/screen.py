"""The exam: keys become events of the attempt, snapshots of the attempt become paint."""

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType

from lms_tui.attempt.events import EndAsked
from lms_tui.attempt.values import Goal, Phase
from lms_tui.common.settings import Maths
from lms_tui.content.model import MathsStyle
from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, bindings, commands_of, in_words, readable
from lms_tui.tui.screens.runner import questions
from lms_tui.tui.screens.runner.actions import ExamActions
from lms_tui.tui.screens.runner.board import Board
from lms_tui.tui.screens.runner.parts import Bottom
from lms_tui.views import runner as present
from lms_tui.views.answers import AnswerMode
from lms_tui.views.format import LETTERS
from lms_tui.views.glyphs import ASCII, UNICODE
from lms_tui.views.runner import Notice, Severity

if TYPE_CHECKING:
    from lms_tui.attempt.keeper import Keeper
    from lms_tui.attempt.session import Session
    from lms_tui.common.settings import Settings

_STYLES: Final = {
    Maths.PICTURE: MathsStyle.PICTURE,
    Maths.LAYOUT: MathsStyle.TWO_DIMENSIONAL,
    Maths.LINE: MathsStyle.LINE,
    Maths.SOURCE: MathsStyle.SOURCE,
}
_KEYS: Final = (
    "choose",
    "next_question",
    "mark",
    "previous_question",
    "go_to",
    "overview",
    "strike",
    "undo",
    "toggle_option",
    "next_unanswered",
    "next_marked",
)
"""Commands of the last line, the most wanted first, as far as there is room."""
_ALWAYS: Final = ("end", "help")
_OF_OPTIONS: Final = frozenset({"choose", "toggle_option", "strike"})
_MEANT: Final = {
    AnswerMode.CHOOSE: _OF_OPTIONS,
    AnswerMode.ESSAY: frozenset({"toggle_option"}),
    AnswerMode.MATCH: frozenset({"toggle_option"}),
}
"""Which of those mean something by the way a question is answered; topics and right sides have words of their own."""
_SAID_FOR: Final = 6
"""Seconds that something said stays in the last line."""


class RunnerScreen(ExamActions):
    """Dismisses with "ended", "closed" (ended elsewhere) or "left" (still running, can be resumed).

    With `concluded`, an exam that is over stays on the screen until its result takes its place: no other screen, on
    which a key could land, comes between.
    """

    WHERE = Where.RUNNER
    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Where.RUNNER))
    CSS_PATH = "screen.tcss"
    AUTO_FOCUS = ""

    def __init__(
        self,
        keeper: "Keeper",
        *,
        settings: "Settings",
        badge: str = "",
        concluded: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__()
        self.replaceable = False
        self._concluded = concluded
        self._keeper = keeper
        self._settings = settings
        self._badge = badge
        self._glyphs = ASCII if settings.appearance.ascii else UNICODE
        self._seen: Session = keeper.session
        self._left: float | None = keeper.time_left()
        self._saying = 0
        self._warned = False
        self._typed: str | None = None
        self._concluding = False
        self._deaf = self._heard = False
        """The field was closed under the hands of the writer: what they still type is no command."""

    def compose(self) -> ComposeResult:
        labels = {command.id: command.label for command in commands_of(self.WHERE)}
        self._known = {name: (self.key_of(name), labels[name]) for name in (*_KEYS, *_ALWAYS)}
        bottom = Bottom(self._keys_but(), self._keys_always())
        self._board = Board(
            self._keeper,
            glyphs=self._glyphs,
            style=_STYLES[self._settings.appearance.maths],
            clock_hidden=not self._settings.runner.show_clock,
            badge=self._badge,
            marks=present.marks(self._keeper.exam),
            bottom=bottom,
            key_of=self.key_of,
            with_pace=self._settings.runner.pace_line,
            left_field=self._left_field,
        )
        yield self._board

    def on_mount(self) -> None:
        self._keeper.listen(self._changed)
        self._visit(self._keeper.session.current)
        if not self._keeper.session.items:
            self._say("This exam has no questions.")
        self._show_keys()
        self._align()
        self._react(self._seen, self._keeper.session)

    def on_unmount(self) -> None:
        self._keeper.listen(lambda _: None)

    # Time.

    def _align(self) -> None:
        """Tick in the middle of the seconds of the time left, so that no second is skipped or shown twice."""
        left = self._keeper.time_left()
        self.set_timer((0.5 if left is None else (left + 0.5) % 1.0) * self._keeper.second, self._begin_ticking)
        self._board.tick()

    def _begin_ticking(self) -> None:
        self.tick()
        self.set_interval(self._keeper.second, self.tick)

    def tick(self) -> None:
        """Once a second: let the keeper look at its clock, show the time, announce a threshold once."""
        if self.replaceable:
            return
        self._deaf, self._heard = self._deaf and self._heard, False
        self._take()
        self._autosave.tick(self._keeper.time_left())
        self._keeper.tick()
        left = self._keeper.time_left()
        if text := present.warning(self._left, left) if self._keeper.session.editable else "":
            self._board.clock_hidden = False
            self._say(text, text, Severity.WARNING)
        self._left = left
        if self._saying:
            self._saying -= 1
            if not self._saying:
                self._board.say(None)
        self._board.tick()

    def _say(self, text: str, short: str = "", severity: Severity = Severity.PLAIN) -> None:
        self._saying = round(_SAID_FOR / self._keeper.second)
        self._warned = severity is not Severity.PLAIN
        self._board.say(Notice(text, short or text, severity))

    def _hush(self) -> None:
        if self._saying and not self._warned:
            self._saying = 0
            self._board.say(None)

    # What the attempt tells.

    def _changed(self, session: "Session") -> None:
        before, self._seen = self._seen, session
        if self._board.editor.writing and before.editable and not session.editable:
            self._deaf = self._heard = True
        self._board.paint(session)
        self._react(before, session)

    def _react(self, before: "Session", session: "Session") -> None:
        if session.over:
            self._conclude()
            return
        if before.current != session.current:
            self._show_keys()
        if before.deadline is not session.deadline and before.running_section == session.running_section:
            text = present.change_of_time(before.deadline.ends_at, session.deadline.ends_at)
            if text and session.editable:
                self._left = self._keeper.time_left()
                self._say(text, severity=Severity.GOOD)
                self._board.tick()
        if before.phase is Phase.RUNNING and session.phase is not Phase.RUNNING:
            self._close_dialogs()
        if len(session.items) > len(before.items):
            self._left = self._keeper.time_left()
            self._board.tick()
            self._visit(session.current)

    def _conclude(self) -> None:
        if not self._concluding and self.is_attached:
            self._concluding = True
            self._close_dialogs()
            self.run_worker(self._tell_end(), name="conclusion", group="conclusion")

    async def _tell_end(self) -> None:
        self.settle()
        await questions.tell_end(self.app, self._keeper.session, self._too_late)
        self._close_dialogs()
        self._leave_as("closed" if self._keeper.session.phase is Phase.CLOSED else "ended")

    def _leave_as(self, how: str) -> None:
        if self._concluded is not None:
            self.replaceable = how != "left"
            self._concluded(how)
        if not self.replaceable:
            self.dismiss(how)

    def _close_dialogs(self) -> None:
        """What was asked means nothing any more."""
        stack = self.app.screen_stack
        if self in stack:
            for screen in reversed(stack[stack.index(self) + 1 :]):
                screen.dismiss(None)

    def _sign_in_again(self) -> None:
        self.run_worker(self._sign_in(), name="sign in again", group="sign in again", exclusive=True)

    async def _sign_in(self) -> None:
        lms = getattr(self.app, "lms", None)
        if lms is not None and await dialogs.sign_in_again(self.app, lms, in_exam=True):
            self._keeper.retry()

    # Keys that are typed one after the other.

    async def on_key(self, event: events.Key) -> None:
        if self._board.editor.writing:
            return
        if self._deaf and event.is_printable:
            self._heard = True
            event.stop()
            event.prevent_default()
            return
        if self._matching or (self._typed is None and not self._lead and self._answers(event)):
            event.stop()
            event.prevent_default()
            if self._matching:
                self._match_key(event)
            return
        if self._typed is None:
            await super().on_key(event)
            return
        event.stop()
        event.prevent_default()
        if event.character and event.character.isdigit():
            self._type(self._typed + event.character)
        elif event.key == "backspace" and self._typed:
            self._type(self._typed[:-1])
        elif event.key == "enter" and self._typed:
            self._go_to_number(int(self._typed))
        else:
            self._type(None)

    def _answers(self, event: events.Key) -> bool:
        return bool(self._keeper.session.items) and self._answer_key(event)

    def _show_keys(self) -> None:
        """Say which keys mean something now: those of a field, of a match, or of the exam."""
        board = self._board
        if not self._keeper.session.items:
            return
        mode, always = board.form.mode, self._keys_always()
        meant = _MEANT.get(mode, frozenset()) if board.form.choices else frozenset()
        keys = self._keys_but(*(_OF_OPTIONS - meant))
        if board.editor.writing:
            enter = {AnswerMode.ESSAY: "new line", AnswerMode.GAPS: "next gap"}.get(mode, "done")
            board.bottom.use((("esc", "back to the question"), ("enter", enter)), self._help_in_a_field())
        elif self._matching:
            sides, turns = (in_words(keys) if self._glyphs is ASCII else keys for keys in ("↑↓", "←→"))
            letters = f"a-{LETTERS[min(len(board.form.texts), len(LETTERS)) - 1].lower()}"
            shown = ((letters, "put beside"), (sides, "left side"), (turns, "turn"), ("space", "take away"))
            board.bottom.use(shown, (("esc", "done"),))
        elif mode is AnswerMode.MATCH:
            board.bottom.use(((self.key_of("choose"), "match"), (board.write_key, "all letters"), *keys), always)
        elif board.form.writes:
            topic = ((self.key_of("choose"), "topic"),) if board.form.choices else ()
            board.bottom.use((*topic, (board.write_key, "write"), *keys), always)
        else:
            board.bottom.use(keys, always)

    def _keys_but(self, *useless: str) -> tuple[tuple[str, str], ...]:
        return tuple(self._known[name] for name in _KEYS if name not in useless)

    def _keys_always(self) -> tuple[tuple[str, str], ...]:
        return tuple(self._known[name] for name in _ALWAYS)

    def _help_in_a_field(self) -> tuple[tuple[str, str], ...]:
        """The key of the help that is no text."""
        keys = next(command.keys_of(self.keymap) for command in commands_of(self.WHERE) if command.id == "help")
        return tuple((readable(key), "help") for key in keys if len(key) > 1)[:1]

    def _type(self, typed: str | None) -> None:
        self._typed = typed
        prompt = None if typed is None else f"Go to question (1-{len(self._keeper.session.items)}), then enter: {typed}"
        self._board.bottom.ask(prompt)

    def _go_to_number(self, number: int) -> None:
        self._type(None)
        place = next((n for n, item in enumerate(self._keeper.session.items) if item.number == number), None)
        if place is None:
            self._say(f"There is no question {number}.")
        else:
            self._visit(place)

    # The exam.

    def action_reconnect(self) -> None:
        self._leave_field()
        if self._keeper.session.contact.sign_in_needed:
            self._sign_in_again()
        else:
            self._keeper.retry()
            self._say("Trying the server now.")

    def action_end(self) -> None:
        self._ask_end(Goal.ATTEMPT)

    def action_end_section(self) -> None:
        session = self._keeper.session
        if not session.locked:
            self._say("This exam has no sections that end one after the other.", "No sections to end")
        elif not session.preemptive:
            self._say("A section of this exam ends with its time, not before.", "Sections end with their time")
        elif not session.more_sections:
            self._ask_end(Goal.ATTEMPT)
        else:
            self._ask_end(Goal.SECTION)

    def _ask_end(self, goal: Goal) -> None:
        self._leave_field()
        if self._keeper.session.editable:
            self.run_worker(self._end(goal), name="end dialog", group="dialog", exclusive=True)
        else:
            self._explain(self._keeper.session)

    async def _end(self, goal: Goal) -> None:
        if await questions.end_wanted(self.app, self._keeper.session, goal):
            self._keeper.do(EndAsked(goal))

    def action_leave(self) -> None:
        self._leave_field()
        self.run_worker(self._leave(), name="leave dialog", group="dialog", exclusive=True)

    async def _leave(self) -> None:
        if await questions.leave_wanted(self.app, self._keeper.session) and not self._concluding:
            self._leave_as("left")
