"""The end of attempts, by the student or because the time is over."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, select
from sqlalchemy.orm import Session, selectinload

from lms_tui.banks.model import NumericKey, TextKey
from lms_tui.banks.scoring import Answer, MarkedQuestion, OptionKey, QuestionKey, mark_all
from lms_tui.banks.texts import literal
from lms_tui.service.attempts import scoring
from lms_tui.service.attempts.files import remove_unused
from lms_tui.service.attempts.row_clocks import clock_of, is_overdue, write_clock
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import Attempt, AttemptQuestion, Correction, Exam, Question
from lms_tui.service.core.database.totals import add_ended
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.question_types import QuestionType

_WITH_KEY: Final = (
    selectinload(AttemptQuestion.question).selectinload(Question.options),
    selectinload(AttemptQuestion.question).selectinload(Question.numbers),
    selectinload(AttemptQuestion.question).selectinload(Question.texts),
    selectinload(AttemptQuestion.question).selectinload(Question.pairs),
)
_AT_A_TIME: Final = 50


def end(session: Session, attempt: Attempt, now: datetime) -> None:
    """End an attempt, score it and count it. Files that no answer names are removed."""
    _hold_keys(session, [attempt])
    _end(session, attempt, now)
    add_ended(session, [attempt.id])


def _hold_keys(session: Session, attempts: Sequence[Attempt]) -> None:
    """Keep the keys of the exams unchanged until the transaction ends. A correction of a key locks the exam."""
    exams = sorted({attempt.exam_id for attempt in attempts})
    if exams:
        lock = select(Exam.id).where(Exam.id.in_(exams)).order_by(Exam.id).with_for_update(read=True, key_share=True)
        session.execute(lock).all()


def _end(session: Session, attempt: Attempt, now: datetime) -> None:
    rows = session.scalars(
        select(AttemptQuestion).where(AttemptQuestion.attempt_id == attempt.id).options(*_WITH_KEY)
    ).all()
    keys = [key_of(row.question) for row in rows]
    marked = end_with(attempt, now, keys, {row.question_id: answer_of(row) for row in rows})
    for row, one in zip(rows, marked, strict=True):
        row.outcome, row.marks = one.outcome.value, one.score
    if any(row.question.kind == QuestionType.FILES for row in rows):
        remove_unused(session, attempt.id)


def end_with(
    attempt: Attempt, now: datetime, keys: Sequence[QuestionKey], answers: Mapping[int, Answer]
) -> Sequence[MarkedQuestion]:
    """End an attempt with these answers by question ID. Return the marks of each question, in the order of `keys`.

    The caller counts it with `add_ended`.
    """
    over = attempt.deadline is not None and attempt.deadline <= now
    write_clock(attempt, clock_of(attempt).at(now))
    attempt.time_over = over
    attempt.ended = attempt.deadline if over else now
    attempt.state, attempt.paused = AttemptState.COMPLETED.value, None
    for section in attempt.sections:
        section.state = AttemptState.COMPLETED.value
    marked = mark_all(keys, answers)
    for column, value in columns_of(scoring.total(keys, marked, attempt.time_taken)).items():
        setattr(attempt, column, value)
    return marked


def columns_of(result: scoring.Result) -> dict[str, Any]:
    """Return the result as columns of an attempt."""
    return {
        "total_questions": result.questions,
        "score": result.score,
        "max_score": result.maximum,
        "correct_count": result.correct_count,
        "incorrect_count": result.incorrect_count,
        "unanswered_count": result.unanswered_count,
        "total_bonus": result.total_bonus,
        "speed": result.speed,
        "accuracy": result.accuracy,
    }


def close_overdue(database: Database, user_id: int, now: datetime, grace: timedelta) -> None:
    """End the overdue attempts of one student. Costs one query if there are none."""
    with database.read() as session:
        found = session.scalars(_overdue(now, grace, Attempt.user_id == user_id)).all()
    if found:
        with database.write() as session:
            _end_all(session, found, now, grace)


def close_all_overdue(database: Database, now: datetime, grace: timedelta) -> int:
    """End all overdue attempts in small transactions, which lets answers in between, and return how many."""
    closed = 0
    while True:
        with database.write() as session:
            found = session.scalars(_overdue(now, grace).limit(_AT_A_TIME)).all()
            _end_all(session, found, now, grace)
        closed += len(found)
        if len(found) < _AT_A_TIME:
            return closed


def _overdue(now: datetime, grace: timedelta, *conditions: ColumnElement[bool]) -> Select[int]:
    return select(Attempt.id).where(Attempt.state == AttemptState.RUNNING, Attempt.deadline < now - grace, *conditions)


def _end_all(session: Session, ids: Sequence[int], now: datetime, grace: timedelta) -> None:
    rows = session.scalars(
        select(Attempt)
        .where(Attempt.id.in_(ids))
        # Every batch locks in this order, which prevents deadlocks.
        .order_by(Attempt.id)
        .options(selectinload(Attempt.sections))
        .with_for_update()
    )
    overdue = [attempt for attempt in rows.all() if is_overdue(attempt, now, grace)]
    _hold_keys(session, overdue)
    for attempt in overdue:
        _end(session, attempt, now)
    add_ended(session, [attempt.id for attempt in overdue])


def key_of(question: Question) -> QuestionKey:
    """Return a question with its key for scoring."""
    pairs = [pair for pair in question.pairs if pair.left_html]
    texts = (
        [TextKey(literal(pair.right), gap=gap) for gap, pair in enumerate(pairs, start=1)]
        if question.kind == QuestionType.MATCH
        else [TextKey(key.text, key.gap, key.case_sensitive, key.weight) for key in question.texts]
    )
    return QuestionKey(
        id=question.id,
        kind=question.kind,
        marks=question.marks,
        negative_marks=question.negative_marks,
        options=tuple(OptionKey(option.id, option.is_correct, option.weight) for option in question.options),
        numbers=tuple(NumericKey(key.low, key.high, key.weight, gap=key.gap) for key in question.numbers),
        texts=tuple(texts),
        subject=question.subject_id,
        section=question.section_id,
        bonus=question.is_bonus,
        void=question.correction == Correction.VOID,
    )


def answer_of(row: AttemptQuestion) -> Answer:
    return Answer(
        selected=frozenset(row.selected_answers),
        short_text=row.short_text or "",
        essay_text=row.essay_text or "",
        gaps=tuple((int(gap["order"]), gap["answer"]) for gap in row.gap_fill_responses),
    )
