"""Those of the thirty nasty cases that no room of the tests states by itself; `docs/reliability.md` lists them all."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from lms_tui.attempt.events import Chose, EndAsked, Marked
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.mapping import reading_of
from lms_tui.attempt.ports import AttemptKey, JournalError
from lms_tui.attempt.values import Phase
from lms_tui.wire.attempts import AnswerInput, Attempt, AttemptQuestion
from lms_tui.wire.base import parse_duration
from lms_tui.wire.errors import ApiError, Busy, Forbidden, NotFound, NotTheService, Offline, SignInNeeded, TimedOut
from lms_tui.wire.exams import Exam
from tests.attempt.test_keeper import Desk


@pytest.fixture(autouse=True)
def _clear_desks() -> Iterator[None]:
    yield
    while Desk.taken:
        Desk.taken.pop().scheduler.kill("computer")


def left(desk: Desk) -> float:
    shown = desk.keeper.time_left()
    assert shown is not None
    return shown


@pytest.mark.case(1)
@pytest.mark.parametrize("seconds", [3600.0, -3600.0, 365 * 86400.0, 900.0])
def test_setting_the_wall_clock_changes_neither_time_left_nor_end(seconds: float) -> None:
    desk = Desk(duration=1800.0).sit()
    desk.clock.wall_offset = seconds
    desk.keeper.tick()
    assert left(desk) == pytest.approx(1800.0 - desk.scheduler.now, abs=1)
    desk.wait(600)
    desk.clock.wall_offset = -seconds
    desk.keeper.tick()
    assert left(desk) == pytest.approx(1800.0 - desk.scheduler.now, abs=1)
    assert desk.session.phase is Phase.RUNNING


@pytest.mark.case(2)
@pytest.mark.parametrize("asleep", [6.0, 90.0, 45 * 60.0, 8 * 3600.0])
def test_sleep_is_noticed_at_the_first_tick_and_start_is_sent_first(asleep: float) -> None:
    desk = Desk(duration=24 * 3600.0).sit()
    desk.keeper.tick()
    desk.keeper.do(Chose(1, 11))
    desk.scheduler.paused.add("computer")
    desk.wait(asleep)
    desk.scheduler.paused.clear()
    desk.line.log.clear()
    desk.keeper.tick()
    desk.wait(1)
    assert desk.line.log[0] in {"start", "save 1"}  # what was on its way when it fell asleep comes back first
    assert "start" in desk.line.log[:2]
    assert desk.held(1) == (11,)


@pytest.mark.case(2)
def test_a_deadline_during_sleep_closes_the_answers_at_the_first_tick() -> None:
    desk = Desk(duration=1800.0).sit()
    desk.keeper.do(Chose(1, 11))
    desk.keeper.tick()
    desk.scheduler.paused.add("computer")
    desk.wait(2700)
    desk.scheduler.paused.clear()
    desk.keeper.tick()
    desk.keeper.do(Chose(1, 12))
    assert desk.session.phase is not Phase.RUNNING
    assert desk.session.items[0].answer.selected == (11,)


@pytest.mark.case(3)
def test_after_a_stop_of_ten_minutes_one_start_is_sent_and_no_missed_heartbeats() -> None:
    desk = Desk(duration=7200.0).sit()
    desk.keeper.tick()
    desk.scheduler.paused.add("computer")
    desk.wait(600)
    desk.scheduler.paused.clear()
    desk.line.log.clear()
    desk.keeper.tick()
    desk.wait(30)
    assert desk.line.log.count("start") + desk.line.log.count("heartbeat") <= 2


@pytest.mark.case(4)
@pytest.mark.parametrize("more", [300.0, -300.0])
def test_three_lost_heartbeats_lose_nothing_and_the_next_time_is_adopted(more: float) -> None:
    desk = Desk(duration=3600.0).sit()
    lost: list[ApiError] = [Offline("No connection.")]
    desk.line.failures |= {"heartbeat": lost * 3, "start": lost * 6}
    desk.wait(75)
    desk.keeper.do(Chose(1, 12))
    assert desk.session.contact.trouble == "No connection."
    assert desk.keeper.silence() > 60
    assert desk.server.remaining is not None
    desk.server.remaining += more
    desk.wait(120)
    assert desk.session.contact.trouble == ""
    assert desk.held(1) == (12,)
    desk.server.now = desk.scheduler.now
    true = desk.server.left()
    assert left(desk) == pytest.approx(true, abs=1.5)
    assert "end" not in desk.line.log


@pytest.mark.case(5)
def test_zero_time_left_is_time_over_and_answers_are_sent_before_the_end() -> None:
    desk = Desk(duration=1800.0).sit()
    desk.keeper.do(Chose(1, 12))
    desk.wait(1)
    desk.server.remaining = desk.scheduler.now - desk.server.contact + 59.9
    desk.until_over()
    assert desk.session.phase is Phase.ENDED
    assert desk.held(1) == (12,)


@pytest.mark.case(5)
@pytest.mark.parametrize("told", [None, "NA", "", "H:MM:SS"])
def test_an_unknown_time_never_ends_an_exam(told: object) -> None:
    attempt = Attempt.model_validate(
        {"id": 7, "state": "Running", "remaining_time": told, "exam": {"duration": "1:00:00"}}
    )
    assert reading_of(attempt, 0.0, 0.0).remaining is None
    untimed = Attempt(id=7, state="Running", remaining_time=timedelta(0), exam=Exam(duration=None))
    assert reading_of(untimed, 0.0, 0.0).remaining is None


@pytest.mark.case(6)
@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2:47:53.076906", 10073.076906),
        ("02:00:00.000000", 7200),
        ("1 02:00:00", 93600),
        ("1 day, 2:00:00", 93600),
        ("20 days, 3:58:48.044696", 20 * 86400 + 14328.044696),
        ("P1DT2H", 93600),
        ("-0:00:05", -5),
        (7200, 7200),
        (None, None),
        ("NA", None),
        ("H:MM:SS", None),
        ("", None),
        ("9" * 400, None),
        (True, None),
    ],
)
def test_a_duration_is_read_in_every_form_and_is_unknown_if_invalid(text: object, seconds: float | None) -> None:
    told = parse_duration(text)
    assert (None if told is None else told.total_seconds()) == seconds


@pytest.mark.case(8)
def test_half_the_round_trip_of_a_slow_heartbeat_is_subtracted() -> None:
    attempt = Attempt(
        id=7, state="Running", remaining_time=timedelta(minutes=30), exam=Exam(duration=timedelta(hours=1))
    )
    desk = Desk().sit()
    slow = desk.session.deadline.__class__().adopt(reading_of(attempt, 100.0, 125.0))
    assert slow.left(125.0) == 1800.0 - 12.5
    assert slow.adopt(reading_of(attempt, 40.0, 126.0)) == slow


@pytest.mark.case(11)
def test_a_crash_before_an_acknowledgement_is_recorded_repeats_the_request() -> None:
    desk = Desk().sit()
    desk.line.lost_replies["save 1"] = [TimedOut("No answer in time.")]
    desk.keeper.do(Chose(1, 12))
    desk.wait(0.1)
    assert (desk.held(1), desk.session.saved_there) == ((12,), 0)
    desk.crash()
    desk.wait(5)
    assert (desk.held(1), desk.session.saved_there) == ((12,), 1)
    assert desk.session.refused == ()
    assert desk.session.conflicts == ()


@pytest.mark.case(12)
def test_an_unwritable_journal_is_reported_before_the_exam_starts(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file where the folder should be", encoding="ascii")
    with pytest.raises(JournalError, match="cannot be written"):
        FileJournals(tmp_path / "taken").open(AttemptKey("http://x", 1, 1), "")


@pytest.mark.case(15)
def test_the_end_waits_for_three_unsent_answers() -> None:
    desk = Desk().sit()
    desk.line.failures["save 1"] = [Offline("No connection.")] * 2
    for question in (1, 2, 3):
        desk.keeper.do(Chose(question, 10 * question + 2))
    desk.keeper.do(EndAsked())
    assert len([item for item in desk.session.unsent if not item.visit_only]) == 3
    desk.until_over()
    assert [desk.held(question) for question in (1, 2, 3)] == [(12,), (22,), (32,)]
    assert desk.line.log.index("end") > max(n for n, name in enumerate(desk.line.log) if name.startswith("save"))
    assert "questions" in desk.line.log[2:]


@pytest.mark.case(18)
def test_a_late_older_request_is_overwritten_before_the_end() -> None:
    desk = Desk().sit()
    desk.server.stamps = False
    desk.keeper.do(Chose(1, 11))
    desk.wait(1)
    desk.keeper.do(Chose(1, 12))
    desk.wait(1)
    desk.server.save(1, AnswerInput(selected_answers=(11,), review=False), "late:1")
    desk.keeper.do(EndAsked())
    desk.until_over()
    assert desk.held(1) == (12,)
    assert desk.session.phase is Phase.ENDED


@pytest.mark.case(20)
def test_the_sign_in_page_of_a_network_acknowledges_nothing() -> None:
    desk = Desk().sit()
    desk.line.failures["save 1"] = [NotTheService("The answer was not this service's.")] * 12
    desk.keeper.do(Chose(1, 12))
    desk.wait(2)
    assert (desk.session.saved_here, desk.session.saved_there) == (1, 0)
    assert desk.session.contact.trouble
    desk.wait(120)
    assert desk.session.saved_there == 1


@pytest.mark.case(21)
@pytest.mark.case(22)
def test_an_expired_sign_in_stops_sending_until_the_user_signs_in_again() -> None:
    desk = Desk(duration=24 * 3600.0).sit()
    desk.line.log.clear()
    honest = desk.line._named

    async def expired(name: str, request: object) -> object:
        desk.line.log.append(name)
        raise SignInNeeded("The sign-in has expired.", status=401)

    desk.line._named = expired  # type: ignore[method-assign]  # every request is answered with 401
    for turn in range(300):
        question = turn % 6 + 1
        desk.keeper.do(Chose(question, 10 * question + turn % 4 + 1))
        desk.wait(30)
    assert len(desk.line.log) == 1
    assert desk.session.saved_here == 6
    desk.line._named = honest  # type: ignore[method-assign]  # the same user has signed in again
    desk.keeper.retry()
    desk.wait(60)
    assert desk.session.saved_there == 6


@pytest.mark.case(23)
@pytest.mark.parametrize("asked", [30.0, 0.0, -5.0, 1e9, None])
def test_any_requested_wait_leaves_a_request_before_the_deadline(
    asked: float | None,
) -> None:
    desk = Desk(duration=200.0).sit()
    desk.line.log.clear()
    desk.line.failures |= {
        name: [Busy("Busy.", status=503, retry_after=asked)] * 400 for name in ("save 1", "start", "heartbeat")
    }
    desk.keeper.do(Chose(1, 12))
    desk.wait(60)
    assert len(desk.line.log) <= 30
    desk.line.failures.clear()
    desk.wait(135)
    assert desk.held(1) == (12,)


@pytest.mark.case(25)
@pytest.mark.parametrize("error", [Forbidden("Ended.", status=403), NotFound("Gone.", status=404)])
def test_a_refusal_of_an_ended_attempt_lists_the_answers_not_accepted(error: ApiError) -> None:
    desk = Desk().sit()
    desk.line.failures["save 1"] = [error] * 3
    desk.keeper.do(Chose(2, 22))
    desk.wait(1)
    desk.server.finish()
    desk.line.log.clear()
    desk.keeper.do(Marked(1))
    desk.keeper.do(Chose(1, 12))
    desk.until_over()
    assert [item.question_id for item in desk.session.refused] == [1]
    assert "start" not in desk.line.log
    assert len(desk.line.log) <= 4
    assert desk.server.ends == 1


@pytest.mark.case(27)
def test_unknown_values_are_kept_unchanged_and_make_nothing_editable() -> None:
    attempt = Attempt.model_validate(
        {"id": 7, "state": "Evaluation Completed", "rank": "NA", "percentile": None, "score": "12.50", "exam": {}}
    )
    assert attempt.state == "Evaluation Completed"
    assert attempt.state != "Running"
    assert str(attempt.score) in {"12.50", "12.5"}
    question = AttemptQuestion.model_validate(
        {"id": 1, "selected_answers": [999], "review": None, "question": {"type": "X", "answers": [{"id": 1}]}}
    )
    assert (question.selected_answers, question.review, question.question.type) == ((999,), None, "X")
