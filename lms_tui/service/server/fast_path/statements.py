"""Queries for both databases, with columns in the order of the row fields."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

from pydantic_core import from_json

from lms_tui.service.attempts.rows import AnswerRow, AttemptRow, SectionRow, ShownAttemptRow
from lms_tui.service.core.database.units import MICROSECOND, marks_of, time_of
from lms_tui.service.users.rows import CallerRow, UserRow

_CALLER: Final = "u.id, u.is_active, u.tokens_valid_from"
_WORK: Final = (
    "a.id, a.user_id, a.state, a.last_started_time, a.last_contact, a.last_answer, a.allowed, a.time_taken,"
    " a.deadline, a.answers_seen, a.paused"
)
_OF_BOTH: Final = " FROM attempts a JOIN users u ON u.id = a.user_id"
CALLER: Final = "SELECT " + _CALLER + " FROM users u"  # noqa: S608  # constants only
ATTEMPT: Final = "SELECT " + _WORK + ", " + _CALLER + _OF_BOTH
"""The columns that an answer needs."""
SHOWN_ATTEMPT: Final = (
    "SELECT " + _WORK + ", " + _CALLER + ", u.username, u.first_name, u.last_name, u.photo, u.modified,"  # noqa: S608  # as above
    " a.exam_id, a.date, a.total_questions, a.score, a.max_score, a.correct_count,"
    " a.incorrect_count, a.unanswered_count, a.total_bonus, a.speed, a.accuracy,"
    " (SELECT count(*) FROM attempts o WHERE o.user_id = a.user_id AND o.exam_id = a.exam_id),"
    " a.newest_notice" + _OF_BOTH
)
"""The columns that a heartbeat needs."""
SECTION: Final = (
    'SELECT s.id, s.exam_section_id, s."order", s.state, s.allowed, s.time_taken, s.over FROM attempt_sections s'
)
ANSWER: Final = (
    # As text, because the driver of PostgreSQL decodes JSON in Python.
    "SELECT q.id, q.attempt_id, q.question_id, q.section_id, CAST(q.selected_answers AS text), q.short_text,"
    " q.essay_text, q.essay_topic, CAST(q.gap_fill_responses AS text), q.review, CAST(q.answer_stamps AS text),"
    " q.duration, CAST(q.option_order AS text) FROM attempt_questions q"
)


_WORK_COLUMNS: Final = 11
"""The number of columns of `_WORK`. Those of the user follow."""
_CALLER_COLUMNS: Final = 3
_USER_COLUMNS: Final = 8
_SHOWN_COLUMNS: Final = 13


ReadMoment = Callable[[Any], Any]
"""Converts a stored moment, never None, to a datetime."""

_Work = tuple[
    int,
    int,
    str,
    datetime,
    datetime,
    datetime | None,
    timedelta | None,
    timedelta,
    datetime | None,
    str,
    datetime | None,
    list[SectionRow],
]


def caller_row(found: tuple[Any, ...], read: ReadMoment) -> CallerRow:
    """Build a caller from a row of `CALLER`."""
    key, is_active, valid_from = found
    return CallerRow(key, bool(is_active), read(valid_from))


def caller_of(found: tuple[Any, ...], read: ReadMoment) -> CallerRow:
    """Build the student from a row of `ATTEMPT`."""
    return caller_row(found[_WORK_COLUMNS : _WORK_COLUMNS + _CALLER_COLUMNS], read)


def attempt_row(found: tuple[Any, ...], read: ReadMoment) -> AttemptRow:
    """Build an attempt from a row of `ATTEMPT`, without its sections."""
    return AttemptRow(*_work(found, read))


def shown_row(found: tuple[Any, ...], read: ReadMoment) -> ShownAttemptRow:
    """Build an attempt from a row of `SHOWN_ATTEMPT`, without its sections."""
    key, is_active, valid_from, username, first, last, photo, modified = found[
        _WORK_COLUMNS : _WORK_COLUMNS + _USER_COLUMNS
    ]
    (
        exam,
        date,
        questions,
        score,
        max_score,
        correct,
        incorrect,
        unanswered,
        bonus,
        speed,
        accuracy,
        attempts,
        newest_notice,
    ) = found[_WORK_COLUMNS + _USER_COLUMNS : _WORK_COLUMNS + _USER_COLUMNS + _SHOWN_COLUMNS]
    return ShownAttemptRow(
        *_work(found, read),
        UserRow(key, bool(is_active), read(valid_from), username, first, last, photo, read(modified)),
        exam,
        read(date),
        questions,
        marks_of(score),
        marks_of(max_score),
        correct,
        incorrect,
        unanswered,
        marks_of(bonus),
        speed,
        accuracy,
        attempts,
        newest_notice,
    )


def _work(found: tuple[Any, ...], read: ReadMoment) -> _Work:
    """Return the fields of `AttemptRow`."""
    key, user, state, started, contact, answer, allowed, taken, deadline, seen, paused = found[:_WORK_COLUMNS]
    return (
        key,
        user,
        state,
        read(started),
        read(contact),
        _optional(answer, read),
        time_of(allowed),
        taken * MICROSECOND,
        _optional(deadline, read),
        seen,
        _optional(paused, read),
        [],
    )


def section_row(found: tuple[Any, ...], read: ReadMoment) -> SectionRow:
    """Build a section from a row of `SECTION`."""
    key, exam_section, order, state, allowed, taken, over = found
    return SectionRow(key, exam_section, order, state, time_of(allowed), taken * MICROSECOND, _optional(over, read))


def answer_row(found: tuple[Any, ...]) -> AnswerRow:
    """Build an answer from a row of `ANSWER`."""
    key, attempt, question, section, selected, short, essay, topic, gaps, review, stamps, duration, order = found
    return AnswerRow(
        key,
        attempt,
        question,
        section,
        from_json(selected),
        short,
        essay,
        topic,
        from_json(gaps),
        None if review is None else bool(review),
        from_json(stamps),
        time_of(duration),
        from_json(order),
    )


def _optional(stored: Any, read: ReadMoment) -> datetime | None:
    return None if stored is None else read(stored)
