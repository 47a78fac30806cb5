"""Marks of ended attempts after a key has changed or marks by hand were released."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar

from sqlalchemy import case, func, select, update
from sqlalchemy.orm import Session, selectinload

from lms_tui.banks.progress import Progress, untold
from lms_tui.banks.scoring import BY_HAND, Outcome, QuestionKey, mark
from lms_tui.service.attempts import scoring
from lms_tui.service.attempts.ending import answer_of, columns_of, key_of
from lms_tui.service.core.database.tables import IS_RELEASED, Attempt, AttemptQuestion, Correction, HandMark, Question
from lms_tui.service.core.database.totals import recount
from lms_tui.service.core.database.types import Marks
from lms_tui.wire.attempt_states import AttemptState

_AT_A_TIME: Final = 500
_MANY: Final = 1_000
"""Attempts that take more than about a second."""
T = TypeVar("T")


def rescore(session: Session, exam_id: int, question_ids: Sequence[int], progress: Progress = untold) -> None:
    """Mark the answers to some questions of ended attempts again, and update every result that depends on them.

    `progress` is called if there are many attempts.
    The result is the same as if the attempts ended now. The exam is locked by the caller, so no attempt of it ends.
    """
    session.flush()
    questions = session.scalars(
        select(Question)
        .where(Question.id.in_(question_ids))
        .options(*(selectinload(part) for part in (Question.options, Question.numbers, Question.texts, Question.pairs)))
        .execution_options(populate_existing=True)
    )
    told = _Told(session, exam_id, progress)
    for question in questions:
        _write(session, update(AttemptQuestion), list(_changed_answers(session, key_of(question), told)))
    _write(session, update(Attempt), list(_changed_attempts(session, exam_id, told)))
    recount(session, exam_id, question_ids)
    session.expire_all()


class _Told:
    """Tells the progress of work on the ended attempts of an exam, if they are many."""

    def __init__(self, session: Session, exam_id: int, progress: Progress) -> None:
        ended = select(func.count()).where(Attempt.exam_id == exam_id, Attempt.state == AttemptState.COMPLETED)
        self._total = 0 if progress is untold else session.scalar(ended) or 0
        self._progress = progress

    def of(self, words: str, rows: Iterable[T]) -> Iterator[T]:
        """Yield rows, and tell every so often how many were done."""
        for number, row in enumerate(rows):
            if self._total >= _MANY and number % _AT_A_TIME == 0:
                self._progress(words, min(1.0, number / self._total))
            yield row


def _changed_answers(session: Session, key: QuestionKey, told: _Told) -> Iterator[dict[str, Any]]:
    rows = session.execute(
        select(AttemptQuestion, HandMark.marks)
        .join(Attempt, Attempt.id == AttemptQuestion.attempt_id)
        .outerjoin(HandMark, IS_RELEASED)
        .where(AttemptQuestion.question_id == key.id, Attempt.state == AttemptState.COMPLETED)
        .execution_options(yield_per=_AT_A_TIME)
    )
    for row, by_hand in told.of("marking the answers", rows):
        marked = mark(key, answer_of(row), by_hand)
        if (row.outcome, row.marks) != (marked.outcome.value, marked.score):
            yield {"id": row.id, "outcome": marked.outcome.value, "marks": marked.score}


def _changed_attempts(session: Session, exam_id: int, told: _Told) -> Iterator[dict[str, Any]]:
    """Yield the numbers of all ended attempts of an exam that differ from the sums of their questions."""
    valid = Question.correction != Correction.VOID
    automatic = Question.kind.not_in(BY_HAND) & valid
    counted = automatic | (HandMark.marks.is_not(None) & valid)
    outcomes = [func.count(case(((AttemptQuestion.outcome == outcome.value) & valid, 1))) for outcome in Outcome]
    of_marks = Question.marks.type
    rows = session.execute(
        select(
            Attempt,
            func.coalesce(func.sum(AttemptQuestion.marks), 0, type_=Marks()),
            func.coalesce(func.sum(case((counted, Question.marks))), 0, type_=of_marks),
            func.coalesce(func.sum(case((Question.is_bonus & automatic, Question.marks))), 0, type_=of_marks),
            *outcomes,
        )
        .join(AttemptQuestion, AttemptQuestion.attempt_id == Attempt.id)
        .join(Question, Question.id == AttemptQuestion.question_id)
        .outerjoin(HandMark, IS_RELEASED)
        .where(Attempt.exam_id == exam_id, Attempt.state == AttemptState.COMPLETED)
        .group_by(Attempt.id)
        .execution_options(yield_per=_AT_A_TIME)
    )
    for attempt, score, maximum, bonus, *counts in told.of("adding up the scores", rows):
        result = scoring.added_up(
            score=score,
            maximum=maximum,
            outcomes=dict(zip(Outcome, counts, strict=True)),
            bonus=bonus,
            time_taken=attempt.time_taken,
        )
        numbers = columns_of(result)
        if any(getattr(attempt, name) != value for name, value in numbers.items()):
            yield {"id": attempt.id, **numbers}


def _write(session: Session, statement: Any, rows: list[dict[str, Any]]) -> None:
    if rows:
        session.execute(statement, rows)
