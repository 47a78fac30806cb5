"""The calculator of an exam, without a screen."""

import random
from decimal import Decimal

import pytest

from lms_tui.common.calculator import LONGEST, Calculator, CalculatorError, Scope, shown
from lms_tui.views.calculations import Calculations

_PIECES = (
    *"0123456789.+-*/^%!()(), ×÷−√π",
    *("**", "E5", "E-9", "9999999", "1E999", "0.1", "ans", "pi", "e", "nCr", "nPr", "C", "P"),
    *("sin", "cos", "tan", "asin", "acos", "atan", "log", "ln", "exp", "sqrt(", "abs", "(((", "10000", "449!"),
)
_STRANGE = ("nan", "inf", "٣", "²", "ⅷ", "\x00", "\n", "_", "__import__('os')", "lambda:0", "[1]", "{}", "'", "\\", "﷽")


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("0.1+0.2", "0.3"),
        ("1/3*3", "1"),
        ("-2^2", "-4"),
        ("2^3^2", "512"),
        ("2**-1", "0.5"),
        ("5!", "120"),
        ("5 nCr 2", "10"),
        ("nCr(5, 2) + 5C2", "20"),
        ("5 nPr 2", "20"),
        ("15% * 80", "12"),
        ("2(3+4)(5)", "70"),
        ("2π", "6.28318530718"),
        ("√16 × 3 ÷ 4 − 1", "2"),
        ("sqrt 2", "1.41421356237"),
        ("((2+3", "5"),
        ("2E3", "2000"),
        ("10^20", "1E+20"),
        ("1/3", "0.333333333333"),
        ("2/3*1E-9", "6.66666666667E-10"),
        ("449!", "3.85193051803E+997"),
        ("log 1000 + ln e + log(0.01)", "2"),
        ("exp 0", "1"),
        ("abs(-3)", "3"),
        ("sin 30", "0.5"),
        ("sin 180 + cos 90 + tan 180", "0"),
        ("tan 45", "1"),
        ("asin 0.5", "30"),
        ("acos(-1)", "180"),
        ("sin 1E10", "-0.984807753012"),
        ("-0", "0"),
    ],
)
def test_an_expression_has_its_value(expression: str, result: str) -> None:
    assert shown(Calculator().value(expression)) == result


@pytest.mark.parametrize(
    ("expression", "result"), [("sin pi", "0"), ("cos pi", "-1"), ("sin(pi/6)", "0.5"), ("atan 1 * 4", "3.14159265359")]
)
def test_angles_can_be_in_radians(expression: str, result: str) -> None:
    assert shown(Calculator(degrees=False).value(expression)) == result


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("1/0", "Division by zero has no result."),
        ("0^-1", "Division by zero has no result."),
        ("2**10**10", "The result is too large."),
        ("450!", "The result is too large."),
        ("9999999!", "The result is too large."),
        ("10000 nCr 5000", "The result is too large."),
        ("1E99999999999999", "The result is too large."),
        ("sqrt(-1)", "This has no result among the real numbers."),
        ("acos 2", "This has no result among the real numbers."),
        ("(-8)^(1/3)", "This has no result among the real numbers."),
        ("tan 90", "The tangent of this angle has no value."),
        ("ln 0", "Only a number above 0 has a logarithm."),
        ("2.5!", "Factorials, nCr and nPr need whole numbers from 0."),
        ("", "The expression ends too early."),
        ("2+", "The expression ends too early."),
        ("7%3", "An operator is missing."),
        ("nan", "“nan” is not understood here."),
        ("٣", "“٣” is not understood here."),
        ("2)", "“)” is not understood here."),
        ("nCr 5", "nCr and nPr need two numbers: 5 nCr 2."),
        ("(" * 100, "The expression has too many brackets or signs in each other."),
        ("-" * 100 + "1", "The expression has too many brackets or signs in each other."),
        ("1" * (LONGEST + 1), f"The expression is too long. It can have {LONGEST} characters."),
    ],
)
def test_an_expression_without_a_value_says_why(expression: str, why: str) -> None:
    with pytest.raises(CalculatorError) as error:
        Calculator().value(expression)
    assert str(error.value) == why


def test_a_basic_calculator_takes_basic_operations_only() -> None:
    basic = Calculator(Scope.BASIC)
    assert shown(basic.value("(2+3)*4/8-1+10%+sqrt 9")) == "4.6"
    for expression in ("2^3", "3!", "sin 30", "pi", "5C2", "ln 2"):
        with pytest.raises(CalculatorError, match="basic calculator"):
            basic.value(expression)


def _an_expression(chance: random.Random, depth: int = 0) -> str:
    """Make an expression that can be read, although it may have no value."""
    if depth > 4 or chance.random() < 0.3:
        return chance.choice(("2", "0.1", "ans", "pi", "7!", "12", "1E9", "3%", "1E400", "0", "99999999"))
    shape = chance.choice(
        ("({})", "-{}", "sin {}", "ln({})", "sqrt {}", "{}!", "{}%", "{}+{}", "{}*{}", "{}/{}", "{}^{}")
    )
    return shape.format(*(_an_expression(chance, depth + 1) for _ in range(shape.count("{}"))))


def _a_jumble(chance: random.Random, turn: int) -> str:
    pieces = _PIECES if turn % 4 else _PIECES + _STRANGE * 3
    return "".join(chance.choices(pieces, k=chance.randint(1, 14 if turn % 10 else 80)))


def test_ten_thousand_strange_expressions_have_a_finite_value_or_a_reason() -> None:
    chance = random.Random(16)
    values = 0
    for turn in range(10_000):
        text = _an_expression(chance) if turn % 2 else _a_jumble(chance, turn)
        try:
            value = Calculator(degrees=turn % 3 > 0, ans=Decimal(chance.randint(-9, 9))).value(text)
        except CalculatorError:
            continue
        values += 1
        assert value.is_finite(), text
        again = shown(value)
        assert len(again) < 24, text
        assert shown(Calculator().value(again)) == again, text
    assert values > 2_000


def test_the_history_continues_with_the_last_result_and_survives_as_text() -> None:
    sums = Calculations()
    for line in ("0.1+0.2=", "*2", "ans-1"):
        sums = sums.entered(line, Scope.SCIENTIFIC)
    assert [(each.expression, each.result) for each in sums.done] == [
        ("0.1+0.2", "0.3"),
        ("ans*2", "0.6"),
        ("ans-1", "-0.4"),
    ]
    sums = sums.entered("rad", Scope.SCIENTIFIC)
    assert sums.unit == "radians"
    assert Calculations.from_text(sums.to_text()) == sums
    assert sums.turned().unit == "degrees"


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"degrees": 1, "done": [["1", "NaN"]]}', '{"degrees": 1, "done": [["1", "x"]]}']
)
def test_a_damaged_history_is_an_empty_calculator(text: str) -> None:
    assert Calculations.from_text(text) == Calculations()


def test_a_long_history_keeps_the_newest() -> None:
    sums = Calculations()
    for number in range(60):
        sums = sums.entered(str(number), Scope.BASIC)
    assert (len(sums.done), sums.result) == (50, "59")
