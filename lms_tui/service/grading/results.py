"""The results of an exam: a value for each attempt, read a few attempts at a time."""

import json
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cached_property
from itertools import accumulate
from typing import Final, NamedTuple

from sqlalchemy import BigInteger, Text, cast, func, select, type_coerce
from sqlalchemy.orm import Session, joinedload

from lms_tui.banks.scoring import Outcome
from lms_tui.banks.texts import letter, title_or_text
from lms_tui.common.frozen import frozen
from lms_tui.service.attempts.shares import Ranking, percentage, ranking
from lms_tui.service.core.answer_words import gaps_in_words
from lms_tui.service.core.database.tables import (
    Attempt,
    AttemptQuestion,
    BestScore,
    Correction,
    Exam,
    Option,
    Question,
    ScoreCount,
    User,
)
from lms_tui.service.exams.exporter import subject_paths

AT_A_TIME: Final = 200
_SCALE: Final = 10_000
_EMPTY: Final = frozenset({"[]", "null", "", None})


class Column(NamedTuple):
    """A question of the exam. `subject`: the path in the subject tree, such as `Physics / Optics`."""

    id: int
    number: int
    type: str
    title: str
    subject: str
    marks: Decimal


class Given(NamedTuple):
    """An answer with its marks. `outcome` and `marks` are None while the attempt runs.

    `marks` is also None while the answer waits for a person to mark it.

    Options are letters in the order of the exam file. Gaps are numbered. Files have their names and sizes.
    """

    answer: str
    outcome: str | None
    marks: Decimal | None


_STORED: Final = AttemptQuestion.__table__.c
_ANSWERS: Final = select(
    _STORED.attempt_id,
    _STORED.question_id,
    _STORED.outcome,
    type_coerce(_STORED.marks, BigInteger),
    cast(_STORED.selected_answers, Text),
    _STORED.short_text,
    _STORED.essay_text,
    cast(_STORED.gap_fill_responses, Text),
).order_by(_STORED.attempt_id, _STORED.order)
NOT_ASKED: Final = Given("", None, None)


@frozen
class AttemptResult:
    """The result of one attempt.

    `ranking`: None while the attempt runs. `waiting`: how many answers wait for a person to mark them.
    `time_taken`: the time used until the last contact. `answers`: by the ID of the question.
    """

    id: int
    name: str
    username: str
    state: str
    score: Decimal
    max_score: Decimal
    correct: int
    incorrect: int
    unanswered: int
    started: datetime
    ended: datetime | None
    time_taken: timedelta
    ranking: Ranking | None
    waiting: int = 0
    answers: dict[int, Given] = field(default_factory=dict)

    @property
    def percentage(self) -> str:
        return percentage(self.score, self.max_score)

    def by_subject(self, columns: Sequence[Column]) -> dict[str, Decimal]:
        """Return the marks of each subject of the exam."""
        found: dict[str, Decimal] = defaultdict(Decimal)
        for column in columns:
            given = self.answers.get(column.id)
            found[column.subject] += (given.marks if given else None) or Decimal(0)
        return found


class ExamResults:
    """The results of an exam in one view of the database."""

    def __init__(self, session: Session, exam: Exam) -> None:
        self._session = session
        self._exam = exam
        self._chosen = _Chosen(self._read_letters())
        self.columns = self._read_columns()

    def attempts(self, *user_ids: int) -> Iterator[AttemptResult]:
        """Yield all attempts, or those of some users, by the name of the student and then by their start."""
        statement = select(Attempt.id, Attempt.user_id).where(Attempt.exam_id == self._exam.id).order_by(Attempt.id)
        if user_ids:
            statement = statement.where(Attempt.user_id.in_(user_ids))
        names = self._names()
        found = sorted((*names[user_id], id_) for id_, user_id in self._session.execute(statement))
        for first in range(0, len(found), AT_A_TIME):
            yield from self.of([row[-1] for row in found[first : first + AT_A_TIME]])

    def count(self, *user_ids: int) -> int:
        """Return how many results `attempts` yields."""
        statement = select(func.count()).where(Attempt.exam_id == self._exam.id)
        return self._session.scalar(statement.where(Attempt.user_id.in_(user_ids)) if user_ids else statement) or 0

    def of(self, ids: Sequence[int]) -> list[AttemptResult]:
        """Return the results of attempts in the order of their IDs. The number of queries does not depend on that."""
        rows = self._session.scalars(select(Attempt).where(Attempt.id.in_(ids)).options(joinedload(Attempt.user)))
        loaded = {row.id: row for row in rows}
        answers = self._answers(ids)
        return [self._result(loaded[id_], answers[id_]) for id_ in ids if id_ in loaded]

    def _names(self) -> dict[int, tuple[str, str]]:
        users = select(Attempt.user_id).where(Attempt.exam_id == self._exam.id)
        return {
            id_: (f"{first} {last}".strip().casefold() or username.casefold(), username)
            for id_, first, last, username in self._session.execute(
                select(User.id, User.first_name, User.last_name, User.username).where(User.id.in_(users))
            )
        }

    def _result(self, row: Attempt, answers: dict[int, Given]) -> AttemptResult:
        return AttemptResult(
            id=row.id,
            name=row.user.display_name,
            username=row.user.username,
            state=row.state,
            score=row.score,
            max_score=row.max_score,
            correct=row.correct_count,
            incorrect=row.incorrect_count,
            unanswered=row.unanswered_count,
            started=row.date,
            ended=row.ended,
            time_taken=row.time_taken,
            ranking=self._standings.of(row.user_id, row.score) if row.ended is not None else None,
            waiting=sum(
                given.outcome == Outcome.UNSCORED and question not in self._void for question, given in answers.items()
            ),
            answers=answers,
        )

    def _answers(self, ids: Sequence[int]) -> dict[int, dict[int, Given]]:
        # As stored, and without the ORM: a million answers are read in seconds.
        rows = self._session.execute(_ANSWERS.where(_STORED.attempt_id.in_(ids)))
        found: dict[int, dict[int, Given]] = defaultdict(dict)
        for attempt, question, outcome, marks, selected, short, essay, gaps in rows:
            text = short or essay or _filled(gaps)
            found[attempt][question] = (
                Given(text, outcome, _marks(outcome, marks)) if text else self._chosen[selected, outcome, marks]
            )
        return found

    def _read_letters(self) -> dict[int, str]:
        """Return the letter of each option by its ID."""
        rows = self._session.execute(
            select(Option.question_id, Option.id)
            .join(Question)
            .where(Question.exam_id == self._exam.id)
            .order_by(Option.question_id, Option.order, Option.id)
        )
        places: dict[int, int] = defaultdict(int)
        letters: dict[int, str] = {}
        for question, option in rows:
            letters[option] = letter(places[question])
            places[question] += 1
        return letters

    def _read_columns(self) -> tuple[Column, ...]:
        rows = self._session.scalars(
            select(Question).where(Question.exam_id == self._exam.id).order_by(Question.order)
        ).all()
        self._void = {row.id for row in rows if row.correction == Correction.VOID}
        paths = subject_paths(self._session, {row.subject_id for row in rows})
        return tuple(
            Column(
                row.id,
                row.order,
                row.kind,
                title_or_text(row.title, row.html),
                " / ".join(paths.get(row.subject_id or 0, ())),
                row.marks,
            )
            for row in rows
        )

    @cached_property
    def _standings(self) -> "Standings":
        return Standings(self._session, self._exam.id)


class _Chosen(dict[tuple[str, str | None, int | None], Given]):
    """Chosen options with their marks, as the database holds them. Most answers of an exam are alike."""

    def __init__(self, letters: Mapping[int, str]) -> None:
        super().__init__()
        self._letters = letters

    def __missing__(self, stored: tuple[str, str | None, int | None]) -> Given:
        options, outcome, marks = stored
        letters = sorted(self._letters.get(option, "?") for option in json.loads(options))
        self[stored] = given = Given(", ".join(letters), outcome, _marks(outcome, marks))
        return given


class Standings:
    """The ranks of an exam, read once: the same as `rankings` gives for each attempt."""

    def __init__(self, session: Session, exam_id: int) -> None:
        counts = session.execute(
            select(ScoreCount.score, ScoreCount.students)
            .where(ScoreCount.exam_id == exam_id)
            .order_by(ScoreCount.score)
        ).all()
        best = session.execute(select(BestScore.user_id, BestScore.score).where(BestScore.exam_id == exam_id)).all()
        self._best = {row[0]: row[1] for row in best}
        self._scores = [row[0] for row in counts]
        self._students = [0, *accumulate(row[1] for row in counts)]

    def of(self, user_id: int, score: Decimal) -> Ranking:
        """Rank the score of an ended attempt among the best scores of the other students."""
        at_or_below = self._students[bisect_right(self._scores, score)]
        return ranking(at_or_below + (self._best.get(user_id, score) > score), self._students[-1])


def _marks(outcome: str | None, stored: int | None) -> Decimal | None:
    return None if stored is None or outcome == Outcome.UNSCORED else Decimal(stored) / _SCALE


def _filled(stored: str | None) -> str:
    if stored in _EMPTY:
        return ""
    gaps = json.loads(stored or "[]") or ()
    return gaps_in_words((gap["order"], gap["answer"]) for gap in gaps)
