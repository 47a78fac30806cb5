"""The institute changes an exam while it runs: more time, a stopped clock, and messages to the student."""

from dataclasses import dataclass, field, replace

import pytest

from lms_tui.attempt.deadline import Deadline, Reading
from lms_tui.attempt.events import Chose, EndAsked, InstituteTold, TimeRanOut, TimeTold
from lms_tui.attempt.outbox import End, Heartbeat, NextSection, Save, opened, plan
from lms_tui.attempt.session import TOLD_FOR, Session, apply
from lms_tui.attempt.values import Goal, Item, Phase, Section
from lms_tui.views.runner import notice, tally
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import Attempt, AttemptNotice, ToldAttempt
from lms_tui.wire.errors import NotFound, Offline
from lms_tui.wire.notices import NoticeMark
from tests.attempt.test_keeper import Desk, ScriptedLine


@dataclass
class TellingLine(ScriptedLine):
    """A line to a service that tells its students something. `seen`: what the app says that it has shown."""

    told: list[AttemptNotice] = field(default_factory=list)
    paused: bool = False
    ended: bool = False
    seen: list[int] = field(default_factory=list)

    async def start(self, attempt_id: int) -> Attempt:
        return self._announcing(await super().start(attempt_id))

    async def heartbeat(self, attempt_id: int) -> Attempt:
        return self._announcing(await super().heartbeat(attempt_id))

    def _announcing(self, attempt: Attempt) -> Attempt:
        newest = self.told[-1].id if self.told else 0
        state = AttemptState.COMPLETED if self.ended else attempt.state
        fields = ToldAttempt(**dict(attempt))
        return fields.model_copy(update={"notices": NoticeMark(newest, self.paused), "state": state})

    async def notices(self, attempt_id: int) -> list[AttemptNotice]:
        await self._named(f"notices {attempt_id}", self.server.read)
        return self.told

    async def notices_seen(self, attempt_id: int, notice_id: int) -> None:
        await self._named(f"seen {notice_id}", self.server.read)
        self.seen.append(notice_id)


def telling_desk(*told: str, duration: float = 600.0) -> tuple[Desk, TellingLine]:
    desk = Desk(duration=duration)
    notices = [AttemptNotice(id=number, kind="message", text=text) for number, text in enumerate(told, 1)]
    line = TellingLine(desk.scheduler, desk.server, desk.line.random, badness=0.0, told=notices)
    desk.line = line
    return desk.sit(), line


def words(desk: Desk) -> list[str]:
    return [one.text for one in desk.session.told]


def test_time_that_is_given_in_the_last_minute_is_used() -> None:
    desk = Desk(duration=600.0).sit()
    desk.wait(590)
    assert desk.server.remaining is not None
    desk.server.remaining += 300.0
    desk.wait(15)
    assert desk.session.editable
    desk.keeper.do(Chose(1, 12))
    desk.wait(200)
    assert desk.held(1) == (12,)
    desk.wait(200)
    assert desk.session.phase is Phase.ENDED
    assert desk.server.ends == 1


def test_a_server_that_refuses_to_tell_the_time_at_the_end_is_asked_once() -> None:
    desk = Desk(duration=90.0).sit()
    desk.wait(70)
    desk.line.failures["heartbeat"] = [NotFound("No such address.", status=404)] * 9
    desk.wait(60)
    assert desk.session.phase is Phase.ENDED
    assert desk.line.log.count("heartbeat") == 2


def test_answers_are_sent_before_the_time_is_asked_for() -> None:
    desk = Desk(duration=90.0).sit()
    session = replace(apply(desk.session, Chose(1, 12)), phase=Phase.TIME_OVER)
    due = replace(opened(100.0), heartbeat_due=90.0)
    assert isinstance(plan(session, due, 100.0), Save)
    assert isinstance(plan(replace(desk.session, phase=Phase.TIME_OVER), due, 100.0), Heartbeat)


def test_the_words_of_the_institute_are_shown_and_acknowledged_once() -> None:
    desk, line = telling_desk("Question 3: use 9.81.", "Ten minutes left.\nGood luck.")
    desk.wait(61)
    shown = notice(desk.session, tally(desk.session), 0.0)
    assert shown is not None
    assert shown.text == "1 of 2: Question 3: use 9.81.\n2 of 2: Ten minutes left. Good luck."
    assert shown.short == "2 of 2: Ten minutes left. Good luck."
    assert line.seen == [2]
    desk.wait(130)
    assert line.log.count("notices 7") == 1
    desk.wait(TOLD_FOR)
    assert words(desk) == []


def test_newer_words_leave_the_older_ones_on_the_screen_for_their_time() -> None:
    desk, line = telling_desk("Use 9.81.", duration=3600.0)
    desk.wait(61)
    assert words(desk) == ["Use 9.81."]
    desk.wait(120)
    line.told.append(AttemptNotice(id=2, kind="message", text="The door stays open."))
    desk.wait(61)
    assert words(desk) == ["Use 9.81.", "The door stays open."]
    desk.wait(TOLD_FOR - 120)
    assert words(desk) == ["The door stays open."]
    desk.wait(180)
    assert words(desk) == []


def test_words_of_the_time_in_which_the_app_was_closed_are_shown_at_once() -> None:
    desk, line = telling_desk("The door stays open.")
    desk.wait(2)
    assert words(desk) == ["The door stays open."]
    assert line.seen == [1]


def test_words_that_are_told_again_are_shown_once() -> None:
    desk, _ = telling_desk("Be quiet.", "Use 9.81.", "Be quiet.")
    desk.wait(61)
    assert words(desk) == ["Use 9.81.", "Be quiet."]


def test_words_are_shown_within_61_seconds_whenever_they_are_given() -> None:
    waits = []
    for second in range(60):
        desk, line = telling_desk(duration=3600.0)
        desk.wait(300 + second)
        given = desk.scheduler.now
        line.told.append(AttemptNotice(id=1, kind="message", text="Ten minutes more."))
        while not line.seen:
            desk.wait(0.5)
        assert words(desk) == ["Ten minutes more."]
        waits.append(desk.scheduler.now - given)
    assert max(waits) <= 61.0


def test_words_that_could_not_be_read_are_read_after_the_next_heartbeat() -> None:
    desk, line = telling_desk("Please be quiet.")
    line.failures["notices 7"] = [Offline("No connection.")]
    desk.wait(30)
    assert words(desk) == []
    desk.wait(61)
    assert words(desk) == ["Please be quiet."]


def test_words_are_shown_once_where_the_server_does_not_learn_that_they_were_seen() -> None:
    desk, line = telling_desk("Please be quiet.", duration=3600.0)
    line.failures["seen 1"] = [Offline("No connection.")] * 4
    desk.wait(61)
    told = desk.session.told
    assert words(desk) == ["Please be quiet."]
    desk.wait(125)
    assert (desk.session.told, line.seen) == (told, [])
    desk.wait(TOLD_FOR)
    assert (words(desk), line.seen) == ([], [1])


def test_words_do_not_count_as_seen_where_the_attempt_has_ended() -> None:
    desk, line = telling_desk("Please be quiet.")
    line.ended = True
    desk.wait(61)
    assert (desk.session.over, line.seen) == (True, [])


def test_words_that_another_device_has_shown_are_not_shown_again() -> None:
    desk, line = telling_desk("Please be quiet.")
    line.told = [AttemptNotice(id=1, text="Please be quiet.", seen="2026-03-02T09:00:00Z")]
    desk.wait(61)
    assert (words(desk), line.seen) == ([], [])


def test_the_clock_stands_still_while_the_institute_has_stopped_it() -> None:
    desk, line = telling_desk(duration=100.0)
    line.told, line.paused = [AttemptNotice(id=1, text="", seen="2026-03-02T09:00:00Z")], True
    desk.server.remaining = 1_000.0
    desk.wait(61)
    left = desk.keeper.time_left()
    shown = notice(desk.session, tally(desk.session), 0.0)
    assert shown is not None
    assert shown.short == "The clock is stopped"
    desk.wait(50)
    assert desk.keeper.time_left() == left
    line.paused = False
    desk.wait(30)
    assert desk.keeper.time_left() != left


@pytest.mark.parametrize(("paused", "over"), [(True, False), (False, True)])
def test_a_stopped_clock_never_ends_the_exam(*, paused: bool, over: bool) -> None:
    deadline = Deadline(100.0, 0.0).adopt(Reading(30.0, 60.0, 60.0, paused=paused))
    assert deadline.left(80.0) == (30.0 if paused else 10.0)
    assert deadline.over(500.0) is over
    running = deadline.adopt(Reading(30.0, 500.0, 500.0))
    assert (running.left(510.0), running.over(531.0)) == (20.0, True)


def test_a_section_that_the_server_has_begun_is_read_before_the_attempt_ends() -> None:
    states = (AttemptState.RUNNING, AttemptState.NOT_STARTED)
    parts = tuple(Section(n, f"Part {n}", state, timed=True) for n, state in enumerate(states, 1))
    items = (Item(question_id=1, number=1, kind="R", options=(10,), section=0),)
    session = Session(attempt_id=1, title="", items=items, sections=parts, deadline=Deadline(100.0, 0.0))
    session = apply(session, TimeRanOut())
    began = (replace(parts[0], state=AttemptState.COMPLETED), replace(parts[1], state=AttemptState.RUNNING))
    session = apply(session, TimeTold(Reading(600.0, 101.0, 101.0), began))
    assert (session.phase, session.goal) == (Phase.TIME_OVER, Goal.SECTION)
    sync = replace(opened(102.0), compared=True)
    assert plan(session, sync, 102.0) == NextSection()
    assert plan(apply(session, InstituteTold("", 0.0)), sync, 102.0) != End()


def test_time_that_is_given_to_a_section_lets_it_continue() -> None:
    states = (AttemptState.RUNNING, AttemptState.NOT_STARTED)
    parts = tuple(Section(n, f"Part {n}", state, timed=True) for n, state in enumerate(states, 1))
    items = (Item(question_id=1, number=1, kind="R", options=(10,), section=0),)
    session = Session(attempt_id=1, title="", items=items, sections=parts, deadline=Deadline(100.0, 0.0))
    session = apply(apply(session, TimeRanOut()), TimeTold(Reading(300.0, 101.0, 101.0), parts))
    assert (session.phase, session.goal) == (Phase.RUNNING, Goal.ATTEMPT)
    ending = apply(apply(session, EndAsked(Goal.ATTEMPT)), TimeTold(Reading(900.0, 110.0, 110.0), parts))
    assert ending.phase is Phase.ENDING


@pytest.mark.parametrize(
    ("header", "mark"),
    [
        ("", NoticeMark()),
        ("17", NoticeMark(17)),
        ("17; paused", NoticeMark(17, paused=True)),
        ("17;paused", NoticeMark(17, paused=True)),
        ("-1", NoticeMark()),
        ("9" * 40, NoticeMark()),
        ("x; paused", NoticeMark()),
    ],
)
def test_a_header_of_another_form_counts_as_missing(header: str, mark: NoticeMark) -> None:
    assert NoticeMark.read(header) == mark
