import pytest

from lms_tui.content.cells import width
from lms_tui.content.html import parse
from lms_tui.content.layout import layout
from lms_tui.content.lines import Line, Mark
from lms_tui.content.model import MathsStyle


def lines(html: str, cells: int = 40, style: MathsStyle = MathsStyle.TWO_DIMENSIONAL) -> tuple[Line, ...]:
    return layout(parse(html), cells, style)


def shown(html: str, cells: int = 40, style: MathsStyle = MathsStyle.TWO_DIMENSIONAL) -> list[str]:
    return [line.text for line in lines(html, cells, style)]


def test_a_line_is_only_as_tall_as_its_formula() -> None:
    assert shown(r"<p>If $x^2=4$ and $y=\frac{x+1}{2}$, then find $y$.</p>") == [
        "                  x + 1",
        "If x² = 4 and y = ─────, then find y.",
        "                    2",
    ]


def test_rows_above_and_below_the_text_are_not_base_rows() -> None:
    assert [line.base for line in lines(r"<p>a $\frac{x+1}{2}$ b</p><p>c</p>")] == [False, True, False, True, True]


def test_punctuation_stays_with_its_formula() -> None:
    assert shown("<p>Find the value of $x+y$, then</p>", 21) == ["Find the value of", "x + y, then"]


def test_display_formula_stands_alone_and_indented() -> None:
    assert shown(r"<p>Let \[x=1\] hold.</p>") == ["Let", "    x = 1", "hold."]


def test_long_formula_continues_in_the_text_line_after_a_sign() -> None:
    text = shown("<p>The value of $aaaa+bbbb+cccc+dddd+eeee$ is</p>", 24)
    assert text == ["The value of aaaa +", "bbbb + cccc + dddd +", "eeee is"]


def test_word_longer_than_the_line_is_cut() -> None:
    assert shown("<p>" + "x" * 25 + "</p>", 10) == ["x" * 10, "x" * 10, "x" * 5]


def test_text_without_blanks_breaks_between_characters_but_not_before_a_stop() -> None:
    assert shown("<p>漢字仮名交。じり</p>", 10) == ["漢字仮名", "交。じり"]


def test_code_is_never_wrapped() -> None:
    (line,) = lines("<pre>" + "x" * 60 + "</pre>", 20)
    assert line.width == 60


def test_label_stands_before_the_first_text_row() -> None:
    assert shown(r"<ol><li>$\frac{x+1}{2}$</ol>") == ["   x + 1", "1. ─────", "     2"]


@pytest.mark.parametrize(
    "text", ["हिन्दी में क्षि", "தமிழ் மொழி", "اردو متن", "👨\u200d👩\u200d👧 👍🏽 ☀️ 1️⃣ 🇮🇳", "k̂ é ש\u05b8", "한글 漢字"]
)
@pytest.mark.parametrize("cells", [1, 4, 9, 30])
def test_width_of_a_line_is_what_the_screen_counts(text: str, cells: int) -> None:
    for line in lines(f"<p>{text} {text}</p><table><tr><td>{text}<td>b</table>", cells):
        assert line.width == sum(width(run.text) for run in line.runs)


@pytest.mark.parametrize("text", ["☀\ufe0f", "1\ufe0f\u20e3", "👍🏽", "👨\u200d👩"])
def test_what_terminals_count_differently_is_not_drawn(text: str) -> None:
    (line,) = lines(f"<p>{text}</p>")
    assert not set(line.text) & {"\ufe0f", "\u200d", "🏽"}


def test_bold_letters_of_mathematics_become_bold_letters() -> None:
    (line,) = lines(r"<p>$\mathbf{F}=ma$</p>")
    assert [(run.text, run.marks) for run in line.runs] == [("F", Mark.MATHS | Mark.BOLD), (" = ma", Mark.MATHS)]


def test_heading_is_bold_and_close_to_its_text() -> None:
    heading, text = lines("<h2>Part A</h2><p>text</p>")
    assert heading.runs[0].marks == Mark.BOLD
    assert text.text == "text"


@pytest.mark.parametrize("style", list(MathsStyle))
def test_every_style_shows_the_words_around(style: MathsStyle) -> None:
    text = " ".join(shown(r"<p>Before $\frac{a}{b}$ after.</p>", 40, style))
    assert text.split()[0] == "Before"
    assert "after." in text


def test_words_style_says_display_formulas_in_the_text() -> None:
    assert shown(r"<p>Let \[x^2\] be.</p>", 40, MathsStyle.WORDS) == ["Let x squared be."]


TABLE = "<table><tr><th>Name<th>Value<tr><td>{}<td>1<tr><td>b<td>22</table>"


def test_a_table_has_a_rule_under_its_header() -> None:
    assert shown(TABLE.format("a")) == [
        "┌──────┬───────┐",
        "│ Name │ Value │",
        "├──────┼───────┤",
        "│ a    │ 1     │",
        "│ b    │ 22    │",
        "└──────┴───────┘",
    ]


def test_wide_table_wraps_its_cells() -> None:
    text = shown(TABLE.format("a long cell that has to be wrapped somewhere"), 30)
    assert max(len(row) for row in text) <= 30
    assert text[3:5] == ["│ a long cell that   │ 1     │", "│ has to be wrapped  │       │"]


def test_table_of_too_many_columns_is_wider_than_the_line() -> None:
    cells = "".join(f"<td>column{at}" for at in range(12))
    text = shown(f"<table><tr>{cells}<tr>{cells}</table>", 40)
    assert len({len(row) for row in text}) == 1
    assert len(text[0]) > 40
    assert "column11" in " ".join(text)


def test_spans_join_cells() -> None:
    html = "<table><tr><td colspan=2>ab<td rowspan=2>c<tr><td>d<td>e</table>"
    assert shown(html) == [
        "┌───────┬───┐",
        "│ ab    │ c │",
        "├───┬───┤   │",
        "│ d │ e │   │",
        "└───┴───┴───┘",
    ]


def test_span_beyond_the_table_is_cut() -> None:
    assert shown("<table><tr><td colspan=90 rowspan=900>a<td>b</table>") == ["┌───┬───┐", "│ a │ b │", "└───┴───┘"]


def test_cells_align() -> None:
    html = "<table><tr><td align=right>1<td align=center>x<tr><td>100<td>wide</table>"
    assert shown(html)[1] == "│   1 │  x   │"


def test_formula_in_a_cell_is_drawn_whole() -> None:
    assert shown(r"<table><tr><td>a<td>$\frac{x+1}{2}$</table>") == [
        "┌───┬───────┐",
        "│ a │ x + 1 │",
        "│   │ ───── │",
        "│   │   2   │",
        "└───┴───────┘",
    ]


def test_columns_of_a_right_to_left_table_stand_from_right_to_left() -> None:
    html = "<table{}><tr><th>שם<th>גיל<tr><td>רון<td>7</table>"
    drawn = ["┌─────┬─────┐", "│ ליג │  םש │", "├─────┼─────┤", "│   7 │ ןור │", "└─────┴─────┘"]
    assert shown(html.format(" dir=rtl")) == shown(html.format("")) == drawn
    assert shown(html.format(" dir=ltr"))[1] == "│  םש │ ליג │"


def test_rows_of_a_wide_block_scroll_together() -> None:
    wide = lines("<pre>" + "x" * 50 + "\nshort</pre><p>text</p><ul><li><pre>" + "y" * 50 + "\nz</pre></ul>", 30)
    assert [(line.text.strip()[:1], line.span) for line in wide if line.text.strip()] == [
        ("x", 50),
        ("s", 50),
        ("t", 0),
        ("•", 52),
        ("z", 52),
    ]
    table = lines("<table><tr>" + "<td>abcdef" * 8 + "</table>", 30)
    assert {line.span for line in table} == {table[0].width}


def test_lines_of_a_truth_table_are_drawn_under_rows_and_cross_its_bars() -> None:
    assert shown(r"$\begin{array}{c|c}\hline p&q\\\hline T&F\\F&T\\\hline\end{array}$") == [
        "p │ q",
        "──┼──",
        "T │ F",
        "F │ T",
    ]
    assert shown(
        "<math><mtable rowlines='none solid'><mtr><mtd>a</mtd></mtr><mtr><mtd>b</mtd></mtr>"
        "<mtr><mtd>c</mtd></mtr></mtable></math>"
    ) == list("ab─c")


def test_bar_of_a_matrix_is_as_tall_as_its_rows() -> None:
    assert shown(r"\[\left(\begin{array}{c|c}\frac{x+1}{2}&1\end{array}\right)\]") == [
        "    ⎛x + 1 │  ⎞",
        "    ⎜───── │ 1⎟",
        "    ⎝  2   │  ⎠",
    ]


def test_long_formula_is_broken_at_its_relations_and_signs() -> None:
    formula = r"\[" + "=".join([r"\frac{a+b}{c}+d"] * 6) + r"\]"
    drawn = lines(formula, 50)
    assert len(drawn) > 3
    assert all(line.width <= 50 for line in drawn)
    assert all(line.text.rstrip().endswith(("=", "+")) for line in drawn if line.base and line is not drawn[-2])
