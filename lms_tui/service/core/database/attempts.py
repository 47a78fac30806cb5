"""Tables of attempts, and of leases, sign-in limits and the epoch that processes share."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    String,
    Text,
    UniqueConstraint,
    literal_column,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column, relationship

from lms_tui.service.core.database.base import NEVER_REUSED, Base, Numbered
from lms_tui.service.core.database.library import Exam, ExamSection, Question
from lms_tui.service.core.database.people import User
from lms_tui.service.core.database.types import Identity
from lms_tui.wire.attempt_states import AttemptState


class Attempt(Numbered, Base):
    """Score and counts are final once Completed.

    `allowed`: the time limit, None if untimed. `time_taken`: time used until `last_contact`.
    `deadline`: when no time is left, stored for queries. The time left is
    `allowed - time_taken - (now - last_contact)`.
    `last_answer`: when the last answer came, None before the first.
    `answers_seen`: see `lms_tui.service.attempts.seen`.
    `paused`: since when its clock stands still, None while it runs. `newest_notice`: the ID of its newest notice, or 0.
    """

    __tablename__ = "attempts"
    __table_args__ = (
        CheckConstraint("state IN ('Running', 'Completed')", name="state"),
        # The lists of a student's attempts, all and of one exam, and their counts read nothing but these.
        Index(None, "user_id", "date", "id"),
        Index(None, "user_id", "exam_id", "date", "id"),
        Index(None, "exam_id", "state"),
        Index(None, "state", "deadline"),
        Index(
            "uq_attempts_running",
            "exam_id",
            "user_id",
            unique=True,
            # Only the migration has the condition for PostgreSQL, whose dialect would be slow to import here.
            sqlite_where=text("state = 'Running'"),
        ),
        NEVER_REUSED,
    )

    exam_id: Mapped[int] = mapped_column(ForeignKey("exams.id", ondelete="CASCADE"))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    state: Mapped[str] = mapped_column(String(16), default=AttemptState.RUNNING.value)
    date: Mapped[datetime]
    last_started_time: Mapped[datetime]
    last_contact: Mapped[datetime]
    last_answer: Mapped[datetime | None]
    answers_seen: Mapped[str] = mapped_column(Text, default="")
    ended: Mapped[datetime | None]
    time_over: Mapped[bool] = mapped_column(default=False)
    allowed: Mapped[timedelta | None]
    time_taken: Mapped[timedelta]
    deadline: Mapped[datetime | None]
    paused: Mapped[datetime | None]
    newest_notice: Mapped[int] = mapped_column(Identity, default=0, server_default="0")
    total_questions: Mapped[int]
    score: Mapped[Decimal] = mapped_column(default=Decimal(0))
    max_score: Mapped[Decimal] = mapped_column(default=Decimal(0))
    correct_count: Mapped[int] = mapped_column(default=0)
    incorrect_count: Mapped[int] = mapped_column(default=0)
    unanswered_count: Mapped[int]
    total_bonus: Mapped[Decimal] = mapped_column(default=Decimal(0))
    speed: Mapped[float] = mapped_column(default=0.0)
    accuracy: Mapped[float] = mapped_column(default=0.0)

    exam: Mapped[Exam] = relationship()
    user: Mapped[User] = relationship()
    sections: Mapped[list["AttemptSection"]] = relationship(
        order_by="AttemptSection.order", cascade="all, delete-orphan", passive_deletes=True
    )


IS_RUNNING: Final = Attempt.state == literal_column("'Running'")
"""The condition of `uq_attempts_running`. SQLite uses that index only if the state is part of the statement."""


class AttemptSection(Numbered, Base):
    """A section with a time limit (`allowed` not None) locks when it ends.

    `time_taken`: time used until the `last_contact` of the attempt.
    `over`: when its time ran out, or None while it has time and after the student ended it.
    """

    __tablename__ = "attempt_sections"
    __table_args__ = (
        UniqueConstraint("attempt_id", "order"),
        CheckConstraint("state IN ('Not Started', 'Running', 'Completed')", name="state"),
        NEVER_REUSED,
    )

    attempt_id: Mapped[int] = mapped_column(ForeignKey("attempts.id", ondelete="CASCADE"))
    exam_section_id: Mapped[int] = mapped_column(ForeignKey("exam_sections.id", ondelete="CASCADE"), index=True)
    order: Mapped[int]
    state: Mapped[str] = mapped_column(String(16))
    allowed: Mapped[timedelta | None]
    time_taken: Mapped[timedelta]
    over: Mapped[datetime | None]

    exam_section: Mapped[ExamSection] = relationship()


class AttemptQuestion(Numbered, Base):
    """A question of one attempt. `review`: None before the first visit, then True if marked for review.

    `outcome`, `marks`: the result of scoring, None while the attempt runs.
    `answer_stamps`: the highest applied sequence of each writer, and the time of the answer that stands (see
    `lms_tui.service.attempts.stamps`).
    `option_order`: the IDs of its options as this attempt shows them, or none for the order of the exam.
    `duration`: time spent, None before the first answer.
    """

    __tablename__ = "attempt_questions"
    __table_args__ = (
        UniqueConstraint("attempt_id", "question_id"),
        Index(None, "attempt_id", "order"),
        Index(None, "question_id", "outcome"),
        CheckConstraint(
            "outcome IN ('correct', 'partial', 'incorrect', 'unanswered', 'unscored')",
            name="outcome",
        ),
        NEVER_REUSED,
    )

    attempt_id: Mapped[int] = mapped_column(ForeignKey("attempts.id", ondelete="CASCADE"))
    question_id: Mapped[int] = mapped_column(ForeignKey("questions.id", ondelete="CASCADE"))
    section_id: Mapped[int] = mapped_column(ForeignKey("attempt_sections.id", ondelete="CASCADE"), index=True)
    order: Mapped[int]
    option_order: Mapped[list[int]] = mapped_column(default=list, server_default="[]")
    selected_answers: Mapped[list[int]] = mapped_column(default=list)
    short_text: Mapped[str | None] = mapped_column(Text)
    essay_text: Mapped[str | None] = mapped_column(Text)
    essay_topic: Mapped[str | None] = mapped_column(Text)
    gap_fill_responses: Mapped[list[dict[str, str]]] = mapped_column(default=list)
    review: Mapped[bool | None]
    answer_stamps: Mapped[dict[str, int]] = mapped_column(default=dict)
    duration: Mapped[timedelta | None]
    first_seen: Mapped[datetime | None]
    last_seen: Mapped[datetime | None]
    outcome: Mapped[str | None] = mapped_column(String(16))
    marks: Mapped[Decimal | None]

    question: Mapped[Question] = relationship()


class HandMark(Base):
    """The marks that a person gave for an answer. Only those that are released count, and students see them.

    An answer has at most one row that is released, and one that is not. `reason`: why the automatic marks are wrong.
    `by`: a login, or `shell: NAME`.
    """

    __tablename__ = "hand_marks"
    __table_args__ = ()

    attempt_question_id: Mapped[int] = mapped_column(
        ForeignKey("attempt_questions.id", ondelete="CASCADE"), primary_key=True
    )
    is_released: Mapped[bool] = mapped_column(primary_key=True)
    marks: Mapped[Decimal]
    comment: Mapped[str] = mapped_column(Text, default="")
    reason: Mapped[str] = mapped_column(Text, default="")
    by: Mapped[str] = mapped_column(String(200))
    at: Mapped[datetime]


class SecondMark(Base):
    """The marks of a second marker for an answer with first marks that are not released. The release removes it."""

    __tablename__ = "second_marks"
    __table_args__ = ()

    attempt_question_id: Mapped[int] = mapped_column(
        ForeignKey("attempt_questions.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    marks: Mapped[Decimal]
    comment: Mapped[str] = mapped_column(Text, default="")
    by: Mapped[str] = mapped_column(String(200))
    at: Mapped[datetime]


IS_RELEASED: Final = (HandMark.attempt_question_id == AttemptQuestion.id) & HandMark.is_released
"""The condition that joins the marks by hand that count."""


class BestScore(Base):
    """The best score of a student in an exam, which its attempt `attempt_id` earned."""

    __tablename__ = "best_scores"
    __table_args__ = ()

    user_id: Mapped[int] = mapped_column(Identity, primary_key=True, autoincrement=False)
    exam_id: Mapped[int] = mapped_column(Identity, primary_key=True, autoincrement=False)
    # No reference to the user: the end of an attempt would wait for who deletes the user, who waits for the attempt.
    attempt_id: Mapped[int] = mapped_column(ForeignKey("attempts.id", ondelete="CASCADE"), index=True)
    score: Mapped[Decimal]


class ScoreCount(Base):
    """How many students have `score` as their best one of an exam."""

    __tablename__ = "score_counts"
    __table_args__ = ()

    exam_id: Mapped[int] = mapped_column(ForeignKey("exams.id", ondelete="CASCADE"), primary_key=True)
    score: Mapped[Decimal] = mapped_column(primary_key=True)
    students: Mapped[int]


class QuestionTotal(Base):
    """The totals of a question over all ended attempts.

    `timed`: attempts with a duration, whose sum is `duration`. `best_duration`: the shortest of a correct answer.
    """

    __tablename__ = "question_totals"
    __table_args__ = ()

    question_id: Mapped[int] = mapped_column(ForeignKey("questions.id", ondelete="CASCADE"), primary_key=True)
    ended: Mapped[int]
    correct: Mapped[int]
    timed: Mapped[int]
    duration: Mapped[timedelta]
    best_duration: Mapped[timedelta | None]


class Lease(Base):
    """The exclusive right of one process to a recurring job until it expires."""

    __tablename__ = "leases"
    __table_args__ = ()

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    holder: Mapped[str] = mapped_column(String(64))
    expires: Mapped[datetime]


class SignInLevel(Base):
    """The leaky bucket of failed sign-ins of an account or an address.

    `key`: whether it is an account or an address, and a digest of its name. `counted`: the time of `level`.
    """

    __tablename__ = "sign_in_levels"
    __table_args__ = ()

    key: Mapped[str] = mapped_column(String(80), primary_key=True)
    level: Mapped[float]
    counted: Mapped[datetime] = mapped_column(index=True)
    blocked_until: Mapped[datetime]


class ServerEpoch(Base):
    """The single row of the epoch (see `lms_tui.service.core.database.epoch`).

    `ticks`: rises while answers arrive. `place`: the PostgreSQL cluster and its timeline, "" on SQLite.
    """

    __tablename__ = "server_epoch"
    __table_args__ = (CheckConstraint("id = 1", name="single"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    value: Mapped[str] = mapped_column(String(32))
    ticks: Mapped[int] = mapped_column(BigInteger)
    place: Mapped[str] = mapped_column(String(64))
