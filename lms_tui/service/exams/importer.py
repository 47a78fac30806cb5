"""Import of an exam from the model of `banks` into the database."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from lms_tui.banks import model
from lms_tui.banks.choices import html_with_choices, keeps_place
from lms_tui.common.calculator import Scope
from lms_tui.service.core.database import tables
from lms_tui.service.core.naming import MAX_BATCH_NAME, MAX_COURSE_NAME, clean_name, free_slug, slug_of
from lms_tui.service.core.text import storable
from lms_tui.service.exams.drawing import content_digest

_NOT_A_SLUG: Final = frozenset({"available", "upcoming", "history", "attempts", ""})
_MAX_LINE: Final = 300
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
    if not exam.questions:
        raise ValueError("an exam needs at least one question")
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
        **_fields_of_file(exam),
    )
    session.add(row)
    session.flush()
    _add_questions(session, exam, row)
    session.flush()
    assign_to_batches(session, row.id, batches_named(session, batches, now))
    return row.id


def update_exam(session: Session, exam: model.Exam, row: tables.Exam) -> None:
    """Fill an emptied exam from a file, and keep its settings where the file says nothing about them.

    Raises ValueError for a file without questions.
    """
    if not exam.questions:
        raise ValueError("an exam needs at least one question")
    exam = replace(exam, **_unsaid(exam, row))
    for name, value in _fields_of_file(exam).items():
        setattr(row, name, value)
    session.flush()
    _add_questions(session, exam, row)
    session.flush()


def _unsaid(exam: model.Exam, row: tables.Exam) -> dict[str, Any]:
    """Return the settings of the stored exam that its file does not give, and that a command can change."""
    groups = [names for names in _SETTINGS if not exam.says(*names)]
    if _duration(exam) is None and not exam.says("duration"):
        groups.append(("duration",))
    kept = {name: getattr(row, name) for names in groups for name in names}
    return kept | {"calculator": Scope(row.calculator)} if "calculator" in kept else kept


def _fields_of_file(exam: model.Exam) -> dict[str, Any]:
    return {
        "title": _line(exam.title),
        "description": storable(exam.description_html),
        "language": exam.language[:35],
        "duration": _duration(exam),
        **_marks(exam),
        "number_of_questions": exam.asked,
        "picks": list(exam.picks),
        "allow_retake": exam.allow_retake,
        "max_retakes": exam.max_retakes,
        "enable_ranks": exam.enable_ranks,
        "show_answers": exam.show_answers,
        "answers_after_closing": exam.answers_after_closing,
        "immediate_feedback": exam.immediate_feedback,
        "calculator": exam.calculator,
        "reference_sheet": storable(exam.reference_html),
        "allow_preemptive_section_ending": exam.allow_preemptive_section_ending,
    }


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


def exam_slug(text: str) -> str:
    """Return a slug for a text. It is never a word that the API uses in paths."""
    base = slug_of(text)
    return f"exam-{base}".strip("-") if base in _NOT_A_SLUG else base


@dataclass(slots=True)
class _Shared:
    """The passages and subjects that questions of one exam share."""

    session: Session
    exam_id: int
    passages: dict[str, int] = field(default_factory=dict)
    subjects: dict[tuple[str, ...], int] = field(default_factory=dict)

    def passage(self, html: str) -> int | None:
        if not html:
            return None
        if html not in self.passages:
            row = tables.Passage(exam_id=self.exam_id, html=storable(html))
            self.session.add(row)
            self.session.flush()
            self.passages[html] = row.id
        return self.passages[html]

    def subject(self, path: tuple[str, ...]) -> int | None:
        if not path:
            return None
        if path not in self.subjects:
            parent, name = self.subject(path[:-1]), _line(path[-1])
            found = self.session.scalar(
                select(tables.Subject).where(
                    tables.Subject.name == name, tables.Subject.parent_id.is_not_distinct_from(parent)
                )
            )
            if found is None:
                found = tables.Subject(name=name, parent_id=parent)
                self.session.add(found)
                self.session.flush()
            self.subjects[path] = found.id
        return self.subjects[path]


def _add_questions(session: Session, exam: model.Exam, row: tables.Exam) -> None:
    """Store all questions in a few statements, which is faster than thousands of objects."""
    shared = _Shared(session, row.id)
    questions, rows = [], []
    for order, section in enumerate((part for part in exam.sections if part.questions), start=1):
        section_row = tables.ExamSection(
            exam_id=row.id,
            order=order,
            name=_line(section.name),
            duration=section.duration or None,
            cut_off=section.cut_off,
            instructions=storable(section.instructions_html),
        )
        session.add(section_row)
        session.flush()
        for question in section.questions:
            questions.append(question)
            rows.append(_question(question, exam, shared, section_id=section_row.id, order=len(questions)))
    # With nulls, because rows with different nulls would each need their own statement.
    whole = {"render_nulls": True}
    session.execute(insert(tables.Question), rows, execution_options=whole)
    made = select(tables.Question.id).where(tables.Question.exam_id == row.id).order_by(tables.Question.order)
    ids = session.scalars(made).all()
    for table, keys in (
        (tables.Option, _options),
        (tables.NumericKey, _numbers),
        (tables.TextKey, _texts),
        (tables.Pair, _pairs),
    ):
        found = [
            {"question_id": id_, **key} for id_, question in zip(ids, questions, strict=True) for key in keys(question)
        ]
        if found:
            session.execute(insert(table), found, execution_options=whole)


_Row = dict[str, Any]


def _question(question: model.Question, exam: model.Exam, shared: _Shared, *, section_id: int, order: int) -> _Row:
    return {
        "exam_id": shared.exam_id,
        "section_id": section_id,
        "passage_id": shared.passage(question.direction_html),
        "subject_id": shared.subject(question.subject),
        "order": order,
        "kind": question.kind.value,
        "title": _line(question.title),
        "html": storable(html_with_choices(question)),
        "explanation_html": storable(question.explanation_html),
        "marks": exam.marks_of(question),
        "negative_marks": exam.cost_of(question),
        "language": question.language[:35],
        "identifier": _line(question.identifier),
        "essay_topics": [storable(topic) for topic in question.essay_topics],
        "tags": [storable(tag) for tag in question.tags],
        "rubric": _rubric(question, exam),
        "file_types": list(question.file_types),
        "most_files": question.most_files,
        "pool": question.pool,
        "content_digest": content_digest(question) if question.pool else "",
        "gap_choices": [[storable(text) for text in offered] for offered in question.gap_choices],
    }


def _rubric(question: model.Question, exam: model.Exam) -> list[_Row]:
    """Return the criteria, or none where a draw gives the question other marks than its points add up to."""
    if sum(each.points for each in question.rubric) != exam.marks_of(question):
        return []
    return [{"criterion": _line(each.name), "points": f"{each.points.normalize():f}"} for each in question.rubric]


def _options(question: model.Question) -> Iterator[_Row]:
    for order, option in enumerate(question.options, start=1):
        yield {
            "order": order,
            "html": storable(option.html),
            "is_correct": option.correct,
            "weight": option.weight,
            "feedback_html": storable(option.feedback_html),
            "is_fixed": keeps_place(option),
        }


def _numbers(question: model.Question) -> Iterator[_Row]:
    for key in question.numbers:
        feedback = storable(key.feedback_html)
        yield {"low": key.low, "high": key.high, "gap": key.gap, "weight": key.weight, "feedback_html": feedback}


def _texts(question: model.Question) -> Iterator[_Row]:
    for key in question.texts:
        yield {
            "text": storable(key.text),
            "gap": key.gap,
            "case_sensitive": key.case_sensitive,
            "weight": key.weight,
            "feedback_html": storable(key.feedback_html),
        }


def _pairs(question: model.Question) -> Iterator[_Row]:
    for order, pair in enumerate(question.pairs, start=1):
        yield {"order": order, "left_html": storable(pair.left_html), "right": storable(pair.right)}


def _duration(exam: model.Exam) -> timedelta | None:
    """Return the duration of the exam, or the sum of its sections if all have one."""
    if exam.duration:
        return exam.duration
    sections = [section.duration for section in exam.sections if section.questions]
    return sum((given for given in sections if given), timedelta()) if all(sections) else None


def _marks(exam: model.Exam) -> _Row:
    """Return the marks of the exam. Where all questions have the same marks, these are the exam's."""
    found = {(exam.marks_of(question), exam.cost_of(question)) for question in exam.questions}
    same = len(found) == 1
    marks, cost = found.pop() if same else (exam.mark_per_question, abs(exam.negative_marks))
    return {"mark_per_question": marks, "negative_marks": cost, "variable_mark_per_question": not same}


def _line(text: str) -> str:
    return " ".join(storable(text).split())[:_MAX_LINE]
