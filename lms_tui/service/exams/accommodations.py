"""The changes of an exam by the accommodation of a student."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from functools import cache
from typing import Final

from sqlalchemy import Select, bindparam, select
from sqlalchemy.orm import Session

from lms_tui.service.core.database.tables import Accommodation, Exam
from lms_tui.wire.base import format_duration

_NOTHING: Final = timedelta()
_SECOND: Final = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """The time limits of an attempt. `sections`: one for each section, None where it does not lock."""

    whole: timedelta | None
    sections: tuple[timedelta | None, ...]


def limits_of(exam: Exam, given: Accommodation | None = None) -> TimeLimits:
    """Return the time limits of a new attempt. Sections that lock share the extra time by their durations."""
    free = (None,) * len(exam.sections)
    if given is not None and given.no_limit:
        return TimeLimits(None, free)
    if not exam.locks_sections:
        return TimeLimits(None if exam.duration is None else _lengthened(exam.duration, given), free)
    durations = [section.duration or _NOTHING for section in exam.sections]
    whole = _lengthened(sum(durations, _NOTHING), given)
    if given is None:
        return TimeLimits(whole, tuple(durations))
    stretched = [_rounded(whole * (duration / sum(durations, _NOTHING))) for duration in durations[:-1]]
    return TimeLimits(whole, (*stretched, whole - sum(stretched, _NOTHING)))


def own_time(exam: Exam, given: Accommodation | None) -> str:
    """Return the time limit that only this student has, `none` without one, and "" where it is that of the exam."""
    usual, own = limits_of(exam).whole, limits_of(exam, given).whole
    if own == usual:
        return ""
    return "none" if own is None else str(format_duration(own))


def accommodation_of(session: Session, user_id: int) -> Accommodation | None:
    return session.get(Accommodation, user_id)


def closes_later(session: Session, user_id: int) -> timedelta:
    return session.scalar(_closes_later(), {"user": user_id}) or _NOTHING


@cache
def _closes_later() -> Select[timedelta]:
    return select(Accommodation.closes_later).where(Accommodation.user_id == bindparam("user"))


def _lengthened(duration: timedelta, given: Accommodation | None) -> timedelta:
    if given is None:
        return duration
    longer = duration * float(max(given.factor, Decimal(1)))
    return max(duration, _rounded(longer) + given.extra)


def _rounded(time: timedelta) -> timedelta:
    """Return whole seconds, which all clients can show."""
    return round(time / _SECOND) * _SECOND
