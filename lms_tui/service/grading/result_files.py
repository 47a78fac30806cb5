"""The results of an exam as JSON, CSV and XLSX, written while they are read."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cached_property, lru_cache
from io import BytesIO, StringIO
from pathlib import Path
from typing import IO, Any, Final

from lms_tui.common.cleaning import clean
from lms_tui.common.formulas import looks_like_a_formula
from lms_tui.common.user_errors import AdvisedError
from lms_tui.service.grading.results import NOT_ASKED, AttemptResult, Column

Cell = str | int | float | Decimal | None
_LONGEST: Final = 32_767
"""Characters of a cell of XLSX."""
_HEAD: Final = (
    *("name", "username", "state", "score", "of", "percent", "rank", "correct", "incorrect", "unanswered", "to mark"),
    *("started (UTC)", "ended (UTC)", "time used"),
)


class ResultsError(AdvisedError):
    """Results cannot be written."""


@dataclass(frozen=True)
class Sheet:
    """The results of an exam as rows of cells. `with_answers`: with each answer beside its marks."""

    title: str
    columns: Sequence[Column]
    results: Iterable[AttemptResult]
    with_answers: bool = False

    @cached_property
    def subjects(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(column.subject for column in self.columns if column.subject))

    def head(self) -> list[str]:
        head = [*_HEAD, *(f"marks in {subject}" for subject in self.subjects)]
        for column in self.columns:
            head += [f"answer {column.number}"] if self.with_answers else []
            head.append(f"marks {column.number}")
        return head

    def rows(self) -> Iterator[list[Cell]]:
        for result in self.results:
            cells = [*summary_of(result), *self._marks_of_subjects(result)]
            answers = [result.answers.get(column.id, NOT_ASKED) for column in self.columns]
            if self.with_answers:
                for given in answers:
                    cells += (given.answer, given.marks)
            else:
                cells += [given.marks for given in answers]
            yield cells

    def _marks_of_subjects(self, result: AttemptResult) -> Iterator[Cell]:
        marks = result.by_subject(self.columns)
        return (marks[subject] if result.ended else None for subject in self.subjects)


def summary_of(result: AttemptResult) -> list[Cell]:
    """Return the cells of `_HEAD`. Marks and counts of a running attempt are empty."""
    over = result.ended is not None
    counts: list[Cell] = [result.correct, result.incorrect, result.unanswered, result.waiting]
    return [
        result.name,
        result.username,
        result.state,
        result.score if over else None,
        result.max_score if over else None,
        Decimal(result.percentage) if over else None,
        None if result.ranking is None else result.ranking.rank,
        *(counts if over else (None, None, None, None)),
        moment(result.started),
        moment(result.ended),
        span(result.time_taken),
    ]


def overview(result: AttemptResult) -> dict[str, Cell]:
    """Return the row of the table on a terminal."""
    row = dict(zip(_HEAD, summary_of(result), strict=True))
    shown = ("name", "username", "state", "score", "of", "percent", "rank", "to mark", *_HEAD[-3:])
    return {name: _short(row[name]) for name in shown}


def as_json(result: AttemptResult, columns: Sequence[Column]) -> dict[str, Any]:
    """Return one result for programs."""
    over = result.ended is not None
    return {
        "attempt": result.id,
        "name": result.name,
        "username": result.username,
        "state": result.state,
        "score": _number(result.score) if over else None,
        "max_score": _number(result.max_score) if over else None,
        "percentage": float(result.percentage) if over else None,
        "rank": None if result.ranking is None else result.ranking.rank,
        "correct": result.correct,
        "incorrect": result.incorrect,
        "unanswered": result.unanswered,
        "to_mark": result.waiting,
        "started": result.started.isoformat(timespec="seconds"),
        "ended": None if result.ended is None else result.ended.isoformat(timespec="seconds"),
        "time_used": span(result.time_taken),
        "subjects": {name: _number(marks) for name, marks in result.by_subject(columns).items() if name},
        "answers": [
            {"question": column.number, "answer": given.answer, "outcome": given.outcome, "marks": _number(given.marks)}
            for column in columns
            if (given := result.answers.get(column.id)) is not None
        ],
    }


def column_as_json(column: Column) -> dict[str, Any]:
    return {
        "number": column.number,
        "title": column.title,
        "type": column.type,
        "subject": column.subject,
        "marks": _number(column.marks),
    }


def print_json(slug: str, sheet: Sheet, write: Callable[[str], object]) -> None:
    """Write an object with the exam, its questions and its results, one result a line."""
    head = {"exam": slug, "title": sheet.title, "questions": [column_as_json(column) for column in sheet.columns]}
    write(json.dumps(head, ensure_ascii=False)[:-1] + ', "results": [')
    separator = "\n"
    for result in sheet.results:
        write(separator + json.dumps(as_json(result, sheet.columns), ensure_ascii=False))
        separator = ",\n"
    write("]}\n")


def write_csv(sheet: Sheet, stream: IO[str]) -> None:
    """Write a line for each result. A text that a spreadsheet would take for a formula begins with an apostrophe."""
    writer = csv.writer(stream)
    writer.writerow(map(text_cell, sheet.head()))
    writer.writerows([text_cell(cell) for cell in row] for row in sheet.rows())


def write_xlsx(sheet: Sheet, file: Path | BytesIO) -> None:
    """Write a workbook with the results and the questions. Texts are never formulas."""
    try:
        from xlsxwriter import Workbook  # noqa: PLC0415  # an extra
    except ImportError:
        raise ResultsError(
            "The extra for spreadsheets is not installed.", "Install lms-tui[sheets], or write a CSV file with --csv."
        ) from None
    # Rows that are written do not stay in memory.
    with Workbook(file if isinstance(file, BytesIO) else str(file), {"constant_memory": True}) as book:
        _write_sheet(book.add_worksheet("Results"), sheet.head(), sheet.rows())
        names = ["number", "title", "type", "subject", "marks"]
        rows: Iterator[list[Cell]] = (
            [column.number, column.title, column.type, column.subject, column.marks] for column in sheet.columns
        )
        _write_sheet(book.add_worksheet("Questions"), names, rows)


def as_csv(sheet: Sheet) -> bytes:
    stream = StringIO(newline="")
    write_csv(sheet, stream)
    return stream.getvalue().encode("utf-8-sig")  # Excel reads UTF-8 only after a mark


def as_xlsx(sheet: Sheet) -> bytes:
    """Return a workbook. Raises ResultsError without the extra."""
    file = BytesIO()
    write_xlsx(sheet, file)
    return file.getvalue()


def _write_sheet(worksheet: Any, head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    worksheet.freeze_panes(1, 1)
    for column, name in enumerate(head):
        worksheet.write_string(0, column, name)
    for place, row in enumerate(rows, start=1):
        for column, cell in enumerate(row):
            if isinstance(cell, str):
                if cell:
                    worksheet.write_string(place, column, clean(cell)[:_LONGEST])
            elif cell is not None:
                worksheet.write_number(place, column, float(cell))


def moment(value: datetime | None) -> str:
    return "" if value is None else f"{value:%Y-%m-%d %H:%M:%S}"


def span(value: timedelta) -> str:
    return str(timedelta(seconds=int(value.total_seconds())))


@lru_cache(4096)
def digits(value: Decimal) -> str:
    """Return marks without trailing zeros."""
    return format(value.normalize() + 0, "f")


def _short(cell: Cell) -> Cell:
    return digits(cell) if isinstance(cell, Decimal) else cell


def _number(value: Decimal | None) -> float | None:
    return None if value is None else float(value)


@lru_cache(4096)  # most cells of an exam are alike
def text_cell(cell: Cell) -> str | int | float:
    if isinstance(cell, str):
        text = clean(cell)
        return f"'{text}" if looks_like_a_formula(cell) else text
    if cell is None:
        return ""
    return digits(cell) if isinstance(cell, Decimal) else cell
