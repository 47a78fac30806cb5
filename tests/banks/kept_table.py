"""The table of docs/exam-files.md that says what a written file keeps: `python -m tests.banks.kept_table` writes it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from lms_tui.banks.model import NotAnExam
from lms_tui.banks.reader import read_exam
from lms_tui.banks.writers import Target, write
from lms_tui.banks.writers.write import ENDINGS
from tests.banks.format_samples import FULL

DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "exam-files.md"
_TABLE: Final = re.compile(r"(?<=<!-- kept -->\n).*?(?=<!-- end of kept -->)", re.DOTALL)
_TARGETS: Final = [target for target in Target if target is not Target.XLSX]
"""A workbook has the rows of a CSV file."""


def cell(row: str, target: Target) -> str:
    """Say whether a written file keeps the sample of a construct, or names all or a part of it as lost."""
    exam, holds = FULL[row]
    written = write(exam, target)
    try:
        back = read_exam(written.data, f"exam{ENDINGS[target]}").exam
    except NotAnExam:
        back = None
    if not written.findings:
        return "kept"
    return "partly" if back is not None and back.questions and holds(back) else "named"


def table() -> str:
    return "".join(f"| {' | '.join(cells)} |\n" for cells in _rows())


def _rows() -> Iterator[list[str]]:
    yield ["", *("csv, xlsx" if target is Target.CSV else target.value for target in _TARGETS)]
    yield ["---"] * (len(_TARGETS) + 1)
    for row in FULL:
        yield [row, *(cell(row, target) for target in _TARGETS)]


def in_document() -> str:
    found = _TABLE.search(DOCUMENT.read_text("utf-8"))
    return found[0] if found else ""


if __name__ == "__main__":
    DOCUMENT.write_text(_TABLE.sub(lambda _: table(), DOCUMENT.read_text("utf-8")), "utf-8")
