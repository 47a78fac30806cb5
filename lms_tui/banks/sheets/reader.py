"""Read a sheet of questions: one question in each row, below a row of headings."""

import csv
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from io import StringIO
from typing import Final

from lms_tui.banks.collect import Collector
from lms_tui.banks.model import NotAnExam, Reading, Section
from lms_tui.banks.sheets.headings import Columns, columns_given, columns_of
from lms_tui.banks.texts import counted
from lms_tui.common import own_process
from lms_tui.common.cleaning import HINTS, clean_line

_MOST_ABOVE: Final = 30
"""Rows above the headings, such as the notes of a template."""
_DELIMITERS: Final = ",;\t"
_SECONDS: Final = 30
_ADVICE: Final = (
    "`lms-tui exam sheet-template FILE` writes a sheet to fill in. --columns names the columns of another one."
)

Row = tuple[int, list[str]]
"""A row with its line, from 1."""


def looks_like_csv(text: str) -> bool:
    """Return whether one of the first rows has headings of questions."""
    head = text[:20_000]
    try:
        return any(_headed(_rows(head, delimiter))[0] is not None for delimiter in _DELIMITERS)
    except NotAnExam:
        return False


def read_csv(text: str, title: str, columns: str = "") -> Reading:
    """Read a text whose columns are separated by commas, semicolons or tabs. Raises NotAnExam."""
    for delimiter in _DELIMITERS:
        rows = list(_rows(text, delimiter))
        if max((len(row) for _, row in rows), default=0) > 1 if columns else _headed(rows)[0] is not None:
            return _read([("", rows)], title, columns)
    raise NotAnExam("The sheet has no column of questions.", _ADVICE)


def read_workbook(data: bytes, shown: str, title: str, columns: str = "") -> Reading:
    """Read an xlsx, ods or xls file. Raises NotAnExam."""
    if find_spec("python_calamine") is None:
        advice = "Install it: pip install 'lms-tui[sheets]' (`lms-tui help extras`). Or save the sheet as CSV."
        raise NotAnExam(f"{shown} is a workbook. Reading it needs the extra `sheets`.", advice)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "lms_tui.banks.sheets.worker"],
            input=data,
            capture_output=True,
            timeout=_SECONDS,
            check=True,
            cwd=own_process.FOLDER,
        )
        sheets = json.loads(done.stdout)
    except (subprocess.SubprocessError, OSError, ValueError):
        message = f"{shown} cannot be read as a workbook. It is damaged, protected, or needs too much memory."
        raise NotAnExam(message, "Save the sheet as CSV, or remove its empty rows and columns.") from None
    read = [(name, [[HINTS.sub("", cell) for cell in row] for row in rows]) for name, rows in sheets]
    return _read([(name, list(enumerate(rows, 1))) for name, rows in read], title, columns)


def _rows(text: str, delimiter: str) -> Iterator[Row]:
    """Yield rows with their first lines. Raises NotAnExam."""
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    line = 1
    try:
        for row in reader:
            yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise NotAnExam(f"Line {line} is no row of a sheet: {error}.", "Split long cells.") from None


def _headed(rows: "Iterator[Row] | Sequence[Row]") -> tuple[Columns | None, int]:
    """Return the columns and the place of the headings."""
    for at, (_, row) in enumerate(rows):
        if at >= _MOST_ABOVE:
            break
        if (found := columns_of(row)) is not None:
            return found, at
    return None, 0


def _read(sheets: Sequence[tuple[str, list[Row]]], title: str, written: str) -> Reading:
    collector = Collector()
    named = False
    for name, rows in sheets:
        filled = [(line, row) for line, row in rows if any(cell.strip() for cell in row)]
        if not filled:
            continue
        columns, at = _headed(filled)
        if written:
            at = -1 if columns is None else at
            columns = columns_given(written, filled[max(at, 0)][1])
        if columns is None:
            collector.error(
                f"The sheet “{clean_line(name)[:60]}” has no headings of questions. {_ADVICE}", filled[0][0]
            )
            continue
        if columns.unsure:
            heading = clean_line(columns.unsure)[:40]
            message = f"Two columns are called “{heading}” or mean the same."
            raise NotAnExam(message, "Name the columns: --columns question=A,options=C-F,answer=G.")
        named = True
        if len(sheets) > 1:
            collector.begin_section(Section(clean_line(name), ()))
        if at > 0:
            collector.warn(f"The rows above the headings were left out ({counted(at, 'row')}).", filled[0][0])
        from lms_tui.banks.sheets.rows import Rows  # noqa: PLC0415 - brings YAML, and most files are only looked at

        Rows(columns, collector).read(filled[at + 1 :], filled[max(at, 0)][0])
    if not named and not written:
        raise NotAnExam("The sheet has no headings such as “Question”, “Option A” and “Correct answer”.", _ADVICE)
    return collector.reading(title)
