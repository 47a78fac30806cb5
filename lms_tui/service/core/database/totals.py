"""The totals of ended attempts, which each end keeps: the best scores of students, and the totals of questions.

Each statement changes its rows in the order of their keys. Two ends at once then wait for each other, and never both.
"""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import TextClause, bindparam, select, text
from sqlalchemy.orm import Session

from lms_tui.service.core.database.tables import Attempt, BestScore
from lms_tui.service.core.database.types import Marks
from lms_tui.wire.attempt_states import AttemptState

_COUNT: Final = " ON CONFLICT (exam_id, score) DO UPDATE SET students = score_counts.students + excluded.students"
_TOTAL: Final = (
    " ON CONFLICT (question_id) DO UPDATE SET ended = question_totals.ended + excluded.ended,"
    " correct = question_totals.correct + excluded.correct, timed = question_totals.timed + excluded.timed,"
    " duration = question_totals.duration + excluded.duration"
)


def add_ended(session: Session, ids: Sequence[int]) -> None:
    """Count attempts that end in this transaction."""
    session.flush()
    for statement in (_ADD_COUNTS, _ADD_BEST, _ADD_QUESTIONS):
        session.execute(statement, {"ids": ids})


def remove_ended(session: Session, attempt: Attempt) -> None:
    """Take an ended attempt out of all totals. It is locked, and runs from now on."""
    session.flush()
    best = session.get(BestScore, (attempt.user_id, attempt.exam_id))
    if best is not None and best.attempt_id == attempt.id:
        session.execute(_COUNT_ONE, {"exam_id": attempt.exam_id, "score": best.score, "students": -1})
        session.delete(best)
        session.flush()
        _count_next_best(session, attempt)
    for statement in _WITHOUT_ATTEMPT:
        session.execute(statement, {"attempt_id": attempt.id})


def _count_next_best(session: Session, left_out: Attempt) -> None:
    others = select(Attempt).where(
        Attempt.user_id == left_out.user_id,
        Attempt.exam_id == left_out.exam_id,
        Attempt.state == AttemptState.COMPLETED,
        Attempt.id != left_out.id,
    )
    following = session.scalar(others.order_by(Attempt.score.desc(), Attempt.id).limit(1))
    if following is not None:
        best = BestScore(
            user_id=left_out.user_id, exam_id=left_out.exam_id, attempt_id=following.id, score=following.score
        )
        session.add(best)
        session.execute(_COUNT_ONE, {"exam_id": best.exam_id, "score": best.score, "students": 1})


def recount(session: Session, exam_id: int, questions: Sequence[int]) -> None:
    """Count an exam and some of its questions anew, whose ended attempts have other marks now. The exam is locked."""
    session.flush()
    for of_exam in (_DELETE_COUNTS, _DELETE_BEST, _RECOUNT_BEST, _RECOUNT_COUNTS):
        session.execute(of_exam, {"exam_id": exam_id})
    for of_questions in (_DELETE_QUESTIONS, _RECOUNT_QUESTIONS):
        session.execute(of_questions, {"questions": questions})


def remove_student(session: Session, user_id: int) -> None:
    """Take the attempts of a student out of all totals, before they are deleted in this transaction."""
    session.execute(select(Attempt.id).where(Attempt.user_id == user_id).order_by(Attempt.id).with_for_update()).all()
    for statement in (_REMOVE_COUNTS, *_WITHOUT_STUDENT):
        session.execute(statement, {"user_id": user_id})


def _of_attempts(statement: str) -> TextClause:
    return text(statement).bindparams(bindparam("ids", expanding=True))


_ENDED: Final = (
    "(SELECT user_id, exam_id, id, score,"
    " row_number() OVER (PARTITION BY user_id, exam_id ORDER BY score DESC, id) AS place"
    " FROM attempts WHERE id IN :ids) AS a"
)
_ADD_COUNTS: Final = _of_attempts(
    "INSERT INTO score_counts (exam_id, score, students)"  # noqa: S608  # constants only
    " SELECT exam_id, score, sum(students) FROM ("
    f"SELECT a.exam_id, a.score, 1 AS students FROM {_ENDED}"
    " LEFT JOIN best_scores AS b ON b.user_id = a.user_id AND b.exam_id = a.exam_id"
    " WHERE place = 1 AND (b.score IS NULL OR b.score < a.score)"
    f" UNION ALL SELECT b.exam_id, b.score, -1 FROM {_ENDED}"
    " JOIN best_scores AS b ON b.user_id = a.user_id AND b.exam_id = a.exam_id"
    " WHERE place = 1 AND b.score < a.score"
    ") AS changes GROUP BY exam_id, score ORDER BY exam_id, score" + _COUNT
)
_ADD_BEST: Final = _of_attempts(
    "INSERT INTO best_scores (user_id, exam_id, attempt_id, score)"  # noqa: S608  # constants only
    f" SELECT user_id, exam_id, id, score FROM {_ENDED} WHERE place = 1 ORDER BY user_id, exam_id"
    " ON CONFLICT (user_id, exam_id) DO UPDATE SET score = excluded.score, attempt_id = excluded.attempt_id"
    " WHERE excluded.score > best_scores.score"
)
_ADD_QUESTIONS: Final = _of_attempts(
    "INSERT INTO question_totals (question_id, ended, correct, timed, duration, best_duration)"  # noqa: S608  # constants only
    " SELECT question_id, count(*), count(CASE WHEN outcome = 'correct' THEN 1 END), count(duration),"
    " coalesce(sum(duration), 0), min(CASE WHEN outcome = 'correct' THEN duration END)"
    " FROM attempt_questions WHERE attempt_id IN :ids GROUP BY question_id ORDER BY question_id"
    + _TOTAL
    + ", best_duration = CASE WHEN question_totals.best_duration IS NULL"
    " OR excluded.best_duration < question_totals.best_duration"
    " THEN excluded.best_duration ELSE question_totals.best_duration END"
)
_DELETE_COUNTS: Final = text("DELETE FROM score_counts WHERE exam_id = :exam_id")
_DELETE_BEST: Final = text("DELETE FROM best_scores WHERE exam_id = :exam_id")
_RECOUNT_BEST: Final = text(
    "INSERT INTO best_scores (user_id, exam_id, attempt_id, score) SELECT user_id, exam_id, id, score FROM ("
    "SELECT user_id, exam_id, id, score,"
    " row_number() OVER (PARTITION BY user_id ORDER BY score DESC, id) AS place"
    " FROM attempts WHERE exam_id = :exam_id AND state = 'Completed') AS ended WHERE place = 1"
)
_RECOUNT_COUNTS: Final = text(
    "INSERT INTO score_counts (exam_id, score, students)"
    " SELECT exam_id, score, count(*) FROM best_scores WHERE exam_id = :exam_id GROUP BY exam_id, score"
)
_DELETE_QUESTIONS: Final = text("DELETE FROM question_totals WHERE question_id IN :questions").bindparams(
    bindparam("questions", expanding=True)
)
_RECOUNT_QUESTIONS: Final = text(
    "INSERT INTO question_totals (question_id, ended, correct, timed, duration, best_duration)"
    " SELECT q.question_id, count(*), count(CASE WHEN q.outcome = 'correct' THEN 1 END), count(q.duration),"
    " coalesce(sum(q.duration), 0), min(CASE WHEN q.outcome = 'correct' THEN q.duration END)"
    " FROM attempt_questions AS q JOIN attempts AS a ON a.id = q.attempt_id"
    " WHERE a.state = 'Completed' AND q.question_id IN :questions GROUP BY q.question_id ORDER BY q.question_id"
).bindparams(bindparam("questions", expanding=True))
_REMOVE_COUNTS: Final = text(
    "INSERT INTO score_counts (exam_id, score, students)"  # noqa: S608  # constants only
    " SELECT exam_id, score, -1 FROM best_scores WHERE user_id = :user_id ORDER BY exam_id" + _COUNT
)
_ANSWERS: Final = " FROM attempt_questions AS q JOIN attempts AS a ON a.id = q.attempt_id"


def _without(removed: str, others: str) -> tuple[TextClause, TextClause]:
    """Return the statements that take answers out of the totals of questions. Both conditions select attempts `a`."""
    subtract = text(
        "INSERT INTO question_totals (question_id, ended, correct, timed, duration)"  # constants only
        " SELECT q.question_id, -count(*), -count(CASE WHEN q.outcome = 'correct' THEN 1 END), -count(q.duration),"
        f" -coalesce(sum(q.duration), 0){_ANSWERS} WHERE {removed} AND a.state = 'Completed'"
        " GROUP BY q.question_id ORDER BY q.question_id" + _TOTAL
    )
    find_best = text(
        # Only questions that were answered there in the shortest time.
        f"UPDATE question_totals SET best_duration = (SELECT min(q.duration){_ANSWERS}"  # noqa: S608  # constants only
        f" WHERE q.question_id = question_totals.question_id AND q.outcome = 'correct' AND {others})"
        f" WHERE question_id IN (SELECT q.question_id{_ANSWERS}"
        " JOIN question_totals AS t ON t.question_id = q.question_id"
        f" WHERE {removed} AND q.outcome = 'correct' AND q.duration = t.best_duration)"
    )
    return subtract, find_best


_WITHOUT_STUDENT: Final = _without("a.user_id = :user_id", "a.user_id <> :user_id")
_WITHOUT_ATTEMPT: Final = _without("a.id = :attempt_id", "a.id <> :attempt_id")
_COUNT_ONE: Final = text(
    "INSERT INTO score_counts (exam_id, score, students) VALUES (:exam_id, :score, :students)" + _COUNT  # noqa: S608  # constants only
).bindparams(bindparam("score", type_=Marks()))
