"""Rows that heartbeats and answers read and change, as plain values without the ORM."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from lms_tui.service.users.rows import UserRow


@dataclass(slots=True)
class SectionRow:
    id: int
    exam_section_id: int
    order: int
    state: str
    allowed: timedelta | None
    time_taken: timedelta
    over: datetime | None


@dataclass(slots=True)
class AttemptRow:
    """The columns of `Attempt` that an answer needs. `sections` may be empty if none of them has a time limit."""

    id: int
    user_id: int
    state: str
    last_started_time: datetime
    last_contact: datetime
    last_answer: datetime | None
    allowed: timedelta | None
    time_taken: timedelta
    deadline: datetime | None
    answers_seen: str
    paused: datetime | None
    sections: list[SectionRow]


@dataclass(slots=True)
class ShownAttemptRow(AttemptRow):
    """An attempt with the columns that a heartbeat shows, and all sections.

    `attempts` is the number of attempts that the student has made at the exam.
    """

    user: UserRow
    exam_id: int
    date: datetime
    total_questions: int
    score: Decimal
    max_score: Decimal
    correct_count: int
    incorrect_count: int
    unanswered_count: int
    total_bonus: Decimal
    speed: float
    accuracy: float
    attempts: int
    newest_notice: int


@dataclass(slots=True)
class AnswerRow:
    """The columns of `AttemptQuestion`.

    `first_seen` and `last_seen` are only written. The database keeps an earlier `first_seen`.
    """

    id: int
    attempt_id: int
    question_id: int
    section_id: int
    selected_answers: list[int]
    short_text: str | None
    essay_text: str | None
    essay_topic: str | None
    gap_fill_responses: list[dict[str, str]]
    review: bool | None
    answer_stamps: dict[str, Any]
    duration: timedelta | None
    option_order: list[int] = field(default_factory=list)
    first_seen: datetime | None = None
    last_seen: datetime | None = None
