"""Queries for both databases, with columns in the order of the row fields."""

from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Final

from lms_tui.service.attempts.rows import AnswerRow, AttemptRow, SectionRow

_SCALE: Final = 10_000
_ZERO: Final = Decimal(0)

_USER: Final = "u.id, u.username, u.first_name, u.last_name, u.photo, u.is_active, u.tokens_valid_from, u.modified"
USER: Final = "SELECT " + _USER + " FROM users u"  # noqa: S608  # constants only
ATTEMPT: Final = (
    "SELECT a.id, a.exam_id, a.user_id, a.state, a.date,"  # noqa: S608  # as above
    " a.last_started_time, a.last_contact, a.last_answer,"
    " a.allowed, a.time_taken, a.deadline, a.total_questions, a.score, a.max_score, a.correct_count,"
    " a.incorrect_count, a.unanswered_count, a.total_bonus, a.speed, a.accuracy,"
    " (SELECT count(*) FROM attempts o WHERE o.user_id = a.user_id AND o.exam_id = a.exam_id),"
    " a.answers_seen, a.paused, a.newest_notice, " + _USER + " FROM attempts a JOIN users u ON u.id = a.user_id"
)
SECTION: Final = (
    'SELECT s.id, s.exam_section_id, s."order", s.state, s.allowed, s.time_taken, s.over FROM attempt_sections s'
)
ANSWER: Final = (
    "SELECT q.id, q.attempt_id, q.question_id, q.section_id, q.selected_answers, q.short_text, q.essay_text,"
    " q.essay_topic, q.gap_fill_responses, q.review, q.answer_stamps, q.duration,"
    " q.option_order"
    " FROM attempt_questions q"
)


ATTEMPT_COLUMNS: Final = 24
"""The number of columns of the attempt in `ATTEMPT`. Those of its user follow."""


MICROSECOND: Final = timedelta(microseconds=1)

ReadMoment = Callable[[Any], Any]
"""Converts a stored moment, never None, to a datetime."""


def attempt_row(found: tuple[Any, ...], read: ReadMoment) -> AttemptRow:
    """Build an attempt from a row of `ATTEMPT`."""
    return AttemptRow(
        id=found[0],
        exam_id=found[1],
        user_id=found[2],
        state=found[3],
        date=read(found[4]),
        last_started_time=read(found[5]),
        last_contact=read(found[6]),
        last_answer=_optional(found[7], read),
        allowed=_span(found[8]),
        time_taken=found[9] * MICROSECOND,
        deadline=_optional(found[10], read),
        total_questions=found[11],
        score=_marks(found[12]),
        max_score=_marks(found[13]),
        correct_count=found[14],
        incorrect_count=found[15],
        unanswered_count=found[16],
        total_bonus=_marks(found[17]),
        speed=found[18],
        accuracy=found[19],
        attempts=found[20],
        answers_seen=found[21],
        paused=_optional(found[22], read),
        newest_notice=found[23],
    )


def section_row(found: tuple[Any, ...], read: ReadMoment) -> SectionRow:
    """Build a section from a row of `SECTION`."""
    key, exam_section, order, state, allowed, taken, over = found
    return SectionRow(key, exam_section, order, state, _span(allowed), taken * MICROSECOND, _optional(over, read))


def answer_row(found: tuple[Any, ...], read_json: Callable[[Any], Any]) -> AnswerRow:
    """Build an answer from a row of `ANSWER`."""
    return AnswerRow(
        id=found[0],
        attempt_id=found[1],
        question_id=found[2],
        section_id=found[3],
        selected_answers=read_json(found[4]),
        short_text=found[5],
        essay_text=found[6],
        essay_topic=found[7],
        gap_fill_responses=read_json(found[8]),
        review=None if found[9] is None else bool(found[9]),
        answer_stamps=read_json(found[10]),
        duration=_span(found[11]),
        option_order=read_json(found[12]),
    )


def _optional(stored: Any, read: ReadMoment) -> datetime | None:
    return None if stored is None else read(stored)


def _span(stored: int | None) -> timedelta | None:
    return None if stored is None else stored * MICROSECOND


def _marks(stored: int) -> Decimal:
    """Convert a value that `core.database.types.Marks` stored."""
    return Decimal(stored) / _SCALE if stored else _ZERO
