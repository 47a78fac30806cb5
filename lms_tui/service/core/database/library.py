"""Tables of courses, their contents, and exams with their questions and keys."""

from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, String, Table, Text, UniqueConstraint, Uuid, false
from sqlalchemy.orm import Mapped, mapped_column, relationship

from lms_tui.service.core.database.base import NEVER_REUSED, Base, Numbered
from lms_tui.service.core.database.types import ExactDecimal
from lms_tui.service.core.exam_rules import answers_shown, has_sections, sections_lock

course_batches = Table(
    "course_batches",
    Base.metadata,
    Column("course_id", ForeignKey("courses.id", ondelete="CASCADE"), primary_key=True),
    Column("batch_id", ForeignKey("batches.id", ondelete="CASCADE"), primary_key=True, index=True),
)
exam_batches = Table(
    "exam_batches",
    Base.metadata,
    Column("exam_id", ForeignKey("exams.id", ondelete="CASCADE"), primary_key=True),
    Column("batch_id", ForeignKey("batches.id", ondelete="CASCADE"), primary_key=True, index=True),
)
content_assignments = Table(
    "content_assignments",
    Base.metadata,
    Column("content_id", ForeignKey("contents.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True),
)


class Course(Numbered, Base):
    """`is_public`: every student may use its contents."""

    __tablename__ = "courses"

    name: Mapped[str] = mapped_column(String(300), unique=True)
    is_public: Mapped[bool] = mapped_column(default=False)
    created: Mapped[datetime]


class ContentType(StrEnum):
    """Chapter contents by the names the API gives them (API document, Video embedding)."""

    VIDEO = "Video"
    VIDEO_CONFERENCE = "Video Conference"
    LIVE_STREAM = "Live Stream"
    EXAM = "Exam"


class Content(Numbered, Base):
    """An item in a chapter of a course, available from `start_date` on; None: at once.

    `exam_id`: the exam of a content of type Exam. Assigning the content to a student makes the exam available.
    """

    __tablename__ = "contents"
    __table_args__ = (Index(None, "course_id", "order"), NEVER_REUSED)

    uuid: Mapped[UUID] = mapped_column(Uuid, unique=True)
    course_id: Mapped[int] = mapped_column(ForeignKey("courses.id", ondelete="CASCADE"))
    exam_id: Mapped[int | None] = mapped_column(ForeignKey("exams.id", ondelete="CASCADE"), index=True)
    chapter: Mapped[str] = mapped_column(String(300), default="")
    order: Mapped[int]
    title: Mapped[str] = mapped_column(String(300))
    content_type: Mapped[str] = mapped_column(String(32), index=True)
    start_date: Mapped[datetime | None]
    is_published: Mapped[bool] = mapped_column(default=True)


class ContentAttempt(Numbered, Base):
    """A record that a student watched or attended a content, completely or in part."""

    __tablename__ = "content_attempts"
    __table_args__ = (Index(None, "user_id", "content_id"), NEVER_REUSED)

    content_id: Mapped[int] = mapped_column(ForeignKey("contents.id", ondelete="CASCADE"), index=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    date: Mapped[datetime]


class Subject(Numbered, Base):
    """A node of the subject tree that all exams share."""

    __tablename__ = "subjects"
    __table_args__ = (UniqueConstraint("parent_id", "name"), NEVER_REUSED)

    name: Mapped[str] = mapped_column(String(300))
    parent_id: Mapped[int | None] = mapped_column(ForeignKey("subjects.id"))


class Passage(Numbered, Base):
    """A text that several questions of an exam share."""

    __tablename__ = "passages"

    exam_id: Mapped[int] = mapped_column(ForeignKey("exams.id", ondelete="CASCADE"), index=True)
    html: Mapped[str] = mapped_column(Text)


class Exam(Numbered, Base):
    """An exam is available while it is published and between its dates.

    It is for the students of its batches and of its course's batches, for every student if it or its course is public,
    and for students to whom a content with it is assigned.

    A question bank is an exam that is never published: other exams draw from its questions. Its sections are its files.

    `duration`: None if untimed. `max_retakes`: None or negative if unlimited. `is_archived`: hidden from students and
    from the administrator's list.
    `source_digest`: SHA-256 of the imported file in hex, empty without a file.
    `access_code`: what a student types to begin an attempt, or "".
    `picks`: how many questions of each pool an attempt has. `number_of_questions`: those of one attempt.
    """

    __tablename__ = "exams"

    slug: Mapped[str] = mapped_column(String(200), unique=True)
    title: Mapped[str] = mapped_column(String(300))
    description: Mapped[str] = mapped_column(Text, default="")
    course_id: Mapped[int] = mapped_column(ForeignKey("courses.id"), index=True)
    language: Mapped[str] = mapped_column(String(35), default="")
    start_date: Mapped[datetime]
    end_date: Mapped[datetime | None]
    is_published: Mapped[bool] = mapped_column(default=True)
    is_public: Mapped[bool] = mapped_column(default=False)
    duration: Mapped[timedelta | None]
    mark_per_question: Mapped[Decimal]
    negative_marks: Mapped[Decimal]
    variable_mark_per_question: Mapped[bool] = mapped_column(default=False)
    number_of_questions: Mapped[int]
    template_type: Mapped[int] = mapped_column(default=1)
    allow_retake: Mapped[bool] = mapped_column(default=True)
    max_retakes: Mapped[int | None]
    enable_ranks: Mapped[bool] = mapped_column(default=True)
    rank_publishing_date: Mapped[datetime | None]
    show_answers: Mapped[bool] = mapped_column(default=True)
    answers_after_closing: Mapped[bool] = mapped_column(default=False, server_default=false())
    shuffle_questions: Mapped[bool] = mapped_column(default=False, server_default=false())
    shuffle_options: Mapped[bool] = mapped_column(default=False, server_default=false())
    is_archived: Mapped[bool] = mapped_column(default=False, server_default=false())
    is_bank: Mapped[bool] = mapped_column(default=False, server_default=false())
    picks: Mapped[list[int]] = mapped_column(default=list, server_default="[]")
    access_code: Mapped[str] = mapped_column(String(100), default="", server_default="")
    immediate_feedback: Mapped[bool] = mapped_column(default=False)
    allow_preemptive_section_ending: Mapped[bool] = mapped_column(default=True)
    allow_pdf: Mapped[bool] = mapped_column(default=False)
    allow_question_pdf: Mapped[bool] = mapped_column(default=False)
    calculator: Mapped[str] = mapped_column(String(16), default="scientific", server_default="scientific")
    reference_sheet: Mapped[str] = mapped_column(Text, default="", server_default="")
    source_digest: Mapped[str] = mapped_column(String(64), default="")
    created: Mapped[datetime]

    course: Mapped[Course] = relationship()
    sections: Mapped[list["ExamSection"]] = relationship(
        order_by="ExamSection.order", cascade="all, delete-orphan", passive_deletes=True
    )

    def shows_answers(self, now: datetime) -> bool:
        return answers_shown(
            allowed=self.show_answers, only_closed=self.answers_after_closing, end=self.end_date, now=now
        )

    @property
    def named_sections(self) -> list["ExamSection"]:
        """The sections that students see."""
        return self.sections if has_sections([section.name for section in self.sections]) else []

    @property
    def locks_sections(self) -> bool:
        return sections_lock([section.duration for section in self.sections])


class ExamSection(Numbered, Base):
    __tablename__ = "exam_sections"
    __table_args__ = (UniqueConstraint("exam_id", "order"), NEVER_REUSED)

    exam_id: Mapped[int] = mapped_column(ForeignKey("exams.id", ondelete="CASCADE"))
    order: Mapped[int]
    name: Mapped[str] = mapped_column(String(300))
    duration: Mapped[timedelta | None]
    cut_off: Mapped[int] = mapped_column(default=0)
    instructions: Mapped[str] = mapped_column(Text, default="")


class Correction(StrEnum):
    """How a question was corrected after students had answered it. `VOID`: it does not count."""

    KEY = "key"
    VOID = "void"
    FULL_MARKS = "full marks"


class Question(Numbered, Base):
    """`kind`: the value of a QuestionType. Marks without a value in the file are those of the exam.

    `pool`: the number of its pool, whose questions are drawn for each attempt, or 0. `content_digest`: what a question
    of a pool is known by in other exams.
    `is_bonus`: every student earns the marks. `gap_choices`: the choices of each gap, which `html` shows too.
    `correction`: a Correction that was made at `corrected`, "" without one.
    `file_types`, `most_files`: what a question that asks for files accepts: types such as `.pdf`, or none for all.
    """

    __tablename__ = "questions"
    __table_args__ = (
        UniqueConstraint("exam_id", "order"),
        CheckConstraint("kind IN ('R', 'C', 'S', 'N', 'E', 'F', 'G', 'M')", name="kind"),
        NEVER_REUSED,
    )

    exam_id: Mapped[int] = mapped_column(ForeignKey("exams.id", ondelete="CASCADE"))
    section_id: Mapped[int] = mapped_column(ForeignKey("exam_sections.id", ondelete="CASCADE"), index=True)
    passage_id: Mapped[int | None] = mapped_column(ForeignKey("passages.id"))
    subject_id: Mapped[int | None] = mapped_column(ForeignKey("subjects.id"))
    order: Mapped[int]
    kind: Mapped[str] = mapped_column(String(1))
    title: Mapped[str] = mapped_column(String(300), default="")
    html: Mapped[str] = mapped_column(Text)
    explanation_html: Mapped[str] = mapped_column(Text, default="")
    marks: Mapped[Decimal]
    negative_marks: Mapped[Decimal]
    is_bonus: Mapped[bool] = mapped_column(default=False)
    language: Mapped[str] = mapped_column(String(35), default="")
    identifier: Mapped[str] = mapped_column(String(300), default="")
    essay_topics: Mapped[list[str]] = mapped_column(default=list)
    tags: Mapped[list[str]] = mapped_column(default=list)
    gap_choices: Mapped[list[list[str]]] = mapped_column(default=list)
    pool: Mapped[int] = mapped_column(default=0, server_default="0")
    content_digest: Mapped[str] = mapped_column(String(64), default="", server_default="")
    correction: Mapped[str] = mapped_column(String(16), default="", server_default="")
    corrected: Mapped[datetime | None]
    rubric: Mapped[list[dict[str, str]]] = mapped_column(default=list, server_default="[]")
    file_types: Mapped[list[str]] = mapped_column(default=list, server_default="[]")
    most_files: Mapped[int] = mapped_column(default=1, server_default="1")

    passage: Mapped[Passage | None] = relationship()
    subject: Mapped[Subject | None] = relationship()
    options: Mapped[list["Option"]] = relationship(
        order_by="Option.order", cascade="all, delete-orphan", passive_deletes=True
    )
    numbers: Mapped[list["NumericKey"]] = relationship(
        order_by="NumericKey.id", cascade="all, delete-orphan", passive_deletes=True
    )
    texts: Mapped[list["TextKey"]] = relationship(
        order_by="TextKey.id", cascade="all, delete-orphan", passive_deletes=True
    )
    pairs: Mapped[list["Pair"]] = relationship(
        order_by="Pair.order", cascade="all, delete-orphan", passive_deletes=True
    )


class Option(Numbered, Base):
    """A choice of a question. `selected_answers` holds its ID. `is_fixed`: it keeps its place in every attempt."""

    __tablename__ = "options"
    __table_args__ = (Index(None, "question_id", "order"), NEVER_REUSED)

    question_id: Mapped[int] = mapped_column(ForeignKey("questions.id", ondelete="CASCADE"))
    order: Mapped[int]
    html: Mapped[str] = mapped_column(Text)
    is_correct: Mapped[bool]
    weight: Mapped[Decimal | None]
    feedback_html: Mapped[str] = mapped_column(Text, default="")
    is_fixed: Mapped[bool] = mapped_column(default=False, server_default=false())


class NumericKey(Numbered, Base):
    """A key with low <= answer <= high. `gap`: from 1, or 0 where the question has one answer field."""

    __tablename__ = "numeric_keys"

    question_id: Mapped[int] = mapped_column(ForeignKey("questions.id", ondelete="CASCADE"), index=True)
    low: Mapped[Decimal] = mapped_column(ExactDecimal)
    high: Mapped[Decimal] = mapped_column(ExactDecimal)
    gap: Mapped[int] = mapped_column(default=0)
    weight: Mapped[Decimal]
    feedback_html: Mapped[str] = mapped_column(Text, default="")


class TextKey(Numbered, Base):
    """A correct text. `gap`: from 1, or 0 where the question has one answer field."""

    __tablename__ = "text_keys"

    question_id: Mapped[int] = mapped_column(ForeignKey("questions.id", ondelete="CASCADE"), index=True)
    text: Mapped[str] = mapped_column(Text)
    gap: Mapped[int] = mapped_column(default=0)
    case_sensitive: Mapped[bool] = mapped_column(default=False)
    weight: Mapped[Decimal]
    feedback_html: Mapped[str] = mapped_column(Text, default="")


class Pair(Numbered, Base):
    """A pair of a match question. One with an empty left side is a distractor on the right."""

    __tablename__ = "pairs"
    __table_args__ = (Index(None, "question_id", "order"), NEVER_REUSED)

    question_id: Mapped[int] = mapped_column(ForeignKey("questions.id", ondelete="CASCADE"))
    order: Mapped[int]
    left_html: Mapped[str] = mapped_column(Text)
    right: Mapped[str] = mapped_column(Text)
