"""The exams of the institute for staff, and the pages of one exam (pure)."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.views import format as say
from lms_tui.views.listing import Column, Listing
from lms_tui.views.more import Destination, MenuEntry
from lms_tui.views.rows import EMPTY, Row, pairs, title_rows, wrapped
from lms_tui.wire.staff_exams import StaffExam


@frozen
class ExamLine:
    """An exam in the list. `now`: for dates without the year."""

    exam: StaffExam
    now: datetime

    @property
    def title(self) -> str:
        return clean_line(self.exam.title) or clean_line(self.exam.slug)


def _cells(line: ExamLine) -> tuple[str, ...]:
    exam = line.exam
    return (
        line.title,
        clean_line(exam.slug),
        say.moment_near(exam.start_date, line.now) if exam.start_date else "",
        say.moment_near(exam.end_date, line.now) if exam.end_date else "never",
        *map(str, (exam.number_of_questions, exam.running, exam.ended, exam.to_mark)),
    )


LISTING: Final[Listing[ExamLine]] = Listing(
    "Exam",
    (
        Column("link name", 20, 124),
        Column("opens", 14, 100),
        Column("closes", 14, 72),
        Column("questions", 11, 120, right=True),
        Column("running", 9, 36, right=True),
        Column("ended", 7, 44, right=True),
        Column("to mark", 9, 54, right=True),
    ),
    _cells,
    (
        lambda line: line.title.casefold(),
        lambda line: line.exam.slug,
        lambda line: line.exam.start_date,
        lambda line: line.exam.end_date,
        lambda line: line.exam.number_of_questions,
        lambda line: line.exam.running,
        lambda line: line.exam.ended,
        lambda line: line.exam.to_mark,
    ),
)


def details(line: ExamLine, room: int) -> list[Row]:
    exam = line.exam
    facts = [
        ("link name", clean_line(exam.slug)),
        ("course", clean_line(exam.course)),
        ("opens", say.moment_near(exam.start_date, line.now) if exam.start_date else ""),
        ("closes", say.moment_near(exam.end_date, line.now) if exam.end_date else "never"),
        ("questions", str(exam.number_of_questions)),
        ("shown to students", "yes" if exam.is_published else "no"),
        ("running", say.counted(exam.running, "attempt")),
        ("ended", say.counted(exam.ended, "attempt")),
        ("to mark", say.counted(exam.to_mark, "attempt")),
    ]
    return [*title_rows(line.title, room), EMPTY, *pairs(facts, room)]


def with_next_step(line: ExamLine, room: int) -> list[Row]:
    return [*details(line, room), EMPTY, *wrapped("Press enter to open the pages of this exam.", room, "accent")]


@frozen
class GradebookFile:
    """A gradebook to write. `kind`: csv, moodle or canvas. `slug`: of an exam with its questions, or ""."""

    words: str
    kind: str
    slug: str = ""


def gradebook_question(lines: Iterable[ExamLine]) -> str:
    """Return the question which gradebook to write. It tells how many attempts have scores that can change."""
    waiting = sum(line.exam.to_mark for line in lines)
    return f"Write a gradebook to a file{f' ({waiting} still to mark)' if waiting else ''}"


def gradebooks(line: ExamLine) -> tuple[GradebookFile, ...]:
    """Return what can be written: all exams, or the questions of one."""
    kinds = (("csv", "CSV file, for every spreadsheet"), ("moodle", "for Moodle"), ("canvas", "for Canvas"))
    every = [GradebookFile(f"All exams: {words}", kind) for kind, words in kinds]
    one = [GradebookFile(f"Questions of {line.title}: {words}", kind, line.exam.slug) for kind, words in kinds]
    return (*every, *one)


_BOARD: Final = MenuEntry(Destination.BOARD, "Live board", "who takes the exam, and how far each student is")
_CHANGING: Final = (
    MenuEntry(Destination.STAFF_RESULTS, "Results", "scores, reviews, and files for spreadsheets"),
    MenuEntry(Destination.MARKING, "Mark by hand", "essays, files and short texts"),
    MenuEntry(Destination.STAFF_STATISTICS, "Statistics", "each question, and what may be wrong with it"),
)


def pages_of(exam: StaffExam) -> tuple[MenuEntry, ...]:
    """Return the pages of an exam that the caller may open."""
    return (_BOARD, *_CHANGING) if exam.may_change else (_BOARD,)
