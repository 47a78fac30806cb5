"""What answers show and no student changes, kept in memory ready to be sent: exams and questions.

No rule about an attempt is decided by them but one that cannot change: which options a question has.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from pydantic_core import to_json
from sqlalchemy import select
from sqlalchemy.orm import joinedload, selectinload

from lms_tui.service.attempts.answers import answer_fields, body_view
from lms_tui.service.attempts.rows import AnswerRow, AttemptRow
from lms_tui.service.attempts.views import attempt_fields
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import Exam, Question
from lms_tui.service.core.errors import Forbidden
from lms_tui.service.core.urls import Urls
from lms_tui.service.exams.views import exam_view
from lms_tui.service.users.rows import UserRow
from lms_tui.service.users.views import summary_view
from lms_tui.wire import attempts as wire
from lms_tui.wire.base import format_duration, format_instant

_EXAM_SECONDS: Final = 2.0
"""After which an exam is read again, beside the work: an administrator may change its dates while it is sat."""
_EXAM_PATIENCE: Final = 10.0
"""After which it is read again before it is shown."""
_MOST_EXAMS: Final = 512
_MOST_PEOPLE: Final = 4096
_QUESTION_BYTES: Final = 16 * 1024 * 1024
_NOT_RANKED: Final = {"percentile": 0.0}

_BEFORE_THE_END: Final = wire.LiveAttempt(**_NOT_RANKED).model_dump(mode="json", exclude={"exam", "user"})


class MissingFacts(Exception):
    """Something has to be read before a move can be performed."""

    def __init__(self, *, exam: int | None = None, question: int | None = None) -> None:
        super().__init__("facts to read")
        self.exam = exam
        self.question = question

    @property
    def key(self) -> tuple[int | None, int | None]:
        return self.exam, self.question


@dataclass(slots=True)
class ExamFacts:
    """An exam with its course and sections, detached; `read`: when, in seconds of a monotonic clock."""

    exam: Exam
    read: float
    people: "_Bounded"
    shown: dict[str, bytes] = field(default_factory=dict)

    def live_attempt(self, row: AttemptRow, user: UserRow, now: datetime, urls: Urls) -> bytes:
        """Show a running attempt as `Presenter` does, without asking the database."""
        fields = _BEFORE_THE_END | attempt_fields(row, self.exam, row.attempts, now, urls)
        fields["date"] = format_instant(row.date)
        fields["last_started_time"] = format_instant(row.last_started_time)
        fields["remaining_time"] = format_duration(fields["remaining_time"])
        fields["time_taken"] = format_duration(fields["time_taken"])
        fields["score"] = f"{row.score:.2f}"
        for section in fields["sections"]:
            section["duration"] = format_duration(section["duration"])
            section["remaining_time"] = format_duration(section["remaining_time"])
        fields["exam_url"] = urls.exam(self.exam.slug)
        exam = self.shown.get(urls.base)
        if exam is None:
            if len(self.shown) > 8:
                self.shown.clear()
            exam = self.shown[urls.base] = exam_view(self.exam, urls).model_dump_json().encode()
        key = (user.id, user.modified, urls.base)
        person = self.people.get(key)
        if person is None:
            person = summary_view(user, urls).model_dump_json().encode()
            self.people.put(key, person)
        return b'{"exam":%b,"user":%b,%b' % (exam, person, to_json(fields)[1:])


@dataclass(frozen=True, slots=True)
class QuestionFacts:
    kind: str
    options: frozenset[int]
    shown: bytes

    def answered(self, row: AnswerRow, urls: Urls) -> bytes:
        """Show a question as `question_view` does."""
        fields = answer_fields(row, urls)
        fields["duration"] = format_duration(row.duration)
        return b'{"question":%b,%b' % (self.shown, to_json(fields)[1:])


class Facts:
    """Bounded in number and bytes; filled by `read`, in a thread, after MissingFacts."""

    def __init__(self, database: Database, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._monotonic = monotonic
        self._exams: dict[int, ExamFacts] = {}
        self._questions: dict[int, QuestionFacts] = {}
        self._bytes = 0
        self.stale: set[int] = set()
        self._people = _Bounded(_MOST_PEOPLE)

    def exam(self, exam_id: int) -> ExamFacts:
        found = self._exams.get(exam_id)
        age = _EXAM_PATIENCE if found is None else self._monotonic() - found.read
        if found is None or age >= _EXAM_PATIENCE:
            raise MissingFacts(exam=exam_id)
        if age > _EXAM_SECONDS:
            self.stale.add(exam_id)
        return found

    def question(self, question_id: int) -> QuestionFacts:
        found = self._questions.get(question_id)
        if found is None:
            raise MissingFacts(question=question_id)
        return found

    def read(self, missing: MissingFacts) -> Callable[[], None]:
        """Read from the database, in any thread, and return what puts it here, for the thread that uses it."""
        if missing.exam is not None:
            exam = self._read_exam(missing.exam)
            return lambda: self._keep_exam(exam)
        if missing.question is not None:
            questions = self._read_questions(missing.question)
            return lambda: self._keep_questions(questions)
        return lambda: None

    def _read_exam(self, exam_id: int) -> Exam:
        with self._database.read() as session:
            exam = session.scalar(
                select(Exam).where(Exam.id == exam_id).options(joinedload(Exam.course), selectinload(Exam.sections))
            )
            if exam is None:
                raise Forbidden("This attempt is not yours.")
            session.expunge_all()
            return exam

    def _keep_exam(self, exam: Exam) -> None:
        if len(self._exams) >= _MOST_EXAMS:
            self._exams.clear()
        self._exams[exam.id] = ExamFacts(exam, self._monotonic(), self._people)

    def _read_questions(self, question_id: int) -> dict[int, QuestionFacts]:
        """Read a question with all of its section: the student is about to answer them too."""
        section = select(Question.section_id).where(Question.id == question_id).scalar_subquery()
        with self._database.read() as session:
            rows = session.scalars(
                select(Question)
                .where(Question.section_id == section)
                .options(
                    joinedload(Question.passage),
                    joinedload(Question.subject),
                    selectinload(Question.options),
                    selectinload(Question.pairs),
                )
            )
            return {
                row.id: QuestionFacts(
                    row.kind,
                    frozenset(option.id for option in row.options),
                    body_view(row).model_dump_json().encode(),
                )
                for row in rows
            }

    def _keep_questions(self, questions: dict[int, QuestionFacts]) -> None:
        size = sum(len(question.shown) for question in questions.values())
        if self._bytes + size > _QUESTION_BYTES:
            self._questions.clear()
            self._bytes = 0
        self._bytes += size
        self._questions |= questions


class _Bounded:
    """Forgets everything when it is full, which costs a few microseconds for each thing that is asked for again."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[Any, bytes] = {}

    def get(self, key: object) -> bytes | None:
        return self._kept.get(key)

    def put(self, key: object, value: bytes) -> None:
        if len(self._kept) >= self._most:
            self._kept.clear()
        self._kept[key] = value
