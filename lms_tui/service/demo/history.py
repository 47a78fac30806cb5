"""Past attempts of the students with plausible answers, the same in every demo institute."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import datetime, timedelta
from itertools import combinations
from random import Random
from typing import Any, Final

from sqlalchemy import insert, select
from sqlalchemy.orm import Session, selectinload

from lms_tui.banks.scoring import QuestionKey
from lms_tui.common.frozen import frozen
from lms_tui.service.attempts.ending import answer_of, end_with, key_of
from lms_tui.service.attempts.lifecycle import section_ids, unsaved_attempt
from lms_tui.service.core.database.tables import Attempt, AttemptQuestion, Exam, Option, Question, User
from lms_tui.service.core.database.totals import add_ended
from lms_tui.service.demo.data import ExamOffer, Person, institute_data

_UNTIMED: Final = timedelta(minutes=12)
"""The usual time for an untimed exam."""


@frozen
class PlannedAttempt:
    """`right`: the number of correct choices, or None to let the strength of the student decide.

    `written`: the other answers by the ID of their question, as columns of `AttemptQuestion`. `gaps`: texts in order.
    """

    days_ago: float
    right: int | None = None
    written: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def add_history(session: Session, offer: ExamOffer, exam_id: int, students: Mapping[str, User], now: datetime) -> None:
    """Add attempts of all students of the batches, except for absent ones, and of those with planned attempts.

    The attempts are made and scored in memory and written together, because the first start waits for them.
    """
    if not offer.is_taken:
        return
    exam = session.get_one(Exam, exam_id, options=[selectinload(Exam.sections)])
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
    keys = [key_of(question) for question in questions]
    made = [
        _attempt(exam, questions, keys, students[person.username], answerer, begun)
        for person in institute_data().students
        if (set(person.batches) & set(offer.batches) or person.username in offer.attempts)
        and person.username not in offer.absent
        for answerer, begun in _planned(person, offer, now)
    ]
    session.add_all(attempt for attempt, _ in made)
    session.flush()
    session.execute(
        insert(AttemptQuestion).execution_options(render_nulls=True),  # one statement for all rows
        [row for attempt, rows in made for row in _stored(attempt, rows)],
    )
    add_ended(session, [attempt.id for attempt, _ in made])


def _planned(person: Person, offer: ExamOffer, now: datetime) -> Iterator[tuple["_Answerer", datetime]]:
    """Yield how and when a student takes an exam each time."""
    for number, plan in enumerate(_plans(person, offer)):
        random = Random(f"{person.username} {offer.slug} {number}")
        yield _Answerer(person.strength, plan.right, random, plan.written), now - timedelta(days=plan.days_ago)


def _plans(person: Person, offer: ExamOffer) -> Sequence[PlannedAttempt]:
    planned = offer.attempts.get(person.username)
    if planned:
        return [PlannedAttempt(**fields) for fields in planned]
    return (PlannedAttempt(Random(f"when {person.username} {offer.slug}").uniform(1, -offer.starts - 0.5)),)


@frozen
class _Answerer:
    """Chooses by strength and chance, or a fixed number of correct answers. Writes what is planned."""

    strength: float
    right: int | None
    random: Random
    written: Mapping[str, Mapping[str, Any]]

    def choices(self, questions: Sequence[Question]) -> Iterator[list[int]]:
        """Yield the chosen option IDs of each question, none where it is skipped."""
        fixed = None if self.right is None else set(self.random.sample(range(len(questions)), self.right))
        for index, question in enumerate(questions):
            knows = self._knows(question) if fixed is None else index in fixed
            if knows:
                yield [option.id for option in question.options if option.is_correct]
            elif not question.options or self.random.random() < 0.3:
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


def _attempt(
    exam: Exam,
    questions: Sequence[Question],
    keys: Sequence[QuestionKey],
    user: User,
    answerer: _Answerer,
    begun: datetime,
) -> tuple[Attempt, list[dict[str, Any]]]:
    """Return an ended attempt and the rows of its questions. `section_id` is the section of the exam."""
    attempt = unsaved_attempt(exam, user.id, begun)
    pace = (attempt.allowed or _UNTIMED) * answerer.random.uniform(0.55, 0.95) / len(questions)
    moment = begun
    rows: list[dict[str, Any]] = []
    for question, chosen in zip(questions, answerer.choices(questions), strict=True):
        spent = pace * answerer.random.triangular(0.3, 1.7, 0.8)
        rows.append(
            {
                "question_id": question.id,
                "section_id": question.section_id,
                "order": question.order,
                "selected_answers": chosen,
                **_columns(answerer.written.get(question.identifier, {})),
                "review": answerer.random.random() < 0.1,
                "duration": timedelta(seconds=round(spent.total_seconds(), 1)),
                "first_seen": moment,
                "last_seen": moment + spent,
            }
        )
        moment += spent
    finished = begun + attempt.allowed - timedelta(seconds=2) if attempt.allowed else moment
    answers = {row["question_id"]: answer_of(AttemptQuestion(**row)) for row in rows}
    for row, marked in zip(rows, end_with(attempt, min(moment, finished), keys, answers), strict=True):
        row |= {"outcome": marked.outcome.value, "marks": marked.score}
    return attempt, rows


def _columns(written: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a written answer, the same ones for each question, because all are written together."""
    gaps = [{"order": str(number), "answer": text} for number, text in enumerate(written.get("gaps", ()), 1)]
    return {name: written.get(name) for name in ("short_text", "essay_topic", "essay_text")} | {
        "gap_fill_responses": gaps
    }


def _stored(attempt: Attempt, rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    sections = section_ids(attempt)
    for row in rows:
        yield {**row, "attempt_id": attempt.id, "section_id": sections[row["section_id"]]}
