"""Write an exam as a sheet: one question in each row. A workbook needs the extra `sheets`."""

import csv
import html
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from io import BytesIO, StringIO
from typing import Final

from lms_tui.banks.collect import sections_by_subject
from lms_tui.banks.model import Exam, NotAnExam, NumericKey, Option, Question, Section, TextKey
from lms_tui.banks.sheets.rows import cell_html, options_by_text
from lms_tui.banks.texts import digits, span, unescaped
from lms_tui.banks.writers.xhtml import xhtml
from lms_tui.wire.question_types import QuestionType

_LETTERS: Final = "ABCDEFGHIJ"
_TYPES: Final = {
    QuestionType.SINGLE: "multiple choice", QuestionType.MULTIPLE: "multiple answers",
    QuestionType.SHORT: "short answer", QuestionType.NUMERIC: "number", QuestionType.ESSAY: "essay",
}  # fmt: skip
_BEFORE: Final = ("Question", "Type")
_AFTER: Final = ("Correct answer", "Explanation", "Passage", "Points", "Negative marks", "Subject", "Section", "Title",
                 "Id", "Tags", "Language")  # fmt: skip
_FORMULA: Final = re.compile(r"'*[=+\-@\t]")
_WIDEST: Final = 60
_LONGEST: Final = 32_767
"""Most characters of a cell in Excel."""


def write_csv(exam: Exam) -> tuple[bytes, tuple[int, ...]]:
    """Return the sheet and the numbers of the questions that it cannot hold."""
    rows, left_out = _rows(exam)
    stream = StringIO(newline="")
    csv.writer(stream).writerows(rows)
    return stream.getvalue().encode("utf-8-sig", "replace"), left_out  # Excel needs the mark to read UTF-8


def write_xlsx(exam: Exam) -> tuple[bytes, tuple[int, ...]]:
    """Return the workbook and the numbers of the questions that it cannot hold. Raises NotAnExam without xlsxwriter."""
    try:
        from xlsxwriter import Workbook  # noqa: PLC0415 - an extra, which few exports need
    except ImportError:
        advice = "Install it: pip install 'lms-tui[sheets]' (`lms-tui help extras`). Or write a CSV file."
        raise NotAnExam("Writing a workbook needs the extra `sheets`.", advice) from None
    rows, left_out = _rows(exam)
    stream = BytesIO()
    with Workbook(stream, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}) as book:
        book.set_properties({"created": datetime(2000, 1, 1)})  # noqa: DTZ001  # the same bytes for the same exam
        sheet = book.add_worksheet("Questions")
        bold, wrapped = book.add_format({"bold": True}), book.add_format({"text_wrap": True, "valign": "top"})
        for at, row in enumerate(rows):
            for column, text in enumerate(row):
                sheet.write_string(at, column, text, wrapped if at else bold)
        for column, heading in enumerate(rows[0]):
            longest = max((len(row[column]) for row in rows), default=0)
            sheet.set_column(column, column, min(_WIDEST, max(len(heading), longest) + 2))
        sheet.freeze_panes(1, 0)
    return stream.getvalue(), left_out


def template() -> Exam:
    """Return an exam with one question of each type that a sheet can hold."""
    four = tuple(Option(text, text == "Paris") for text in ("London", "Paris", "Rome", "Oslo"))
    primes = tuple(Option(text, text in {"2", "7"}) for text in ("2", "4", "7", "9"))
    questions = (
        Question(QuestionType.SINGLE, "What is the capital of France?", four, explanation_html="It is on the Seine."),
        Question(QuestionType.MULTIPLE, "Which numbers are prime?", primes),
        Question(QuestionType.SHORT, "Which gas do plants take in?", texts=(TextKey("carbon dioxide"), TextKey("CO2"))),
        Question(QuestionType.NUMERIC, "What is 7 × 8?", numbers=(_number("56"),)),
        Question(QuestionType.ESSAY, "Describe the water cycle."),
    )
    return Exam("Template", (Section("", questions),), slug="template")


def _number(text: str) -> NumericKey:
    return NumericKey(Decimal(text), Decimal(text))


def _rows(exam: Exam) -> tuple[list[list[str]], tuple[int, ...]]:
    most = max((len(question.options) for question in exam.questions), default=0)
    columns = max(4, min(most, len(_LETTERS)))
    rows = [[*_BEFORE, *(f"Option {letter}" for letter in _LETTERS[:columns]), *_AFTER]]
    left_out: list[int] = []
    named = exam.sections != sections_by_subject(exam.questions)  # else the subjects make them again
    sections = [section.name if named else "" for section in exam.sections for _ in section.questions]
    for number, (question, section) in enumerate(zip(exam.questions, sections, strict=True), 1):
        cells = []
        if question.kind in _TYPES and len(question.options) <= columns:
            cells = [_cell(text) for text in _row(question, section, columns)]
        if cells and max(map(len, cells)) <= _LONGEST:
            rows.append(cells)
        else:
            left_out.append(number)
    return _without_unused(rows), tuple(left_out)


def _without_unused(rows: list[list[str]]) -> list[list[str]]:
    """Leave out the optional columns that are empty."""
    headings, *rest = rows
    used = [at for at, heading in enumerate(headings) if heading not in _AFTER[1:] or any(row[at] for row in rest)]
    return [[row[at] for at in used] for row in rows]


def _row(question: Question, section: str, columns: int) -> Iterator[str]:
    options = [_text(option.html) for option in question.options]
    yield from (_text(question.html), _TYPES[question.kind], *options, *[""] * (columns - len(options)))
    yield _key(question, options)
    yield _text(question.explanation_html)
    yield _text(question.direction_html)
    yield "" if question.marks is None else digits(question.marks)
    yield "" if question.negative_marks is None else digits(question.negative_marks)
    yield " / ".join(question.subject)
    yield section
    yield from (question.title, question.identifier, ", ".join(question.tags), question.language)


def _key(question: Question, options: Sequence[str]) -> str:
    if question.options:
        right = [at for at, option in enumerate(question.options) if option.correct]
        key = ", ".join(_LETTERS[at] for at in right)
        meant_as_text = options_by_text(key, options)  # such as the answer B where an option is “b”
        is_clear = not meant_as_text or meant_as_text == right
        return key if is_clear else ", ".join(f"Option {_LETTERS[at]}" for at in right)
    if question.numbers:
        return "\n".join(span(key.low, key.high) for key in question.numbers if key.weight > 0)
    return "\n".join(unescaped(key.text) for key in question.texts if key.weight > 0)


def _text(written: str) -> str:
    """Return HTML as it can be read back: as plain text if that is the same."""
    settled = xhtml(written)
    plain = html.unescape(re.sub(r"<br\s*/?>", "\n", settled))
    return plain if xhtml(cell_html(plain)) == settled else settled


def _cell(text: str) -> str:
    """Return a text that a program for sheets does not take for a formula."""
    return f"'{text}" if _FORMULA.match(text) and not re.fullmatch(r"-?[\d.]+", text) else text
