"""The queries of the first lists on SQLite, with columns in the order of the row fields.

They state rules that `lms_tui.service.exams.availability` states for all other queries, and tests compare the replies.
"""

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, Final

from lms_tui.service.core.database.plain_sqlite import sqlite_moment
from lms_tui.service.exams.rows import AccommodationRow, CourseRow, ExamRow, ExamSectionRow
from lms_tui.service.server.fast_path.statements import MICROSECOND, SECTION, SHOWN_ATTEMPT
from lms_tui.service.users.rows import BatchRow, OwnUserRow

_SCALE: Final = 10_000

USER: Final = (
    "SELECT id, is_active, tokens_valid_from, username, first_name, last_name, photo, modified, email, address1,"
    " address2, city, zip, phone, birth_date, gender_code, state_code FROM users WHERE id = ?"
)
BATCHES: Final = (
    "SELECT b.name FROM batches b JOIN batch_members m ON m.batch_id = b.id WHERE m.user_id = ? ORDER BY b.name"
)
NAMED: Final = (
    "SELECT id, username, email, tokens_valid_from, password_hash, is_active FROM users"
    " WHERE username = :name OR name_key = :key ORDER BY username <> :name LIMIT 1"
)
LEVELS: Final = "SELECT key, counted, blocked_until, level FROM sign_in_levels WHERE key IN (?, ?, ?, ?)"
SAVE_LEVEL: Final = "INSERT OR REPLACE INTO sign_in_levels (key, counted, blocked_until, level) VALUES (?, ?, ?, ?)"
ACCOMMODATION: Final = "SELECT factor, extra, closes_later, no_limit FROM accommodations WHERE user_id = ?"

_EXAM: Final = (
    "SELECT e.id, e.slug, e.title, e.description, e.start_date, e.end_date, e.duration, e.number_of_questions,"
    " e.negative_marks, e.mark_per_question, e.template_type, e.allow_retake, e.max_retakes, e.enable_ranks,"
    " e.rank_publishing_date, e.allow_pdf, e.allow_question_pdf, e.created, e.variable_mark_per_question,"
    " e.show_answers, e.answers_after_closing, e.allow_preemptive_section_ending, e.immediate_feedback, c.name"
    " FROM exams e JOIN courses c ON c.id = e.course_id"
)
EXAM: Final = _EXAM + " WHERE e.id = ?"
_IN_BATCH: Final = "IN (SELECT batch_id FROM batch_members WHERE user_id = :user)"
_ASSIGNED: Final = (
    "e.is_published AND (e.is_public OR c.is_public"  # noqa: S608  # constants only
    f" OR EXISTS (SELECT 1 FROM course_batches b WHERE b.course_id = e.course_id AND b.batch_id {_IN_BATCH})"
    f" OR EXISTS (SELECT 1 FROM exam_batches b WHERE b.exam_id = e.id AND b.batch_id {_IN_BATCH})"
    " OR EXISTS (SELECT 1 FROM contents n JOIN content_assignments a ON a.content_id = n.id WHERE n.exam_id = e.id"
    " AND n.is_published AND (n.start_date IS NULL OR n.start_date <= :now) AND a.user_id = :user))"
)
_NEW: Final = "NOT EXISTS (SELECT 1 FROM attempts a WHERE a.exam_id = e.id AND a.user_id = :user)"
_PART: Final = " LIMIT :limit"
AVAILABLE: Final = (
    f"{_EXAM} WHERE {_ASSIGNED} AND {_NEW} AND e.start_date <= :now AND (e.end_date IS NULL OR e.end_date > :closing)"
    f" ORDER BY e.start_date DESC, e.id{_PART}"
)
"""Exams that are open and that the student has not begun. `closing`: the moment after which they must close."""
UPCOMING: Final = f"{_EXAM} WHERE {_ASSIGNED} AND {_NEW} AND e.start_date > :now ORDER BY e.start_date, e.id{_PART}"
EXAM_SECTIONS: Final = (
    'SELECT id, "order", name, duration, cut_off, instructions FROM exam_sections WHERE exam_id = ? ORDER BY "order"'
)
ATTEMPTS: Final = SHOWN_ATTEMPT + " WHERE a.user_id = ? ORDER BY a.date DESC, a.id DESC LIMIT ?"
COUNT: Final = "SELECT count(*) FROM attempts WHERE user_id = ?"
SECTIONS: Final = SECTION + ' WHERE s.attempt_id = ? ORDER BY s."order"'
PLACE: Final = (
    "SELECT sum(CASE WHEN s.score <= a.score THEN s.students ELSE 0 END) + (b.score > a.score), sum(s.students)"
    " FROM attempts a JOIN best_scores b ON b.user_id = a.user_id AND b.exam_id = a.exam_id"
    " JOIN score_counts s ON s.exam_id = a.exam_id WHERE a.id = ? GROUP BY a.id"
)
"""How many students have the score of an attempt or less, and how many there are. See `attempts.rankings`."""
IS_DEMO: Final = (
    "SELECT EXISTS (SELECT 1 FROM users WHERE username = ?)"
    " AND EXISTS (SELECT 1 FROM batches WHERE name = ?)"
    " AND EXISTS (SELECT 1 FROM categories WHERE name = ?)"
)
"""Whether a database has a user, a batch and a category with these names."""
TOUCH: Final = "UPDATE alembic_version SET version_num = version_num WHERE version_num = ?"
"""Write to a database of this migration, and change nothing."""


def user_row(found: tuple[Any, ...], batches: list[str]) -> OwnUserRow:
    (
        key,
        is_active,
        valid_from,
        username,
        first,
        last,
        photo,
        modified,
        email,
        address1,
        address2,
        city,
        zip_code,
        phone,
        born,
        gender,
        state,
    ) = found
    return OwnUserRow(
        key,
        bool(is_active),
        sqlite_moment(valid_from),
        username,
        first,
        last,
        photo,
        sqlite_moment(modified),
        email,
        address1,
        address2,
        city,
        zip_code,
        phone,
        None if born is None else date.fromisoformat(born),
        gender,
        state,
        [BatchRow(name) for name in batches],
    )


def exam_row(found: tuple[Any, ...], sections: list[ExamSectionRow]) -> ExamRow:
    """Build an exam from a row of `EXAM`, `AVAILABLE` or `UPCOMING`."""
    (
        key,
        slug,
        title,
        description,
        start,
        end,
        duration,
        questions,
        negative,
        marks,
        template,
        retake,
        retakes,
        ranks,
        publishing,
        pdf,
        question_pdf,
        created,
        variable,
        answers,
        closed,
        preemptive,
        feedback,
        course,
    ) = found
    return ExamRow(
        key,
        slug,
        title,
        description,
        sqlite_moment(start),
        _moment(end),
        _span(duration),
        questions,
        Decimal(negative) / _SCALE,
        Decimal(marks) / _SCALE,
        template,
        bool(retake),
        retakes,
        bool(ranks),
        _moment(publishing),
        bool(pdf),
        bool(question_pdf),
        sqlite_moment(created),
        bool(variable),
        bool(answers),
        bool(closed),
        bool(preemptive),
        bool(feedback),
        CourseRow(course),
        sections,
    )


def exam_section_row(found: tuple[Any, ...]) -> ExamSectionRow:
    key, order, name, duration, cut_off, instructions = found
    return ExamSectionRow(key, order, name, _span(duration), cut_off, instructions)


def accommodation_row(found: tuple[Any, ...]) -> AccommodationRow:
    factor, extra, later, no_limit = found
    return AccommodationRow(Decimal(factor) / _SCALE, extra * MICROSECOND, later * MICROSECOND, bool(no_limit))


def _moment(stored: str | None) -> datetime | None:
    return None if stored is None else sqlite_moment(stored)


def _span(stored: int | None) -> timedelta | None:
    return None if stored is None else stored * MICROSECOND
