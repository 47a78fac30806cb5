"""The commands of the aids beside a question."""

from typing import TYPE_CHECKING

from textual import on

from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.screens.runner.reference_sheet import ReferenceSheet
from lms_tui.tui.widgets.calculator import CalculatorView
from lms_tui.views.runner import Severity
from lms_tui.wire.question_types import QuestionType

if TYPE_CHECKING:
    from lms_tui.attempt.aids import Aids
    from lms_tui.attempt.keeper import Keeper
    from lms_tui.tui.screens.runner.announcer import Announcer
    from lms_tui.tui.screens.runner.calculating import Calculating
    from lms_tui.tui.screens.runner.exam_widgets import ExamWidgets


class AidCommands(CommandScreen[str]):
    """The exam screen is this class with the commands of the attempt."""

    _aids: "Aids"
    _keeper: "Keeper"
    _announcer: "Announcer"
    _calculating: "Calculating"
    _widgets: "ExamWidgets"
    _sheet_top = 0

    def on_mount(self) -> None:
        self._read_aids()

    def _read_aids(self) -> None:
        self.run_worker(self._read(), name="aids", group="aids", exclusive=True)

    async def _read(self) -> None:
        """Read what the server tells of the exam: its aids, and the files that it takes."""
        await self._aids.read()
        asked = [item.question_id for item in self._keeper.session.items if item.kind == QuestionType.FILES]
        if asked:
            await self._keeper.files.read(asked)
            self._widgets.refresh_answer()

    def action_reference_sheet(self) -> None:
        known = self._aids.known
        if known is None:
            self._read_aids()
            late = "The reference sheet has not been read yet. Try again."
            self._announcer.say(late, "Not read yet. Try again.", Severity.WARNING)
        elif not known.reference_sheet.strip():
            self._announcer.say("This exam has no reference sheet.")
        else:
            sheet = ReferenceSheet(
                known.reference_sheet, top=self._sheet_top, style=self._widgets.style, glyphs=self.glyphs
            )
            self.app.push_screen(sheet, self._sheet_closed)

    def _sheet_closed(self, top: int | None) -> None:
        self._sheet_top = top or 0

    async def action_calculator(self) -> None:
        if self._aids.known is None:
            self._read_aids()
        await self._calculating.open()

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
