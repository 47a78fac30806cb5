"""The commands that answer a question."""

from typing import TYPE_CHECKING

from lms_tui.tui.screens.base import CommandScreen

if TYPE_CHECKING:
    from lms_tui.tui.screens.runner.choosing import Choosing


class AnswerCommands(CommandScreen[str]):
    """The exam screen is this class with its other commands."""

    _choosing: "Choosing"

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
