"""Ranks and totals as Python computes them from every row, to compare with what the service keeps."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from decimal import Decimal

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from lms_tui.banks.scoring import Outcome
from lms_tui.service.attempts.results import QuestionStatistics
from lms_tui.service.attempts.shares import Ranking, percent
from lms_tui.service.core.database.tables import Attempt, AttemptQuestion


def ranking(own: Decimal, field: Iterable[Decimal]) -> Ranking:
    """Rank one score among all scores, which include it."""
    ordered = sorted(field)
    at_or_below = bisect_right(ordered, own)
    return Ranking(
        rank=len(ordered) - at_or_below + 1,
        max_rank=len(ordered),
        percentile=percent(at_or_below, len(ordered)),
    )


def rankings_by_hand(session: Session) -> dict[int, Ranking]:
    """Rank every ended attempt among the best scores of the other students of its exam."""
    best: dict[int, dict[int, Decimal]] = {}
    ended = select(Attempt.exam_id, Attempt.user_id, func.max(Attempt.score, type_=Attempt.score.type))
    for exam_id, user_id, score in session.execute(
        ended.where(Attempt.state == "Completed").group_by(Attempt.exam_id, Attempt.user_id)
    ):
        best.setdefault(exam_id, {})[user_id] = score
    return {
        row.id: ranking(row.score, (best[row.exam_id] | {row.user_id: row.score}).values())
        for row in session.scalars(select(Attempt).where(Attempt.state == "Completed"))
    }


def statistics_by_hand(session: Session) -> dict[int, QuestionStatistics]:
    """Compute the numbers of every question that is in an ended attempt."""
    by_question: dict[int, list[AttemptQuestion]] = {}
    rows = select(AttemptQuestion).join(Attempt).where(Attempt.state == "Completed").order_by(AttemptQuestion.id)
    for row in session.scalars(rows):
        by_question.setdefault(row.question_id, []).append(row)
    return {question: statistics_of(rows) for question, rows in by_question.items()}


def statistics_of(rows: Sequence[AttemptQuestion]) -> QuestionStatistics:
    times = [row.duration.total_seconds() for row in rows if row.duration is not None]
    correct = [row for row in rows if row.outcome == Outcome.CORRECT]
    return QuestionStatistics(
        best_duration=min((row.duration.total_seconds() for row in correct if row.duration is not None), default=0.0),
        average_duration=round(sum(times) / len(times), 3) if times else 0.0,
        correct_percentage=round(100 * len(correct) / len(rows), 2),
    )
