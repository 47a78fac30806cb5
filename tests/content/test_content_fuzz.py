"""Any input is laid out, nothing dangerous comes out, and every line is as wide as the screen counts it."""

import os
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from lms_tui.content.cells import normalise, width
from lms_tui.content.html import parse
from lms_tui.content.layout import layout
from lms_tui.content.maths.render import render_maths
from lms_tui.content.model import Maths, MathsStyle
from tests.content.fuzz_content import DANGEROUS, HTML, TOKENS, check, input_of, run

EXAMPLES = int(os.environ.get("LMS_TUI_FUZZ_EXAMPLES", "150"))


def test_inputs_that_once_failed_are_laid_out() -> None:
    for number in (80_288, 800_396, 829_843, 954_632, 3_120_543):
        check(*input_of(number))


def test_twenty_thousand_random_inputs_are_laid_out_safely() -> None:
    assert run(0, 20_000) == []


@settings(max_examples=EXAMPLES)
@given(
    st.lists(
        st.sampled_from(HTML) | st.sampled_from(TOKENS) | st.text(st.characters(codec=None), max_size=5), max_size=40
    ),
    st.integers(1, 90),
    st.sampled_from(MathsStyle),
)
def test_any_markup_is_laid_out_safely(parts: list[str], cells: int, style: MathsStyle) -> None:
    check("".join(parts), cells, style)


@settings(max_examples=EXAMPLES)
@given(st.lists(st.sampled_from(TOKENS), max_size=40), st.sampled_from(MathsStyle), st.booleans(), st.integers(1, 80))
def test_any_formula_is_drawn_as_a_rectangle(tokens: list[str], style: MathsStyle, display: bool, cells: int) -> None:
    picture = render_maths(Maths("".join(tokens), display), style, cells)
    assert 0 <= picture.baseline < picture.height
    assert all(width(row) == picture.width for row in picture.rows)
    assert not DANGEROUS.search("".join(picture.rows))


@settings(max_examples=EXAMPLES)
@given(
    st.text(st.characters(codec=None, exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp", "Mn", "Me", "Cn"]), max_size=80)
)
def test_every_visible_character_of_plain_text_is_shown(text: str) -> None:
    plain = text.translate(dict.fromkeys(map(ord, "&<>$\\["), "x"))
    shown = "".join(line.text for line in layout(parse(plain), 20, bidi=False))
    assert "".join(shown.split()) == "".join(normalise(plain).split())


HOSTILE = {
    r"\[": 32_000, r"\(": 32_000, "$a ": 21_000, "$$a": 21_000, r"\begin{align}": 5_000, r"\ce{": 16_000, "<a": 32_000,
    "<li>": 16_000, "<table><tr><td>": 4_000, "<tr><td rowspan=1000 colspan=100>x": 1_800, "<math><mfrac><mi>": 3_000,
    "[[": 32_000, "क\u200d": 32_000, "אב ": 20_000, r"$\abs{": 9_000,
}  # fmt: skip


def test_hostile_markup_is_not_slow() -> None:
    started = time.process_time()
    for part, times in HOSTILE.items():
        check(part * times, 60, MathsStyle.TWO_DIMENSIONAL)
    assert time.process_time() - started < 1.5 * len(HOSTILE)


def test_hostile_formulas_are_not_slow() -> None:
    nested = [
        (r"\frac{1}{1+", "}"),
        (r"\sqrt{", "}"),
        ("x^{", "}"),
        ("(", ")"),
        (r"\begin{pmatrix}", r"&y\end{pmatrix}"),
    ]
    started = time.process_time()
    for opening, closing in nested:
        for style in MathsStyle:
            render_maths(Maths(opening * 40 + "x" + closing * 40), style, 80)
    assert time.process_time() - started < 2.0 * len(nested)
