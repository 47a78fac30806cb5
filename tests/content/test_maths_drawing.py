"""Formulas as they stand on paper. The rows of each picture are written out; the baseline is the row with `>`."""

from pathlib import Path

import pytest

from lms_tui.content.cells import width
from lms_tui.content.maths.latex import LONGEST, read_latex
from lms_tui.content.maths.render import render_maths
from lms_tui.content.model import Maths, MathsStyle

FORMULAS = (Path(__file__).parent / "formulas.txt").read_text(encoding="utf-8").splitlines()


def drawn(source: str, *, display: bool = False, mathml: bool = False, cells: int = 76) -> list[str]:
    picture = render_maths(Maths(source, display, mathml), MathsStyle.TWO_DIMENSIONAL, cells)
    assert all(width(row) == picture.width for row in picture.rows)
    return [("> " if at == picture.baseline else "  ") + row.rstrip() for at, row in enumerate(picture.rows)]


def one_line(source: str, style: MathsStyle = MathsStyle.LINE) -> str:
    return " ".join(row.strip() for row in render_maths(Maths(source), style, 1000).rows)


@pytest.mark.parametrize(
    ("source", "rows"),
    [
        ("x^2", ["> x²"]),
        ("a_{n+1}", ["> aₙ₊₁"]),
        (r"\frac{m}{n}", ["> m/n"]),
        (r"\frac12mv^2", ["> ½mv²"]),
        (r"\frac{-5}{3}", ["> −5/3"]),
        ("e^{8/5}", ["   8/5", "> e"]),
        (r"\frac{x+1}{2}", ["  x + 1", "> ─────", "    2"]),
        (r"\int_0^{\pi/4}f(x)dx", ["  ⌠π/4", "> ⎮    f(x) dx", "  ⌡0"]),
        (r"\sum_{n=1}^{100}a_n", ["  100", ">  ∑  aₙ", "  n=1"]),
        (r"\lim_{x\to0}f", ["> lim f", "  x→0"]),
        (r"\sqrt{x+1}", ["   _____", "> √x + 1"]),
        (r"\sqrt3x", ["> √3 x"]),
        (r"\sqrt{\frac{a+b}{2}}", ["   ┌─────", "   │a + b", ">  │─────", "  ╲│  2"]),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}^T", ["> ⎛1  2⎞ᵀ", "  ⎝3  4⎠"]),
        (r"f=\begin{cases}1,&x<0\\22,&x\ge0\end{cases}", ["      ⎧ 1,   x < 0", "> f = ⎨", "      ⎩ 22,  x ≥ 0"]),
        (r"\begin{aligned}a&=b\\cc&=d\end{aligned}", [">  a = b", "  cc = d"]),
        (r"\vec{a}\cdot\overline{CD}", ["  →   __", "> a · CD"]),
        (r"\hat{i}+\bar{x}", ["> î + x̄"]),
        (r"\binom{n}{k}", ["> ⎛n⎞", "  ⎝k⎠"]),
        (r"\left(x+\frac{1+y}{2}\right)^2", ["  ⎛    1 + y⎞²", "> ⎜x + ─────⎟", "  ⎝      2  ⎠"]),
        (r"\left.\frac{dy}{dx}\right|_{x=1}", ["  dy│", "> ──│", "  dx│ₓ₌₁"]),
        (r"\underbrace{a+b+c}_{n}", ["> a + b + c", "  ╰───┬───╯", "      n"]),
        (r"A\xrightarrow{heat}B", ["     heat", "> A ─────→ B"]),
        (r"\ce{2H2 + O2 -> 2H2O}", ["> 2H₂ + O₂ ⟶ 2H₂O"]),
        (r"\ce{SO4^2-}", ["> SO₄²⁻"]),
        (r"\ce{^{227}_{90}Th+}", ["> ²²⁷₉₀Th⁺"]),
        (r"^{50}C_r", ["> ⁵⁰Cᵣ"]),
        (r"P(A|B)", ["> P(A | B)"]),
        (r"|x|^2+\|v\|", ["> |x|² + ‖v‖"]),
        (r"[0,1)", ["> [0, 1)"]),
        (r"700,000", ["> 700,000"]),
        (r"9.8\,\mathrm{m/s^2}", ["> 9.8 m/s²"]),
        (r"\text{if $x>0$ and } y", ["> if x > 0 and y"]),
        (r"\lfloor x\rfloor", ["> ⌊x⌋"]),
        (r"\boxed{x}", ["  ┌───┐", "> │ x │", "  └───┘"]),
        (r"90^\circ", ["> 90°"]),
        (r"k_B T", ["> kʙT"]),
    ],
)
def test_formulas_are_drawn_as_on_paper(source: str, rows: list[str]) -> None:
    assert drawn(source) == rows


def test_display_formula_stacks_its_fractions() -> None:
    assert drawn(r"\frac{m}{n}", display=True) == ["  m", "> ─", "  n"]


def test_mathml_is_drawn_like_latex() -> None:
    fraction = "<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mi>c</mi></mrow></mfrac>"
    mathml = f"<math><msup><mfenced>{fraction}</mfenced><mn>2</mn></msup></math>"
    assert drawn(mathml, mathml=True) == drawn(r"\left(\frac{a}{b+c}\right)^2")


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (r"\frac{a+b}{2}", "(a + b)/2"),
        (r"\frac{1}{2}", "½"),
        (r"\sqrt[3]{x+1}", "∛(x + 1)"),
        (r"\int_0^\pi x^2\,dx", "∫₀^π x² dx"),
        (r"\binom nk", "C(n, k)"),
        (r"\begin{bmatrix}1&2\\3&4\end{bmatrix}", "[1 2; 3 4]"),
        (r"\lim_{n\to\infty}a_n", "lim_(n→∞) aₙ"),
        (r"A\xrightarrow{heat}B", "A ─heat→ B"),
        (r"\overline{AB}", "A̅B̅"),
        (r"|\vec{r_A}|", "|r\u20d7ᴀ|"),
        (r"\vec{AB}", "vec(AB)"),
        (r"9.8\text{ m/s}^2", "9.8 m/s²"),
        (r"9.8\,\mathrm{m/s}^2", "9.8 m/s²"),
        (r"\frac72R+\frac{1}{15}x", "(7/2) R + (1/15) x"),
        (r"\frac{1}{15}.", "1/15 ."),
        (r"\underbrace{a+b}_{n}", "underbrace(a + b: n)"),
    ],
)
def test_formula_fits_on_one_line(source: str, line: str) -> None:
    assert one_line(source) == line


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("x^2+1=0", "x squared plus 1 equals 0"),
        (r"\frac{x+1}{2}", "the fraction x plus 1 over 2 end fraction"),
        (r"\sqrt{x}", "the square root of x end root"),
        (r"\int_0^1 f", "the integral from 0 to 1 of f"),
        (r"\lim_{x\to0}f", "the limit as x to 0 of f"),
        (r"\binom nk", "n choose k"),
        (r"\vec{a}", "a vector"),
        (r"\{x\mid x>0\}", "open brace x such that x is greater than 0 close brace"),
        ("P(A|B)", "P open bracket A given B close bracket"),
        (r"3\mid n", "3 divides n"),
        ("[x]_0^2", "open square bracket x close square bracket evaluated from 0 to 2 end evaluated"),
        ("{}^nC_r", "pre super n end super C sub r"),
        (r"\ce{NH4+ + OH-}", "NH sub 4 super plus end super plus OH super minus"),
        (r"A\xrightarrow{k}B", "A to with k above end label B"),
        (r"x\uparrow", "x up arrow"),
        (r"\alpha\ne\Delta", "alpha is not equal to capital delta"),
        (r"\begin{vmatrix}1&2\\3&4\end{vmatrix}", "determinant of 2 by 2; row 1: 1, 2; row 2: 3, 4; end determinant"),
    ],
)
def test_formulas_are_described_in_words(source: str, words: str) -> None:
    assert one_line(source, MathsStyle.WORDS) == words


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (r"\sqrt2x", r"\sqrt{2x}"),
        (r"a\cdot b", r"a\times b"),
        (r"\frac{7}{2}R", r"\frac{7}{2R}"),
        ("x_1y", "x_{1y}"),
        ("x^{y^2}", "{x^y}^2"),
        (r"a+\bar b", r"\overline{a+b}"),
        (r"\binom nk+1", r"\binom{n}{k+1}"),
        (r"\mathbf x", "x"),
        (r"\underbrace{a+b}_n", "a+b_n"),
        ("1/2", r"\frac12"),
        (r"\text{m/s}^2", r"\text{m}/\text{s}^2"),
        ("{}^nC_r", "n C_r"),
    ],
)
def test_formulas_that_differ_are_described_in_different_words(first: str, second: str) -> None:
    assert one_line(first, MathsStyle.WORDS) != one_line(second, MathsStyle.WORDS)


def test_source_style_shows_the_source() -> None:
    assert one_line(r"\frac{a}{b}", MathsStyle.SOURCE) == r"\frac{a}{b}"


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_common_formula_is_never_shown_as_its_source(formula: str) -> None:
    assert read_latex(formula) is not None
    assert "\\" not in one_line(formula).replace("\\", "", formula.count(r"\backslash"))


def test_an_unknown_macro_does_not_change_the_rest() -> None:
    assert one_line(r"\frac{1}{2}+\mystery x^2") == r"½ + \mystery x²"


@pytest.mark.parametrize(
    "source", [r"\frac{1", "x^", r"\begin{cases}", "a^b^c", "{" * 2000, "x" * (LONGEST + 1), r"\def\a{\a\a}\a"]
)
def test_what_cannot_be_converted_is_shown(source: str) -> None:
    shown = "".join(render_maths(Maths(source), MathsStyle.TWO_DIMENSIONAL, 80).rows)
    assert set(source) - set("\\{} ^_") <= set(shown) | set("fracbegins")


def test_an_unmatched_left_does_not_lose_the_formula() -> None:
    assert one_line(r"\left( x+1") == "(x + 1"


def test_long_formula_breaks_after_relations_and_signs() -> None:
    source = "+".join(f"a_{{{at}}}x^{{{at}}}" for at in range(1, 20)) + "=0"
    picture = render_maths(Maths(source), MathsStyle.TWO_DIMENSIONAL, 40)
    assert picture.width <= 40
    assert all(row.rstrip().endswith("+") for row in picture.rows[:-1])


def test_an_entity_in_a_formula_cannot_insert_a_control_character() -> None:
    assert "\x1b" not in one_line(r"\text{&#27;[31m}") + one_line("&#x1b;") + one_line(r"\unicode{x1b}")


def test_deep_fractions_are_drawn_in_reasonable_time_and_size() -> None:
    source = "x"
    for _ in range(25):
        source = rf"\frac{{1}}{{1+{source}}}"
    assert render_maths(Maths(source), MathsStyle.TWO_DIMENSIONAL, 80).rows
    assert render_maths(Maths(source), MathsStyle.LINE, 80).rows


def test_scripts_without_a_base_are_read_in_their_order() -> None:
    assert one_line("_3^-") == "₃⁻"
    assert one_line("_{6}^{14}C") == "¹⁴₆C"


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (r"\newcommand{\R}{\mathbb{R}} x\in\R^n", "x ∈ ℝⁿ"),
        (r"\newcommand{\half}[1]{\frac{#1}{2}} \half{x}", "x/2"),
        (r"\DeclareMathOperator{\lcm}{lcm} \lcm(a,b)", "lcm(a, b)"),
        (r"\SI{3e8}{\metre\per\second}", "3 × 10⁸ m/s"),
        (r"\SI{5}{\kilo\gram\metre\squared}", "5 kg m²"),
        (r"\ang{30}", "30°"),
        (r"\unit{\metre\per\second\squared}", "m/s²"),
        (r"\qty{18,00,000}{\joule}", "18,00,000 J"),
        ("(10,20,300)", "(10, 20, 300)"),
    ],
)
def test_definitions_and_quantities_are_expanded(source: str, line: str) -> None:
    assert one_line(source) == line
