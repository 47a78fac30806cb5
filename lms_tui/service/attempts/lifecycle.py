"""Create, start and end attempts and their sections, in one transaction each."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, selectinload

from lms_tui.common.frozen import frozen
from lms_tui.service.attempts.clock import AttemptClock
from lms_tui.service.attempts.drawing import Placed, drawn, option_order, shuffled
from lms_tui.service.attempts.ending import close_overdue, end
from lms_tui.service.attempts.notices import notice_headers
from lms_tui.service.attempts.records import running_attempt
from lms_tui.service.attempts.row_clocks import clock_of, write_clock
from lms_tui.service.attempts.rows import AttemptRow, SectionRow
from lms_tui.service.attempts.seen import Headers, headers_of
from lms_tui.service.attempts.views import Presenter
from lms_tui.service.core.context import Service
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import (
    Accommodation,
    Attempt,
    AttemptQuestion,
    AttemptSection,
    Exam,
    Option,
    Question,
    User,
)
from lms_tui.service.core.errors import Forbidden, NotFound
from lms_tui.service.core.principal import Principal
from lms_tui.service.core.settings import Timing
from lms_tui.service.core.urls import Urls
from lms_tui.service.exams.accommodations import accommodation_of, closes_later
from lms_tui.service.exams.availability import exam_available
from lms_tui.service.exams.retakes import may_attempt
from lms_tui.service.exams.time_limits import limits_of
from lms_tui.wire import attempts as wire
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.single_attempts import CreatedAttempt

A = TypeVar("A", bound=wire.Attempt)


@frozen
class StudentAttempts:
    """The attempts of one student. Every operation first ends those that are overdue.

    `has_overdue`: whether to look for them.
    """

    database: Database
    timing: Timing
    urls: Urls
    user_id: int
    now: datetime
    has_overdue: bool = True

    def close_overdue(self) -> None:
        if self.has_overdue:
            close_overdue(self.database, self.user_id, self.now, self.timing.grace)

    def create(self, slug: str) -> tuple[CreatedAttempt, bool]:
        """Create an attempt, or return the running one, and whether it is new.

        Only one attempt of an exam runs at a time, so a client can repeat the request without using up a retake.
        """
        self.close_overdue()
        try:
            return self._create(slug)
        except IntegrityError:
            # Another request created the attempt first, and now it can be returned.
            return self._create(slug)

    def _create(self, slug: str) -> tuple[CreatedAttempt, bool]:
        with self.database.write() as session:
            exam = session.scalar(select(Exam).where(Exam.slug == slug).options(selectinload(Exam.sections)))
            if exam is None:
                raise NotFound
            # The lock serialises the requests of a student, because another one could use up the last retake.
            session.execute(select(User.id).where(User.id == self.user_id).with_for_update(key_share=True))
            running = session.scalar(
                select(Attempt).where(
                    Attempt.exam_id == exam.id, Attempt.user_id == self.user_id, Attempt.state == AttemptState.RUNNING
                )
            )
            if running is None:
                self._check_allowed(session, exam)
            attempt = running or self._new(session, exam)
            return self._presenter(session).one(CreatedAttempt, attempt.id), running is None

    def _new(self, session: Session, exam: Exam) -> Attempt:
        attempt = new_attempt(session, exam, self.user_id, self.now)
        if self.timing.begins_with is not None:
            write_clock(attempt, clock_of(attempt).begun_with(self.timing.begins_with))
        return attempt

    def _check_allowed(self, session: Session, exam: Exam) -> None:
        later = closes_later(session, self.user_id)
        available = select(Exam.id).where(Exam.id == exam.id, exam_available(self.user_id, self.now, later))
        if session.scalar(available) is None:
            raise Forbidden("This exam is not available to you.")
        made = select(func.count()).where(Attempt.exam_id == exam.id, Attempt.user_id == self.user_id)
        if not may_attempt(exam, session.scalar(made) or 0):
            raise Forbidden("You have no attempts of this exam left.")

    def start(self, attempt_id: int, epoch: str) -> tuple[wire.Attempt, Headers]:
        """Resume an attempt, and return it with headers of our own.

        A pause is not charged, and the clock runs again from now.
        """
        self.close_overdue()
        with self.database.write() as session:
            attempt = running_attempt(session, self.user_id, attempt_id, lock=True)
            clock = clock_of(attempt).resumed(self.now, attempt.last_answer, self.timing.pause_after)
            write_clock(attempt, clock)
            attempt.last_started_time = self.now
            headers = headers_of(epoch, attempt.answers_seen, self.now) + notice_headers(attempt)
            return self._shown(session, wire.Attempt, attempt), headers

    def end(self, attempt_id: int) -> wire.Attempt:
        self.close_overdue()
        with self.database.write() as session:
            end(session, running_attempt(session, self.user_id, attempt_id, lock=True), self.now)
        # After the commit, because others who end the exam wait for its totals.
        return self._read(attempt_id)

    def read(self, attempt_id: int) -> wire.Attempt:
        self.close_overdue()
        return self._read(attempt_id)

    def _read(self, attempt_id: int) -> wire.Attempt:
        """Return an attempt, which may just have been deleted with its user."""
        with self.database.read() as session:
            return self._presenter(session).own(wire.Attempt, attempt_id, self.user_id)

    def start_section(self, attempt_id: int, section_id: int) -> wire.Attempt:
        """Confirm that a section runs. It began when the section before it ended."""
        self.close_overdue()
        with self.database.write() as session:
            attempt, index = self._section(session, attempt_id, section_id)
            clock = clock_of(attempt).at(self.now)
            if clock.sections and clock.sections[index].state is AttemptState.NOT_STARTED:
                raise Forbidden("The section before this one has not ended yet.")
            if clock.sections and clock.sections[index].state is AttemptState.COMPLETED:
                raise Forbidden("This section has already ended.")
            write_clock(attempt, clock)
            return self._shown(session, wire.Attempt, attempt)

    def end_section(self, attempt_id: int, section_id: int) -> wire.Attempt:
        """End a running section, if the exam allows that. The next one begins. A repeated request changes nothing."""
        self.close_overdue()
        with self.database.write() as session:
            attempt, index = self._section(session, attempt_id, section_id)
            write_clock(attempt, self._without_section(session, attempt, index))
            return self._shown(session, wire.Attempt, attempt)

    def _without_section(self, session: Session, attempt: Attempt, index: int) -> AttemptClock:
        clock = clock_of(attempt).at(self.now)
        if not clock.sections or clock.sections[index].state is AttemptState.COMPLETED:
            return clock
        if clock.sections[index].state is AttemptState.NOT_STARTED:
            raise Forbidden("This section has not started yet.")
        exam = session.get_one(Exam, attempt.exam_id)
        if not exam.allow_preemptive_section_ending:
            raise Forbidden("This section cannot end before its time is over.")
        return clock.with_section_ended()

    def _section(self, session: Session, attempt_id: int, section_id: int) -> tuple[Attempt, int]:
        attempt = running_attempt(session, self.user_id, attempt_id, lock=True)
        return attempt, section_index(attempt, section_id)

    def _shown(self, session: Session, shape: type[A], attempt: Attempt) -> A:
        session.flush()
        return self._presenter(session).one(shape, attempt.id)

    def _presenter(self, session: Session) -> Presenter:
        return Presenter(session, self.urls, self.now)


def student_of(service: Service, urls: Urls, caller: Principal) -> StudentAttempts:
    return StudentAttempts(service.database, service.settings.timing, urls, caller.id, caller.now, caller.has_overdue)


def section_index(attempt: Attempt | AttemptRow, section_id: int) -> int:
    """Return the index of a section in its attempt, from 0. Raises Forbidden for any other section."""
    sections: Sequence[AttemptSection | SectionRow] = attempt.sections
    for index, section in enumerate(sections):
        if section.id == section_id:
            return index
    raise Forbidden("This section does not belong to this attempt.")


def new_attempt(session: Session, exam: Exam, user_id: int, now: datetime) -> Attempt:
    """Store a running attempt with its sections and questions. The caller checks that it is allowed."""
    attempt = unsaved_attempt(exam, user_id, now, accommodation_of(session, user_id))
    session.add(attempt)
    session.flush()
    sections = section_ids(attempt)
    columns = (Question.id, Question.section_id, Question.passage_id, Question.pool, Question.content_digest)
    of_exam = select(*columns).where(Question.exam_id == exam.id).order_by(Question.order)
    questions = [Placed(*row) for row in session.execute(of_exam)]
    seed = f"attempt {attempt.id}"
    if exam.picks:
        questions = drawn(questions, exam.picks, _asked_before(session, exam, user_id), seed)
    if exam.shuffle_questions:
        questions = shuffled(questions, seed)
    orders = _option_orders(session, exam, seed) if exam.shuffle_options else {}
    session.execute(
        insert(AttemptQuestion),
        [
            {
                "attempt_id": attempt.id,
                "question_id": question.id,
                "section_id": sections[question.section_id],
                "order": order,
                "option_order": orders.get(question.id, []),
            }
            for order, question in enumerate(questions, 1)
        ],
    )
    return attempt


def _asked_before(session: Session, exam: Exam, user_id: int) -> dict[str, int]:
    """Return how often a student was asked each question of the pools, in any exam, by its digest."""
    pools = select(Question.content_digest).where(Question.exam_id == exam.id, Question.pool > 0)
    asked = (
        select(Question.content_digest, func.count())
        .join(AttemptQuestion, AttemptQuestion.question_id == Question.id)
        .join(Attempt, Attempt.id == AttemptQuestion.attempt_id)
        .where(Attempt.user_id == user_id, Question.content_digest.in_(pools))
        .group_by(Question.content_digest)
    )
    return {digest: times for digest, times in session.execute(asked)}  # noqa: C416  # dict() cannot take rows


def _option_orders(session: Session, exam: Exam, seed: str) -> dict[int, list[int]]:
    """Return the order of the options of each question, by its ID."""
    columns = (Option.question_id, Option.id, Option.is_fixed)
    rows = session.execute(
        select(*columns).join(Question).where(Question.exam_id == exam.id).order_by(Option.question_id, Option.order)
    )
    options: dict[int, list[tuple[int, bool]]] = defaultdict(list)
    for question, option, is_fixed in rows:
        options[question].append((option, is_fixed))
    return {question: option_order(given, f"{seed} question {question}") for question, given in options.items()}


def unsaved_attempt(exam: Exam, user_id: int, now: datetime, accommodation: Accommodation | None = None) -> Attempt:
    """Return a running attempt with its sections, which is not in the database yet."""
    limits = limits_of(exam, accommodation)
    allowed, locks = limits.whole, None not in limits.sections
    return Attempt(
        exam_id=exam.id,
        user_id=user_id,
        state=AttemptState.RUNNING.value,
        date=now,
        last_started_time=now,
        last_contact=now,
        allowed=allowed,
        time_taken=timedelta(),
        deadline=None if allowed is None else now + allowed,
        total_questions=exam.number_of_questions,
        unanswered_count=exam.number_of_questions,
        sections=[
            AttemptSection(
                exam_section_id=section.id,
                order=section.order,
                state=(AttemptState.NOT_STARTED if locks and index else AttemptState.RUNNING).value,
                allowed=limit,
                time_taken=timedelta(),
            )
            for index, (section, limit) in enumerate(zip(exam.sections, limits.sections, strict=True))
        ],
    )


def section_ids(attempt: Attempt) -> dict[int, int]:
    """Return the ID of each section of a stored attempt by the ID of the section of its exam."""
    return {section.exam_section_id: section.id for section in attempt.sections}
