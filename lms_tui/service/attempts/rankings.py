"""The ranks of ended attempts: one sum over the different scores of an exam, not over its students."""

from collections.abc import Sequence

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from lms_tui.service.attempts.shares import Ranking, ranking
from lms_tui.service.core.database.tables import Attempt, BestScore, ScoreCount


def rankings(session: Session, ids: Sequence[int]) -> dict[int, Ranking]:
    """Rank each of these ended attempts among the best scores of the other students."""
    if not ids:
        return {}
    found = session.execute(
        select(
            Attempt.id,
            # The attempt stands for its student, also where another attempt of the same student was better.
            func.sum(case((ScoreCount.score <= Attempt.score, ScoreCount.students), else_=0))
            + case((BestScore.score > Attempt.score, 1), else_=0),
            func.sum(ScoreCount.students),
        )
        .join(BestScore, (BestScore.user_id == Attempt.user_id) & (BestScore.exam_id == Attempt.exam_id))
        .join(ScoreCount, ScoreCount.exam_id == Attempt.exam_id)
        .where(Attempt.id.in_(ids))
        .group_by(Attempt.id, Attempt.score, BestScore.score)
    )
    return {attempt_id: ranking(at_or_below, students) for attempt_id, at_or_below, students in found}
