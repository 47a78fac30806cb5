"""Calculate an expression in decimal numbers (pure). Every expression ends: its length, depth and numbers are bounded.

The text becomes tokens of a fixed set, and a small parser calculates them. Nothing of it is run as Python. A result has
34 digits, of which 12 are shown: 0.1 + 0.2 is 0.3, and 1/3*3 is 1.
"""

import math
import re
from collections.abc import Callable, Mapping
from decimal import Context, Decimal, DecimalException, DivisionByZero, InvalidOperation, Overflow
from enum import StrEnum
from typing import Final

from lms_tui.common.frozen import frozen

LONGEST: Final = 200
"""Most characters of an expression."""
_DEEPEST: Final = 40
_MOST_ITEMS: Final = 10_000
"""Most items of a factorial, a combination or a permutation. More have a result that is too large in any case."""
_FARTHEST: Final = Decimal("1E20")
"""The largest angle. Beyond it, the digits of pi are too few."""
_SHOWN: Final = 12
_NUMBERS: Final = Context(
    prec=34, Emax=999, Emin=-999, traps=[InvalidOperation, DivisionByZero, Overflow], capitals=1, clamp=0
)
_ANGLES: Final = Context(prec=60, traps=[InvalidOperation])
_PI: Final = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")
_E: Final = Decimal("2.718281828459045235360287471352662498")
_NEARLY_ZERO: Final = Decimal("1E-25")
_SIGNS: Final = str.maketrans({"×": "*", "·": "*", "⋅": "*", "÷": "/", "−": "-", "–": "-", "π": " pi ", "√": " sqrt "})
_TOKEN: Final = re.compile(r"\s*(?:([0-9]+\.?[0-9]*(?:E[+-]?[0-9]+)?|\.[0-9]+(?:E[+-]?[0-9]+)?)|([A-Za-z]+)|(\*\*|.))")


class CalculatorError(Exception):
    """The expression has no value. The message is one sentence for the person."""


class Scope(StrEnum):
    """The operations of a calculator. A basic one has + - * / %, square roots and brackets."""

    NONE = "no"
    BASIC = "basic"
    SCIENTIFIC = "scientific"


@frozen
class Calculator:
    """`degrees`: angles are in degrees, else in radians. `ans`: the result before."""

    scope: Scope = Scope.SCIENTIFIC
    degrees: bool = True
    ans: Decimal = Decimal(0)

    def value(self, expression: str) -> Decimal:
        """Calculate an expression. Raise CalculatorError if it has no value."""
        if len(expression) > LONGEST:
            raise CalculatorError(f"The expression is too long. It can have {LONGEST} characters.")
        try:
            return _NUMBERS.plus(_Parser(_tokens(expression), self).whole())
        except DivisionByZero:
            raise CalculatorError("Division by zero has no result.") from None
        except Overflow:
            raise CalculatorError("The result is too large.") from None
        except (DecimalException, ValueError, OverflowError):
            raise CalculatorError("This has no result among the real numbers.") from None


def shown(value: Decimal) -> str:
    """Return a result with 12 digits: `0.3`, `-1250`, `1.5E+20`."""
    rounded = Context(prec=_SHOWN).plus(value).normalize(Context(prec=_SHOWN))
    if not rounded:
        return "0"
    if -7 < rounded.adjusted() < _SHOWN + 3:
        return f"{rounded:f}"
    mantissa = rounded.scaleb(-rounded.adjusted())
    return f"{mantissa.normalize():f}E{rounded.adjusted():+d}"


# --- functions


def _rounded(value: float) -> Decimal:
    """Take 15 digits of a float, as many as are exact."""
    return Decimal(f"{value:.14e}")


def _sine(angle: Decimal, half_turn: Decimal, ahead: Decimal = Decimal(0)) -> Decimal:
    """Return the sine of an angle that is `ahead` half turns farther."""
    if abs(angle) > _FARTHEST:
        raise CalculatorError("The angle is too large.")
    turns = _ANGLES.add(_ANGLES.divide(angle, half_turn), ahead)
    whole = turns.to_integral_value()
    rest = _ANGLES.subtract(turns, whole)
    if abs(rest) < _NEARLY_ZERO:
        return Decimal(0)
    if abs(rest) == Decimal("0.5"):
        sine = Decimal(1).copy_sign(rest)
    else:
        sine = _rounded(math.sin(float(_ANGLES.multiply(rest, _PI))))
    return sine.copy_negate() if whole % 2 else sine


def _tangent(angle: Decimal, half_turn: Decimal) -> Decimal:
    cosine = _sine(angle, half_turn, Decimal("0.5"))
    if not cosine:
        raise CalculatorError("The tangent of this angle has no value.")
    return _NUMBERS.divide(_sine(angle, half_turn), cosine)


def _cosine(angle: Decimal, half_turn: Decimal) -> Decimal:
    return _sine(angle, half_turn, Decimal("0.5"))


def _inverse(function: Callable[[float], float]) -> Callable[[Decimal, Decimal], Decimal]:
    def angle_of(value: Decimal, half_turn: Decimal) -> Decimal:
        turns = _NUMBERS.divide(Decimal(function(float(value))), _PI)
        return _rounded(float(_NUMBERS.multiply(turns, half_turn)))

    return angle_of


def _positive(value: Decimal) -> Decimal:
    if value <= 0:
        raise CalculatorError("Only a number above 0 has a logarithm.")
    return value


def _whole(value: Decimal) -> int:
    if value < 0 or value != value.to_integral_value():
        raise CalculatorError("Factorials, nCr and nPr need whole numbers from 0.")
    if value > _MOST_ITEMS:
        raise CalculatorError("The result is too large.")
    return int(value)


def _factorial(value: Decimal) -> Decimal:
    return _NUMBERS.create_decimal(math.factorial(min(_whole(value), 1_000)))


def _combinations(items: Decimal, taken: Decimal) -> Decimal:
    return _NUMBERS.create_decimal(math.comb(_whole(items), _whole(taken)))


def _permutations(items: Decimal, taken: Decimal) -> Decimal:
    return _NUMBERS.create_decimal(math.perm(_whole(items), _whole(taken)))


_OF_ANGLES: Final[Mapping[str, Callable[[Decimal, Decimal], Decimal]]] = {
    "sin": _sine,
    "cos": _cosine,
    "tan": _tangent,
    "asin": _inverse(math.asin),
    "acos": _inverse(math.acos),
    "atan": _inverse(math.atan),
}
_OF_ONE: Final[Mapping[str, Callable[[Decimal], Decimal]]] = {
    "sqrt": _NUMBERS.sqrt,
    "abs": Decimal.copy_abs,
    "ln": lambda value: _NUMBERS.ln(_positive(value)),
    "log": lambda value: _NUMBERS.log10(_positive(value)),
    "exp": _NUMBERS.exp,
}
_OF_TWO: Final[Mapping[str, Callable[[Decimal, Decimal], Decimal]]] = {
    "ncr": _combinations,
    "npr": _permutations,
    "c": _combinations,
    "p": _permutations,
}
_CONSTANTS: Final[Mapping[str, Decimal]] = {"pi": _PI, "e": _E}
_BASIC: Final = frozenset({*"+-*/%(),", "sqrt", "ans", ""})
FUNCTIONS: Final = ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "log", "ln", "exp", "abs", "nCr", "nPr")
"""The functions by the names that people type."""


# --- the expression


@frozen
class _Token:
    """`sign`: an operator or the name of a function, "" for a number and at the end."""

    sign: str
    number: Decimal | None = None


def _tokens(expression: str) -> list[_Token]:
    tokens: list[_Token] = []
    for number, name, sign in _TOKEN.findall(expression.translate(_SIGNS).strip()):
        if number:
            tokens.append(_Token("", _NUMBERS.create_decimal(number)))
        else:
            tokens.append(_Token(name.casefold() or sign.replace("**", "^")))
    return [*tokens, _Token("")]


class _Parser:
    """Calculates while it reads. `sum`, `product` and the others are the rules of the grammar, the loosest first."""

    def __init__(self, tokens: list[_Token], calculator: Calculator) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0
        self._calculator = calculator
        self._half_turn = Decimal(180) if calculator.degrees else _PI

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    @property
    def _ended(self) -> bool:
        return self._at == len(self._tokens) - 1

    def _take(self, *signs: str) -> str:
        """Return the next sign if it is one of these, else ""."""
        sign = self._next.sign
        if sign not in signs or self._ended:
            return ""
        if self._calculator.scope is Scope.BASIC and sign not in _BASIC:
            raise CalculatorError("This exam allows a basic calculator: + - * / % sqrt and brackets.")
        self._at += 1
        return sign

    def whole(self) -> Decimal:
        value = self.sum()
        if not self._ended:
            sign = self._next.sign
            raise CalculatorError(f"“{sign[:20]}” is not understood here." if sign else "An operator is missing.")
        return value

    def sum(self) -> Decimal:
        value = self.product()
        while sign := self._take("+", "-"):
            other = self.product()
            value = _NUMBERS.add(value, other) if sign == "+" else _NUMBERS.subtract(value, other)
        return value

    def product(self) -> Decimal:
        """A number before a name or a bracket is multiplied with it: 2pi, 3(4 + 5)."""
        value = self.signed()
        while True:
            if sign := self._take("*", "/"):
                other = self.signed()
                value = _NUMBERS.multiply(value, other) if sign == "*" else _NUMBERS.divide(value, other)
            elif self._begins_factor():
                value = _NUMBERS.multiply(value, self.counted())
            else:
                return value

    def _begins_factor(self) -> bool:
        sign = self._next.sign
        return sign == "(" or sign in {*_OF_ANGLES, *_OF_ONE, *_CONSTANTS, "ans"}

    def signed(self) -> Decimal:
        """A sign is weaker than a power: -2^2 is -4."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise CalculatorError("The expression has too many brackets or signs in each other.")
        sign = self._take("+", "-")
        value = self.signed() if sign else self.counted()
        self._depth -= 1
        return value.copy_negate() if sign == "-" else value

    def counted(self) -> Decimal:
        """Combinations and permutations between their numbers: 5 nCr 2."""
        value = self.power()
        while sign := self._take(*_OF_TWO):
            value = _OF_TWO[sign](value, self.power())
        return value

    def power(self) -> Decimal:
        value = self.after()
        if self._take("^"):
            value = _NUMBERS.power(value, self.signed())
            if not value.is_finite():
                raise DivisionByZero  # decimal raises no signal for 0^-1
        return value

    def after(self) -> Decimal:
        """Read a number and the factorial or percent signs after it."""
        value = self.first()
        while sign := self._take("!", "%"):
            value = _factorial(value) if sign == "!" else _NUMBERS.divide(value, Decimal(100))
        return value

    def first(self) -> Decimal:
        token = self._next
        if token.number is not None:
            self._at += 1
            return token.number
        if self._take("("):
            return self._bracketed()
        if self._take("ans"):
            return self._calculator.ans
        if name := self._take(*_CONSTANTS):
            return _CONSTANTS[name]
        if name := self._take(*_OF_TWO):
            return self._of_two(name)
        if name := self._take(*_OF_ANGLES, *_OF_ONE):
            return self._of_one(name)
        if self._ended:
            raise CalculatorError("The expression ends too early.")
        raise CalculatorError(f"“{token.sign[:20]}” is not understood here.")

    def _bracketed(self) -> Decimal:
        value = self.sum()
        self._close()
        return value

    def _close(self) -> None:
        if not self._take(")") and not self._ended:
            raise CalculatorError("A closing bracket is missing.")

    def _of_one(self, name: str) -> Decimal:
        """`sin(30)`, or `sin 30`."""
        value = self._bracketed() if self._take("(") else self.signed()
        return _OF_ANGLES[name](value, self._half_turn) if name in _OF_ANGLES else _OF_ONE[name](value)

    def _of_two(self, name: str) -> Decimal:
        """`nCr(5, 2)`."""
        if not self._take("("):
            raise CalculatorError("nCr and nPr need two numbers: 5 nCr 2.")
        items = self.sum()
        if not self._take(","):
            raise CalculatorError("A comma and a second number are missing.")
        taken = self.sum()
        self._close()
        return _OF_TWO[name](items, taken)
