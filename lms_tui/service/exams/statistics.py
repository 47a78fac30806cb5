"""The item analysis of a stored exam."""

from collections import defaultdict
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from lms_tui.banks.scoring import BY_HAND
from lms_tui.banks.texts import letter, plain, title_or_text
from lms_tui.service.core.answer_words import gaps_in_words
from lms_tui.service.core.database.tables import (
    IS_RELEASED,
    Attempt,
    AttemptQuestion,
    Correction,
    Exam,
    HandMark,
    Question,
)
from lms_tui.service.exams.item_analysis import Analysis, Given, analyse, summarise, suspicions
from lms_tui.wire.attempt_states import AttemptState

Row = dict[str, Any]


def statistics_of(session: Session, exam: Exam) -> tuple[Row, list[Row]]:
    """Return a row for the exam and one for each question. Shares are 0 to 1, None without attempts."""
    questions = session.scalars(
        select(Question)
        .where(Question.exam_id == exam.id)
        .order_by(Question.order)
        .options(selectinload(Question.options))
    ).all()
    totals = {
        attempt: float(score)
        for attempt, score in session.execute(
            select(Attempt.id, Attempt.score).where(Attempt.exam_id == exam.id, Attempt.state == AttemptState.COMPLETED)
        )
    }
    given = _given(session, exam)
    summary = summarise(totals, [given[question.id] for question in questions])
    whole = {
        "slug": exam.slug,
        "title": exam.title,
        "attempts": summary.attempts,
        "mean": summary.mean,
        "median": summary.median,
        "deviation": summary.deviation,
        "lowest": summary.lowest,
        "highest": summary.highest,
        "reliability": summary.reliability,
    }
    return whole, [_row(question, analyse(question.marks, given[question.id], totals)) for question in questions]


def _given(session: Session, exam: Exam) -> dict[int, list[Given]]:
    rows = session.execute(
        select(
            AttemptQuestion.question_id,
            AttemptQuestion.attempt_id,
            AttemptQuestion.marks,
            AttemptQuestion.outcome,
            AttemptQuestion.selected_answers,
            AttemptQuestion.short_text,
            AttemptQuestion.gap_fill_responses,
            # A person marks it, or it is void: then only released marks count.
            (Question.kind.in_(BY_HAND) | (Question.correction == Correction.VOID)) & HandMark.marks.is_(None),
        )
        .join(Attempt)
        .join(Question, Question.id == AttemptQuestion.question_id)
        .outerjoin(HandMark, IS_RELEASED)
        .where(Attempt.exam_id == exam.id, Attempt.state == AttemptState.COMPLETED)
        .order_by(AttemptQuestion.attempt_id)
    )
    found: dict[int, list[Given]] = defaultdict(list)
    for question, attempt, marks, outcome, chosen, text, gaps, unmarked in rows:
        written = text or gaps_in_words((gap["order"], gap["answer"]) for gap in gaps)
        answered = outcome is not None and outcome != "unanswered"
        found[question].append(Given(attempt, float(marks or 0), answered, tuple(chosen), written, not unmarked))
    return found


def _row(question: Question, found: Analysis) -> Row:
    return {
        "number": question.order,
        "type": question.kind,
        "title": title_or_text(question.title, question.html),
        "answered": found.answered,
        "to_mark": found.waiting,
        "correction": question.correction,
        "suspicions": suspicions(
            found,
            {letter(place): option.id for place, option in enumerate(question.options[:26]) if not option.is_correct},
        ),
        "facility": found.facility,
        "discrimination": found.discrimination,
        "choices": [
            {
                "option": plain(option.html),
                "correct": option.is_correct,
                "count": found.choices.get(option.id, 0),
                "share": round(found.choices.get(option.id, 0) / found.attempts, 4) if found.attempts else None,
            }
            for option in question.options
        ],
        "answers": [{"text": text, "count": count} for text, count in found.texts],
    }
