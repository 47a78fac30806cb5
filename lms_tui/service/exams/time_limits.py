"""The time limits of an exam for one student, without a database."""

from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from lms_tui.common.frozen import frozen
from lms_tui.service.exams.rows import AccommodationRow, ExamRow
from lms_tui.wire.base import format_duration

if TYPE_CHECKING:
    from lms_tui.service.core.database.tables import Accommodation, Exam

_NOTHING: Final = timedelta()
_SECOND: Final = timedelta(seconds=1)


@frozen
class TimeLimits:
    """The time limits of an attempt. `sections`: one for each section, None where it does not lock."""

    whole: timedelta | None
    sections: tuple[timedelta | None, ...]


def limits_of(exam: "Exam | ExamRow", given: "Accommodation | AccommodationRow | None" = None) -> TimeLimits:
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


def own_time(exam: "Exam | ExamRow", given: "Accommodation | AccommodationRow | None") -> str:
    """Return the time limit that only this student has, `none` without one, and "" where it is that of the exam."""
    usual, own = limits_of(exam).whole, limits_of(exam, given).whole
    if own == usual:
        return ""
    return "none" if own is None else str(format_duration(own))


def _lengthened(duration: timedelta, given: "Accommodation | AccommodationRow | None") -> timedelta:
    if given is None:
        return duration
    longer = duration * float(max(given.factor, Decimal(1)))
    return max(duration, _rounded(longer) + given.extra)


def _rounded(time: timedelta) -> timedelta:
    """Return whole seconds, which all clients can show."""
    return round(time / _SECOND) * _SECOND
