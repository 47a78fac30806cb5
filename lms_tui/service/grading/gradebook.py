"""The gradebook: the best score of every student in several exams, also as files that Moodle and Canvas import."""

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from decimal import Decimal
from enum import StrEnum
from io import StringIO
from typing import IO, Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from lms_tui.banks.scoring import Outcome
from lms_tui.common.frozen import frozen
from lms_tui.service.core.database.tables import (
    Attempt,
    AttemptQuestion,
    BestScore,
    Correction,
    Exam,
    Question,
    User,
)
from lms_tui.service.grading.result_files import Cell, digits, text_cell

_CANVAS: Final = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_TO_MARK: Final = "to mark"
_AT_A_TIME: Final = 5_000
_MOODLE: Final = ("username", "email", "firstname", "lastname")


class Kind(StrEnum):
    """The program that reads a file. `CSV`: a spreadsheet."""

    CSV = "csv"
    MOODLE = "moodle"
    CANVAS = "canvas"


@frozen
class Item:
    """An exam of the gradebook, or a question. `maximum`: the most marks that an attempt of it could earn.

    `id`: that of the exam or of the question.
    """

    id: int
    slug: str
    title: str
    maximum: Decimal


@frozen
class Line:
    """A student with the best score of each exam, by its ID. Exams that the student has not ended are missing.

    Where the items are questions, the scores are the marks of the attempt with the best score. `to_mark`: how many
    answers of the student still wait for marks, by the same ID. They are in no score.
    """

    username: str
    first_name: str
    last_name: str
    email: str
    scores: dict[int, Decimal]
    to_mark: dict[int, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip() or self.username


@frozen
class Gradebook:
    items: Sequence[Item]
    lines: Sequence[Line]

    @property
    def unfinished(self) -> int:
        """How many students have answers that wait for marks."""
        return sum(bool(line.to_mark) for line in self.lines)


def gradebook_of(session: Session, slugs: Sequence[str] = ()) -> Gradebook:
    """Return the gradebook of these exams, or of all exams that students have ended. The exams are in their order."""
    ended = (
        select(BestScore.exam_id, BestScore.score, Attempt.max_score, User)
        .join(Attempt, Attempt.id == BestScore.attempt_id)
        .join(User, User.id == BestScore.user_id)
    )
    exams = select(Exam.id, Exam.slug, Exam.title).order_by(Exam.start_date, Exam.id)
    if slugs:
        exams = exams.where(Exam.slug.in_(slugs))
        ended = ended.where(BestScore.exam_id.in_(select(Exam.id).where(Exam.slug.in_(slugs))))
    maxima: dict[int, Decimal] = {}
    lines: dict[int, Line] = {}
    for exam_id, score, maximum, user in session.execute(ended):
        maxima[exam_id] = max(maximum, maxima.get(exam_id, Decimal(0)))
        fresh = Line(user.username, user.first_name, user.last_name, user.email, {})
        lines.setdefault(user.id, fresh).scores[exam_id] = score
    _count_waiting(session, lines, Question.exam_id, slugs)
    items = [Item(*row, maxima.get(row.id, Decimal(0))) for row in session.execute(exams) if slugs or row.id in maxima]
    return Gradebook(items, sorted(lines.values(), key=_by_name))


def gradebook_by_question(session: Session, slugs: Sequence[str]) -> Gradebook:
    """Return the gradebook of these exams with an item for each question.

    Void questions are left out, and answers that wait for marks have none.
    """
    counted = Exam.slug.in_(slugs), Question.correction != Correction.VOID
    questions = (
        select(Question.id, Exam.slug, Exam.title, Question.order, Question.marks)
        .join(Exam, Exam.id == Question.exam_id)
        .where(*counted)
        .order_by(Exam.start_date, Exam.id, Question.order)
    )
    people = (
        select(User.id, User.username, User.first_name, User.last_name, User.email)
        .join(BestScore, BestScore.user_id == User.id)
        .join(Exam, Exam.id == BestScore.exam_id)
        .where(Exam.slug.in_(slugs))
    )
    lines = {row.id: Line(*row[1:], {}) for row in session.execute(people)}
    marks = (
        select(BestScore.user_id, AttemptQuestion.question_id, AttemptQuestion.marks)
        .join(AttemptQuestion, AttemptQuestion.attempt_id == BestScore.attempt_id)
        .join(Question, Question.id == AttemptQuestion.question_id)
        .join(Exam, Exam.id == Question.exam_id)
        .where(*counted, AttemptQuestion.outcome != Outcome.UNSCORED)
    )
    for user, question, earned in session.execute(marks.execution_options(yield_per=_AT_A_TIME)):
        lines[user].scores[question] = earned or Decimal(0)
    _count_waiting(session, lines, Question.id, slugs)
    items = [
        Item(id_, f"{slug}-{order}", f"{title}: question {order}", maximum)
        for id_, slug, title, order, maximum in session.execute(questions)
    ]
    return Gradebook(items, sorted(lines.values(), key=_by_name))


def _count_waiting(
    session: Session, lines: Mapping[int, Line], item: InstrumentedAttribute[int], slugs: Sequence[str]
) -> None:
    """Note in the lines, by user, how many answers of all ended attempts of these exams wait for marks."""
    found = (
        select(Attempt.user_id, item, func.count())
        .join(AttemptQuestion, AttemptQuestion.attempt_id == Attempt.id)
        .join(Question, Question.id == AttemptQuestion.question_id)
        .where(AttemptQuestion.outcome == Outcome.UNSCORED, Question.correction != Correction.VOID)
        .group_by(Attempt.user_id, item)
    )
    if slugs:
        found = found.join(Exam, Exam.id == Question.exam_id).where(Exam.slug.in_(slugs))
    for user, key, count in session.execute(found):
        if user in lines:
            lines[user].to_mark[key] = count


def _by_name(line: Line) -> tuple[str, str]:
    return line.name.casefold(), line.username


def as_row(book: Gradebook, line: Line) -> dict[str, Any]:
    """Return a student as a row of the table, with a column for each exam, and one for answers that wait for marks."""
    row = {"name": line.name, "username": line.username}
    scores = {
        f"{item.slug} (exam)" if item.slug in row else item.slug: digits(score) if score is not None else None
        for item, score in zip(book.items, _scores(book, line), strict=True)
    }
    waiting = {_TO_MARK: sum(line.to_mark.values()) or None} if book.unfinished else {}
    return row | scores | waiting


def as_json(book: Gradebook) -> dict[str, Any]:
    """Return the gradebook for programs."""
    exams = [{"slug": item.slug, "title": item.title, "max_score": float(item.maximum)} for item in book.items]
    students = [
        {
            "name": line.name,
            "username": line.username,
            "email": line.email,
            "scores": {item.slug: float(line.scores[item.id]) for item in book.items if item.id in line.scores},
            "to_mark": {item.slug: line.to_mark[item.id] for item in book.items if item.id in line.to_mark},
        }
        for line in book.lines
    ]
    return {"exams": exams, "students": students}


def write_csv(book: Gradebook, stream: IO[str]) -> None:
    """Write a line for each student, and the most marks of each exam in the first one.

    Where answers wait for marks, the last column counts them.
    """
    names, last = ("name", "username", "email"), [_TO_MARK] if book.unfinished else []
    head = [*names, *_titles((*names, *last), book), *last]
    most: tuple[Cell, ...] = ("most marks", "", "", *(item.maximum for item in book.items), *("" for _ in last))
    rows = (
        (line.name, line.username, line.email, *_scores(book, line), *(sum(line.to_mark.values()) for _ in last))
        for line in book.lines
    )
    _write(stream, [head, most, *rows])


def write_moodle(book: Gradebook, stream: IO[str]) -> None:
    """Write what Moodle imports (Grades, Import, CSV file). Users are identified by user name or email address."""
    head = [*_MOODLE, *_titles(_MOODLE, book)]
    rows = ((line.username, line.email, line.first_name, line.last_name, *_scores(book, line)) for line in book.lines)
    _write(stream, [head, *rows])


def write_canvas(book: Gradebook, stream: IO[str]) -> None:
    """Write what Canvas imports (Grades, Import). Users are identified by `SIS Login ID`.

    The second line, which begins with blanks as in Canvas's own files, has the points of each assignment.
    """
    head = [*_CANVAS, *_titles(_CANVAS, book)]
    points: tuple[Cell, ...] = ("    Points Possible", "", "", "", "", *(item.maximum for item in book.items))
    rows = ((_canvas_name(line), "", "", line.username, "", *_scores(book, line)) for line in book.lines)
    _write(stream, [head, points, *rows])


def as_bytes(book: Gradebook, kind: Kind) -> bytes:
    """Return the file of this kind.

    A CSV file begins with a mark, without which Excel does not read UTF-8. Moodle and Canvas would take the mark for a
    part of the first name.
    """
    stream = StringIO(newline="")
    write(book, kind, stream)
    return stream.getvalue().encode("utf-8-sig" if kind is Kind.CSV else "utf-8")


def write(book: Gradebook, kind: Kind, stream: IO[str]) -> None:
    """Write the gradebook for this program."""
    writers = {Kind.CSV: write_csv, Kind.MOODLE: write_moodle, Kind.CANVAS: write_canvas}
    writers[kind](book, stream)


def _titles(names: Sequence[str], book: Gradebook) -> list[str]:
    """Return the headings of the items beside columns with these names.

    Gradebooks find a column by its heading in any case. A title that another column has is followed by the link name.
    """
    titles = [item.title for item in book.items]
    while True:
        counts = Counter(heading.casefold() for heading in (*names, *titles))
        alike = [place for place, title in enumerate(titles) if counts[title.casefold()] > 1]
        if not alike:
            return titles
        for place in alike:
            titles[place] = f"{titles[place]} ({book.items[place].slug})"


def _canvas_name(line: Line) -> str:
    return ", ".join(part for part in (line.last_name, line.first_name) if part) or line.username


def _write(stream: IO[str], rows: Sequence[Sequence[Cell]]) -> None:
    writer = csv.writer(stream)
    writer.writerows([text_cell(cell) for cell in row] for row in rows)


def _scores(book: Gradebook, line: Line) -> Iterator[Decimal | None]:
    return (line.scores.get(item.id) for item in book.items)
