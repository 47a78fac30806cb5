"""Rules that are stated here, because the suite states them only as part of something larger."""

import contextlib
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from textual.app import App

from lms_tui.attempt.clock import SystemClock
from lms_tui.attempt.deadline import Deadline, Reading
from lms_tui.attempt.events import Chose, EndAsked
from lms_tui.attempt.journal.memory import MemoryJournals
from lms_tui.attempt.mapping import reading_of, told_by
from lms_tui.attempt.ports import AttemptKey, Entry, Journal, Journals
from lms_tui.attempt.values import Answer, Phase
from lms_tui.client.api import HttpLms
from lms_tui.client.retry import parse_retry_after
from lms_tui.common.cleaning import clean
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.epoch import Epoch
from lms_tui.service.core.database.tables import ServerEpoch
from lms_tui.tui.attempt_controller import AttemptController
from lms_tui.wire.attempts import AnswerInput, Attempt, AttemptQuestion
from lms_tui.wire.base import parse_duration
from lms_tui.wire.errors import Busy, NotTheService, ServerFault, SignInNeeded, TimedOut
from lms_tui.wire.exams import Exam
from tests.attempt.test_keeper import KEY, Desk
from tests.client.stranger import Stranger, raw

LINUX_BOOTTIME = 7


def overwritten(path: Path) -> None:
    path.write_bytes(b"this is no database, not even nearly one" * 200)


def an_end_whose_reply_was_lost_is_not_sent_again() -> None:
    desk = Desk().sit()
    desk.line.lost_replies["end"] = [TimedOut("No answer in time.")]
    desk.keeper.do(Chose(1, 12))
    desk.wait(1)
    desk.server.ends = 0
    desk.line.log.clear()
    desk.keeper.do(EndAsked())
    desk.until_over()
    assert desk.line.log.count("end") == 1


def after_an_expired_sign_in_nothing_is_asked() -> None:
    desk = Desk().sit()
    desk.line.failures["save 1"] = [SignInNeeded("The sign-in has expired.", status=401)]
    desk.keeper.do(Chose(1, 12))
    desk.wait(120)
    assert desk.line.log[2:] == ["save 1"]


def another_answer_in_the_echo_is_no_acknowledgement() -> None:
    desk = Desk().sit()
    wrong = AttemptQuestion(id=1, selected_answers=(14,), review=False)
    honest = desk.server.save
    desk.server.save = lambda *request: (honest(*request), wrong)[1]  # type: ignore[method-assign]  # a server that errs
    desk.keeper.do(Chose(1, 12))
    desk.wait(0.3)
    assert desk.session.saved_there == 0
    desk.server.save = honest  # type: ignore[method-assign]  # and comes to its senses
    desk.wait(10)
    assert desk.session.saved_there == 1


def a_wait_that_the_service_asks_for_is_kept() -> None:
    desk = Desk().sit()
    desk.line.failures["save 1"] = [Busy("Busy.", status=429, retry_after=30.0)]
    desk.keeper.do(Chose(1, 12))
    desk.wait(29)
    assert desk.line.log[2:] == ["save 1"]
    desk.wait(60)
    assert desk.held(1) == (12,)


def a_wall_clock_that_is_set_changes_no_time_left() -> None:
    desk = Desk(duration=1800.0).sit()
    left = desk.keeper.time_left()
    for hours in (1, -1, 24 * 365):
        desk.clock.wall_offset = hours * 3600.0
        desk.keeper.tick()
        assert desk.keeper.time_left() == left
    assert desk.session.phase is Phase.RUNNING


def a_reply_that_was_on_its_way_while_the_computer_slept_raises_no_time() -> None:
    slept = Deadline().adopt(Reading(1800.0, asked_at=100.0, received_at=1000.0))
    assert slept.left(1000.0) == 900.0


def remaining_zero_of_an_untimed_exam_is_no_end() -> None:
    untimed = Attempt(id=7, state="Running", remaining_time=timedelta(0), exam=Exam(duration=None))
    assert Deadline().adopt(reading_of(untimed, 0.0, 0.0)).over(1e9) is False


def remaining_zero_of_a_timed_exam_is_time_over() -> None:
    timed = Attempt(id=7, state="Running", remaining_time=timedelta(0), exam=Exam(duration=timedelta(hours=1)))
    assert Deadline().adopt(reading_of(timed, 0.0, 0.0)).over(0.0)


def twenty_days_are_twenty_days() -> None:
    told = parse_duration("20 days, 3:58:48.044696")
    assert told == timedelta(days=20, hours=3, minutes=58, seconds=48, microseconds=44696)


def escape_and_bidi_characters_are_marked() -> None:
    assert clean("a\x1b[2Jb\u202ec\x9bd") == "a␛[2Jb�c�d"


def retry_after_may_be_a_moment() -> None:
    now = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
    assert parse_retry_after("Sun, 01 Mar 2026 12:01:00 GMT", now) == 60.0


def a_restart_takes_the_newest_change_whatever_the_wall_clock_said(journals: Journals) -> None:
    journal = journals.open(KEY, "Trial")
    journal.record(Entry(1, 1, Answer(selected=(11,)), boot=1.0, wall=1e9 + 3600))
    journal.record(Entry(2, 1, Answer(selected=(12,)), boot=2.0, wall=1e9))
    journal.close()
    again = journals.open(KEY, "Trial")
    found = again.newest()
    again.close()
    assert found[1].entry.answer.selected == (12,)


def an_end_that_failed_leaves_the_journal_unfinished() -> None:
    desk = Desk().sit()
    desk.line.failures["end"] = [ServerFault("The server failed.", status=500)]
    desk.keeper.do(EndAsked())
    desk.wait(0.3)
    assert desk.line.log[-1] == "end"
    assert not desk.journal.recall("finished")


async def the_journal_is_opened_under_the_number_of_its_user() -> None:
    opened: list[AttemptKey] = []

    class Shelf(MemoryJournals):
        def open(self, key: AttemptKey, title: str) -> Journal:
            opened.append(key)
            return super().open(key, title)

    async with App[None]().run_test() as pilot:
        dependencies: Any = SimpleNamespace(journals=Shelf(), clock=SystemClock())
        lms: Any = SimpleNamespace(origin="http://127.0.0.1:8000", attempts=None)
        controller = AttemptController(pilot.app, dependencies, lms, 4, badge="")
        with contextlib.suppress(AttributeError):  # there is no server behind it
            await controller.run(7, "Trial")
    assert [key.user_id for key in opened] == [4]


def the_clock_of_linux_runs_on_in_sleep() -> None:
    """CLOCK_BOOTTIME by its number on Linux; where it is not named, the clock may stand still, and is told to."""
    asked: list[int] = []
    sound = time.clock_gettime

    def noted(clock: int) -> float:
        asked.append(clock)
        return sound(clock)

    time.clock_gettime = noted
    try:
        SystemClock().boot()
    finally:
        time.clock_gettime = sound
    assert asked == [LINUX_BOOTTIME]


async def an_empty_reply_is_no_echo(stranger: Stranger, lms: HttpLms) -> None:
    stranger.on("PUT /api/v2.2/attempts/5/questions/3", raw(b""))
    with pytest.raises(NotTheService):
        await lms.attempts.save(5, 3, AnswerInput(selected_answers=(9,)))


def a_reply_that_moves_the_end_by_less_than_a_second_moves_nothing() -> None:
    known = Deadline().adopt(Reading(100.0, asked_at=0.0, received_at=0.0))
    assert known.adopt(Reading(89.5, asked_at=10.0, received_at=10.0)).ends_at == 100.0
    assert known.adopt(Reading(90.5, asked_at=10.0, received_at=10.0)).ends_at == 100.0


def what_a_server_says_about_time_is_text_for_the_receipt() -> None:
    attempt = Attempt(id=7, state="Running", remaining_time=timedelta(minutes=30))
    assert told_by(attempt) == {"state": "Running", "remaining_time": "0:30:00"}


def what_a_server_forgets_is_sent_again_within_half_an_hour() -> None:
    desk = Desk(duration=None).sit()
    older = desk.server.backup()
    desk.keeper.do(Chose(1, 12))
    desk.wait(60)
    desk.server.put_back(older)
    desk.wait(1800)
    assert desk.held(1) == (12,)


def a_database_that_was_put_back_has_a_new_epoch(folder: Path) -> None:
    with closing(Database.in_file(folder / "service.sqlite3")) as database:
        database.prepare(brief=True)
        first = Epoch(database, folder / "epoch.mark")
        first.open()
        first.stir()
        first.tick()
        with database.write() as session:
            session.get_one(ServerEpoch, 1).ticks = 1
        again = Epoch(database, folder / "epoch.mark")
        again.open()
    assert again.value != first.value
