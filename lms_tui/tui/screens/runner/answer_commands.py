"""The commands that answer a question."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import on

from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.files_box import FilesBox
from lms_tui.tui.widgets.question import QuestionView
from lms_tui.views.answers import AnswerMode

if TYPE_CHECKING:
    from lms_tui.tui.screens.runner.attaching import Attaching
    from lms_tui.tui.screens.runner.choosing import Choosing
    from lms_tui.tui.screens.runner.exam_widgets import ExamWidgets
    from lms_tui.tui.screens.runner.matching import Matching
    from lms_tui.tui.screens.runner.writing import Writing


class AnswerCommands(CommandScreen[str]):
    """The exam screen is this class with its other commands."""

    _attaching: "Attaching"
    _choosing: "Choosing"
    _matching: "Matching"
    _widgets: "ExamWidgets"
    _writing: "Writing"
    _show_keys: Callable[[], None]

    def action_choose(self, index: int) -> None:
        self._choosing.choose(index)

    def action_pick(self) -> None:
        self._choosing.pick()

    def action_toggle_option(self) -> None:
        self._choosing.toggle()

    def action_strike(self) -> None:
        self._choosing.strike()

    def action_option_down(self) -> None:
        self._choosing.move_cursor(1)

    def action_option_up(self) -> None:
        self._choosing.move_cursor(-1)

    def action_mark(self) -> None:
        self._choosing.mark()

    def action_clear(self) -> None:
        self._choosing.clear()

    def action_switch_answer(self) -> None:
        self._choosing.switch()

    def action_undo(self) -> None:
        self._choosing.undo()

    @on(FilesBox.Clicked)
    def _files_clicked(self) -> None:
        self.action_files()

    def action_files(self, begun: str = "") -> None:
        """Open the dialog of the files. `begun`: a path that was pasted, or dropped on the terminal."""
        if self._attaching.allows():
            begun = " ".join(begun.split())
            self.run_worker(self._attaching.ask(self.app, begun), name="files", group="files", exclusive=True)

    @on(QuestionView.OptionClicked)
    def _option_clicked(self, message: QuestionView.OptionClicked) -> None:
        if self._widgets.fields.form.mode is AnswerMode.MATCH:
            self._widgets.highlight(message.option)
        else:
            self._choosing.choose(message.option)

    @on(QuestionView.GapClicked)
    def _gap_clicked(self, message: QuestionView.GapClicked) -> None:
        self._writing.open_gap(str(message.number))
        self._show_keys()

    @on(QuestionView.OptionCrossed)
    def _option_crossed(self, message: QuestionView.OptionCrossed) -> None:
        self._choosing.strike_at(message.option)

    @on(QuestionView.RightClicked)
    def _right_clicked(self, message: QuestionView.RightClicked) -> None:
        if self._widgets.fields.form.mode is AnswerMode.MATCH:
            self._matching.match(message.choice)
