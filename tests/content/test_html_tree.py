import pytest

from lms_tui.content.html import parse
from lms_tui.content.layout import layout
from lms_tui.content.lines import Mark
from lms_tui.content.maths.render import render_maths
from lms_tui.content.model import (
    Document,
    Gap,
    Image,
    Link,
    Listing,
    Maths,
    MathsStyle,
    Notice,
    Paragraph,
    Preformatted,
    Table,
    Text,
)


def shown(html: str, width: int = 60) -> list[str]:
    return [line.text for line in layout(parse(html), width)]


def test_entities_are_decoded_before_cleaning() -> None:
    assert shown("<p>a&#27;[31m&#x9b;b</p>") == ["a␛[31m›b"]


def test_scripts_styles_templates_and_comments_are_never_text() -> None:
    html = "<style>p{}</style><script>x()</script><!-- c --><template>t</template><noscript>n</noscript><p>text"
    assert shown(html) == ["n", "", "text"]


def test_hidden_elements_are_not_shown() -> None:
    assert shown('<p>a<span style="display: none">b</span><span hidden>c</span>d</p>') == ["ad"]


@pytest.mark.parametrize(
    ("html", "notice"),
    [
        (
            '<iframe title="Slider" src="https://www.geogebra.org/m/1"></iframe>',
            "A frame “Slider” from www.geogebra.org cannot be shown here.",
        ),
        ("<video><source src='https://v.example/x.mp4'></video>", "A video from v.example cannot be shown here."),
        ("<iframe src='http://[bad'></iframe>", "A frame cannot be shown here."),
    ],
)
def test_elements_that_cannot_be_shown_leave_a_notice(html: str, notice: str) -> None:
    assert parse(html).blocks == (Notice(notice),)


@pytest.mark.parametrize("depth", [50, 200, 5000])
def test_deep_nesting_keeps_its_words(depth: int) -> None:
    assert "deep" in "".join(shown("<div><b>" * depth + "deep"))
    assert "deep" in "".join(shown("<ul><li>" * depth + "deep"))


def test_plain_text_keeps_newlines_and_blank_lines_separate_paragraphs() -> None:
    assert shown("one\ntwo &amp; three\n\nfour") == ["one", "two & three", "", "four"]


def test_white_space_of_markup_is_folded() -> None:
    assert shown("<p> one\n  two<br>\n three <b> four</b></p>") == ["one two", "three four"]


def test_a_less_than_sign_in_a_formula_starts_no_tag() -> None:
    assert shown(r"<p>if $a<b$ and \(0<x<1\) then</p>") == ["if a < b and 0 < x < 1 then"]


def test_unknown_tag_is_text_and_known_namespace_is_dropped() -> None:
    assert shown("<p>vector<int> v; <o:p>word</o:p></p>") == ["vector<int> v; word"]


def test_sub_and_sup_use_small_characters_if_unicode_has_them() -> None:
    assert shown("<p>H<sub>2</sub>SO<sub>4</sub>, 10<sup>10</sup>, x<sup>q/2</sup>, a<sub>;</sub></p>") == [
        "H₂SO₄, 10¹⁰, x^(q/2), a_(;)"
    ]


def test_marks_nest() -> None:
    (block,) = parse("<p>a<b>b<i>c</i></b><u>d</u><s>e</s><code>f</code></p>").blocks
    assert isinstance(block, Paragraph)
    assert [child.marks for child in block.children if isinstance(child, Text)] == [
        Mark.NONE,
        Mark.BOLD,
        Mark.BOLD | Mark.ITALIC,
        Mark.UNDERLINE,
        Mark.STRIKE,
        Mark.CODE,
    ]


def test_inline_styles_set_marks() -> None:
    (block,) = parse('<p><span style="font-weight:700">a</span></p>').blocks
    assert isinstance(block, Paragraph)
    assert block.children == (Text("a", Mark.BOLD),)


@pytest.mark.parametrize(
    ("html", "labels"),
    [
        ("<ol><li>x<li>x</ol>", ["1.", "2."]),
        ("<ol start=9><li>x<li>x</ol>", ["9.", "10."]),
        ("<ol type=a><li>x<li>x</ol>", ["(a)", "(b)"]),
        ("<ol type=I><li value=4>x<li>x</ol>", ["IV.", "V."]),
        ('<ol style="list-style-type: lower-roman"><li>x</ol>', ["(i)"]),
        ("<ul><li>x</ul>", ["•"]),
    ],
)
def test_list_labels_follow_type_start_and_value(html: str, labels: list[str]) -> None:
    (block,) = parse(html).blocks
    assert isinstance(block, Listing)
    assert [item.label for item in block.items] == labels


def test_lists_hang_and_nest() -> None:
    assert shown("<ul><li>one two three<ol type=a><li>in</ol><li>b</ul>", 12) == [
        "• one two",
        "  three",
        "  (a) in",
        "• b",
    ]


def test_list_without_items_tags_keeps_its_content() -> None:
    assert shown("<ol><p>lead</p><li>one</ol>") == ["   lead", "1. one"]


def test_code_keeps_spaces_and_lines() -> None:
    assert parse("<pre>\n  if x:\n\ty &lt; 1\n</pre>").blocks == (Preformatted(("  if x:", "    y < 1")),)


def test_an_image_is_shown_as_its_alternative_text() -> None:
    assert shown('<p>See <img src="a.png" alt="a circuit" width="120" height="80px">.</p>') == [
        "See [image: a circuit, 120×80]."
    ]
    assert parse('<img src="data:image/png;base64,AAAA">').blocks == (
        Paragraph((Image("data:image/png;base64,AAAA"),)),
    )


def test_link_shows_its_host_unless_the_text_does() -> None:
    assert shown('<a href="https://evil.example/x">bank</a>') == ["bank (evil.example)"]
    assert shown('<a href="http://a.example/x">http://a.example/x</a>') == ["http://a.example/x"]
    assert parse('<a href="javascript:x()">go</a>').blocks == (
        Paragraph((Link("javascript:x()", (Text("go", Mark.LINK),)),)),
    )


def test_gaps_are_numbered_fields() -> None:
    assert shown("<p>The capital is [[1]].</p>") == ["The capital is [ 1 ______ ]."]
    assert parse("<p>a <input> b <input type=text></p>").blocks == (
        Paragraph((Text("a "), Gap(1), Text(" b "), Gap(2))),
    )


def test_mathml_and_mathjax_scripts_are_formulas() -> None:
    html = "<p><math><mfrac><mi>a</mi><mn>2</mn></mfrac></math> and <script type='math/tex'>x^2</script></p>"
    assert shown(html) == ["a/2 and x²"]


def test_a_katex_formula_is_shown_once() -> None:
    html = (
        '<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow>'
        '<annotation encoding="application/x-tex">x</annotation></semantics></math></span>'
        '<span class="katex-html" aria-hidden="true">x</span></span>'
    )
    assert shown(html) == ["x"]


def test_ruby_text_is_in_brackets() -> None:
    assert shown("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>") == ["漢(kan)"]


def test_definitions_quotes_rules_and_figures() -> None:
    html = "<dl><dt>Term<dd>Meaning</dl><blockquote>said</blockquote><hr><figure><img alt=x><figcaption>Fig. 1</figure>"
    assert shown(html, 12) == [
        "Term",
        "",
        "  Meaning",
        "",
        "│ said",
        "",
        "────────────",
        "",
        "[image: x]",
        "Fig. 1",
    ]


def test_formula_across_a_line_break_is_one_formula() -> None:
    (block,) = parse(r"<p>\[ a<br>=b \]</p>").blocks
    assert isinstance(block, Paragraph)
    assert block.children == (Maths("a\n=b", display=True),)


def test_layout_table_of_one_cell_is_its_content() -> None:
    assert parse("<table><tr><td>only</table>").blocks == (Paragraph((Text("only"),)),)


def test_table_keeps_spans_headers_and_caption() -> None:
    html = "<table><caption>T</caption><tr><th colspan=2>h<tr><td rowspan=2>a<td align=right>b<tr><td>c</table>"
    (table,) = parse(html).blocks
    assert isinstance(table, Table)
    assert table.caption == "T"
    assert [[(cell.columns, cell.rows, cell.header, cell.align) for cell in row] for row in table.rows] == [
        [(2, 1, True, "")],
        [(1, 2, False, ""), (1, 1, False, "right")],
        [(1, 1, False, "")],
    ]


@pytest.mark.parametrize("html", ["", " ", "<p></p>", "<p>&nbsp;</p><br>", "<table></table>", "<ul></ul>", "&nbsp;"])
def test_empty_html_stays_empty(html: str) -> None:
    assert parse(html) == Document(())


def test_invisible_characters_of_pasted_text_are_removed() -> None:
    assert shown("<p>H\u200b₂\ufeffO x\u00ady\u200f</p>") == ["H₂O xy"]


def test_mathml_in_the_signs_of_wiris_is_a_formula() -> None:
    wiris = "Is «math xmlns=¨http://www.w3.org/1998/Math/MathML¨»«mi»x«/mi»«mo»§lt;«/mo»«mn»2«/mn»«/math»? «Yes»"
    assert shown(wiris) == ["Is x < 2? «Yes»"]


@pytest.mark.parametrize("sign", ["&#8289;", "\u2062", "\u2063", "&#x2064;"])
def test_operators_of_mathml_that_are_not_written_are_not_shown(sign: str) -> None:
    (paragraph,) = parse(f"<math><mi>sin</mi><mo>{sign}</mo><mi>x</mi></math>").blocks
    assert isinstance(paragraph, Paragraph)
    (formula,) = paragraph.children
    assert isinstance(formula, Maths)
    assert render_maths(formula, MathsStyle.LINE, 80).rows == ("sin x",)
