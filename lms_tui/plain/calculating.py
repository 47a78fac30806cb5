"""The replies of the calculator as sentences (pure)."""

from typing import Final

from lms_tui.common.calculator import FUNCTIONS, CalculatorError, Scope
from lms_tui.views.calculations import Calculations

_TOLD: Final = 5
"""The number of calculations that are shown again."""


def reply(sums: Calculations, text: str, scope: Scope | None) -> tuple[Calculations, list[str]]:
    """Calculate a line. Without one, return the last results and what can be typed."""
    if scope is None:
        return sums, ["The server has not said yet whether this exam allows a calculator. Try again."]
    if scope is Scope.NONE:
        return sums, ["This exam does not allow a calculator."]
    if not text:
        return sums, [*(f"{each.expression} = {each.result}" for each in sums.done[-_TOLD:]), how_to(sums, scope)]
    try:
        after = sums.entered(text, scope)
    except CalculatorError as error:
        return sums, [str(error)]
    if after.degrees != sums.degrees:
        return after, [f"Angles are in {after.unit}."]
    return after, [f"{after.done[-1].expression} = {after.result}"]


def how_to(sums: Calculations, scope: Scope) -> str:
    """Tell what can be typed."""
    if scope is Scope.BASIC:
        return "Type calc and an expression with + - * / % sqrt and brackets. ans is the last result."
    names = ", ".join(FUNCTIONS)
    return (
        f"Type calc and an expression with + - * / ^ ! % pi e and {names}. ans is the last result. "
        f"Angles are in {sums.unit}: calc rad or calc deg changes that."
    )


def no_answer(sums: Calculations) -> str:
    """Say why the result cannot be put into the answer."""
    if not sums.result:
        return "The calculator has no result yet. Type calc and an expression first."
    return "Only an answer of one line takes the result. For a gap, type its number, = and the result."
