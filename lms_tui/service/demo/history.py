"""What the students did before today: earlier attempts with plausible answers, the same in every demo institute."""

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
from lms_tui.service.core.database.tables import Attempt, AttemptQuestion, Exam, Option, Question, User
from lms_tui.service.demo.catalogue import Offer
from lms_tui.service.demo.people import STUDENTS, Person

_UNTIMED: Final = timedelta(minutes=12)
"""About how long an exam without a clock takes."""

_NEVER_TAKEN: Final = frozenset({"every-type-of-question", "foundation-test-2"})
_ABSENT: Final[Mapping[str, frozenset[str]]] = {
    "foundation-test-1": frozenset({"asha", "ravi", "vikram"}),
    "number-sense": frozenset({"asha", "gurpreet", "imran", "suresh", "zoya"}),
    "four-minute-sprint": frozenset({"asha", "ravi", "joseph", "tenzin"}),
    "reading-and-reasoning": frozenset({"asha", "ravi", "arjun", "sneha", "kavita", "vikram"}),
    "hindi-and-tamil": frozenset({"asha", "ravi", "joseph", "tenzin", "zoya", "gurpreet", "ananya", "fatima"}),
    "scholarship-mock": frozenset({"asha"}),
}


@dataclass(frozen=True, slots=True)
class Plan:
    """One attempt to be. `right`: how many right answers; None: as the student's strength has it."""

    days_ago: float
    right: int | None = None


# Asha improves from attempt to attempt, so that the trend has something to show.
_REPEATED: Final[Mapping[tuple[str, str], tuple[Plan, ...]]] = {
    ("asha", "weekly-physics-quiz"): (Plan(36.3, 4), Plan(22.4, 6), Plan(8.2, 8)),
    ("ravi", "weekly-physics-quiz"): (Plan(34.1, 7), Plan(15.6, 6)),
    ("meera", "weekly-physics-quiz"): (Plan(33.5, 9), Plan(9.7, 10)),
    ("asha", "acids-and-bases"): (Plan(5.4, 5),),
}


def add_history(session: Session, offer: Offer, exam_id: int, students: Mapping[str, User], now: datetime) -> None:
    """Let the students whom an exam was offered to take it, but those who stayed away."""
    if offer.exam.slug in _NEVER_TAKEN or offer.is_public:
        return
    exam = session.get_one(Exam, exam_id, options=[selectinload(Exam.sections)])
    # Held until the end, so that marking finds the keys already loaded.
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
    for person in STUDENTS:
        if set(person.batches) & set(offer.batches) and person.username not in _ABSENT.get(offer.exam.slug, ()):
            for place, plan in enumerate(_plans(person, offer)):
                random = Random(f"{person.username} {offer.exam.slug} {place}")
                begun = now - timedelta(days=plan.days_ago)
                _sit(
                    session,
                    exam,
                    questions,
                    students[person.username],
                    _Hand(person.strength, plan.right, random),
                    begun,
                )


def _plans(person: Person, offer: Offer) -> Sequence[Plan]:
    planned = _REPEATED.get((person.username, offer.exam.slug))
    if planned:
        return planned
    open_for = -offer.starts.total_seconds() / 86_400
    return (Plan(Random(f"when {person.username} {offer.exam.slug}").uniform(1, open_for - 0.5)),)


@dataclass(frozen=True, slots=True)
class _Hand:
    """Who answers: strength and luck, or a fixed number of right answers."""

    strength: float
    right: int | None
    random: Random

    def choices(self, questions: Sequence[Question]) -> Iterator[list[int]]:
        """Say for each question which options are chosen, none where it is skipped."""
        fixed = None if self.right is None else set(self.random.sample(range(len(questions)), self.right))
        for place, question in enumerate(questions):
            knows = self._knows(question) if fixed is None else place in fixed
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


def _sit(
    session: Session, exam: Exam, questions: Sequence[Question], user: User, hand: _Hand, begun: datetime
) -> Attempt:
    attempt = new_attempt(session, exam, user.id, begun)
    rows = session.scalars(
        select(AttemptQuestion).where(AttemptQuestion.attempt_id == attempt.id).order_by(AttemptQuestion.order)
    ).all()
    pace = (attempt.allowed or _UNTIMED) * hand.random.uniform(0.55, 0.95) / len(rows)
    moment = begun
    for row, chosen in zip(rows, hand.choices(questions), strict=True):
        spent = pace * hand.random.triangular(0.3, 1.7, 0.8)
        row.selected_answers = chosen
        row.review = hand.random.random() < 0.1
        row.duration = timedelta(seconds=round(spent.total_seconds(), 1))
        row.first_seen, row.last_seen = moment, moment + spent
        moment += spent
    finished = begun + attempt.allowed - timedelta(seconds=2) if attempt.allowed else moment
    session.flush()
    end(session, attempt, min(moment, finished))
    return attempt
