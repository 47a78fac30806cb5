r"""LaTeX is read as latex2mathml, an independent reader, reads it, and better where that one loses something."""

import random
import re

import pytest
from latex2mathml import symbols_parser
from latex2mathml.converter import convert_to_element

from lms_tui.content.maths.constructs import BUILDERS
from lms_tui.content.maths.latex import read_latex
from lms_tui.content.maths.mathml import Reader
from lms_tui.content.maths.render import render_maths
from lms_tui.content.maths.tokens import ALIASES, FUNCTIONS, character
from lms_tui.content.model import Maths, MathsStyle

ATOMS = ["x", "y", "a", "n", "A", "f", "2", "12", "0.5", r"\alpha", r"\pi", r"\infty", r"\mathbb{R}", r"\mathbf{v}",
         r"\mathrm{kg}", r"\ldots", r"\partial", r"\mathcal{L}", "k_B", r"\vec{a}", "dx", "5cm", r"\%"]  # fmt: skip
SIGNS = ["+", "-", "=", "<", r"\le ", r"\cdot ", r"\times ", r"\in ", r"\to ", ",", r"\pm ", "/", r"\cup ", r"\,",
         r"\quad ", r"\;", r"\mid ", ":", r"\ ", "!", "*"]  # fmt: skip
NAMED = [r"\sin", r"\log", r"\lim", r"\max", r"\sum", r"\prod", r"\int", r"\oint", r"\det", r"\gcd", r"\iint"]
OVER = ["hat", "bar", "vec", "tilde", "dot", "overline", "underline", "overbrace", "underbrace", "sqrt", "boxed",
        "cancel", "mathrm", "mathbf", "boldsymbol", "phantom", "smash", "check"]  # fmt: skip
GRIDS = ["pmatrix", "bmatrix", "vmatrix", "matrix", "cases", "split"]
CONSTRUCTS = [
    r"\frac@@", r"\frac12", r"\frac1@", "x^@", "a_@", "n_@^@", "x_1^2", "x^23", "f'(x)", "f''", "x_1'", "N_@^@ ",
    r"\sum\limits_@", "O@", "O@", r"\left(@\right]", r"\left.@\right|_0", "(@)", r"\sqrt[3]@", r"\sqrt[n]@", "G",
    r"{\binom@@}", r"\overset@@", r"\underset@@", r"\xrightarrow@", r"\xleftarrow[a]@", r"{@\over @}",
    r"\lfloor @\rfloor", r"\not=", r"\not\in", r"\not x", r"\bigl(@\bigr)", r"a\bmod @", "@", "|@|", r"\{@\}",
]  # fmt: skip
"""`@`: any expression in braces; `N`, `O`, `G`: an operator, a command over its argument, a grid."""
MACRO = re.compile(r"\\[A-Za-z]+")


def expression(chance: random.Random, depth: int) -> str:
    parts = [term(chance, depth)]
    for _ in range(chance.randrange(3)):
        parts += [chance.choice(SIGNS) if chance.random() < 0.7 else " ", term(chance, depth)]
    return " ".join(parts)


def term(chance: random.Random, depth: int) -> str:
    """A symbol, or one of LaTeX's constructs with expressions in it."""
    if depth <= 0 or chance.random() < 0.35:
        return chance.choice(ATOMS)
    construct = chance.choice(CONSTRUCTS)
    if construct == "G":
        name = chance.choice(GRIDS)
        rows = [" & ".join(expression(chance, depth - 2) for _ in range(2)) for _ in range(chance.randint(1, 3))]
        return rf"\begin{{{name}}}" + r" \\ ".join(rows) + rf"\end{{{name}}}"
    construct = re.sub("^N", lambda _: chance.choice(NAMED), construct)
    construct = re.sub("^O", lambda _: "\\" + chance.choice(OVER), construct)
    return re.sub("@", lambda _: f"{{{expression(chance, depth - 1)}}}", construct)


def line(source: str) -> str:
    return " ".join(row.strip() for row in render_maths(Maths(source), MathsStyle.LINE, 1000).rows)


def test_random_formulas_are_read_as_an_independent_reader_reads_them() -> None:
    chance = random.Random(20)
    for _ in range(1_200):
        source = expression(chance, chance.randint(1, 4))
        if len(source) < 600:
            assert read_latex(source) == Reader().read(convert_to_element(source)), source


def test_the_table_of_symbols_equals_that_of_latex2mathml() -> None:
    for command, code in symbols_parser.SYMBOLS.items():
        assert (character(command) or command) == chr(int(code, 16))


def test_no_symbol_of_the_table_is_lost() -> None:
    own = {r"\degree", *BUILDERS, *ALIASES, *(rf"\{name}" for name in FUNCTIONS)}
    names = [name for name in symbols_parser.SYMBOLS if MACRO.fullmatch(name) and name not in own]
    assert len(names) > 1_900
    for name in names:
        source = f"a {name} b"
        assert read_latex(source) == Reader().read(convert_to_element(source)), source
        assert "\\" not in line(name) or name in {r"\backslash", r"\setminus", r"\rsolbar"}, source


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (r"\big\{x\big\}", "{x}"),
        (r"\bigl\langle x\bigr\rangle", "⟨x⟩"),
        (r"\bigl|x\bigr|+\bigl.y\bigr|", "|x| + y|"),
        (r"f''^2", "f″²"),
        (r"\mathbb R\subset\Bbb C", "ℝ ⊂ ℂ"),
        (r"\binom52+\overset12", "C(5, 2) + 2¹"),
        (r"\genfrac{}{}{0pt}{}{a}{b}", "(a over b)"),
        (r"\genfrac(){0pt}{}{a}{b}", "C(a, b)"),
        (r"\bra{x}A\ket{y}", "⟨x|A|y⟩"),
        (r"\operatorname{rank}\limits_x f", "rankₓ f"),
        (r"3-2cm", "3 − 2cm"),
        (r"\mathop{k_B}x", "kʙx"),
        (r"\mathrel{\text{is}}x", "isx"),
        (r"\abs{a\mid b}", "|a ∣ b|"),
        (r"{\binom ab\over c}", "C(a, b)/c"),
        (r"{1\over\binom ab}", "1/C(a, b)"),
        (r"\sum\limits x", "∑ x"),
        (r"\underbar{x^2}+\underline{AB}", "x̲²̲ + A̲B̲"),
        (r"\substack{a\\b} x", "a; b x"),
        (r"\LaTeX", "LaTeX"),
        (r"a \\[2pt] b", "a b"),
        ("5\ncm", "5cm"),
        (r"\colorbox{red}{ab}c", "abc"),
        (r"x\kern y", "x y"),
        (r"\skew3\hat{x}", "x̂"),
    ],
)
def test_macros_that_the_converter_lost_are_shown(source: str, shown: str) -> None:
    assert line(source) == shown


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (r"\begin{pmatrix}1&2\\3&\end{pmatrix}", "(1 2; 3)"),
        (r"\begin{matrix}a&'\\b&_2\end{matrix}", "a ′; b ₂"),
        (r"\begin{matrix}A\\R\end{matrix}", "A; R"),
        (r"\begin{matrix}a\\[2pt]b\\*[1ex] c\end{matrix}", "a; b; c"),
        (r"\begin{smallmatrix}a&b\\c&d\end{smallmatrix}", "a b; c d"),
        (r"\begin{pmatrix*}[r]-1\\2\end{pmatrix*}", "(−1; 2)"),
        (r"\begin{alignedat}{2}a&=b\\c&=d\end{alignedat}", "a = b; c = d"),
        (r"\begin{array}{c}a\\\cline{1-1}b\end{array}", "a; b"),
        (r"\begin{flalign}a&=b\\c&=d\end{flalign}", "a = b; c = d"),
        (r"\begin{unheard}x+1\end{unheard}", "x + 1"),
        (r"\begin{cases}a&b\cr c&d\end{cases}", "{a, b; c, d"),
    ],
)
def test_grids_keep_all_of_their_cells(source: str, shown: str) -> None:
    assert re.sub(r"\s+", " ", line(source)) == shown


def test_the_bars_of_an_array_follow_its_column_format() -> None:
    picture = render_maths(Maths(r"\begin{array}{|cc|c}a&b&c\end{array}"), MathsStyle.TWO_DIMENSIONAL, 80)
    assert picture.rows == ("a  b │ c",)


@pytest.mark.parametrize("source", [r"\mystery{x}+1", r"\frac{\mystery}{2}", r"x^\mystery", r"\text y\mystery"])
def test_an_unknown_macro_does_not_lose_the_formula(source: str) -> None:
    assert r"\mystery" in line(source)
    assert r"\frac" not in line(source)


@pytest.mark.parametrize("source", ["{" * 70 + "x" + "}" * 70, r"\hat" * 70 + "x", r"a\over " * 70 + "b"])
def test_too_deeply_nested_formulas_are_shown_as_source(source: str) -> None:
    assert read_latex(source) is None


@pytest.mark.parametrize("opening", ["(", "[", r"\{", "|a("])
@pytest.mark.parametrize("style", MathsStyle)
def test_a_thousand_nested_brackets_are_shown(opening: str, style: MathsStyle) -> None:
    closing = {"(": ")", "[": "]", r"\{": r"\}"}.get(opening, ")|")
    source = opening * 900 + "x" + closing * 900
    shown = "".join(render_maths(Maths(source), style, 80).rows)
    assert shown.count("x") == 1
    mathml = f"<math>{'<mo>(</mo>' * 1900}<mi>x</mi>{'<mo>)</mo>' * 1900}</math>"
    assert "x" in "".join(render_maths(Maths(mathml, mathml=True), style, 80).rows)
