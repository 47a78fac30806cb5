"""The calculator of the exam: when it may be used, what is kept of it, and its result as an answer."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from lms_tui.attempt.events import Wrote
from lms_tui.common.calculator import Scope
from lms_tui.tui.screens.runner.key_hints import Hint, Hints
from lms_tui.tui.widgets.calculator import CalculatorView
from lms_tui.views.answers import AnswerMode, written
from lms_tui.views.calculations import NAME, Calculations
from lms_tui.views.glyphs import UNICODE, Glyphs
from lms_tui.views.runner import Severity

if TYPE_CHECKING:
    from lms_tui.attempt.aids import Aids
    from lms_tui.attempt.keeper import Keeper
    from lms_tui.tui.screens.runner.announcer import Announcer
    from lms_tui.tui.screens.runner.answer_fields import AnswerFields, KeyOf
    from lms_tui.tui.screens.runner.aside import Aside
    from lms_tui.tui.screens.runner.change_guard import ChangeGuard

_UNKNOWN = (
    "The server has not said yet whether this exam allows a calculator. Try again.",
    "Calculator: not known yet. Try again.",
)
_REFUSED = "This exam does not allow a calculator."
_TAKES_RESULT: Final = frozenset({AnswerMode.LINE, AnswerMode.GAPS})
_ARROW = {True: "↑", False: "up"}


class Calculating:
    """Owns the calculator, which is mounted when it is first opened.

    `leave_field`: saves and leaves the field of the answer. `leave_focus`: gives the keys back to the question.
    `show_keys`: shows the keys that work now in the last line.
    """

    def __init__(
        self,
        keeper: "Keeper",
        aids: "Aids",
        fields: "AnswerFields",
        guard: "ChangeGuard",
        announcer: "Announcer",
        *,
        aside: "Aside",
        leave_field: Callable[[], None],
        leave_focus: Callable[[], None],
        show_keys: Callable[[], None],
        glyphs: Glyphs,
    ) -> None:
        self._keeper = keeper
        self._aids = aids
        self._fields = fields
        self._guard = guard
        self._announcer = announcer
        self._aside = aside
        self._leave_field = leave_field
        self._leave_focus = leave_focus
        self._show_keys = show_keys
        self._glyphs = glyphs
        self._view: CalculatorView | None = None

    @property
    def sums(self) -> Calculations:
        return Calculations.from_text(self._keeper.desk.text(NAME))

    @property
    def shown(self) -> bool:
        return self._view is not None and self._view.display

    @property
    def active(self) -> bool:
        """Whether keys are typed into the calculator."""
        return self._view is not None and self._view.active

    async def open(self) -> None:
        """Open the calculator and type into it, or say that the exam allows none."""
        scope = self._aids.scope
        if scope is None or scope is Scope.NONE:
            words, short = _UNKNOWN if scope is None else (_REFUSED, "")
            self._announcer.say(words, short, Severity.WARNING)
            return
        self._leave_field()
        if self._view is None:
            self._view = CalculatorView(self.sums, scope, plain=self._glyphs is not UNICODE)
            await self._aside.add_calculator(self._view)
        if not self._view.is_attached:  # the exam is closing
            return
        self._aside.show_calculator(shown=True)
        self._view.enter()
        self._show_keys()

    def close(self) -> None:
        if self._view is not None:
            self.leave()
            self._aside.show_calculator(shown=False)

    def leave(self) -> None:
        """Give the keys back to the question."""
        if self.active:
            self._leave_focus()
            self._show_keys()

    def keep(self, sums: Calculations) -> None:
        self._keeper.desk.keep(NAME, sums.to_text())

    def turn(self) -> None:
        """Switch between degrees and radians."""
        turned = self.sums.turned()
        if self._view is not None and self.shown:
            self._view.turn()  # its message, which keeps the unit, comes later
        else:
            self.keep(turned)
        self._announcer.say(f"Angles are in {turned.unit}.")

    def use_result(self) -> None:
        """Put the last result into the answer or the gap that is highlighted.

        Another text there is replaced only while the calculator shows the result.
        """
        result, form, item = self.sums.result, self._fields.form, self._keeper.session.item
        if not result:
            self._announcer.say("The calculator has no result yet.")
        elif form.mode not in _TAKES_RESULT:
            self._announcer.say("The answer of this question is not a number.", "The answer is not a number.")
        elif self._guard.allows():
            self._leave_field()
            if not self.shown and written(self._keeper.session.item.answer, self._fields.field) not in {"", result}:
                self._announcer.say(
                    "Your answer stays. Open the calculator to replace it.", "Open the calculator to replace it."
                )
                return
            self._keeper.do(Wrote(item.question_id, self._fields.field, result))
            where = f"gap {self._fields.field}" if form.mode is AnswerMode.GAPS else "your answer"
            self._announcer.say(f"{result} is {where} now.")

    def hints(self, key_of: "KeyOf") -> tuple[Hints, Hints]:
        """Return the keys while they are typed into the calculator."""
        up = _ARROW[self._glyphs is UNICODE]
        unit = (Hint(key_of("calculator_unit"), "degrees or radians", "screen.calculator_unit"),)
        use = (Hint(key_of("use_result"), "use as answer", "screen.use_result"),)
        shown = (
            Hint("enter", "calculate", press="enter"),
            Hint(up, "earlier", press="up"),
            *(unit if self._aids.scope is Scope.SCIENTIFIC else ()),
            *(use if self._fields.form.mode in _TAKES_RESULT else ()),
            Hint("tab", "question", press="tab"),
        )
        return shown, (Hint("esc", "close", press="escape"),)
