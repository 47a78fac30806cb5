"""The time of an attempt: pure values that answer how much is left at a moment.

A section clock runs only where sections lock: then they run one after the other, and the attempt has the time that its
sections have left. Elsewhere there is one clock, or none in an untimed exam.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from lms_tui.wire.attempt_states import AttemptState

_NOTHING: Final = timedelta()


@dataclass(frozen=True, slots=True)
class SectionClock:
    """`over`: when its time ran out; None while it has time, and where the student ended it."""

    allowed: timedelta
    taken: timedelta
    state: AttemptState
    over: datetime | None = None

    @property
    def left(self) -> timedelta:
        return _NOTHING if self.state is AttemptState.COMPLETED else max(_NOTHING, self.allowed - self.taken)


@dataclass(frozen=True, slots=True)
class AttemptClock:
    """`taken`: time used up to `contact`. `allowed` None: untimed. `sections`: in order, empty unless they lock."""

    allowed: timedelta | None
    taken: timedelta
    contact: datetime
    sections: tuple[SectionClock, ...] = ()

    @property
    def left(self) -> timedelta | None:
        """The time left at `contact`, never negative; None untimed."""
        if self.sections:
            return sum((section.left for section in self.sections), _NOTHING)
        return None if self.allowed is None else max(_NOTHING, self.allowed - self.taken)

    @property
    def deadline(self) -> datetime | None:
        """When the time is over if nothing else happens."""
        left = self.left
        return None if left is None else self.contact + left

    def at(self, moment: datetime) -> "AttemptClock":
        """The clock as it stands at moment, with all that passed since the last contact used up."""
        return self._spend(max(_NOTHING, moment - self.contact), max(moment, self.contact))

    def resumed(self, moment: datetime, last_sign: datetime | None, pause_after: timedelta) -> "AttemptClock":
        """The clock when the student comes back at moment.

        A silence longer than `pause_after` was a pause and costs only what was demonstrably worked in it, up to
        `last_sign` (the last answer). A shorter one is exam time: calling start again and again stops no clock. Once
        the time is over nothing is forgiven: who comes back then is in time for answers on their way only.
        """
        silence = moment - self.contact
        is_over = self.deadline is not None and self.deadline <= moment
        if silence <= pause_after or is_over:
            return self.at(moment)
        worked = _NOTHING if last_sign is None else min(silence, max(_NOTHING, last_sign - self.contact))
        return self._spend(worked, moment)

    def begun_with(self, left: timedelta) -> "AttemptClock":
        """The clock as if all but `left` had been used up before now; untouched where there is no more than that."""
        whole = self.left
        if whole is None or whole <= left:
            return self
        return replace(self, contact=self.contact - (whole - left)).at(self.contact)

    def takes_answers(self, place: int, grace: timedelta) -> bool:
        """Say whether the section at place (from 0) is open at `contact`, or was until less than grace ago."""
        section = self.sections[place]
        on_their_way = section.over is not None and self.contact - section.over <= grace
        return section.state is AttemptState.RUNNING or on_their_way

    def with_section_ended(self) -> "AttemptClock":
        """End the running section; the next one begins at once."""
        ended = [
            replace(section, state=AttemptState.COMPLETED) if section.state is AttemptState.RUNNING else section
            for section in self.sections
        ]
        return replace(self, sections=tuple(_begin_next(ended)))

    def _spend(self, used: timedelta, contact: datetime) -> "AttemptClock":
        left = self.left
        if left is not None:
            used = min(used, left)
        return AttemptClock(self.allowed, self.taken + used, contact, _spend(self.sections, used, self.contact))


def _spend(sections: tuple[SectionClock, ...], used: timedelta, since: datetime) -> tuple[SectionClock, ...]:
    """Let time pass over sections: what is more than one has goes to the next."""
    spent = []
    for section in sections:
        share = min(used, section.left)
        used, since = used - share, since + share
        later = replace(section, taken=section.taken + share)
        if section.state is not AttemptState.COMPLETED and not later.left:
            later = replace(later, state=AttemptState.COMPLETED, over=since)
        spent.append(later)
    return tuple(_begin_next(spent))


def _begin_next(sections: list[SectionClock]) -> Iterator[SectionClock]:
    running = any(section.state is AttemptState.RUNNING for section in sections)
    for section in sections:
        if section.state is AttemptState.NOT_STARTED and not running:
            running = True
            yield replace(section, state=AttemptState.RUNNING)
        else:
            yield section
