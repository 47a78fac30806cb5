"""Past attempts of the students with plausible answers, the same in every demo institute."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations
from random import Random
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from lms_tui.service.attempts.ending import end
from lms_tui.service.attempts.lifecycle import new_attempt
from lms_tui.service.core.database.tables import AttemptQuestion, Exam, Option, Question, User
from lms_tui.service.demo.data import ExamOffer, Person, institute_data

_UNTIMED: Final = timedelta(minutes=12)
"""The usual time for an untimed exam."""


@dataclass(frozen=True, slots=True)
class PlannedAttempt:
    """`right`: the number of correct answers, or None to let the strength of the student decide."""

    days_ago: float
    right: int | None = None


def add_history(session: Session, offer: ExamOffer, exam_id: int, students: Mapping[str, User], now: datetime) -> None:
    """Add attempts of all students of the batches, except for absent ones."""
    if not offer.is_taken:
        return
    exam = session.get_one(Exam, exam_id, options=[selectinload(Exam.sections)])
    # Kept in the session, where scoring finds the keys already loaded.
    questions = session.scalars(
        select(Question)
        .where(Question.exam_id == exam_id)
        .order_by(Question.order)
        .options(
            selectinload(Question.options),
            selectinload(Question.numbers),
            selectinload(Question.texts),
            selectinload(Question.pairs),
        )
    ).all()
    for person in institute_data().students:
        if set(person.batches) & set(offer.batches) and person.username not in offer.absent:
            for number, plan in enumerate(_plans(person, offer)):
                random = Random(f"{person.username} {offer.slug} {number}")
                begun = now - timedelta(days=plan.days_ago)
                answerer = _Answerer(person.strength, plan.right, random)
                _add_attempt(session, exam, questions, students[person.username], answerer, begun)


def _plans(person: Person, offer: ExamOffer) -> Sequence[PlannedAttempt]:
    planned = offer.attempts.get(person.username)
    if planned:
        return [PlannedAttempt(**fields) for fields in planned]
    return (PlannedAttempt(Random(f"when {person.username} {offer.slug}").uniform(1, -offer.starts - 0.5)),)


@dataclass(frozen=True, slots=True)
class _Answerer:
    """Answers by strength and chance, or with a fixed number of correct answers."""

    strength: float
    right: int | None
    random: Random

    def choices(self, questions: Sequence[Question]) -> Iterator[list[int]]:
        """Yield the chosen option IDs of each question, none where it is skipped."""
        fixed = None if self.right is None else set(self.random.sample(range(len(questions)), self.right))
        for index, question in enumerate(questions):
            knows = self._knows(question) if fixed is None else index in fixed
            if knows:
                yield [option.id for option in question.options if option.is_correct]
            elif self.random.random() < 0.3:
                yield []
            else:
                yield self._wrong(question.options)

    def _knows(self, question: Question) -> bool:
        difficulty = Random(question.identifier).uniform(-0.2, 0.25)
        return self.random.random() < self.strength - difficulty

    def _wrong(self, options: Sequence[Option]) -> list[int]:
        key = {option.id for option in options if option.is_correct}
        size = 1 if len(key) == 1 else self.random.choice((1, 2, 2, 3))
        candidates = [set(some) for some in combinations([option.id for option in options], size) if set(some) != key]
        return sorted(self.random.choice(candidates))


def _add_attempt(
    session: Session, exam: Exam, questions: Sequence[Question], user: User, answerer: _Answerer, begun: datetime
) -> None:
    attempt = new_attempt(session, exam, user.id, begun)
    rows = session.scalars(
        select(AttemptQuestion).where(AttemptQuestion.attempt_id == attempt.id).order_by(AttemptQuestion.order)
    ).all()
    pace = (attempt.allowed or _UNTIMED) * answerer.random.uniform(0.55, 0.95) / len(rows)
    moment = begun
    for row, chosen in zip(rows, answerer.choices(questions), strict=True):
        spent = pace * answerer.random.triangular(0.3, 1.7, 0.8)
        row.selected_answers = chosen
        row.review = answerer.random.random() < 0.1
        row.duration = timedelta(seconds=round(spent.total_seconds(), 1))
        row.first_seen, row.last_seen = moment, moment + spent
        moment += spent
    finished = begun + attempt.allowed - timedelta(seconds=2) if attempt.allowed else moment
    # Without a flush, which would write every answer before and after scoring.
    with session.no_autoflush:
        end(session, attempt, min(moment, finished))
