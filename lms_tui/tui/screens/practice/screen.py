"""A session of practice: a question, the verdict at once, then its key and explanation."""

from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.events import Key, Paste

from lms_tui.common.user_errors import AdvisedError
from lms_tui.content.images import following
from lms_tui.content.model import MathsStyle
from lms_tui.practice.grading import Certainty
from lms_tui.practice.session import Stage, Turn
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.screens.practice.card_view import CardView
from lms_tui.tui.screens.practice.painting import check_label, gap_texts, idle_commands, question_state
from lms_tui.tui.widgets.answer_editor import AnswerEditor, is_command
from lms_tui.tui.widgets.command_bar import CommandBar
from lms_tui.tui.widgets.pane import FRAME, Pane
from lms_tui.tui.widgets.question import QuestionState, QuestionView
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views import practising as present
from lms_tui.views.answers import AnswerForm, AnswerMode, form_of, pasted
from lms_tui.views.answers import written as text_of
from lms_tui.views.format import clock
from lms_tui.views.glyphs import UNICODE
from lms_tui.views.question_layout import Passage, lay_out
from lms_tui.views.rows import wrapped
from lms_tui.wire.question_types import QuestionType

if TYPE_CHECKING:
    from lms_tui.practice.run import PracticeRun

_STYLES: Final = (MathsStyle.TWO_DIMENSIONAL, MathsStyle.LINE, MathsStyle.SOURCE)
_BARS: Final = 4
"""Rows of the top line, the footer and the border."""
_SHORT: Final = 16
"""Rows of a window in which the field of an essay is low."""


class PracticeScreen(CommandScreen[None]):
    """Asks the questions of `run` until it ends. Then it shows what was known."""

    WHERE = Where.PRACTICE
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)
    AUTO_FOCUS = ""

    def __init__(self, run: "PracticeRun", *, maths: MathsStyle = MathsStyle.TWO_DIMENSIONAL, badge: str = "") -> None:
        super().__init__()
        self._run = run
        self._style = maths
        self._badge = badge
        self._cursor = -1
        self._asked = -1
        self._form = AnswerForm(AnswerMode.SHOWN)

    def compose(self) -> ComposeResult:
        yield TopLine(self._run.title, "", self._badge)
        yield CardView(self._paint, glyphs=self.glyphs)
        yield AnswerEditor(self._left_field, plain=self.glyphs is not UNICODE)
        yield self.command_bar()

    def on_mount(self) -> None:
        self._arrive()
        self.set_interval(1.0, self._tell_time)

    def on_unmount(self) -> None:
        self._run.deck.close()

    def on_resize(self) -> None:
        if self._asked >= 0:
            self.call_after_refresh(self._paint)

    # The parts of the screen.

    @property
    def _question(self) -> CardView:
        return self.query_one(CardView)

    @property
    def _editor(self) -> AnswerEditor:
        return self.query_one(AnswerEditor)

    @property
    def _turn(self) -> Turn | None:
        return self._run.turn

    def _arrive(self) -> None:
        """Show the next question, or the end."""
        turn, self._asked = self._turn, len(self._run.session.done)
        if turn is None:
            self._show_end()
            return
        self._form = form_of(turn.card.kind, turn.card.asked)
        self._cursor = 0 if self._form.mode in {AnswerMode.GAPS, AnswerMode.MATCH} else -1
        essay = self._form.mode is AnswerMode.ESSAY
        self._editor.display = self._form.writes
        self._editor.styles.height = (5 if self.app.size.height < _SHORT else 10) if essay else 3
        self.set_focus(None)
        self._paint()
        if self._form.writes:
            self._editor.write()

    def _paint(self) -> None:
        turn = self._turn
        self._tell_time()
        self._show_keys()
        if turn is None:
            return
        if turn.stage is Stage.SHOWN:
            self._show_key(turn)
            return
        view, item = self._question, present.item_of(turn, self._asked + 1)
        gaps = gap_texts(turn, self._form, self._field)
        # Not by the size of the view, which is hidden until the next refresh.
        field = int(self._editor.styles.height.value) if self._form.writes and self._editor.styles.height else 0
        width, height = self.app.size.width - FRAME, self.app.size.height - _BARS - field
        layout = lay_out(item, turn.card.asked, width, height, self._style, Passage.UNFOLDED, self._form, gaps)
        same, below = view.laid_out.question_id == item.question_id, len(layout.rows) - height
        top = view.top if same else max(0, min(layout.passage, below))  # options before the whole of a long passage
        view.show(layout, self._state(turn), top=top)
        if view.top != top:
            self.call_after_refresh(view.set_top, top)  # the field of the answer has come, and the view is lower
        if self._form.writes:
            essay = self._form.mode is AnswerMode.ESSAY
            whose = (item.question_id, self._field)
            self._editor.show(whose, text_of(turn.answer, self._field), essay=essay, hint="", closed=False)
            many = self._form.mode is AnswerMode.GAPS and len(self._form.fields) > 1
            self._editor.say(f"Gap {self._field} of {len(self._form.fields)}" if many else "Your answer", "")

    def _state(self, turn: Turn) -> QuestionState:
        place = present.place_words(self._run.session)
        return question_state(turn, self._form, place, self._reveal_key, self._cursor, self.glyphs)

    @property
    def _reveal_key(self) -> str:
        return (self.key_beside_text if self._editor.writing else self.key_of)("reveal")

    def _show_key(self, turn: Turn) -> None:
        self._close_question()
        number = self._asked + 1
        title = f" {self.glyphs.dot} ".join(filter(None, (present.place_words(self._run.session), turn.card.subject)))
        self._question.show_rows(title, lambda room: present.key_rows(turn, number, room, self._style))

    def _close_question(self) -> None:
        """Make room for the key."""
        self.set_focus(None)
        self._editor.display = False

    def _show_end(self) -> None:
        lines = present.summary(self._run.session, self._run.added)
        self._close_question()
        self._question.show_rows(
            "The end of this session", lambda room: [line for text in lines for line in wrapped(text, room)]
        )
        self._tell_time()
        self._show_keys()

    def _show_keys(self) -> None:
        """Show the keys of the commands that do something now."""
        bar = self.query_one(CommandBar)
        bar.hide(*idle_commands(self._turn, self._form))
        bar.label("check", check_label(self._turn, has_next=self._run.has_next))
        bar.show_beside_text(beside_text=self._editor.writing)

    def on_descendant_focus(self) -> None:
        self._show_keys()

    def on_descendant_blur(self) -> None:
        self._show_keys()

    def _tell_time(self) -> None:
        left = self._run.seconds_left()
        told = "" if left is None or self._turn is None else f"{clock(round(left))} left"
        self.query_one(TopLine).show(self._run.title, told)
        if left == 0.0:
            self._show_keys()  # no question follows any more

    # Answering.

    @property
    def _field(self) -> str:
        fields = self._form.fields
        return fields[max(0, min(self._cursor, len(fields) - 1))] if fields else ""

    def _keep(self, action: str, *values: object) -> None:
        """Change the session. Say so where the deck cannot keep a review."""
        self._take()
        try:
            getattr(self._run, action)(*values)
        except AdvisedError as error:
            self.notify(f"{error} {error.advice}", severity="error", timeout=15, markup=False)
        if len(self._run.session.done) != self._asked or self._turn is None:
            self._arrive()
        else:
            self._paint()

    def action_choose(self, place: int) -> None:
        turn = self._turn
        if turn is None or turn.stage is Stage.SHOWN:
            return
        if self._form.mode is AnswerMode.MATCH and place < len(self._form.texts):
            self._run.write(self._field, self._form.texts[place])
            self._cursor = min(self._cursor + 1, len(self._form.fields) - 1)
            self._paint()
        elif self._form.mode is AnswerMode.CHOOSE and place < len(turn.card.options):
            self._cursor = place
            self._run.choose(place)
            self._keep("submit") if turn.card.kind == QuestionType.SINGLE else self._paint()

    def action_choose_highlighted(self) -> None:
        """Choose the highlighted option."""
        if self._form.mode is AnswerMode.CHOOSE and self._cursor >= 0:
            self.action_choose(self._cursor)

    def action_check(self) -> None:
        """Judge the answer, show the key of one that was judged and not changed, or go on when the key is shown."""
        self._take()
        turn = self._turn
        if turn is None:
            self.action_back()
        elif turn.stage is Stage.SHOWN:
            self._keep("next")
        elif turn.stands_missed:
            self._keep("reveal")
        elif turn.answer.given:
            self._keep("submit")
        elif self._form.writes and not self._editor.writing:
            self._editor.write()
        else:
            words = f"There is no answer yet. Press {self._reveal_key} to see the correct one."
            self.notify(words, timeout=3, markup=False)

    def action_reveal(self) -> None:
        self._keep("reveal")

    def action_sure(self) -> None:
        self._keep("certain", Certainty.SURE)

    def action_think_so(self) -> None:
        self._keep("certain", Certainty.THINK)

    def action_guess(self) -> None:
        self._keep("certain", Certainty.GUESS)

    def action_option_down(self) -> None:
        self._move(1)

    def action_option_up(self) -> None:
        self._move(-1)

    def _move(self, steps: int) -> None:
        """Highlight another option or row, or scroll."""
        turn = self._turn
        count = len(self._form.choices if self._form.mode is AnswerMode.CHOOSE else self._form.fields)
        if turn is None or turn.stage is Stage.SHOWN or not count or self._form.mode is AnswerMode.LINE:
            self.scrolled_pane.scroll_rows(steps)
            return
        self._cursor = max(0, min(self._cursor + steps, count - 1))
        self._paint()
        self._question.reveal(self._cursor)

    @on(QuestionView.OptionClicked)
    def _option_clicked(self, message: QuestionView.OptionClicked) -> None:
        if self._form.mode is AnswerMode.MATCH:
            self._cursor = message.option
            self._paint()
        else:
            self.action_choose(message.option)

    @on(QuestionView.RightClicked)
    def _right_clicked(self, message: QuestionView.RightClicked) -> None:
        self.action_choose(message.choice)

    # Writing.

    def _take(self) -> None:
        """Take what was typed."""
        if (taken := self._editor.take()) is not None:
            (number, field), text = taken
            if number == self._asked + 1:
                self._run.write(field, text)

    @on(AnswerEditor.Typed)
    def _typed(self) -> None:
        self._take()
        if self._form.mode is AnswerMode.GAPS:
            self._paint()

    def _left_field(self, steps: int, entered: bool) -> None:
        """Go to the next gap, judge the answer, or leave the field."""
        self._take()
        place = self._cursor + steps
        if self._form.mode is AnswerMode.GAPS and steps and 0 <= place < len(self._form.fields):
            self._cursor = place
            self._paint()
            self._editor.write()
        elif entered:
            self.action_check()
        else:
            self.set_focus(None)

    async def on_key(self, event: Key) -> None:
        """Begin to write with a digit or a sign. Letters are commands after escape."""
        writes = self._form.writes and self._turn is not None and self._turn.stage is not Stage.SHOWN
        character = event.character or ""
        starts = character.isprintable() and not character.isalpha() and character not in {"", " ", "?"}
        if writes and starts and not is_command(event):
            event.stop()
            event.prevent_default()
            self._editor.write(character)
        else:
            await super().on_key(event)

    def on_paste(self, event: Paste) -> None:
        if self._form.writes and (text := pasted(event.text, lines=self._form.mode is AnswerMode.ESSAY)):
            self._editor.write(text)

    # The rest.

    @property
    def scrolled_pane(self) -> Pane:
        return self._question

    def action_maths_style(self) -> None:
        self._style = following(self._style, _STYLES)
        self._paint()

    def action_enlarge_picture(self) -> None:
        if self._turn is not None:
            self.show_pictures(_texts(self._turn))

    def action_back(self) -> None:
        """End the session, and then leave."""
        if self._turn is not None and (self._run.session.done or self._turn.first is not None):
            self._keep("end")
        elif len(self.app.screen_stack) == 1:
            self.app.exit()
        else:
            self.dismiss(None)


def _texts(turn: Turn) -> list[str | None]:
    """Return the texts of a question that can hold pictures. The explanation belongs to the key."""
    asked = turn.card.asked
    options = (option.text_html for option in asked.answers)
    why = turn.card.explanation_html if turn.stage is Stage.SHOWN else ""
    return [asked.direction, asked.question_html, *options, why]
