"""A cache of exams and questions, serialised for responses to heartbeats and answers."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import itemgetter
from typing import Final

from pydantic_core import from_json, to_json
from sqlalchemy import select
from sqlalchemy.orm import joinedload, selectinload

from lms_tui.common.frozen import frozen
from lms_tui.service.attempts.answers import answer_fields
from lms_tui.service.attempts.asked import COLUMNS, in_order, load_asked, with_context
from lms_tui.service.attempts.clock import AttemptClock
from lms_tui.service.attempts.fields import attempt_fields
from lms_tui.service.attempts.rows import AnswerRow, ShownAttemptRow
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import Exam, Question
from lms_tui.service.core.errors import not_yours
from lms_tui.service.core.urls import Urls
from lms_tui.service.exams.views import exam_view
from lms_tui.service.users.rows import UserRow
from lms_tui.service.users.views import summary_view
from lms_tui.wire.base import format_duration, format_instant
from lms_tui.wire.files import FileRules
from lms_tui.wire.single_attempts import LiveAttempt

_REFRESH_SECONDS: Final = 2.0
"""Age at which an exam is read again in the background, because an administrator may change its dates."""
_MAX_EXAM_AGE: Final = 10.0
"""Age at which an exam is read again before it is used."""
_MAX_EXAMS: Final = 512
_MAX_USERS: Final = 4096
_QUESTION_BYTES: Final = 16 * 1024 * 1024
_UNRANKED: Final = {"percentile": 0.0}

_DEFAULTS: Final = LiveAttempt(**_UNRANKED).model_dump(mode="json", exclude={"exam", "exam_url", "user"})


class NotCached(Exception):
    """An exam or a question must be read before a write can be performed."""

    def __init__(self, *, exam: int | None = None, question: int | None = None) -> None:
        super().__init__("not cached")
        self.exam = exam
        self.question = question

    @property
    def key(self) -> tuple[int | None, int | None]:
        return self.exam, self.question


@dataclass(slots=True)
class CachedExam:
    """A detached exam with its course and sections. `read`: when, in seconds of a monotonic clock."""

    exam: Exam
    read: float
    users: "_Users"
    shown: dict[str, bytes] = field(default_factory=dict)

    def live_attempt(self, row: ShownAttemptRow, clock: AttemptClock, now: datetime, urls: Urls) -> bytes:
        """Return a running attempt as `Presenter` does, without a query. `clock`: that of the row at `now`."""
        fields = _DEFAULTS | attempt_fields(row, self.exam, row.attempts, clock, urls)
        fields["date"] = format_instant(row.date)
        fields["last_started_time"] = format_instant(row.last_started_time)
        fields["remaining_time"] = format_duration(fields["remaining_time"])
        fields["time_taken"] = format_duration(fields["time_taken"])
        fields["score"] = f"{row.score:.2f}"
        for section in fields["sections"]:
            section["duration"] = format_duration(section["duration"])
            section["remaining_time"] = format_duration(section["remaining_time"])
        exam = self.shown.get(urls.base)
        if exam is None:
            if len(self.shown) > 8:
                self.shown.clear()
            exam = self.shown[urls.base] = self._serialised(now, urls)
        return b'{%b,"user":%b,%b' % (exam, self.users.shown(row.user, urls), to_json(fields)[1:])

    def _serialised(self, now: datetime, urls: Urls) -> bytes:
        exam = exam_view(self.exam, urls, now).model_dump_json().encode()
        return b'"exam":%b,"exam_url":%b' % (exam, to_json(urls.exam(self.exam.slug)))


@frozen
class CachedQuestion:
    """A question. `files`: what it accepts if it asks for files."""

    kind: str
    options: frozenset[int]
    shown: bytes
    files: FileRules

    def answered(self, row: AnswerRow, urls: Urls) -> bytes:
        """Return a question as the list of questions shows it."""
        fields = answer_fields(row, urls)
        fields["duration"] = format_duration(row.duration)
        shown = _with_options(self.shown, row.option_order) if row.option_order else self.shown
        return b'{"question":%b,%b' % (shown, to_json(fields)[1:])


def _with_options(shown: bytes, order: Sequence[int]) -> bytes:
    """Return a question with its options in the order of an attempt."""
    question = from_json(shown)
    question["answers"] = in_order(question["answers"], order, itemgetter("id"))
    return to_json(question)


class ResponseCache:
    """Caches exams and questions within a limit of number and bytes. After NotCached, `read` fills it."""

    def __init__(self, database: Database, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._monotonic = monotonic
        self._exams: dict[int, CachedExam] = {}
        self._questions: dict[int, CachedQuestion] = {}
        self._bytes = 0
        self.stale: set[int] = set()
        self._users = _Users(_MAX_USERS)

    def exam(self, exam_id: int) -> CachedExam:
        found = self._exams.get(exam_id)
        age = _MAX_EXAM_AGE if found is None else self._monotonic() - found.read
        if found is None or age >= _MAX_EXAM_AGE:
            raise NotCached(exam=exam_id)
        if age > _REFRESH_SECONDS:
            self.stale.add(exam_id)
        return found

    def question(self, question_id: int) -> CachedQuestion:
        found = self._questions.get(question_id)
        if found is None:
            raise NotCached(question=question_id)
        return found

    def read(self, missing: NotCached) -> Callable[[], None]:
        """Read from the database in any thread. The returned function stores the result, on the loop."""
        if missing.exam is not None:
            exam = self._read_exam(missing.exam)
            return lambda: self._store_exam(exam)
        if missing.question is not None:
            questions = self._read_questions(missing.question)
            return lambda: self._store_questions(questions)
        return lambda: None

    def _read_exam(self, exam_id: int) -> Exam:
        with self._database.read() as session:
            exam = session.scalar(
                select(Exam).where(Exam.id == exam_id).options(joinedload(Exam.course), selectinload(Exam.sections))
            )
            if exam is None:
                raise not_yours()
            session.expunge_all()
            return exam

    def _store_exam(self, exam: Exam) -> None:
        if len(self._exams) >= _MAX_EXAMS:
            self._exams.clear()
        self._exams[exam.id] = CachedExam(exam, self._monotonic(), self._users)

    def _read_questions(self, question_id: int) -> dict[int, CachedQuestion]:
        """Read all questions of a section, because the student is about to answer them too."""
        section = select(Question.section_id).where(Question.id == question_id).scalar_subquery()
        with self._database.read() as session:
            columns = (*COLUMNS, Question.most_files, Question.file_types)
            rows = session.execute(with_context(select(*columns)).where(Question.section_id == section)).all()
            asked = load_asked(session, rows)
            return {
                row.question_id: CachedQuestion(
                    row.kind,
                    frozenset(option_id for option_id, _ in asked[row.question_id].options),
                    asked[row.question_id].view().model_dump_json().encode(),
                    FileRules(most=row.most_files, types=tuple(row.file_types)),
                )
                for row in rows
            }

    def _store_questions(self, questions: dict[int, CachedQuestion]) -> None:
        size = sum(len(question.shown) for question in questions.values())
        if self._bytes + size > _QUESTION_BYTES:
            self._questions.clear()
            self._bytes = 0
        self._bytes += size
        self._questions |= questions


class _Users:
    """Caches serialised users. It is cleared when it is full: to serialise one again takes a few microseconds."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._entries: dict[tuple[int, str], tuple[datetime, bytes]] = {}

    def shown(self, user: UserRow, urls: Urls) -> bytes:
        key = user.id, urls.base
        found = self._entries.get(key)
        if found is None or found[0] != user.modified:
            if len(self._entries) >= self._size:
                self._entries.clear()
            found = self._entries[key] = user.modified, summary_view(user, urls).model_dump_json().encode()
        return found[1]
