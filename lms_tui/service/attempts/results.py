"""The results of an ended attempt: the review, and analytics by subject."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from lms_tui.banks.scoring import MarkedQuestion, Outcome
from lms_tui.common.frozen import frozen
from lms_tui.service.attempts.keys import review_answers
from lms_tui.service.attempts.lifecycle import StudentAttempts
from lms_tui.service.attempts.matching import solved_html
from lms_tui.service.attempts.records import completed_attempt
from lms_tui.service.attempts.subject_analytics import SubjectLine, SubjectNode, analyse_subjects
from lms_tui.service.core.database.tables import AttemptQuestion, Exam, HandMark, Question, QuestionTotal, Subject
from lms_tui.service.core.errors import Forbidden
from lms_tui.service.core.paging import Paging
from lms_tui.service.core.urls import Urls
from lms_tui.wire import attempts as wire
from lms_tui.wire.base import Page

SUBJECTS_PER_PAGE: Final = 200
_SHOWN: Final = (
    joinedload(AttemptQuestion.question).selectinload(Question.options),
    joinedload(AttemptQuestion.question).selectinload(Question.numbers),
    joinedload(AttemptQuestion.question).selectinload(Question.texts),
    joinedload(AttemptQuestion.question).selectinload(Question.pairs),
    joinedload(AttemptQuestion.question).joinedload(Question.passage),
    joinedload(AttemptQuestion.question).joinedload(Question.subject),
)


def _hidden(exam: Exam) -> str:
    if not exam.show_answers:
        return "The answers of this exam are not shown."
    closing = "" if exam.end_date is None else f" at {exam.end_date:%Y-%m-%d %H:%M} UTC"
    return f"The answers of this exam are shown after it closes{closing}."


@frozen
class QuestionStatistics:
    """Numbers of a question over all attempts, in seconds and per cent. `best_duration`: of a correct answer, or 0."""

    best_duration: float
    average_duration: float
    correct_percentage: float


@frozen
class Results:
    """The results of a student."""

    student: StudentAttempts

    def review(self, attempt_id: int, paging: Paging) -> Page[wire.ReviewQuestion]:
        self.student.close_overdue()
        with self.student.database.read() as session:
            attempt = completed_attempt(session, self.student.user_id, attempt_id)
            if not attempt.exam.shows_answers(self.student.now):
                raise Forbidden(_hidden(attempt.exam))
            return review_page(session, attempt.id, self.student.urls, paging)

    def subjects(self, attempt_id: int, paging: Paging) -> Page[wire.SubjectAnalytics]:
        self.student.close_overdue()
        with self.student.database.read() as session:
            attempt = completed_attempt(session, self.student.user_id, attempt_id)
            rows = session.execute(
                select(AttemptQuestion.question_id, AttemptQuestion.outcome, AttemptQuestion.marks, Question.subject_id)
                .join(Question)
                .where(AttemptQuestion.attempt_id == attempt.id)
                .order_by(AttemptQuestion.order)
            ).all()
            marked = [
                MarkedQuestion(question, Outcome(outcome), marks, subject)
                for question, outcome, marks, subject in rows
                if outcome is not None and marks is not None
            ]
            lines = analyse_subjects(_with_ancestors(session, [one.subject for one in marked]), marked)
        return paging.of_items([_subject_view(line) for line in lines], SUBJECTS_PER_PAGE)


def review_page(session: Session, attempt_id: int, urls: Urls, paging: Paging) -> Page[wire.ReviewQuestion]:
    """Return a page of the review of an ended attempt."""
    statement = (
        select(AttemptQuestion)
        .where(AttemptQuestion.attempt_id == attempt_id)
        .order_by(AttemptQuestion.order)
        .options(*_SHOWN)
    )

    def present(rows: Sequence[AttemptQuestion]) -> list[wire.ReviewQuestion]:
        statistics = question_statistics(session, [row.question_id for row in rows])
        hand = hand_marks(session, [row.id for row in rows])
        return [review_view(row, statistics[row.question_id], urls, hand.get(row.id)) for row in rows]

    return paging.of_rows(session, statement, present)


def question_statistics(session: Session, questions: Sequence[int]) -> dict[int, QuestionStatistics]:
    """Return best time, average time and share correct of questions over all ended attempts."""
    totals = session.scalars(select(QuestionTotal).where(QuestionTotal.question_id.in_(questions)))
    return {
        total.question_id: QuestionStatistics(
            best_duration=_seconds(total.best_duration),
            average_duration=round(_seconds(total.duration) / total.timed, 3) if total.timed else 0.0,
            correct_percentage=round(100 * total.correct / total.ended, 2) if total.ended else 0.0,
        )
        for total in totals
    }


def _seconds(span: timedelta | None) -> float:
    return 0.0 if span is None else span.total_seconds()


def hand_marks(session: Session, answers: Sequence[int]) -> dict[int, HandMark]:
    """Return the released marks by hand of answers."""
    rows = session.scalars(select(HandMark).where(HandMark.attempt_question_id.in_(answers), HandMark.is_released))
    return {row.attempt_question_id: row for row in rows}


def review_view(
    row: AttemptQuestion, statistics: QuestionStatistics, urls: Urls, by_hand: HandMark | None
) -> wire.ReviewQuestion:
    question = row.question
    return wire.ReviewQuestion(
        id=row.id,
        url=urls.attempt_question(row.attempt_id, row.id),
        order=row.order,
        question=wire.ReviewQuestionBody(
            id=question.id,
            url=urls.question(question.id),
            question_html=solved_html(question),
            direction=question.passage.html if question.passage else None,
            answers=review_answers(question, row.option_order),
            essay_topics=list(question.essay_topics),
            subject=question.subject.name if question.subject else "",
            explanation_html=question.explanation_html,
            type=question.kind,
            marks=question.marks,
            negative_marks=question.negative_marks,
        ),
        duration=row.duration,
        best_duration=statistics.best_duration,
        average_duration=statistics.average_duration,
        selected_answers=list(row.selected_answers),
        short_text=row.short_text,
        essay_text=row.essay_text,
        essay_topic=row.essay_topic,
        gap_fill_responses=[wire.GapFill(**gap) for gap in row.gap_fill_responses],
        review=row.review,
        correct_percentage=statistics.correct_percentage,
        score=None if row.outcome == Outcome.UNSCORED else row.marks,
        outcome=(row.outcome or "") if by_hand is not None or question.correction else "",
        comment="" if by_hand is None else by_hand.comment,
        correction=question.correction,
    )


def _with_ancestors(session: Session, wanted: Sequence[int | None]) -> list[SubjectNode]:
    """Return subjects with all their ancestors, in order of ID."""
    found: dict[int, SubjectNode] = {}
    level = {subject for subject in wanted if subject is not None}
    while level:
        for row in session.scalars(select(Subject).where(Subject.id.in_(level))):
            found[row.id] = SubjectNode(row.id, row.name, row.parent_id)
        level = {subject.parent for subject in found.values() if subject.parent is not None} - found.keys()
    return [found[key] for key in sorted(found)]


def _subject_view(line: SubjectLine) -> wire.SubjectAnalytics:
    return wire.SubjectAnalytics(
        id=line.id,
        name=line.name,
        total=line.total,
        correct=line.correct,
        unanswered=line.unanswered,
        incorrect=line.incorrect,
        parent=line.parent,
        leaf=line.leaf,
        score=line.score,
    )
