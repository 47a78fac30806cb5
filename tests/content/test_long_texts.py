"""Texts of any length open at once, part after part, and nothing of them is lost."""

import time
from pathlib import Path

import pytest

from lms_tui.commands.show import opened, show
from lms_tui.content.html import parse, parts_of
from lms_tui.content.layout import layout
from lms_tui.content.long import PART, parts
from lms_tui.content.model import Listing, Notice, Table
from tests.fakes.attempts import AttemptInMemory, question
from tests.fakes.sitting import sitting

ROWS = 100_000
TABLE = (
    "<p>Read it.</p><table><tr><th>n<th>words<th>square</tr>"
    + "".join(f"<tr><td>{n}<td>some words</td><td>{n * n}</td></tr>" for n in range(ROWS))
    + "</table><p>The end of it.</p>"
)


def test_a_table_of_five_megabytes_opens_in_the_time_of_one_part() -> None:
    assert len(TABLE) > 5_000_000
    started = time.process_time()
    lines = layout(parse(TABLE), 76)
    assert time.process_time() - started < 2
    assert [line.text.split() for line in lines[3:4]] == [["│", "n", "│", "words", "│", "square", "│"]]
    assert "z opens all of it" in lines[-1].text


def test_every_row_of_a_table_of_five_megabytes_is_in_one_part_under_its_heading() -> None:
    numbers: list[int] = []
    for at, part in enumerate(parts(TABLE)):
        assert len(part) <= 2 * PART + 500
        rows = part.split("<tr>")
        assert rows[1].startswith("<th>n")
        numbers += [int(row[4 : row.index("<", 4)]) for row in rows[2:]]
        if at % 40 == 0:
            (document,) = parts_of(part)
            assert any(isinstance(block, Table) for block in document.blocks)
    assert numbers == list(range(ROWS))


@pytest.mark.parametrize(
    "html",
    [
        "word " * 40_000,
        "x" * 200_000,
        "<p>" + "&amp;" * 50_000,
        "<div>" * 30_000 + "deep",
        "<p>" + "<b>bold</b> " * 20_000,
        "<ol start=5>" + "<li>item" * 20_000,
        "<table>" + "<tr><td>cell" * 20_000,
        "<!--" + "x" * 100_000 + "--><p>after",
        "<script>" + "if (a<b) {} " * 10_000 + "</script><p>after</p>",
        "<pre>" + "  line of code\n" * 10_000,
        "< " * 60_000,
        "<a " * 60_000,
    ],
)
def test_parts_hold_every_character_of_a_text_and_are_short(html: str) -> None:
    cut = list(parts(html))
    assert sum(map(len, cut)) >= len(html)
    place = 0
    for part in cut:
        tail = part[-40:]
        place = html.index(tail, place)
    assert cut[-1].endswith(html[-5:])
    if "script" not in html and "<!--" not in html:
        assert max(map(len, cut)) <= 2 * PART + 10_000


def test_the_numbers_of_a_list_continue_in_the_next_part() -> None:
    numbers: list[str] = []
    for document in parts_of("<ol start=5>" + "<li>item</li>" * 20_000 + "</ol>"):
        for block in document.blocks:
            assert isinstance(block, Listing)
            numbers += [item.label for item in block.items]
    assert numbers == [f"{number}." for number in range(5, 20_005)]


def test_short_text_is_one_part_without_a_notice() -> None:
    (document,) = parts_of("<p>short</p>")
    assert not any(isinstance(block, Notice) for block in document.blocks)


async def test_a_key_opens_the_whole_text_in_the_exam() -> None:
    html = "<p>Sum the table.</p>" + TABLE[TABLE.index("<table>") :]
    async with sitting(AttemptInMemory([question(1, html, ["a", "b"])])) as sit:
        assert "Sum the table." in sit.text()
        await sit.press("z")
        assert "Part 1" in sit.text()
        await sit.press("n")
        assert "Part 2" in sit.text()
        assert "│ words" in sit.text()
        first = sit.text()
        for _ in range(40):
            await sit.press("space")
            if "Part 3" in sit.text():
                break
        assert "Part 3" in sit.text()
        await sit.press("p")
        assert sit.text() == first
        await sit.press("escape", "b")
        assert sit.chosen(1) == (12,)


def test_shell_prints_every_part_of_a_long_text(tmp_path: Path) -> None:
    page = tmp_path / "long.html"
    page.write_text("<ul>" + "<li>item</li>" * 10_000 + "</ul>")
    printed: list[str] = []
    assert show(opened(page), plain=True, width=40, write=printed.append) == 0
    assert sum("item" in line for line in printed) == 10_000
