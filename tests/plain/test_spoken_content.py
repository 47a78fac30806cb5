"""Content as sentences: what a shape says is said in words."""

import pytest

from lms_tui.content.html import parse
from lms_tui.plain.speech import to_speech
from lms_tui.views.gaps import gaps_in


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ("<p>One</p><p>Two</p>", ["One", "Two"]),
        (r"<p>Find \(\frac{a}{b}\).</p>", ["Find a over b."]),
        ("<p>H<sub>2</sub>O and 10<sup>5</sup></p>", ["H sub 2 O and 10 to the 5"]),
        ("<ul><li>red</li><li>blue</li></ul>", ["- red", "- blue"]),
        ('<p>See <img src="x.png" alt="a circle">.</p>', ["See (picture: a circle)."]),
        ("<p>See <img src='x.png'></p>", ["See (a picture without a description)"]),
        ("<p>one<br>two</p>", ["one", "two"]),
        ("<h2>Passage</h2>", ["Heading: Passage"]),
        ("<pre>a\n  b</pre>", ["Text as it is typed:", "a", "  b"]),
        ("<script>alert(1)</script><style>p{}</style>", []),
    ],
)
def test_each_kind_of_content_is_described_in_words(html: str, lines: list[str]) -> None:
    assert list(to_speech(html)) == lines


def test_a_table_is_read_row_by_row_with_its_headings() -> None:
    rows = "<tr><td>Asha</td><td>12</td></tr><tr><td>Ravi</td><td></td></tr>"
    html = f"<table><tr><th>Name</th><th>Marks</th></tr>{rows}</table>"
    assert list(to_speech(html)) == [
        "Table, 2 rows, 2 columns.",
        "Row 1: Name: Asha; Marks: 12.",
        "Row 2: Name: Ravi; Marks: empty.",
        "End of the table.",
    ]


def test_a_heading_over_two_columns_precedes_both() -> None:
    html = "<table><tr><th colspan=2>Sum</th></tr><tr><td>1</td><td>2</td></tr></table>"
    assert "Row 1: Sum: 1; Sum: 2." in to_speech(html)


@pytest.mark.parametrize("payload", ["\x1b[2J", "\x1b]52;c;AAAA\x07", "\u202eabc", "\x9b31m", "a\x00b"])
def test_no_control_character_is_printed(payload: str) -> None:
    for html in (f"<p>x{payload}y</p>", f"<table><tr><td>{payload}</td></tr></table>", f"<img src=x alt='{payload}'>"):
        said = "".join(to_speech(html))
        assert not any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 or char == "\u202e" for char in said)


def test_gaps_are_numbered_in_reading_order() -> None:
    document = parse("<p>The ____ is ____.</p>")
    numbers = gaps_in(document)
    assert list(numbers) == sorted(numbers)
