"""Import of an exam from the model of `banks` into the database."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, TypeVar

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from lms_tui.banks import model
from lms_tui.common.calculator import Scope
from lms_tui.service.core.database import tables
from lms_tui.service.core.naming import MAX_BATCH_NAME, MAX_COURSE_NAME, clean_name, free_slug
from lms_tui.service.exams.exam_rows import Row, add_questions, duration_of, exam_row, exam_slug

_SETTINGS: Final = (
    ("mark_per_question",),
    ("negative_marks",),
    ("allow_retake", "max_retakes"),
    ("show_answers", "answers_after_closing"),
    ("enable_ranks",),
    ("calculator",),
)
"""The settings that files and commands have, without the duration. Each group is described in one sentence."""
_T = TypeVar("_T", tables.Batch, tables.Course)
_TABLES: Final[Mapping[str, type[tables.Base]]] = MappingProxyType(
    {
        table.__tablename__: table
        for table in (
            *(tables.ExamSection, tables.Passage, tables.Subject, tables.Question),
            *(tables.Option, tables.NumericKey, tables.TextKey, tables.Pair),
        )
    }
)


def import_exam(
    session: Session,
    exam: model.Exam,
    *,
    course: str,
    now: datetime,
    start_date: datetime,
    end_date: datetime | None = None,
    batches: Iterable[str] = (),
    is_public: bool = False,
    is_published: bool = True,
    template_type: int = 1,
    rank_publishing_date: datetime | None = None,
    allow_pdf: bool = False,
) -> int:
    """Store an exam in a course and for batches, which are created if their names are new. Return its ID.

    The slug is that of the exam or made of its title, with a number if it is taken. Raises ValueError for an exam
    without questions, and Invalid for an empty or long name.
    """
    fields = exam_row(exam)
    row = tables.Exam(
        slug=free_slug(session, tables.Exam.slug, exam_slug(exam.slug or exam.title)),
        course_id=course_named(session, course, now).id,
        start_date=start_date,
        end_date=end_date,
        is_published=is_published,
        is_public=is_public,
        template_type=template_type,
        rank_publishing_date=rank_publishing_date,
        allow_pdf=allow_pdf,
        created=now,
        **fields,
    )
    session.add(row)
    session.flush()
    add_questions(_SessionRows(session), exam, row.id)
    assign_to_batches(session, row.id, batches_named(session, batches, now))
    return row.id


def update_exam(session: Session, exam: model.Exam, row: tables.Exam) -> None:
    """Fill an emptied exam from a file, and keep its settings where the file says nothing about them.

    Raises ValueError for a file without questions.
    """
    exam = replace(exam, **_unsaid(exam, row))
    for name, value in exam_row(exam).items():
        setattr(row, name, value)
    session.flush()
    add_questions(_SessionRows(session), exam, row.id)


def _unsaid(exam: model.Exam, row: tables.Exam) -> dict[str, Any]:
    """Return the settings of the stored exam that its file does not give, and that a command can change."""
    groups = [names for names in _SETTINGS if not exam.says(*names)]
    if duration_of(exam) is None and not exam.says("duration"):
        groups.append(("duration",))
    kept = {name: getattr(row, name) for names in groups for name in names}
    return kept | {"calculator": Scope(row.calculator)} if "calculator" in kept else kept


def course_name(text: str) -> str:
    """Return the stored form of a course name. Raises Invalid."""
    return clean_name(" ".join(text.split()), "course", MAX_COURSE_NAME)


def course_named(session: Session, name: str, now: datetime, *, is_public: bool = False) -> tables.Course:
    """Find or create a course. Raises Invalid for an empty or long name."""
    name = course_name(name)
    return _named(session, tables.Course, name, {"is_public": is_public, "created": now})


def batch_named(session: Session, name: str, now: datetime) -> tables.Batch:
    """Find or create a batch. Raises Invalid for an empty or long name."""
    name = clean_name(name, "batch", MAX_BATCH_NAME)
    return _named(session, tables.Batch, name, {"created": now, "modified": now})


def _named(session: Session, table: type[_T], name: str, fields: dict[str, Any]) -> _T:
    """Find or create the row of a name, even if another process creates it at the same time."""
    statement = select(table).where(table.name == name)
    found = session.scalar(statement)
    if found is None:
        found = table(name=name, **fields)
        try:
            with session.begin_nested():
                session.add(found)
        except IntegrityError:
            found = session.scalars(statement).one()
    return found


def batches_named(session: Session, names: Iterable[str], now: datetime) -> list[tables.Batch]:
    """Find or create batches, each once."""
    return list({(batch := batch_named(session, name, now)).id: batch for name in names}.values())


def assign_to_batches(session: Session, exam_id: int, batches: Iterable[tables.Batch]) -> bool:
    """Assign an exam to batches, and return whether one of them is new."""
    has = select(tables.exam_batches.c.batch_id).where(tables.exam_batches.c.exam_id == exam_id)
    there = set(session.scalars(has))
    rows = [{"exam_id": exam_id, "batch_id": batch.id} for batch in batches if batch.id not in there]
    if rows:
        session.execute(tables.exam_batches.insert(), rows)
    return bool(rows)


class _SessionRows:
    """Keeps the rows of an exam in the transaction of a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, table: str, row: Row) -> int:
        made: Any = _TABLES[table](**row)
        self._session.add(made)
        self._session.flush()
        number: int = made.id
        return number

    def add_all(self, table: str, rows: Sequence[Row]) -> None:
        # Faster than thousands of objects. With nulls, because rows with different nulls would each need a statement.
        self._session.execute(insert(_TABLES[table]), rows, execution_options={"render_nulls": True})

    def find_subject(self, name: str, parent: int | None) -> int | None:
        under = tables.Subject.parent_id.is_not_distinct_from(parent)
        return self._session.scalar(select(tables.Subject.id).where(tables.Subject.name == name, under))

    def question_ids(self, exam_id: int) -> Sequence[int]:
        made = select(tables.Question.id).where(tables.Question.exam_id == exam_id).order_by(tables.Question.order)
        return self._session.scalars(made).all()
