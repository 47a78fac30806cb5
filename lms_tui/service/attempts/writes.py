"""Heartbeats and answers as pure changes of loaded rows."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

from lms_tui.service.attempts.answers import AnswerBody, apply, check
from lms_tui.service.attempts.lifecycle import section_index
from lms_tui.service.attempts.notices import notice_headers
from lms_tui.service.attempts.response_cache import CachedQuestion, ResponseCache
from lms_tui.service.attempts.row_clocks import clock_of, is_overdue, write_clock
from lms_tui.service.attempts.rows import AnswerRow, AttemptRow, ShownAttemptRow
from lms_tui.service.attempts.seen import Headers, headers_of, seen_with
from lms_tui.service.attempts.stamps import Stamp, applied_with, is_superseded
from lms_tui.service.core.errors import Forbidden, already_ended, invalid_token, not_yours
from lms_tui.service.core.token_times import whole_second
from lms_tui.service.core.urls import Urls
from lms_tui.service.users.rows import CallerRow
from lms_tui.wire.attempt_states import AttemptState


class Heartbeat(NamedTuple):
    """A heartbeat. `issued`: when the token of the caller was issued, None if the caller was already checked."""

    user_id: int
    issued: int | None
    attempt_id: int
    urls: Urls
    now: datetime

    @property
    def question_id(self) -> int | None:
        return None


class AnswerWrite(NamedTuple):
    """An answer to save. One that is older than the answer that stands changes nothing."""

    user_id: int
    issued: int | None
    attempt_id: int
    urls: Urls
    now: datetime
    question_id: int
    body: AnswerBody
    stamp: Stamp | None


Write = Heartbeat | AnswerWrite


class Done(NamedTuple):
    """The response to a write: its body in JSON, and headers of our own."""

    body: bytes
    headers: Headers = ()


class Writer(Protocol):
    """Performs heartbeats and answers durably."""

    async def perform(self, write: Write) -> Done:
        """Return the response to a write once it is durable. Raises Failure, Invalid and errors of the database."""


class Overdue(Exception):
    """The attempt is overdue and must be ended first."""


@dataclass(slots=True)
class Rows:
    """The rows of a batch of writes, by ID.

    `shown`: those of the attempts that have a heartbeat in the batch. `clocks`: attempts with a changed clock.
    `worked`: attempts with a changed `last_answer`.
    """

    callers: dict[int, CallerRow] = field(default_factory=dict)
    attempts: dict[int, AttemptRow] = field(default_factory=dict)
    shown: dict[int, ShownAttemptRow] = field(default_factory=dict)
    answers: dict[int, AnswerRow] = field(default_factory=dict)
    clocks: dict[int, AttemptRow] = field(default_factory=dict)
    worked: dict[int, AttemptRow] = field(default_factory=dict)
    changed_answers: dict[int, AnswerRow] = field(default_factory=dict)


def perform(write: Write, rows: Rows, cache: ResponseCache, grace: timedelta, epoch: str) -> Done:
    """Apply a write to the rows and return the response.

    Raises Failure, Invalid, Overdue and NotCached, and then changes nothing.
    """
    _check_caller(write, rows)
    attempt = rows.attempts.get(write.attempt_id)
    if attempt is None or attempt.user_id != write.user_id:
        raise not_yours()
    if is_overdue(attempt, write.now, grace):
        raise Overdue
    if attempt.state != AttemptState.RUNNING:
        raise already_ended()
    if isinstance(write, AnswerWrite):
        return Done(_answer(write, attempt, rows, cache, grace))
    shown = rows.shown[attempt.id]
    exam = cache.exam(shown.exam_id)
    clock = clock_of(shown).at(write.now)
    write_clock(shown, clock)
    rows.clocks[shown.id] = shown
    body = exam.live_attempt(shown, clock, write.now, write.urls)
    return Done(body, headers_of(epoch, shown.answers_seen, write.now) + notice_headers(shown))


def _check_caller(write: Write, rows: Rows) -> None:
    user = rows.callers.get(write.user_id)
    if user is None or not user.is_active:
        raise invalid_token()
    if write.issued is not None and write.issued < whole_second(user.tokens_valid_from):
        raise invalid_token()


def _answer(write: AnswerWrite, attempt: AttemptRow, rows: Rows, cache: ResponseCache, grace: timedelta) -> bytes:
    row = rows.answers.get(write.question_id)
    if row is None or row.attempt_id != attempt.id:
        raise Forbidden("This question does not belong to this attempt.")
    if any(section.allowed is not None for section in attempt.sections):
        clock = clock_of(attempt).at(write.now)
        if not clock.takes_answers(section_index(attempt, row.section_id), grace):
            raise Forbidden("The section of this question is not open.")
    question: CachedQuestion = cache.question(row.question_id)
    if not is_superseded(write.stamp, row.answer_stamps, write.now):
        check(question.kind, question.options, write.body, question.files)
        apply(row, write.body, _time_spent(attempt, write.now), write.now)
        attempt.answers_seen = seen_with(attempt.answers_seen, write.stamp, row.answer_stamps)
        row.answer_stamps = applied_with(write.stamp, row.answer_stamps, write.now)
        attempt.last_answer = write.now
        rows.worked[attempt.id] = attempt
        rows.changed_answers[row.id] = row
    return question.answered(row, write.urls)


def _time_spent(attempt: AttemptRow, now: datetime) -> timedelta:
    """Return the time since the last answer or start, which this answer took."""
    last = attempt.last_answer
    since = attempt.last_started_time if last is None else max(last, attempt.last_started_time)
    return max(timedelta(), now - since)
