"""The commands of the aids beside a question."""

from typing import TYPE_CHECKING

from textual import on

from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.calculator import CalculatorView

if TYPE_CHECKING:
    from lms_tui.tui.screens.runner.calculating import Calculating


class AidCommands(CommandScreen[str]):
    """The exam screen is this class with the commands of the attempt."""

    _calculating: "Calculating"

    async def action_calculator(self) -> None:
        await self._calculating.open()
        self._show_keys()

    def action_calculator_unit(self) -> None:
        self._calculating.turn()

    def action_use_result(self) -> None:
        self._calculating.use_result()

    @on(CalculatorView.Changed)
    def _calculated(self, message: CalculatorView.Changed) -> None:
        self._calculating.keep(message.sums)

    @on(CalculatorView.Asked)
    def _calculator_asked(self, message: CalculatorView.Asked) -> None:
        match message.wish:
            case "answer":
                self._calculating.use_result()
            case "question":
                self._calculating.leave()
            case _:
                self._calculating.close()
        self._show_keys()

    def _show_keys(self) -> None:
        """Show the keys that work now in the last line."""
        raise NotImplementedError
