"""The two hot writes as pure moves over loaded rows: what is refused, what changes, what is answered."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

from lms_tui.service.attempts.answers import AnswerBody, apply, check
from lms_tui.service.attempts.lifecycle import place_of
from lms_tui.service.attempts.records import clock_of, is_overdue, keep_clock
from lms_tui.service.attempts.response_cache import Facts, QuestionFacts
from lms_tui.service.attempts.rows import AnswerRow, AttemptRow
from lms_tui.service.attempts.stamps import Stamp, applied_with, is_superseded
from lms_tui.service.core.errors import Forbidden, already_ended, unknown_token
from lms_tui.service.core.tokens import whole_second
from lms_tui.service.core.urls import Urls
from lms_tui.service.users.rows import UserRow
from lms_tui.wire.attempt_states import AttemptState


class Beat(NamedTuple):
    """A heartbeat. `issued`: the second the caller's token was made; None where who is calling was asked already."""

    user_id: int
    issued: int | None
    attempt_id: int
    urls: Urls
    now: datetime

    @property
    def question_id(self) -> int | None:
        return None


class Answered(NamedTuple):
    """An answer; one that is older than the answer that stands changes nothing."""

    user_id: int
    issued: int | None
    attempt_id: int
    urls: Urls
    now: datetime
    question_id: int
    body: AnswerBody
    stamp: Stamp | None


Move = Beat | Answered


class Writer(Protocol):
    """Makes heartbeats and answers durable."""

    async def perform(self, move: Move) -> bytes:
        """Return the answer to a move whose change is durable; raises Failure, Invalid and errors of the database."""


class Overdue(Exception):
    """The attempt has to be ended before anything is said about it."""


@dataclass(slots=True)
class Rows:
    """What a batch of moves is about, by id; a row that is not there is missing here.

    Changed: `clocks`, the clocks of attempts and their sections; `worked`, their last sign of work; `changed_answers`.
    """

    users: dict[int, UserRow]
    attempts: dict[int, AttemptRow]
    answers: dict[int, AnswerRow]
    clocks: dict[int, AttemptRow] = field(default_factory=dict)
    worked: dict[int, AttemptRow] = field(default_factory=dict)
    changed_answers: dict[int, AnswerRow] = field(default_factory=dict)


def perform(move: Move, rows: Rows, facts: Facts, grace: timedelta) -> bytes:
    """Apply a move to the rows and return its answer in JSON; raises Failure, Invalid, Overdue and MissingFacts.

    Nothing is changed where something is raised.
    """
    user = _caller(move, rows)
    attempt = rows.attempts.get(move.attempt_id)
    if attempt is None or attempt.user_id != move.user_id:
        raise Forbidden("This attempt is not yours.")
    if is_overdue(attempt, move.now, grace):
        raise Overdue
    if attempt.state != AttemptState.RUNNING:
        raise already_ended()
    if isinstance(move, Answered):
        return _answer(move, attempt, rows, facts, grace)
    shown = facts.exam(attempt.exam_id)
    keep_clock(attempt, clock_of(attempt).at(move.now))
    rows.clocks[attempt.id] = attempt
    return shown.live_attempt(attempt, user, move.now, move.urls)


def _caller(move: Move, rows: Rows) -> UserRow:
    user = rows.users.get(move.user_id)
    if user is None or not user.is_active:
        raise unknown_token()
    if move.issued is not None and move.issued < whole_second(user.tokens_valid_from):
        raise unknown_token()
    return user


def _answer(move: Answered, attempt: AttemptRow, rows: Rows, facts: Facts, grace: timedelta) -> bytes:
    row = rows.answers.get(move.question_id)
    if row is None or row.attempt_id != attempt.id:
        raise Forbidden("This question is not of this attempt.")
    if any(section.allowed is not None for section in attempt.sections):
        clock = clock_of(attempt).at(move.now)
        if not clock.takes_answers(place_of(attempt, row.section_id), grace):
            raise Forbidden("The section of this question is not open.")
    question: QuestionFacts = facts.question(row.question_id)
    if not is_superseded(move.stamp, row.answer_stamps, move.now):
        check(question.kind, question.options, move.body)
        apply(row, move.body, _time_spent(attempt, move.now), move.now)
        row.answer_stamps = applied_with(move.stamp, row.answer_stamps, move.now)
        attempt.last_answer = move.now
        rows.worked[attempt.id] = attempt
        rows.changed_answers[row.id] = row
    return question.answered(row, move.urls)


def _time_spent(attempt: AttemptRow, now: datetime) -> timedelta:
    """What passed since the last sign of work in the attempt, which the question that is answered now has cost."""
    last = attempt.last_answer
    since = attempt.last_started_time if last is None else max(last, attempt.last_started_time)
    return max(timedelta(), now - since)
