"""The board of an exam: its attempts and their changes.

A reply holds the attempts that have changed since a cursor, at most `_AT_A_TIME` of them, and the next cursor. A cursor
names three things: the moment since which changes are listed, the moment at which this round of replies began, and the
last attempt of the last reply.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple, Self

from sqlalchemy import ColumnElement, Select, Text, cast, exists, func, or_, select
from sqlalchemy.orm import Session, joinedload, selectinload

from lms_tui.service.attempts.notices import notice_counts
from lms_tui.service.attempts.row_clocks import clock_of
from lms_tui.service.core.database.tables import Attempt, AttemptQuestion, Exam, Notice
from lms_tui.service.core.database.units import MICROSECOND
from lms_tui.service.core.errors import Invalid, NotFound
from lms_tui.service.watch.exams import of_mentor
from lms_tui.wire import board as wire
from lms_tui.wire.attempt_states import AttemptState

_AT_A_TIME: Final = 500
_OVERLAP: Final = timedelta(seconds=5)
"""A round repeats the changes of this time before it, because a change is stored a little after its moment."""
_FORM: Final = re.compile(r"([0-9]{1,16})\.([0-9]{1,16})\.([0-9]{1,18})")
_BEGINNING: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Cursor(NamedTuple):
    since: datetime
    began: datetime
    after: int

    @classmethod
    def read(cls, given: str, now: datetime) -> Self:
        """Read a cursor, "" for the first one. Raises Invalid."""
        if not given:
            return cls(_BEGINNING, now, 0)
        found = _FORM.fullmatch(given)
        if found is None:
            raise Invalid({"cursor": ["Use the cursor of the last reply, or none."]})
        since, began = (_BEGINNING + min(int(found[n]), 10**16 // 4) * MICROSECOND for n in (1, 2))
        after = int(found[3])
        return cls(since, began if after else now, after)

    def __str__(self) -> str:
        since, began = ((moment - _BEGINNING) // MICROSECOND for moment in (self.since, self.began))
        return f"{since}.{began}.{self.after}"

    def next(self, told: Sequence[Attempt]) -> Self:
        """Return the cursor after a reply: within this round if it was full, else of the next round."""
        if len(told) == _AT_A_TIME:
            return self._replace(after=told[-1].id)
        return type(self)(self.began - _OVERLAP, self.began, 0)


def board_of(session: Session, slug: str, now: datetime, cursor: str = "", mentor_id: int | None = None) -> wire.Board:
    """Return what has changed since a cursor. `mentor_id`: only the students of this mentor."""
    exam = session.execute(select(Exam.id, Exam.title).where(Exam.slug == slug)).first()
    if exam is None:
        raise NotFound
    place = Cursor.read(cursor, now)
    rows = session.scalars(_changed(exam.id, place, mentor_id)).all()
    ids = [row.id for row in rows]
    answered, told = _answered(session, ids), notice_counts(session, ids)
    return wire.Board(
        slug=slug,
        title=exam.title,
        now=now,
        cursor=str(place.next(rows)),
        more=len(rows) == _AT_A_TIME,
        attempts=tuple(_row(row, now, answered.get(row.id, 0), told.get(row.id, (0, 0))) for row in rows),
    )


def _changed(exam_id: int, cursor: Cursor, mentor_id: int | None) -> Select[Attempt]:
    since = cursor.since
    told = exists().where(Notice.attempt_id == Attempt.id, or_(Notice.at >= since, Notice.seen >= since))
    statement = select(Attempt).where(
        Attempt.exam_id == exam_id,
        Attempt.id > cursor.after,
        or_(Attempt.last_contact >= since, Attempt.last_answer >= since, told),
        of_mentor(mentor_id),
    )
    return (
        statement.order_by(Attempt.id)
        .limit(_AT_A_TIME)
        .options(joinedload(Attempt.user, innerjoin=True), selectinload(Attempt.sections))
    )


def _answered(session: Session, attempts: Sequence[int]) -> dict[int, int]:
    statement = select(AttemptQuestion.attempt_id, func.count()).where(
        AttemptQuestion.attempt_id.in_(attempts), _is_answered()
    )
    return {attempt_id: count for attempt_id, count in session.execute(statement.group_by(AttemptQuestion.attempt_id))}  # noqa: C416  # dict() cannot take rows as the type checker sees them


def _is_answered() -> ColumnElement[bool]:
    lists = (AttemptQuestion.selected_answers, AttemptQuestion.gap_fill_responses)
    texts = (AttemptQuestion.short_text, AttemptQuestion.essay_text)
    return or_(*(cast(column, Text) != "[]" for column in lists), *(column != "" for column in texts))


def _row(attempt: Attempt, now: datetime, answered: int, told: tuple[int, int]) -> wire.BoardRow:
    running = attempt.state == AttemptState.RUNNING
    notices, shown = told
    clock = clock_of(attempt).at(now) if running else clock_of(attempt)
    return wire.BoardRow(
        attempt=attempt.id,
        username=attempt.user.username,
        name=attempt.user.display_name,
        state=_state(attempt, now),
        answered=answered,
        total_questions=attempt.total_questions,
        remaining_time=clock.left if running else None,
        ends_at=attempt.deadline if running else None,
        started=attempt.date,
        last_contact=max(attempt.last_contact, attempt.last_answer or attempt.last_contact),
        devices=attempt.answers_seen.count(",") + 1 if attempt.answers_seen else 0,
        notices=notices,
        waiting_notices=notices - shown,
    )


def _state(attempt: Attempt, now: datetime) -> str:
    if attempt.state != AttemptState.RUNNING:
        return "ended"
    if attempt.paused is not None:
        return "paused"
    return "time over" if attempt.deadline is not None and attempt.deadline <= now else "running"
