"""The time of an attempt, as pure values.

If sections lock, they run one after the other with a clock each, and the time left is the sum of theirs. Otherwise the
attempt has one clock, or none if it is untimed.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from lms_tui.common.frozen import frozen
from lms_tui.wire.attempt_states import AttemptState

_NOTHING: Final = timedelta()


@frozen
class SectionClock:
    """`over`: when its time ran out, or None while it has time and after the student ended it."""

    allowed: timedelta
    taken: timedelta
    state: AttemptState
    over: datetime | None = None

    @property
    def left(self) -> timedelta:
        return _NOTHING if self.state is AttemptState.COMPLETED else max(_NOTHING, self.allowed - self.taken)


@frozen
class AttemptClock:
    """`taken`: time used until `contact`. `allowed`: None if untimed. `sections`: in order, empty unless they lock.

    No time is used while it is `paused`.
    """

    allowed: timedelta | None
    taken: timedelta
    contact: datetime
    sections: tuple[SectionClock, ...] = ()
    paused: bool = False

    @property
    def left(self) -> timedelta | None:
        """The time left at `contact`, never negative, None if untimed."""
        if self.sections:
            return sum((section.left for section in self.sections), _NOTHING)
        return None if self.allowed is None else max(_NOTHING, self.allowed - self.taken)

    @property
    def deadline(self) -> datetime | None:
        """The moment at which no time is left, None if untimed or paused."""
        left = self.left
        return None if left is None or self.paused else self.contact + left

    def at(self, moment: datetime) -> "AttemptClock":
        """Return the clock at a moment, with the time since the last contact used up."""
        if moment == self.contact and not self.sections:
            return self
        used = _NOTHING if self.paused else max(_NOTHING, moment - self.contact)
        return self._spend(used, max(moment, self.contact))

    def resumed(self, moment: datetime, last_sign: datetime | None, pause_after: timedelta) -> "AttemptClock":
        """Return the clock when the student resumes.

        A gap longer than `pause_after` was a pause. It costs only the time until `last_sign`, the last answer in it. A
        shorter gap counts in full, so repeated starts do not stop the clock. Once the time is over, every gap counts.
        """
        gap = moment - self.contact
        is_over = self.deadline is not None and self.deadline <= moment
        if gap <= pause_after or is_over or self.paused:
            return self.at(moment)
        worked = _NOTHING if last_sign is None else min(gap, max(_NOTHING, last_sign - self.contact))
        return self._spend(worked, moment)

    def begun_with(self, left: timedelta) -> "AttemptClock":
        """Return the clock with only `left` remaining, unchanged if it has less."""
        left_before = self.left
        if left_before is None or left_before <= left:
            return self
        return replace(self, contact=self.contact - (left_before - left)).at(self.contact)

    def granted(self, extra: timedelta) -> "AttemptClock":
        """Return the clock with more time, unchanged if untimed.

        The running section gets it. If the time of all sections is over, the last one to run out runs again.
        """
        if self.allowed is None:
            return self
        states = [section.state for section in self.sections]
        place = states.index(AttemptState.RUNNING) if AttemptState.RUNNING in states else len(states) - 1
        sections = tuple(
            replace(section, allowed=section.allowed + extra, state=AttemptState.RUNNING, over=None)
            if index == place
            else section
            for index, section in enumerate(self.sections)
        )
        return replace(self, allowed=self.allowed + extra, sections=sections)

    def cut_to(self, left: timedelta) -> "AttemptClock":
        """Return the clock with `left` at most. Sections that have not started get no time. An untimed one gets it."""
        if not self.sections:
            allowed = self.taken + left
            return replace(self, allowed=allowed if self.allowed is None else min(self.allowed, allowed))
        shorter = {AttemptState.RUNNING: left, AttemptState.NOT_STARTED: _NOTHING}
        sections = tuple(
            section
            if section.state is AttemptState.COMPLETED
            else replace(section, allowed=min(section.allowed, section.taken + shorter[section.state]))
            for section in self.sections
        )
        return replace(self, allowed=sum((section.allowed for section in sections), _NOTHING), sections=sections)

    def reopened(self, moment: datetime) -> "AttemptClock":
        """Return the clock of an ended attempt that continues at a moment with the time that it had left.

        The last section that was begun runs again, and those after it are still to come.
        """
        begun = max((index for index, section in enumerate(self.sections) if section.taken), default=0)
        sections = (
            *self.sections[:begun],
            *(replace(section, state=AttemptState.NOT_STARTED, over=None) for section in self.sections[begun:]),
        )
        return replace(self, contact=moment, sections=tuple(_begin_next(list(sections))))

    def takes_answers(self, index: int, grace: timedelta) -> bool:
        """Return whether a section (index from 0) is open at `contact`, or ran out of time within `grace`."""
        section = self.sections[index]
        on_their_way = section.over is not None and self.contact - section.over <= grace
        return section.state is AttemptState.RUNNING or on_their_way

    def with_section_ended(self) -> "AttemptClock":
        """Return the clock with the running section ended and the next one running."""
        ended = [
            replace(section, state=AttemptState.COMPLETED) if section.state is AttemptState.RUNNING else section
            for section in self.sections
        ]
        return replace(self, sections=tuple(_begin_next(ended)))

    def _spend(self, used: timedelta, contact: datetime) -> "AttemptClock":
        left = self.left
        if left is not None:
            used = min(used, left)
        sections = _spend(self.sections, used, self.contact)
        # `replace` would take four times as long, and every heartbeat comes here.
        return AttemptClock(self.allowed, self.taken + used, contact, sections, self.paused)


def _spend(sections: tuple[SectionClock, ...], used: timedelta, since: datetime) -> tuple[SectionClock, ...]:
    """Use up time of sections in order, and carry the excess to the next one."""
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
