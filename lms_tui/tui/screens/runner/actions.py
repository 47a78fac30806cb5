"""What keys and clicks do to the attempt and to the way it is looked at."""

from abc import abstractmethod
from functools import partial
from typing import TYPE_CHECKING, Final

from textual import on

from lms_tui.attempt.events import Chose, Cleared, Marked, Struck, Toggled, Undone, UserEvent, Wrote
from lms_tui.content.model import MathsStyle
from lms_tui.tui.screens.runner.overview import Overview
from lms_tui.tui.screens.runner.writing import WritingActions
from lms_tui.tui.widgets.palette import PaletteView
from lms_tui.tui.widgets.question import QuestionView
from lms_tui.views import answers
from lms_tui.views import runner as present
from lms_tui.views.answers import AnswerMode

if TYPE_CHECKING:
    from lms_tui.attempt.keeper import Keeper
    from lms_tui.attempt.session import Session
    from lms_tui.tui.screens.runner.board import Board
    from lms_tui.views.glyphs import Glyphs

_STYLE_WORDS: Final = {
    MathsStyle.PICTURE: "as pictures",
    MathsStyle.TWO_DIMENSIONAL: "in two dimensions",
    MathsStyle.LINE: "in one line",
    MathsStyle.SOURCE: "as their source",
    MathsStyle.WORDS: "in words",
}
_NEED_A_QUESTION: Final = frozenset(
    {
        *("choose", "pick", "toggle_option", "strike", "option_down", "option_up", "mark", "clear", "undo"),
        *("next_question", "previous_question", "go_to", "next_unanswered", "previous_unanswered", "next_marked"),
        *("previous_marked", "overview", "read_passage", "maths_style", "filter_palette", "enlarge_picture", "pace"),
    }
)


class ExamActions(WritingActions):
    """The commands of moving, answering and looking; the screen that has them gives keeper, board and a voice."""

    _keeper: "Keeper"
    _board: "Board"
    _glyphs: "Glyphs"

    @abstractmethod
    def _type(self, typed: str | None) -> None:
        """Take digits for the number of a question; None stops it."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """An exam without a question can only be left or ended."""
        if not self._keeper.session.items and action in _NEED_A_QUESTION:
            return False
        return super().check_action(action, parameters)

    # Moving.

    def _seek(self, place: int | None, otherwise: str) -> None:
        if place is None:
            self._say(otherwise)
        else:
            self._visit(place)

    def action_next_question(self) -> None:
        self._visit(self._keeper.session.current + 1)

    def action_previous_question(self) -> None:
        self._visit(self._keeper.session.current - 1)

    def action_go_to(self) -> None:
        self._type("")

    def action_next_unanswered(self) -> None:
        self._seek(self._keeper.session.next_unanswered(), "Every question has an answer.")

    def action_previous_unanswered(self) -> None:
        self._seek(self._keeper.session.next_unanswered(backwards=True), "Every question has an answer.")

    def action_next_marked(self) -> None:
        self._seek(self._keeper.session.next_marked(), "No question is marked for review.")

    def action_previous_marked(self) -> None:
        self._seek(self._keeper.session.next_marked(backwards=True), "No question is marked for review.")

    # Answering.

    def _do(self, event: UserEvent) -> None:
        """Hand an event on; what changed nothing is still painted, and said where it could not change anything."""
        self.settle()
        before = self._keeper.session
        self._keeper.do(event)
        if self._keeper.session is before:
            self._board.refresh_state()
            self._explain(before)

    def _explain(self, session: "Session") -> None:
        if not session.editable:
            self._say("Nothing can be changed any more.")
        elif not session.open_to_change(session.item):
            self._say("This section is closed: its answers can be read, not changed.", "This section is closed.")
        elif reason := answers.why_read_only(session.item, self._board.form):
            self._say(reason, "This question is only shown here.")

    def _may_change(self) -> bool:
        session = self._keeper.session
        self._explain(session)
        return session.open_to_change(session.item)

    def _option(self, place: int) -> int | None:
        """The id of an option of the question on the screen by its place; None where there is none."""
        item, mode = self._keeper.session.item, self._board.form.mode
        if mode is AnswerMode.SHOWN:
            self._explain(self._keeper.session)
        elif mode is not AnswerMode.CHOOSE:
            self._say(f"Press {self._board.write_key} to write the answer.")
        else:
            return item.options[place] if 0 <= place < len(item.options) else None
        return None

    def action_choose(self, place: int) -> None:
        form = self._board.form
        if form.mode is AnswerMode.MATCH:
            self._match(place)
        elif form.mode is AnswerMode.ESSAY and form.choices:
            self._choose_topic(place)
        elif (option := self._option(place)) is not None:
            self._board.put_cursor(place)
            self._do(Chose(self._keeper.session.item.question_id, option))

    def _choose_topic(self, place: int, *, take_back: bool = False) -> None:
        item, form = self._keeper.session.item, self._board.form
        if 0 <= place < len(form.texts):
            self._board.put_cursor(place)
            taken = take_back and item.answer.essay_topic == form.texts[place]
            self._do(Wrote(item.question_id, "essay_topic", "" if taken else form.texts[place]))

    def action_pick(self) -> None:
        """Enter goes into a field or a match; among options it chooses the highlighted one."""
        form = self._board.form
        if form.mode is AnswerMode.MATCH:
            self._begin_matching()
        elif form.writes:
            self._write()
        else:
            self.action_choose(self._board.cursor)

    def action_toggle_option(self) -> None:
        form = self._board.form
        if form.mode is AnswerMode.MATCH:
            self._unmatch()
        elif form.mode is AnswerMode.ESSAY and form.choices:
            self._choose_topic(self._board.cursor, take_back=True)
        elif (option := self._option(self._board.cursor)) is not None:
            self._do(Toggled(self._keeper.session.item.question_id, option))

    def action_strike(self) -> None:
        if self._board.form.mode not in {AnswerMode.CHOOSE, AnswerMode.SHOWN}:
            self._say("Only options can be struck out.")
        elif self._board.cursor < 0 and self._board.form.mode is AnswerMode.CHOOSE:
            self._say("Highlight an option with the arrow keys first.", "Highlight an option first")
        elif (option := self._option(self._board.cursor)) is not None:
            self._do(Struck(self._keeper.session.item.question_id, option))

    def action_option_down(self) -> None:
        self._move_cursor(1)

    def action_option_up(self) -> None:
        self._move_cursor(-1)

    def _move_cursor(self, steps: int) -> None:
        form, cursor = self._board.form, self._board.cursor
        count = len(form.choices) if form.mode in {AnswerMode.CHOOSE, AnswerMode.ESSAY} else len(form.fields)
        if form.mode in {AnswerMode.SHOWN, AnswerMode.LINE} or not count:
            self._board.scroll_rows(steps)
            return
        self._board.put_cursor(max(0, min(cursor + steps, count - 1)))
        self._board.refresh_state()

    def action_mark(self) -> None:
        self._do(Marked(self._keeper.session.item.question_id))

    def action_clear(self) -> None:
        self._do(Cleared(self._keeper.session.item.question_id))

    def action_undo(self) -> None:
        self.settle()
        if not self._keeper.session.undo:
            self._say("There is nothing to undo.")
        else:
            self._do(Undone())

    @on(QuestionView.OptionClicked)
    def _choose_clicked(self, message: QuestionView.OptionClicked) -> None:
        if self._board.form.mode is AnswerMode.MATCH:
            self._look_at(message.option)
        else:
            self.action_choose(message.option)

    @on(PaletteView.CellClicked)
    def _go_clicked(self, message: PaletteView.CellClicked) -> None:
        self._visit(message.place)

    # Looking.

    def action_page_down(self) -> None:
        self._board.scroll_pages(1)

    def action_page_up(self) -> None:
        self._board.scroll_pages(-1)

    def action_aside_right(self) -> None:
        self._board.scroll_aside(1)

    def action_aside_left(self) -> None:
        self._board.scroll_aside(-1)

    def action_passage_down(self) -> None:
        self._board.scroll_passage(1)

    def action_passage_up(self) -> None:
        self._board.scroll_passage(-1)

    def action_read_passage(self) -> None:
        self._board.fold_passage()

    def action_maths_style(self) -> None:
        self._say(f"Formulas are shown {_STYLE_WORDS[self._board.next_style()]}.")

    def action_enlarge_picture(self) -> None:
        from lms_tui.tui.screens.picture.opening import open_pictures  # noqa: PLC0415 - when first asked for

        body = self._keeper.question(self._keeper.session.item.question_id).question
        texts = [body.direction, body.question_html, *(option.text_html for option in body.answers)]
        open_pictures(self.app, texts, self._say)

    def action_filter_palette(self) -> None:
        chosen = self._board.questions.next_filter(self._keeper.session, self._board.counts)
        if not self._board.palette_shown:
            self._say(f"The overview (o) shows {chosen} questions.")

    def action_hide_clock(self) -> None:
        self._board.clock_hidden = not self._board.clock_hidden
        self._board.tick()

    def action_pace(self) -> None:
        pace = self._board.next_pace()
        if pace is None:
            untimed = self._keeper.time_left() is None
            self._say("There is no pace without a time limit." if untimed else "How long this clock runs is not known.")
        elif self._board.pace_wanted and not self._board.pace_shown:
            self._say(pace.full, pace.short, pace.severity)

    def action_tell_time(self) -> None:
        left = self._keeper.time_left()
        self._say("This exam has no time limit." if left is None else f"{present.spoken(left)} left.")

    def action_overview(self) -> None:
        session, questions = self._keeper.session, self._board.questions
        overview = Overview(partial(questions.cells, session), self._board.counts, session.current, glyphs=self._glyphs)
        self.app.push_screen(overview, self._go_chosen)

    def _go_chosen(self, place: int | None) -> None:
        if place is not None:
            self._visit(place)
