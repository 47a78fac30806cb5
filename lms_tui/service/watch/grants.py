"""Changes of the time of running exams by the institute: extra time, pauses, early ends and reopened attempts.

Each change is one transaction over all attempts that it concerns, with a notice for each student and an audit line for
each attempt. It locks the attempts as answers do, so that no answer is judged by the time before the change.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, delete, select
from sqlalchemy.orm import Session, joinedload, selectinload

from lms_tui.common.frozen import frozen
from lms_tui.service.attempts.notices import tell
from lms_tui.service.attempts.row_clocks import clock_of, write_clock
from lms_tui.service.core.audit import note
from lms_tui.service.core.database.tables import (
    IS_RUNNING,
    Attempt,
    AttemptQuestion,
    Exam,
    HandMark,
    Notice,
    NoticeKind,
    SecondMark,
)
from lms_tui.service.core.database.totals import remove_ended
from lms_tui.service.core.errors import Invalid, NotFound
from lms_tui.service.core.naming import find_user
from lms_tui.wire.attempt_states import AttemptState

Row = dict[str, Any]
_NOTHING: Final = timedelta()
_MINUTE: Final = timedelta(minutes=1)
LAST_NOTICE: Final = timedelta(seconds=90)
"""How long an attempt that is ended early still runs. Apps hear of it with a heartbeat, which is due every 60 s."""


class Outage(NamedTuple):
    since: datetime
    until: datetime


@frozen
class Grants:
    """Changes of one exam. `usernames`: only attempts of these users, or of all. Raises NotFound and Invalid."""

    session: Session
    now: datetime
    who: str
    slug: str
    usernames: Sequence[str] = ()

    def add(self, extra: timedelta) -> list[Row]:
        """Give running attempts more time. Those without a time limit do not change."""
        text = f"Your institute has given you {_words(extra)} more."
        return [self._extended(attempt, extra, text) for attempt in self._running() if attempt.allowed is not None]

    def credit(self, outage: Outage) -> list[Row]:
        """Give back the time of an outage, also to attempts whose time ran out since it began."""
        rows = []
        ended = self._attempts(Attempt.time_over, Attempt.ended >= outage.since, ~IS_RUNNING)
        for attempt in [*self._attempts(IS_RUNNING), *self._newest_without_another(ended)]:
            lost = outage.until - max(outage.since, attempt.date)
            if attempt.allowed is None or lost <= _NOTHING:
                continue
            if attempt.state != AttemptState.RUNNING:
                self._open(attempt)
            text = f"Your institute has given you {_words(lost)} more, because of an interruption."
            rows.append(self._extended(attempt, lost, text))
        return rows

    def pause(self) -> list[Row]:
        """Stop the clocks of running attempts. Answers are still accepted."""
        text = "Your institute has stopped the clock of this exam. It does not run until your institute goes on."
        return [
            self._stopped(attempt, self.now, NoticeKind.PAUSE, text)
            for attempt in self._running()
            if attempt.paused is None and clock_of(attempt).at(self.now).left != _NOTHING
        ]

    def go_on(self) -> list[Row]:
        """Let the clocks of paused attempts run again."""
        text = "The clock of this exam runs again."
        return [
            self._stopped(attempt, None, NoticeKind.GO_ON, text)
            for attempt in self._running()
            if attempt.paused is not None
        ]

    def end(self) -> list[Row]:
        """Let running attempts end after LAST_NOTICE at the latest, which lets each app send its answers before."""
        text = "Your institute ends this exam now. Its last seconds are for sending your answers."

        def cut(attempt: Attempt) -> None:
            clock = clock_of(attempt).at(self.now).cut_to(LAST_NOTICE)
            attempt.paused = None
            write_clock(attempt, replace(clock, paused=False))

        return [self._changed(attempt, "exam.end", NoticeKind.END, text, cut) for attempt in self._running()]

    def reopen(self, extra: timedelta) -> list[Row]:
        """Let the newest ended attempt of each user continue, with the time that it had left and more."""
        newest = self._newest_without_another(self._attempts(~IS_RUNNING))
        self._refuse_missing(newest, "ended")

        def open_again(attempt: Attempt) -> None:
            self._open(attempt)
            write_clock(attempt, clock_of(attempt).granted(extra))
            if clock_of(attempt).left == _NOTHING:
                raise Invalid({"minutes": [f"{attempt.user.username} has no time left. Give some minutes."]})

        more = f" You have {_words(extra)} more." if extra else ""
        text = f"Your institute has opened this exam again for you.{more}"
        return [self._changed(attempt, "exam.reopen", NoticeKind.REOPEN, text, open_again) for attempt in newest]

    def message(self, text: str) -> list[Row]:
        """Tell the students of running attempts something."""
        return [
            self._changed(attempt, "exam.message", NoticeKind.MESSAGE, text, lambda _: None)
            for attempt in self._running()
        ]

    def notices(self) -> list[Row]:
        """Return what students were told, and when their apps had shown it."""
        attempts = {attempt.id: attempt.user.username for attempt in self._attempts()}
        told = self.session.scalars(select(Notice).where(Notice.attempt_id.in_(attempts)).order_by(Notice.id))
        return [
            {
                "at": row.at.isoformat(timespec="seconds"),
                "username": attempts[row.attempt_id],
                "kind": row.kind,
                "text": row.text,
                "shown": None if row.seen is None else row.seen.isoformat(timespec="seconds"),
            }
            for row in told
        ]

    # How an attempt changes.

    def _extended(self, attempt: Attempt, extra: timedelta, text: str) -> Row:
        def extend(attempt: Attempt) -> None:
            write_clock(attempt, clock_of(attempt).at(self.now).granted(extra))

        return self._changed(attempt, "exam.time", NoticeKind.TIME, text, extend)

    def _stopped(self, attempt: Attempt, since: datetime | None, kind: NoticeKind, text: str) -> Row:
        def stop(attempt: Attempt) -> None:
            clock = clock_of(attempt).at(self.now)
            attempt.paused = since
            write_clock(attempt, replace(clock, paused=since is not None))

        return self._changed(attempt, "exam.pause" if since else "exam.go-on", kind, text, stop)

    def _open(self, attempt: Attempt) -> None:
        """Let an ended attempt run again, without its marks."""
        remove_ended(self.session, attempt)
        answers = select(AttemptQuestion.id).where(AttemptQuestion.attempt_id == attempt.id)
        for marks in (HandMark, SecondMark):
            self.session.execute(delete(marks).where(marks.attempt_question_id.in_(answers)))
        for question in self.session.scalars(select(AttemptQuestion).where(AttemptQuestion.attempt_id == attempt.id)):
            question.outcome = question.marks = None
        clock = clock_of(attempt).reopened(self.now)
        attempt.state, attempt.ended, attempt.time_over = AttemptState.RUNNING.value, None, False
        attempt.score = attempt.max_score = attempt.total_bonus = Decimal(0)
        attempt.correct_count = attempt.incorrect_count = 0
        attempt.unanswered_count, attempt.speed, attempt.accuracy = attempt.total_questions, 0.0, 0.0
        attempt.deadline = None
        for section in attempt.sections:
            section.state = AttemptState.RUNNING.value
        write_clock(attempt, clock)

    def _changed(
        self, attempt: Attempt, what: str, kind: NoticeKind, text: str, change: Callable[[Attempt], None]
    ) -> Row:
        before = _values(attempt, self.now)
        change(attempt)
        after = _values(attempt, self.now)
        tell(self.session, attempt, kind, text, self.now)
        about = f"exam {self.slug}, user {attempt.user.username}, attempt {attempt.id}"
        note(self.session, at=self.now, who=self.who, what=what, about=about, before=before, after=after)
        return {
            "username": attempt.user.username,
            "name": attempt.user.display_name,
            "attempt": attempt.id,
            "left_before": before["left"],
            "left": after["left"],
            "paused": attempt.paused is not None,
        }

    # Which attempts.

    def _running(self) -> Sequence[Attempt]:
        found = self._attempts(IS_RUNNING)
        self._refuse_missing(found, "running")
        return found

    def _refuse_missing(self, found: Sequence[Attempt], state: str) -> None:
        """Refuse users who have none of the attempts that were found."""
        missing = {name.casefold() for name in self.usernames} - {row.user.username.casefold() for row in found}
        if missing:
            raise Invalid({"user": [f"{name} has no {state} attempt of {self.slug}." for name in sorted(missing)[:5]]})

    def _newest_without_another(self, ended: Sequence[Attempt]) -> Sequence[Attempt]:
        """Return the newest attempt of each user, unless another attempt of the user runs."""
        running = {attempt.user_id for attempt in self._attempts(IS_RUNNING)}
        newest = {attempt.user_id: attempt for attempt in ended if attempt.user_id not in running}
        return list(newest.values())

    def _attempts(self, *conditions: Any) -> Sequence[Attempt]:
        """Lock attempts, in the order in which all transactions lock them."""
        return self.session.scalars(self._select().where(*conditions)).all()

    def _select(self) -> Select[Attempt]:
        exam = self.session.scalar(select(Exam.id).where(Exam.slug == self.slug))
        if exam is None:
            raise NotFound
        statement = select(Attempt).where(Attempt.exam_id == exam)
        if self.usernames:
            statement = statement.where(Attempt.user_id.in_(self._user_ids()))
        return (
            statement.order_by(Attempt.id)
            .options(joinedload(Attempt.user, innerjoin=True), selectinload(Attempt.sections))
            .with_for_update(of=Attempt)
            .execution_options(populate_existing=True)
        )

    def _user_ids(self) -> list[int]:
        found = {name: find_user(self.session, name) for name in self.usernames}
        unknown = [name for name, user in found.items() if user is None]
        if unknown:
            raise Invalid({"user": [f"There is no user {name}." for name in unknown[:5]]})
        return [user.id for user in found.values() if user is not None]


def _values(attempt: Attempt, now: datetime) -> Row:
    """Return what the audit tells of the time of an attempt."""
    running = attempt.state == AttemptState.RUNNING
    clock = clock_of(attempt).at(now) if running else clock_of(attempt)
    return {
        "state": attempt.state,
        "allowed": None if clock.allowed is None else str(clock.allowed),
        "left": None if clock.left is None else str(clock.left - clock.left % timedelta(seconds=1)),
        "paused": attempt.paused is not None,
    }


def _words(time: timedelta) -> str:
    minutes, rest = divmod(time, _MINUTE)
    parts = [f"{minutes} minute{'s' * (minutes != 1)}"] if minutes else []
    if seconds := rest // timedelta(seconds=1):
        parts.append(f"{seconds} second{'s' * (seconds != 1)}")
    return " and ".join(parts) or "0 seconds"
