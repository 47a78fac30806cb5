"""The table of docs/exam-files.md, format by format and construct by construct, held to what the readers do."""

import random
from pathlib import Path

import pytest

from lms_tui.banks.detect import Format
from lms_tui.banks.model import NotAnExam
from lms_tui.banks.reader import read_exam
from tests.banks import kept_table
from tests.banks.format_samples import FULL, WRITTEN, sample
from tests.banks.fuzz_banks import LONGEST_S, damaged, look, samples

DOCUMENT = Path(__file__).parents[2] / "docs" / "exam-files.md"
PARTLY = {
    ("questions drawn at random", "Moodle XML"),
    ("negative marks, language", "QTI 1.2"),
    ("shares of marks, penalties", "QTI 1.2"),
    ("subjects", "ExamView"),
    ("ids and tags", "ExamView"),
}
"""Cells that promise less than the whole row; their samples hold what is promised."""


def table() -> dict[str, dict[str, str]]:
    lines = [line for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith("|")]
    at = next(place for place, line in enumerate(lines) if "| GIFT |" in line)
    columns = [cell.strip() for cell in lines[at].split("|")[2:-1]]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[at + 2 :]]
    return {name: dict(zip(columns, cells, strict=True)) for name, *cells in rows if len(cells) == len(columns)}


CELLS = [(row, column, cell) for row, cells in table().items() if row in FULL for column, cell in cells.items()]


def test_every_construct_that_has_a_sample_is_a_row_of_the_table() -> None:
    assert set(FULL) <= set(table())


@pytest.mark.parametrize("form", Format)
def test_every_format_that_can_be_read_has_a_column_in_the_table(form: Format) -> None:
    assert any(column.startswith(form) for cells in table().values() for column in cells)


@pytest.mark.parametrize(("row", "column", "cell"), CELLS, ids=[f"{row}-{column}" for row, column, _ in CELLS])
def test_each_format_keeps_exactly_what_the_table_says(row: str, column: str, cell: str) -> None:
    _, holds = FULL[row]
    found = sample(row, column)
    if cell == "–" and column not in WRITTEN:
        assert found is None
        return
    assert found is not None
    try:
        reading = read_exam(*found)
    except NotAnExam:
        assert cell == "–"
        return
    assert reading.errors == () or cell == "–"
    if (row, column) not in PARTLY:
        assert (bool(reading.exam.questions) and holds(reading.exam)) is (cell != "–")


def test_the_table_of_what_a_written_file_keeps_is_true() -> None:
    assert kept_table.in_document() == kept_table.table()


def test_damaged_samples_are_read_or_refused_with_a_message() -> None:
    for number, (data, name) in enumerate(samples()):
        assert look(damaged(data, random.Random(number)), name) < LONGEST_S
