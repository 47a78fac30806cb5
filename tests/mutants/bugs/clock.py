"""Bugs of the time left, and of what may be changed when."""

from collections.abc import Awaitable, Callable

from lms_tui.attempt import deadline, mapping
from lms_tui.attempt.connection import Connection
from lms_tui.attempt.deadline import Deadline, Reading
from lms_tui.attempt.events import TimeTold
from lms_tui.attempt.keeper import Keeper
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Item, Phase
from lms_tui.wire import base
from lms_tui.wire.attempts import Attempt
from tests.attempt import test_deadline, test_keeper, test_session
from tests.mutants import rules
from tests.mutants.checks import passes
from tests.mutants.planting import Bug, altered, around, condition, constant, swap
from tests.simulation import test_second_device


def _time_of_every_reply(sound: Callable[[Connection], Awaitable[None]]) -> Callable[[Connection], Awaitable[None]]:
    async def reread(self: Connection) -> None:
        await sound(self)
        now = self.clock.boot()
        attempt = await self.service.read(self.session.attempt_id)
        self.live.apply(TimeTold(mapping.reading_of(attempt, now, now)))

    return reread


def _ticks_counted(sound: Callable[[Keeper], None]) -> Callable[[Keeper], None]:
    """The gap since the last tick is never seen."""

    def tick(self: Keeper) -> None:
        self._ticked = self._clock.boot() - 1.0
        sound(self)

    return tick


def _wall(sound: Callable[[Keeper], float | None]) -> Callable[[Keeper], float | None]:
    del sound
    return lambda keeper: keeper.session.deadline.left(keeper._clock.wall())


def _older(sound: Callable[[Deadline, Reading], Deadline]) -> Callable[[Deadline, Reading], Deadline]:
    return lambda known, reading: sound(Deadline(known.ends_at), reading)


def _whole_trip(sound: Callable[[Reading], float | None]) -> Callable[[Reading], float | None]:
    def ends_at(reading: Reading) -> float | None:
        told = sound(reading)
        return None if told is None else told + (reading.received_at - reading.asked_at) / 2

    return ends_at


def _first_alone(sound: Callable[[Deadline, Reading], Deadline]) -> Callable[[Deadline, Reading], Deadline]:
    return lambda known, reading: sound(known, reading) if known.ends_at is None else known


def _always_timed(_: object) -> Callable[[Deadline, float], bool]:
    return lambda known, now: now >= (known.ends_at or 0.0)


def _without_duration(sound: Callable[..., Reading]) -> Callable[..., Reading]:
    def reading_of(attempt: Attempt, asked_at: float, received_at: float, speed: float = 1.0) -> Reading:
        found = sound(attempt, asked_at, received_at, speed)
        left = attempt.remaining_time
        return Reading(None if left is None else left.total_seconds(), found.asked_at, found.received_at, speed)

    return reading_of


def _zero_as_none(sound: Callable[..., Reading]) -> Callable[..., Reading]:
    def reading_of(attempt: Attempt, asked_at: float, received_at: float, speed: float = 1.0) -> Reading:
        found = sound(attempt, asked_at, received_at, speed)
        return Reading(found.remaining or None, asked_at, received_at, speed)

    return reading_of


def _any_section(_: object) -> Callable[[Session, Item], bool]:
    return lambda current, _item: current.editable


IN_THE_CLOCK = (
    Bug(
        "the time of a reply that does not refresh it is adopted",
        around(Connection.reread, _time_of_every_reply),
        passes(test_second_device.test_an_outdated_time_left_is_not_adopted),
        "assert timedelta(seconds=left)",
    ),
    Bug(
        "the wall clock decides the time left",
        around(Keeper.time_left, _wall),
        passes(rules.a_wall_clock_that_is_set_changes_no_time_left),
        "assert desk.keeper.time_left() == left",
    ),
    Bug(
        "the timer counts its ticks",
        around(Keeper.tick, _ticks_counted),
        passes(test_keeper.test_after_sleep_start_is_sent_first_and_its_time_is_adopted),
        "log",
    ),
    Bug(
        "an older reply raises the time",
        around(Deadline.adopt, _older),
        passes(test_deadline.test_an_older_reply_that_arrives_late_never_raises_the_time_shown),
        "asked_at=70.0",
    ),
    Bug(
        "half the round trip is not taken off",
        around(Reading.ends_at, _whole_trip),
        passes(test_deadline.test_half_the_round_trip_is_taken_off_the_time_left),
        "== pytest.approx(98.0)",
    ),
    Bug(
        "a reply that was on its way while the computer slept raises the time",
        swap(deadline, "LONGEST_TRIP", 1e9),
        passes(rules.a_reply_that_was_on_its_way_while_the_computer_slept_raises_no_time),
        "assert slept.left(1000.0) == 900.0",
    ),
    Bug(
        "extra time is not adopted",
        around(Deadline.adopt, _first_alone),
        passes(test_deadline.test_a_change_of_the_end_is_adopted_above_one_second),
        ".left(10.0) == 300.0",
    ),
    Bug(
        "an untimed attempt ends by itself",
        around(Deadline.over, _always_timed),
        passes(test_keeper.test_an_attempt_without_a_time_limit_is_never_ended_automatically),
        "assert desk.session.phase is Phase.RUNNING",
    ),
    Bug(
        "remaining zero ends an exam that has no duration",
        around(mapping.reading_of, _without_duration),
        passes(rules.remaining_zero_of_an_untimed_exam_is_no_end),
        "over(1000000000.0) is False",
    ),
    Bug(
        "remaining zero of a timed exam counts as no limit",
        around(mapping.reading_of, _zero_as_none),
        passes(rules.remaining_zero_of_a_timed_exam_is_time_over),
        "over(0.0)",
    ),
    Bug(
        "`20 days, …` is read without its days",
        altered(base.parse_duration, condition("sign", "name", becomes=True), constant("sign", "days")),
        passes(rules.twenty_days_are_twenty_days),
        "assert told == timedelta(days=20",
    ),
    Bug(
        "answers of a section that has ended can be changed",
        around(Session.open_to_change, _any_section),
        passes(test_keeper.test_locked_sections_run_in_order_and_the_last_ends_the_attempt),
        ".answer.selected == (10,)",
    ),
    Bug(
        "answers can be changed after the time",
        around(Session.editable, lambda _: lambda current: current.phase is not Phase.ENDED),
        passes(test_session.test_after_the_time_answers_cannot_change_but_are_still_acknowledged),
        "assert chosen(session, 1) == (11,)",
    ),
)
