"""The commands that change what the exam screen shows, and nothing of the attempt."""

from typing import TYPE_CHECKING, Final

from textual import on

from lms_tui.content.model import MathsStyle
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.palette import PaletteView
from lms_tui.tui.widgets.pane import Pane
from lms_tui.tui.widgets.question import QuestionView
from lms_tui.views.format import spoken

if TYPE_CHECKING:
    from lms_tui.attempt.keeper import Keeper
    from lms_tui.tui.screens.runner.announcer import Announcer
    from lms_tui.tui.screens.runner.exam_widgets import ExamWidgets

_STYLE_WORDS: Final = {
    MathsStyle.PICTURE: "as pictures",
    MathsStyle.TWO_DIMENSIONAL: "in two dimensions",
    MathsStyle.LINE: "in one line",
    MathsStyle.SOURCE: "as their source",
    MathsStyle.WORDS: "in words",
}


class ViewCommands(CommandScreen[str]):
    """The exam screen is this class with the commands of the attempt."""

    _keeper: "Keeper"
    _widgets: "ExamWidgets"
    _announcer: "Announcer"

    def action_page_down(self) -> None:
        self._widgets.scroll_pages(1)

    def action_page_up(self) -> None:
        self._widgets.scroll_pages(-1)

    def action_aside_right(self) -> None:
        self._widgets.scroll_aside(1)

    def action_aside_left(self) -> None:
        self._widgets.scroll_aside(-1)

    def action_passage_down(self) -> None:
        self._widgets.scroll_passage(1)

    def action_passage_up(self) -> None:
        self._widgets.scroll_passage(-1)

    def action_line_focus(self) -> None:
        down = self.key_of("passage_down")
        match self._widgets.line_focus.next_size():
            case 0:
                self._announcer.say("The line focus is off.")
            case 1:
                self._announcer.say(f"One row stands out. {down} moves it.", "One row stands out.")
            case rows:
                self._announcer.say(f"{rows} rows stand out. {down} moves them.", f"{rows} rows stand out.")

    @on(Pane.Pointed)
    def _pointed(self, message: Pane.Pointed) -> None:
        self._widgets.line_focus.point(message.pane, message.row)

    @on(QuestionView.PassageClicked)
    def action_read_passage(self) -> None:
        if words := self._widgets.fold_passage():
            self._announcer.say(words)

    def action_maths_style(self) -> None:
        self._announcer.say(f"Formulas are shown {_STYLE_WORDS[self._widgets.next_style()]}.")

    def action_enlarge_picture(self) -> None:
        from lms_tui.tui.screens.picture.opening import open_pictures  # noqa: PLC0415 - when first asked for

        body = self._keeper.question(self._keeper.session.item.question_id).question
        texts = [body.direction, body.question_html, *(option.text_html for option in body.answers)]
        open_pictures(self.app, texts, self._announcer.say)

    @on(PaletteView.FilterClicked)
    def action_filter_palette(self) -> None:
        chosen = self._widgets.cells.next_filter(self._keeper.session, self._widgets.counts)
        if not self._widgets.palette_shown:
            where = f"The overview ({self._widgets.key_of('overview')})"
            self._announcer.say(f"{where} shows {chosen} questions.", f"Overview: {chosen} questions")

    def action_hide_clock(self) -> None:
        self._widgets.status.clock_hidden = not self._widgets.status.clock_hidden
        self._widgets.tick()

    def action_tell_time(self) -> None:
        left = self._keeper.time_left()
        self._announcer.say("This exam has no time limit." if left is None else f"{spoken(left)} left.")

    def action_pace(self) -> None:
        line, pace = self._widgets.pace, self._widgets.pace.now
        if pace is None:
            if self._keeper.time_left() is None:
                self._announcer.say("An exam without a time limit has no pace.", "No time limit, so no pace.")
            else:
                self._announcer.say("The server does not tell the time limit.", "The time limit is not known.")
            return
        self._widgets.switch_pace()
        if line.wanted and not line.display:
            self._announcer.say(pace.text(self.size.width - 2), severity=pace.severity)
