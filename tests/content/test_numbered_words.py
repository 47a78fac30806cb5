"""The words of a document have numbers that stay the same at every width, and marks stand on the words they name."""

import pytest

from lms_tui.content.html import parse
from lms_tui.content.layout import layout
from lms_tui.content.lines import NO_WORD, Line, Mark
from lms_tui.content.model import MathsStyle
from lms_tui.content.words import columns_of, digest_of, marked, numbered, word_at, words_in
from tests.content.fuzz_content import input_of

TEXT = (
    "<h2>Rain in the hills</h2><p>The <b>monsoon</b> reaches H<sub>2 x</sub>O first. x<sup>a b</sup> and $E=mc^2$, "
    "then 漢字仮名。</p><ul><li>one item</li><li>another <a href='https://x.example/'>link</a></li></ul>"
    "<blockquote>A quoted sentence that is long enough to be wrapped.</blockquote>"
    "<table><tr><th>year</th><th>rain in the wet months</th></tr>"
    "<tr><td>1990</td><td>a lot of it fell</td></tr></table>"
    "<pre>for x in y:\n    print(x)</pre><p dir='rtl'>שלום עולם טוב (5)</p>"
)


def _lines(html: str, cells: int, style: MathsStyle = MathsStyle.TWO_DIMENSIONAL) -> tuple[Line, ...]:
    return layout(numbered(parse(html)), cells, style)


def _shown(lines: tuple[Line, ...], mark: Mark = Mark.MARKER) -> str:
    return " ".join("".join(run.text for run in line.runs if mark in run.marks).strip() for line in lines).strip()


def test_a_word_has_the_same_number_at_every_width() -> None:
    words = words_in(parse(TEXT))
    for cells in (12, 20, 40, 90):
        found: dict[int, str] = {}
        for line in _lines(TEXT, cells, MathsStyle.SOURCE):
            for run in line.runs:
                if run.word != NO_WORD:
                    found[run.word] = found.get(run.word, "") + run.text
        assert sorted(found) == list(range(len(words)))
        assert [found[words.index(word)] for word in ("monsoon", "quoted", "months", "print(x)", "漢")] == [
            *("monsoon", "quoted", "months", "print(x)", "漢")
        ]


@pytest.mark.parametrize("cells", [1, 9, 24, 60])
def test_numbers_change_no_layout(cells: int) -> None:
    samples = [TEXT, *(input_of(number)[0] for number in range(60))]
    for html in samples:
        for style in (MathsStyle.TWO_DIMENSIONAL, MathsStyle.LINE):
            document = parse(html)
            plain, counted = layout(document, cells, style), layout(numbered(document), cells, style)
            assert [(line.text, line.width, line.base) for line in counted] == [
                (line.text, line.width, line.base) for line in plain
            ], html


def test_a_mark_covers_its_words_and_the_blanks_between_them() -> None:
    words = words_in(parse(TEXT))
    start, stop = words.index("quoted"), words.index("long") + 1
    for cells in (14, 40, 90):
        lines = tuple(marked(line, [(start, stop, Mark.MARKER)]) for line in _lines(TEXT, cells))
        assert _shown(lines).split() == ["quoted", "sentence", "that", "is", "long"]
    wide = tuple(marked(line, [(start, stop, Mark.MARKER)]) for line in _lines(TEXT, 90))
    assert _shown(wide) == "quoted sentence that is long"


def test_a_mark_in_a_table_stays_in_its_cell() -> None:
    words = words_in(parse(TEXT))
    start = words.index("a", words.index("1990"))
    lines = tuple(marked(line, [(start, start + 5, Mark.MARKER)]) for line in _lines(TEXT, 24))
    assert _shown(lines).split() == ["a", "lot", "of", "it", "fell"]


def test_a_formula_is_one_word_in_every_style() -> None:
    html = r"<p>Find $\frac{a+b}{2}$ now</p>"
    for style in (MathsStyle.TWO_DIMENSIONAL, MathsStyle.LINE, MathsStyle.WORDS):
        lines = tuple(marked(line, [(1, 2, Mark.MARKER)]) for line in _lines(html, 40, style))
        plain = tuple(marked(line, [(2, 3, Mark.MARKER)]) for line in _lines(html, 40, style))
        assert _shown(lines)
        assert "Find" not in _shown(lines)
        assert _shown(plain) == "now"


def test_a_column_names_its_word_or_the_nearest_one() -> None:
    line = _lines("<p>The monsoon reaches</p>", 40)[0]
    assert [word_at(line, column) for column in (0, 2, 4, 10, 12, 99)] == [0, 0, 1, 1, 2, 2]
    assert columns_of(line, 1) == range(4, 11)
    assert columns_of(line, 9) == range(0)
    assert word_at(Line((), 0), 3) == NO_WORD


def test_another_text_has_another_digest() -> None:
    one = digest_of(words_in(parse("<p>The monsoon</p>")))
    assert one == digest_of(words_in(parse("<p>The\n <b>monsoon</b></p>")))
    assert one != digest_of(words_in(parse("<p>The monsoons</p>")))
