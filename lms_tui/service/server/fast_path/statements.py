"""What both databases are asked in the same words: the columns of the rows, in the order of their fields."""

from decimal import Decimal
from typing import Final

_SCALE: Final = 10_000
_ZERO: Final = Decimal(0)

_USER: Final = "u.id, u.username, u.first_name, u.last_name, u.photo, u.is_active, u.tokens_valid_from, u.modified"
USER: Final = "SELECT " + _USER + " FROM users u"  # noqa: S608  # of our own words only
ATTEMPT: Final = (
    "SELECT a.id, a.exam_id, a.user_id, a.state, a.date,"  # noqa: S608  # as above
    " a.last_started_time, a.last_contact, a.last_answer,"
    " a.allowed, a.time_taken, a.deadline, a.total_questions, a.score, a.max_score, a.correct_count,"
    " a.incorrect_count, a.unanswered_count, a.total_bonus, a.speed, a.accuracy,"
    " (SELECT count(*) FROM attempts o WHERE o.user_id = a.user_id AND o.exam_id = a.exam_id), "
    + _USER
    + " FROM attempts a JOIN users u ON u.id = a.user_id"
)
SECTION: Final = (
    'SELECT s.id, s.exam_section_id, s."order", s.state, s.allowed, s.time_taken, s.over FROM attempt_sections s'
)
ANSWER: Final = (
    "SELECT q.id, q.attempt_id, q.question_id, q.section_id, q.selected_answers, q.short_text, q.essay_text,"
    " q.essay_topic, q.gap_fill_responses, q.review, q.answer_stamps, q.duration"
    " FROM attempt_questions q"
)


ATTEMPT_COLUMNS: Final = 21
"""How many columns of `ATTEMPT` are the attempt's; its student's follow."""


def marks(stored: int) -> Decimal:
    """Read what `db.types.Marks` stores."""
    return Decimal(stored) / _SCALE if stored else _ZERO
