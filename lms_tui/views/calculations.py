"""The calculator of an exam: expressions with their results, kept as text on the desk (pure)."""

import json
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Final, Self

from lms_tui.common.calculator import LONGEST, Calculator, CalculatorError, Scope, shown
from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen

NAME: Final = "calculator"
"""The name of the calculations on the desk of an attempt."""
_MOST: Final = 50
"""Most calculations that are kept."""
_CONTINUES: Final = tuple("*/^!%×÷")
_UNITS: Final = {"deg": True, "degrees": True, "rad": False, "radians": False}


@frozen
class Calculation:
    expression: str
    value: Decimal

    @property
    def result(self) -> str:
        return shown(self.value)


@frozen
class Calculations:
    """`done`: the oldest first. `degrees`: angles are in degrees, else in radians."""

    done: tuple[Calculation, ...] = ()
    degrees: bool = True

    @property
    def unit(self) -> str:
        return "degrees" if self.degrees else "radians"

    @property
    def result(self) -> str:
        """The text of the last result, or "" if there is none."""
        return self.done[-1].result if self.done else ""

    def entered(self, text: str, scope: Scope) -> Self:
        """Calculate a line, or switch the unit of angles by `deg` and `rad`. Raise CalculatorError.

        A line that begins with an operator continues with the last result: `*2`.
        """
        expression = clean_line(text[: LONGEST + 1]).strip().rstrip("=").strip()
        if expression.casefold() in _UNITS:
            return replace(self, degrees=_UNITS[expression.casefold()])
        if expression.startswith(_CONTINUES) and self.done:
            expression = f"ans{expression}"
        ans = self.done[-1].value if self.done else Decimal(0)
        value = Calculator(scope, self.degrees, ans).value(expression)
        return replace(self, done=(*self.done, Calculation(expression, value))[-_MOST:])

    def turned(self) -> Self:
        """Switch between degrees and radians."""
        return replace(self, degrees=not self.degrees)

    # On the desk.

    def to_text(self) -> str:
        lines = [[each.expression, str(each.value)] for each in self.done]
        return json.dumps({"degrees": self.degrees, "done": lines}, ensure_ascii=False)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read what `to_text` wrote. Anything else is an empty calculator."""
        try:
            tree = json.loads(text)
            done = tuple(Calculation(clean_line(str(line)), _number(value)) for line, value in tree["done"][-_MOST:])
            return cls(done, bool(tree["degrees"]))
        except (ValueError, KeyError, TypeError, InvalidOperation):
            return cls()


def _number(text: str) -> Decimal:
    number = Decimal(text)
    if not number.is_finite():
        raise ValueError(text)
    return number


__all__ = ["NAME", "Calculation", "Calculations", "CalculatorError", "Scope"]
