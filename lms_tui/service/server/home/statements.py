"""The queries of the first lists on SQLite, with columns named as the fields of the rows.

They state rules that `lms_tui.service.exams.availability` states for all other queries, and tests compare the replies.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from types import MappingProxyType
from typing import Any, Final

from lms_tui.service.core.database.plain_sqlite import sqlite_moment
from lms_tui.service.core.database.units import marks_of, time_of
from lms_tui.service.exams.rows import AccommodationRow, CourseRow, ExamRow, ExamSectionRow
from lms_tui.service.server.fast_path.statements import SECTION, SHOWN_ATTEMPT
from lms_tui.service.users.rows import BatchRow, OwnUserRow

_Read = Callable[[Any], Any]
"""Makes the value of a field of what SQLite holds."""


def _moment(stored: str | None) -> datetime | None:
    return None if stored is None else sqlite_moment(stored)


def _day(stored: str | None) -> date | None:
    return None if stored is None else date.fromisoformat(stored)


def _as_it_is(stored: Any) -> Any:
    return stored


def _columns(names: str, read: _Read) -> dict[str, _Read]:
    return dict.fromkeys(names.split(), read)


def _listed(columns: Iterable[str], table: str) -> str:
    return ", ".join(f'{table}."{name}"' for name in columns)


_USER_COLUMNS: Final[Mapping[str, _Read]] = MappingProxyType(
    _columns("id username first_name last_name photo email phone", _as_it_is)
    | _columns("address1 address2 city zip gender_code state_code", _as_it_is)
    | _columns("is_active", bool)
    | _columns("tokens_valid_from modified", sqlite_moment)
    | _columns("birth_date", _day)
)
_EXAM_COLUMNS: Final[Mapping[str, _Read]] = MappingProxyType(
    _columns("id slug title description number_of_questions template_type max_retakes", _as_it_is)
    | _columns("allow_retake enable_ranks allow_pdf allow_question_pdf variable_mark_per_question", bool)
    | _columns("show_answers answers_after_closing allow_preemptive_section_ending immediate_feedback", bool)
    | _columns("start_date end_date rank_publishing_date created", _moment)
    | _columns("negative_marks mark_per_question", marks_of)
    | _columns("duration", time_of)
)
_SECTION_COLUMNS: Final[Mapping[str, _Read]] = MappingProxyType(
    _columns("id order name cut_off instructions", _as_it_is) | _columns("duration", time_of)
)
_ACCOMMODATION_COLUMNS: Final[Mapping[str, _Read]] = MappingProxyType(
    _columns("factor", marks_of) | _columns("extra closes_later", time_of) | _columns("no_limit", bool)
)

USER: Final = f"SELECT {_listed(_USER_COLUMNS, 'u')} FROM users u WHERE u.id = ?"  # noqa: S608  # constants only
BATCHES: Final = (
    "SELECT b.name FROM batches b JOIN batch_members m ON m.batch_id = b.id WHERE m.user_id = ? ORDER BY b.name"
)
NAMED: Final = (
    "SELECT id, username, email, tokens_valid_from, password_hash, is_active FROM users"
    " WHERE username = :name OR name_key = :key ORDER BY username <> :name LIMIT 1"
)
LEVELS: Final = "SELECT key, counted, blocked_until, level FROM sign_in_levels WHERE key IN (?, ?, ?, ?)"
SAVE_LEVEL: Final = "INSERT OR REPLACE INTO sign_in_levels (key, counted, blocked_until, level) VALUES (?, ?, ?, ?)"
ACCOMMODATION: Final = f"SELECT {_listed(_ACCOMMODATION_COLUMNS, 'a')} FROM accommodations a WHERE a.user_id = ?"  # noqa: S608  # as above

_EXAM: Final = (
    f"SELECT {_listed(_EXAM_COLUMNS, 'e')}, c.name"  # noqa: S608  # as above
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
_IS_OPEN: Final = f"{_ASSIGNED} AND {_NEW} AND e.start_date <= :now AND (e.end_date IS NULL OR e.end_date > :closing)"
AVAILABLE: Final = f"{_EXAM} WHERE {_IS_OPEN} ORDER BY e.start_date DESC, e.id{_PART}"
"""Exams that are open and that the student has not begun. `closing`: the moment after which they must close."""
AVAILABLE_NAMED: Final = f"{_EXAM} WHERE e.slug = :slug AND {_IS_OPEN}"
"""One of these exams."""
AIDS: Final = "SELECT calculator, reference_sheet, access_code FROM exams WHERE id = ?"
UPCOMING: Final = f"{_EXAM} WHERE {_ASSIGNED} AND {_NEW} AND e.start_date > :now ORDER BY e.start_date, e.id{_PART}"
EXAM_SECTIONS: Final = (
    f"SELECT {_listed(_SECTION_COLUMNS, 's')} FROM exam_sections s"  # noqa: S608  # as above
    ' WHERE s.exam_id = ? ORDER BY s."order"'
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


def user_row(found: tuple[Any, ...], batches: Iterable[str]) -> OwnUserRow:
    return OwnUserRow(**_read(_USER_COLUMNS, found), batches=[BatchRow(name) for name in batches])


def exam_row(found: tuple[Any, ...], sections: list[ExamSectionRow]) -> ExamRow:
    """Build an exam from a row of `EXAM`, `AVAILABLE` or `UPCOMING`."""
    return ExamRow(**_read(_EXAM_COLUMNS, found[:-1]), course=CourseRow(found[-1]), sections=sections)


def exam_section_row(found: tuple[Any, ...]) -> ExamSectionRow:
    return ExamSectionRow(**_read(_SECTION_COLUMNS, found))


def accommodation_row(found: tuple[Any, ...]) -> AccommodationRow:
    return AccommodationRow(**_read(_ACCOMMODATION_COLUMNS, found))


def _read(columns: Mapping[str, _Read], found: tuple[Any, ...]) -> dict[str, Any]:
    """Return the fields of a row, whose columns are in this order."""
    return {name: read(stored) for (name, read), stored in zip(columns.items(), found, strict=True)}
