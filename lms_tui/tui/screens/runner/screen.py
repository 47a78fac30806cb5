"""The exam screen: keys become events of the attempt, and each new session is painted."""

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType

from lms_tui.attempt.aids import Aids
from lms_tui.attempt.values import Goal, Phase
from lms_tui.common.settings import Maths
from lms_tui.content.model import MathsStyle
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.screens.runner import exam_dialogs
from lms_tui.tui.screens.runner.aid_commands import AidCommands
from lms_tui.tui.screens.runner.announcer import Announcer
from lms_tui.tui.screens.runner.answer_commands import AnswerCommands
from lms_tui.tui.screens.runner.attaching import Attaching
from lms_tui.tui.screens.runner.calculating import Calculating
from lms_tui.tui.screens.runner.change_guard import ChangeGuard
from lms_tui.tui.screens.runner.choosing import Choosing
from lms_tui.tui.screens.runner.exam_widgets import ExamWidgets
from lms_tui.tui.screens.runner.highlighting import HighlightCommands, Highlighting
from lms_tui.tui.screens.runner.key_hints import KeyHints
from lms_tui.tui.screens.runner.leaving import LeaveCommands, Leaving
from lms_tui.tui.screens.runner.matching import Matching
from lms_tui.tui.screens.runner.more_time import MoreTime
from lms_tui.tui.screens.runner.navigation import MoveCommands, Navigation
from lms_tui.tui.screens.runner.noting import NoteCommands, Noting
from lms_tui.tui.screens.runner.parts import BottomLine
from lms_tui.tui.screens.runner.reviewing import Reviewing
from lms_tui.tui.screens.runner.view_commands import ViewCommands
from lms_tui.tui.screens.runner.writing import Writing
from lms_tui.tui.widgets.answer_editor import AnswerEditor
from lms_tui.views import runner as present
from lms_tui.views import time_left
from lms_tui.views.answers import AnswerMode
from lms_tui.views.glyphs import ASCII, UNICODE
from lms_tui.views.runner import Severity

if TYPE_CHECKING:
    from lms_tui.attempt.keeper import Keeper
    from lms_tui.attempt.session import Session
    from lms_tui.client.port import Lms
    from lms_tui.common.settings import Settings

_STYLES: Final = {
    Maths.PICTURE: MathsStyle.PICTURE,
    Maths.LAYOUT: MathsStyle.TWO_DIMENSIONAL,
    Maths.LINE: MathsStyle.LINE,
    Maths.SOURCE: MathsStyle.SOURCE,
}
_NEED_A_QUESTION: Final = frozenset(
    {
        *("choose", "pick", "toggle_option", "strike", "option_down", "option_up", "mark", "clear", "undo"),
        *("switch_answer", "line_focus", "pace"),
        *("next_question", "previous_question", "go_to", "next_unanswered", "previous_unanswered", "next_marked"),
        *("previous_marked", "overview", "read_passage", "maths_style", "filter_palette", "enlarge_picture"),
        *("note", "scratchpad", "highlight"),
    }
)


class RunnerScreen(
    AnswerCommands, AidCommands, HighlightCommands, LeaveCommands, MoveCommands, NoteCommands, ViewCommands
):
    """Dismisses with "ended", "closed" (ended elsewhere) or "left" (still running, can be resumed).

    `tick_at` is the fraction of a second that is left when the clock is drawn. It lies between 0 and 1.
    With `concluded`, an exam that is over stays on the screen until its result replaces it. A key could land on a
    screen between them. `typing`: a person may be typing into what has closed for this screen.
    """

    WHERE = Where.RUNNER
    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Where.RUNNER))
    CSS_PATH = "screen.tcss"
    AUTO_FOCUS = ""
    BLANK = True
    """The widgets leave no cell of the screen free. Textual would compose each of its rows again for each paint."""

    def __init__(
        self,
        keeper: "Keeper",
        lms: "Lms",
        *,
        settings: "Settings",
        badge: str = "",
        tick_at: float = 0.5,
        concluded: Callable[[str], None] | None = None,
        typing: bool = False,
    ) -> None:
        super().__init__()
        self.replaceable = False
        self._tick_at = tick_at
        self._concluded = concluded
        self._keeper = keeper
        self._lms = lms
        self._settings = settings
        self._badge = badge
        self._glyphs = ASCII if settings.appearance.ascii else UNICODE
        self._seen: Session = keeper.session
        self._left: float | None = keeper.time_left()
        self._concluding = False
        self._deaf = self._heard = typing
        """`_deaf` is set when a field or dialog closes while a person types. Letters are ignored until they pause."""

    def compose(self) -> ComposeResult:
        keeper, appearance = self._keeper, self._settings.appearance
        self._hints = KeyHints(self.key_of, self.key_beside_text, self.keymap, self._glyphs)
        self._bottom = BottomLine(*self._hints.all)
        self._widgets = ExamWidgets(
            keeper,
            glyphs=self._glyphs,
            style=_STYLES[appearance.maths],
            settings=self._settings.runner,
            local=self._settings.local,
            badge=self._badge,
            marks=present.marks(keeper.exam),
            bottom=self._bottom,
            key_of=self.key_of,
            key_beside_text=self.key_beside_text,
            left_field=self._left_field,
            left_note=lambda *_: self._noting.leave(),
        )
        self._make_parts(keeper, self._widgets)
        yield self._widgets

    def _make_parts(self, keeper: "Keeper", widgets: ExamWidgets) -> None:
        """Make the parts that perform the actions of the screen."""
        announcer = self._announcer = Announcer(self._bottom.say, widgets.status.tell, keeper.second)
        guard = self._guard = ChangeGuard(keeper, widgets.fields, announcer)
        self._writing = Writing(keeper, widgets, guard, later=self.set_timer, leave_focus=lambda: self.set_focus(None))
        self._matching = Matching(keeper, widgets, guard, self._show_keys)
        self._noting = Noting(
            keeper,
            widgets,
            later=self.set_timer,
            make_room=self._make_room,
            leave_focus=lambda: self.set_focus(None),
            show_keys=self._show_keys,
            key_in_field=self.key_in_field,
        )
        self._attaching = Attaching(
            keeper, guard, announcer, local=self._settings.local, read=self._read_aids, glyphs=self._glyphs
        )
        self._choosing = Choosing(
            keeper, widgets, guard, announcer, self._writing, self._matching, attach=self.action_files
        )
        self._make_aids(keeper, widgets)
        leave_field, show_keys = self._leave_field, self._show_keys
        self._navigation = Navigation(
            keeper, announcer, leave=leave_field, moved=show_keys, prompt=self._bottom.ask, key_of=self.key_of
        )
        self._highlighting = Highlighting(
            keeper, widgets, announcer, self.keys_of, leave_field=leave_field, changed=show_keys
        )
        self._leaving = Leaving(
            self,
            keeper,
            self._lms,
            guard,
            announcer,
            leave_field=self._leave_field,
            left=self._left_exam,
            review=self._open_overview,
        )
        visit, end = self._navigation.visit, self._leaving.end
        self._reviewing = Reviewing(keeper, widgets, self._glyphs, visit=visit, end=end)

    def _make_aids(self, keeper: "Keeper", widgets: ExamWidgets) -> None:
        self._aids = Aids(self._lms.attempts, keeper.session.attempt_id, keeper.desk)
        self._calculating = Calculating(
            keeper,
            self._aids,
            widgets.fields,
            self._guard,
            self._announcer,
            aside=widgets.aside,
            leave_field=self._leave_field,
            leave_focus=lambda: self.set_focus(None),
            show_keys=self._show_keys,
            glyphs=self._glyphs,
        )

    def on_mount(self) -> None:
        self._keeper.listen(self._changed)
        self._more_time = MoreTime(self._keeper, self._widgets, self._announcer)
        self._navigation.visit(self._keeper.session.current)
        if not self._keeper.session.items:
            self._announcer.say("This exam has no questions.")
        self._align()
        self._react(self._seen, self._keeper.session)

    def on_unmount(self) -> None:
        self._keeper.listen(lambda _: None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """An exam without questions can only be left or ended."""
        if not self._keeper.session.items and action in _NEED_A_QUESTION:
            return False
        return super().check_action(action, parameters)

    # Time.

    def _align(self) -> None:
        """Tick between the changes of the second of the time left, so no second is skipped or shown twice."""
        wait = time_left.first_tick(self._keeper.time_left(), self._tick_at)
        self.set_timer(wait * self._keeper.second, self._begin_ticking)
        self._widgets.tick()

    def _begin_ticking(self) -> None:
        self.tick()
        self.set_interval(self._keeper.second, self.tick)

    def tick(self) -> None:
        """Save, let the keeper look at its clock, and paint the time. Called once a second."""
        if self.replaceable:
            return
        self._deaf, self._heard = self._deaf and self._heard, False
        self._writing.tick()
        self._noting.tick()
        self._keeper.tick()
        left = self._keeper.time_left()
        if text := time_left.warning(self._left, left) if self._keeper.session.editable else "":
            self._widgets.status.clock_hidden = False
            self._announcer.say(text, text, Severity.WARNING)
            self._widgets.last_minutes.signal(text)
        self._left = left
        self._announcer.tick()
        self._widgets.tick()
        self._reviewing.paint(self.app)

    # Changes of the attempt.

    def _changed(self, session: "Session") -> None:
        before, self._seen = self._seen, session
        if self.focused is not None and before.editable and not session.editable:
            self._deaf = self._heard = True
        self._widgets.paint(session)
        self._reviewing.paint(self.app)
        self._react(before, session)

    def _react(self, before: "Session", session: "Session") -> None:
        if session.over:
            self._conclude()
            return
        if before.current != session.current:
            self._widgets.fields.arrive()
            self._noting.moved()
            self._show_keys()
        if self._more_time.react(before, session):
            self._left = self._keeper.time_left()
        if before.phase is Phase.RUNNING and session.phase is not Phase.RUNNING:
            self._close_dialogs()
            self._calculating.close()
            self._noting.leave()
        if len(session.items) > len(before.items):
            self._left = self._keeper.time_left()
            self._widgets.tick()
            self._navigation.visit(session.current)
            self._read_aids()

    def _conclude(self) -> None:
        if not self._concluding and self.is_attached:
            self._concluding = True
            self._close_dialogs()
            self.run_worker(self._tell_end(), name="conclusion", group="conclusion")

    async def _tell_end(self) -> None:
        self.save_draft()
        await exam_dialogs.tell_end(self.app, self._keeper.session, self._writing.too_late)
        self._close_dialogs()
        self._leave_as("closed" if self._keeper.session.phase is Phase.CLOSED else "ended")

    def _leave_as(self, how: str) -> None:
        if self._concluded is not None:
            self.replaceable = how != "left"
            self._concluded(how)
        if not self.replaceable:
            self.dismiss(how)

    def _left_exam(self) -> None:
        if not self._concluding:
            self._leave_as("left")

    def _close_dialogs(self) -> None:
        """Close the dialogs over the exam: their questions no longer apply."""
        stack = self.app.screen_stack
        above = stack[stack.index(self) + 1 :] if self in stack else []
        if above:
            self._deaf = self._heard = True
        for screen in reversed(above):
            screen.dismiss(None)

    # Keys that are no commands, and the field.

    async def on_key(self, event: events.Key) -> None:
        if self.focused is not None or event.key.startswith("alt+"):
            return
        if self._deaf and event.is_printable:
            self._heard = True
        elif self._matching.active:
            self._matching.handle_key(event)
        elif self._highlighting.active and self._highlighting.handle_key(event):
            pass
        elif self._navigation.typing:
            self._navigation.handle_key(event)
        elif self._lead or not self._keeper.session.items or not self._writing.handle_key(event):
            await super().on_key(event)
            return
        event.stop()
        event.prevent_default()
        self._show_keys()

    def on_paste(self, event: events.Paste) -> None:
        """A paste is an answer, where one can be written."""
        busy = self._deaf or self._matching.active or self._navigation.typing or self._widgets.fields.editor.writing
        if self._keeper.session.items and not busy:
            event.stop()
            if self._widgets.fields.form.mode is AnswerMode.FILES:
                self.action_files(event.text)
            else:
                self._writing.paste(event.text)

    def save_draft(self) -> None:
        """Save what is being typed."""
        self._noting.save()
        self._writing.save()

    def _leave_field(self) -> None:
        self._noting.leave()
        self._leave_answer()

    def _make_room(self) -> None:
        """Leave the answer, and close the calculator where there is no room for a note beside it."""
        self._leave_answer()
        if not self._widgets.aside.roomy:
            self._calculating.close()

    def _leave_answer(self) -> None:
        self._announcer.hush()
        self._highlighting.leave()
        self._writing.leave()
        self._matching.stop()

    def _left_field(self, steps: int, done: bool) -> None:
        """Enter moves to the next gap, and out of the last one. Tab goes round."""
        if not self._writing.next_gap(steps, done=done):
            self._leave_field()
            self._widgets.fields.command_by_letters()
            self._widgets.letters_changed()
        self._show_keys()

    @on(AnswerEditor.Typed)
    def _take(self) -> None:
        self._writing.take()

    @on(AnswerEditor.Entered)
    def _entered(self) -> None:
        self._announcer.hush()
        self._show_keys()

    def _show_keys(self) -> None:
        if self._calculating.active:
            self._bottom.use(*self._calculating.hints(self.key_of))
        elif self._highlighting.active:
            self._bottom.use(*self._highlighting.hints(plain=self._glyphs is ASCII))
        elif self._noting.active:
            self._bottom.use(*self._noting.hints())
        elif self._keeper.session.items:
            self._bottom.use(*self._hints.of(self._widgets.fields, matching=self._matching.active))

    # Commands: moving.

    def action_go_to(self) -> None:
        self._leave_field()
        self._navigation.type_number()

    def action_overview(self) -> None:
        self._open_overview(Goal.ATTEMPT)

    def _open_overview(self, goal: Goal) -> None:
        self._leave_field()
        self._reviewing.open(self.app, goal)
