"""The keeper against a server of the document, in virtual time; the simulation does the same with chance."""

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import ClassVar

import pytest

from lms_tui.attempt.events import Chose, Cleared, EndAsked, Marked, Struck, Visited
from lms_tui.attempt.journal.memory import MemoryJournals
from lms_tui.attempt.keeper import AttemptOverError, Keeper
from lms_tui.attempt.ports import AttemptKey, Entry, Journal, JournalError, Journals, Visit
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Goal, Phase
from lms_tui.wire.attempts import (
    AnswerInput,
    AnswerOption,
    Attempt,
    AttemptQuestion,
    AttemptQuestionBody,
    AttemptSection,
)
from lms_tui.wire.errors import (
    ApiError,
    Busy,
    Forbidden,
    NotTheService,
    Offline,
    ServerFault,
    SignInNeeded,
    TimedOut,
)
from lms_tui.wire.exams import Exam
from tests.fakes.files import FilesInMemory
from tests.fakes.notices import WithoutNotices
from tests.simulation.network import Line
from tests.simulation.scheduler import Scheduler, SimulatedClock
from tests.simulation.server import ATTEMPT_ID, SimulatedServer

KEY = AttemptKey("http://simulated", 1, ATTEMPT_ID)


@dataclass
class ScriptedLine(Line):
    """A good line that keeps a log, and on which the next request of a name fails as the test says."""

    log: list[str] = field(default_factory=list)
    failures: dict[str, list[ApiError]] = field(default_factory=dict)
    lost_replies: dict[str, list[ApiError]] = field(default_factory=dict)
    trip: float = 0.01
    """Seconds from a request to its reply."""

    async def _named(self, name: str, request: Callable[[], object]) -> object:
        self.log.append(name)
        if failures := self.failures.get(name):
            raise failures.pop(0)
        reply = await self._honest(request, self.trip)
        if lost := self.lost_replies.get(name):
            raise lost.pop(0)
        return reply

    async def read(self, attempt_id: int) -> Attempt:
        return await self._named("read", self.server.read)  # type: ignore[return-value]  # the name says which

    async def start(self, attempt_id: int) -> Attempt:
        return await self._named("start", self.server.start)  # type: ignore[return-value]  # the name says which

    async def heartbeat(self, attempt_id: int) -> Attempt:
        return await self._named("heartbeat", self.server.heartbeat)  # type: ignore[return-value]  # as above

    async def end(self, attempt_id: int) -> Attempt:
        return await self._named("end", self.server.end)  # type: ignore[return-value]  # the name says which

    async def questions(self, attempt_id: int) -> list[AttemptQuestion]:
        return await self._named("questions", self.server.list_questions)  # type: ignore[return-value]  # as above

    async def save(
        self, attempt_id: int, question_id: int, answer: AnswerInput, stamp: str = "", chosen_at: int | None = None
    ) -> AttemptQuestion:
        request = functools.partial(self.server.save, question_id, answer, stamp, chosen_at)
        return await self._named(f"save {question_id}", request)  # type: ignore[return-value]  # as above


class Desk:
    """One computer, one attempt; every desk is cleared when its test ends."""

    taken: ClassVar[list["Desk"]] = []

    def __init__(self, duration: float | None = 1800.0, journals: Journals | None = None) -> None:
        self.scheduler = Scheduler()
        self.server = SimulatedServer(0.0, duration, questions=6)
        self.line = ScriptedLine(self.scheduler, self.server, Random(1), badness=0.0)
        self.clock = SimulatedClock(self.scheduler)
        self.journals: Journals = journals or MemoryJournals()
        self.journal: Journal = self.journals.open(KEY, "Trial")
        self.snapshots: list[Session] = []
        self.over = False
        self._keeper: Keeper | None = None
        self.trouble: ApiError | AttemptOverError | None = None
        self.taken.append(self)

    @property
    def keeper(self) -> Keeper:
        assert self._keeper is not None
        return self._keeper

    @property
    def session(self) -> Session:
        return self.keeper.session

    def sit(self) -> "Desk":
        self.scheduler.spawn(self._sit(), "computer")
        self.scheduler.run(self.scheduler.now + 5, lambda: self._keeper is not None or self.trouble is not None)
        return self

    async def _sit(self) -> None:
        together = functools.partial(self.scheduler.together, group="computer")
        try:
            keeper = await Keeper.open(self.line, self.journal, self.clock, Random(1), ATTEMPT_ID, together=together)
        except (ApiError, AttemptOverError) as error:
            self.trouble = error
            return
        self._keeper = keeper
        keeper.listen(self.snapshots.append)
        await keeper.run()
        self.over = True

    def crash(self) -> "Desk":
        """Kill the program and start it again, with the journal as it was on the disk."""
        self.scheduler.kill("computer")
        self.journal.close()
        self.journal = self.journals.open(KEY, "Trial")
        self.line.log.clear()
        self._keeper, self.over = None, False
        return self.sit()

    def wait(self, seconds: float) -> None:
        self.scheduler.run(self.scheduler.now + seconds, lambda: False)
        self.scheduler.now += 0.0

    def until_over(self, limit: float = 600) -> None:
        assert self.scheduler.run(self.scheduler.now + limit, lambda: self.over), self.session

    def elsewhere(
        self,
        question_id: int,
        option: int,
        stamp: str = "phone:1",
        chosen_at: int | None = None,
        *,
        starts: bool = False,
    ) -> None:
        """Let another device answer a question now. `starts`: it opens the attempt before."""
        self.server.now = self.scheduler.now
        if starts:
            self.server.start()
        self.server.save(question_id, AnswerInput(selected_answers=(option,), review=False), stamp, chosen_at)

    def held(self, question_id: int) -> tuple[int, ...]:
        return self.server.show(question_id).selected_answers


@pytest.fixture(autouse=True)
def _clear_desks() -> Iterator[None]:
    yield
    while Desk.taken:
        Desk.taken.pop().scheduler.kill("computer")


def test_a_resume_starts_the_attempt_once_and_fetches_its_questions() -> None:
    desk = Desk().sit()
    assert desk.line.log == ["start", "questions"]
    assert len(desk.session.items) == 6


def test_a_heartbeat_is_sent_once_a_minute() -> None:
    desk = Desk().sit()
    desk.wait(301)
    assert desk.line.log.count("heartbeat") == 5


def test_pages_that_are_turned_are_sent_when_the_student_stays_at_one() -> None:
    desk = Desk().sit()
    desk.keeper.do(Visited(1))
    desk.wait(5)
    for number in (2, 3, 4):
        desk.keeper.do(Visited(number))
        desk.wait(1)
    assert [name for name in desk.line.log if name.startswith("save")] == ["save 1"]
    desk.wait(2)
    assert [name for name in desk.line.log if name.startswith("save")] == ["save 1", "save 2", "save 3"]


def test_an_answer_is_durable_and_shown_as_saved_before_any_request() -> None:
    desk = Desk().sit()
    desk.keeper.do(Chose(1, 12))
    assert desk.session.saved_here == 1
    assert desk.session.saved_there == 0
    assert desk.journal.newest()[1].entry.answer.selected == (12,)
    desk.wait(1)
    assert desk.session.saved_there == 1
    assert desk.held(1) == (12,)


def test_answering_continues_offline_and_everything_is_sent_after_reconnecting() -> None:
    desk = Desk().sit()
    desk.line.outage = True
    for name in ("save 1", "save 2", "start", "start", "start"):
        desk.line.failures.setdefault(name, []).append(Offline("No connection."))
    desk.keeper.do(Chose(1, 11))
    desk.keeper.do(Chose(2, 22))
    desk.wait(1)
    assert desk.session.contact.trouble == "No connection."
    assert (desk.session.saved_here, desk.session.saved_there) == (2, 0)
    desk.wait(30)
    assert (desk.session.saved_here, desk.session.saved_there) == (2, 2)
    assert desk.session.contact.trouble == ""


def test_after_a_gap_start_comes_before_the_queue() -> None:
    desk = Desk().sit()
    desk.line.failures["save 1"] = [Offline("No connection.")]
    desk.keeper.do(Chose(1, 11))
    desk.wait(10)
    assert desk.line.log[2:] == ["save 1", "start", "save 1"]


@pytest.mark.case(10)
def test_a_restart_after_a_kill_has_every_saved_answer_and_sends_the_unacknowledged() -> None:
    desk = Desk().sit()
    desk.keeper.do(Chose(1, 11))
    desk.wait(1)
    desk.keeper.do(Visited(3))
    desk.keeper.do(Chose(3, 31))
    desk.keeper.do(Marked(3))
    desk.keeper.do(Struck(4, 42))
    desk.keeper.tick()
    desk.crash()
    assert desk.session.item.question_id == 3
    assert desk.session.items[3].struck == {42}
    assert desk.session.items[2].answer.marked
    assert desk.session.items[0].there == desk.session.items[0].latest
    assert desk.session.items[2].unsent
    desk.wait(1)
    assert desk.held(3) == (31,)
    assert desk.line.log[:3] == ["start", "questions", "save 3"]


def test_a_restart_after_an_early_kill_shows_the_question_changed_last() -> None:
    desk = Desk().sit()
    desk.keeper.do(Visited(2))
    desk.keeper.tick()
    desk.keeper.do(Visited(5))
    desk.crash()
    assert desk.session.item.question_id == 5
    desk.keeper.do(Visited(2))
    desk.keeper.tick()
    desk.crash()
    assert desk.session.item.question_id == 2


def test_a_restored_answer_counts_until_it_is_acknowledged() -> None:
    desk = Desk().sit()
    desk.keeper.do(Chose(1, 11))
    desk.wait(1)
    desk.server.answers[1] = AnswerInput(selected_answers=(14,), review=False)
    desk.keeper.do(Chose(2, 21))
    desk.crash()
    assert desk.session.items[0].answer.selected == (14,)
    assert desk.session.items[1].answer.selected == (21,)


@pytest.mark.parametrize(
    "error",
    [
        TimedOut("No answer in time."),
        ServerFault("The server failed.", status=500),
        Busy("Busy.", status=503, retry_after=3.0),
        NotTheService("A page for people, not this service."),
    ],
)
@pytest.mark.case(20)
@pytest.mark.case(24)
def test_a_change_whose_reply_was_lost_is_sent_again_until_it_is_echoed(error: ApiError) -> None:
    desk = Desk().sit()
    desk.line.lost_replies["save 1"] = [error]
    desk.keeper.do(Chose(1, 12))
    desk.wait(0.1)
    assert desk.session.saved_there == 0
    desk.wait(30)
    assert desk.line.log.count("save 1") == 2
    assert desk.session.saved_there == 1


@pytest.mark.case(20)
@pytest.mark.parametrize("echo", [AttemptQuestion(), AttemptQuestion(id=2, review=False)])
def test_an_empty_reply_or_one_about_another_question_acknowledges_no_cleared_answer(echo: AttemptQuestion) -> None:
    desk = Desk().sit()
    desk.keeper.do(Chose(1, 12))
    desk.wait(1)
    honest, desk.server.save = desk.server.save, lambda *_: echo  # type: ignore[method-assign]  # a server that errs
    desk.keeper.do(Cleared(1))
    desk.wait(0.3)
    assert desk.session.items[0].unsent
    desk.server.save = honest  # type: ignore[method-assign]  # and comes to its senses
    desk.wait(20)
    assert desk.held(1) == ()
    assert not desk.session.items[0].unsent


@pytest.mark.case(21)
def test_an_expired_sign_in_pauses_sending_but_not_answering() -> None:
    desk = Desk().sit()
    desk.line.failures["save 1"] = [SignInNeeded("The sign-in has expired.", status=401)]
    desk.keeper.do(Chose(1, 12))
    desk.wait(120)
    assert desk.session.contact.sign_in_needed
    assert desk.line.log[2:] == ["save 1"]
    desk.keeper.do(Chose(2, 22))
    assert desk.session.saved_here == 2
    desk.keeper.retry()
    desk.wait(1)
    assert desk.session.saved_there == 2
    assert not desk.session.contact.sign_in_needed


@pytest.mark.case(21)
def test_one_401_beside_a_good_reply_is_shown_if_answers_stay_unsent() -> None:
    desk = Desk().sit()
    desk.line.failures["save 1"] = [SignInNeeded("The sign-in has expired.", status=401)]
    desk.keeper.do(Chose(1, 12))
    desk.keeper.do(Chose(2, 22))
    desk.keeper.do(Chose(3, 31))
    desk.wait(120)
    assert not desk.session.unsent
    assert not desk.session.contact.sign_in_needed


@pytest.mark.case(21)
def test_a_401_for_one_question_is_shown_until_the_user_signs_in_again() -> None:
    desk = Desk().sit()
    desk.line.failures["save 1"] = [SignInNeeded("The sign-in has expired.", status=401)] * 2
    desk.keeper.do(Chose(1, 12))
    desk.keeper.do(Chose(2, 22))
    desk.wait(120)
    assert desk.session.contact.sign_in_needed
    assert [item.question_id for item in desk.session.unsent] == [1]
    desk.keeper.retry()
    desk.wait(1)
    assert not desk.session.unsent


@pytest.mark.case(15)
def test_the_attempt_is_ended_after_every_answer_was_sent_and_read_back() -> None:
    desk = Desk().sit()
    desk.keeper.do(Visited(1))
    desk.keeper.do(Chose(1, 12))
    desk.keeper.do(EndAsked())
    desk.until_over()
    assert desk.line.log[2:] == ["save 1", "heartbeat", "read", "questions", "end"]
    assert desk.session.phase is Phase.ENDED
    assert desk.journals.outstanding(KEY.origin, KEY.user_id).unfinished == ()


@pytest.mark.case(18)
def test_answers_that_differ_on_the_server_are_sent_again_before_the_end() -> None:
    desk = Desk().sit()
    desk.keeper.do(Chose(1, 12))
    desk.wait(1)
    desk.server.answers[1] = AnswerInput(selected_answers=(), review=False)
    desk.keeper.do(EndAsked())
    desk.until_over()
    assert desk.held(1) == (12,)
    assert desk.session.phase is Phase.ENDED


@pytest.mark.case(16)
def test_an_end_with_a_lost_reply_is_found_by_reading_the_attempt() -> None:
    desk = Desk().sit()
    desk.line.lost_replies["end"] = [TimedOut("No answer in time.")]
    desk.keeper.do(EndAsked())
    desk.until_over()
    assert desk.session.phase is Phase.ENDED
    assert desk.server.ends == 1


def test_after_the_time_queued_answers_are_sent_and_the_attempt_ends() -> None:
    desk = Desk(duration=90.0).sit()
    desk.line.failures["save 1"] = [Offline("No connection.")] * 3
    desk.keeper.do(Chose(1, 12))
    desk.wait(0.2)
    desk.line.failures.clear()
    desk.wait(80)
    desk.keeper.do(Chose(2, 22))
    desk.until_over()
    assert desk.session.phase is Phase.ENDED
    assert (desk.held(1), desk.held(2)) == ((12,), (22,))


@pytest.mark.case(17)
@pytest.mark.parametrize(("back_after", "asked"), [(1.0, None), (4.0, None), (7.5, None), (1.0, 60.0), (4.0, 60.0)])
def test_after_the_time_requests_are_repeated_fast_enough_for_the_grace(back_after: float, asked: float | None) -> None:
    desk = Desk(duration=120.0).sit()
    desk.server.grace = 10.0
    lost = Busy("Busy.", status=503, retry_after=asked) if asked else Offline("No connection.")
    desk.wait(40)
    desk.line.failures = {name: [lost] * 200 for name in ("save 1", "start", "heartbeat")}
    desk.keeper.do(Chose(1, 12))
    desk.wait(120.0 + back_after - desk.scheduler.now)
    assert desk.session.phase is Phase.TIME_OVER
    desk.line.failures.clear()
    began = desk.scheduler.now
    assert desk.scheduler.run(began + 60, lambda: desk.held(1) == (12,))
    late = desk.scheduler.now - began
    assert late <= (2.0 if asked is None else 5.0)


@pytest.mark.case(23)
def test_in_the_grace_at_most_thirty_requests_are_sent_in_a_minute() -> None:
    desk = Desk(duration=120.0).sit()
    desk.line.failures = {name: [Offline("No connection.")] * 200 for name in ("save 1", "start", "heartbeat")}
    desk.wait(115)
    desk.line.log.clear()
    desk.keeper.do(Chose(1, 12))
    desk.wait(60)
    assert len(desk.line.log) <= 30


def test_the_screen_notices_the_end_of_the_time_before_the_sender() -> None:
    desk = Desk(duration=60.0).sit()
    desk.scheduler.now += 61.0
    desk.keeper.tick()
    assert desk.session.phase is Phase.TIME_OVER
    desk.keeper.do(Chose(1, 12))
    assert desk.session.answered == 0


def test_an_attempt_without_a_time_limit_is_never_ended_automatically() -> None:
    desk = Desk(duration=None).sit()
    desk.wait(600)
    desk.scheduler.now += 2 * 24 * 3600.0
    desk.keeper.tick()
    desk.wait(600)
    assert desk.keeper.time_left() is None
    assert desk.session.phase is Phase.RUNNING


@pytest.mark.case(25)
def test_an_attempt_that_ended_elsewhere_lists_the_answers_not_accepted() -> None:
    desk = Desk().sit()
    desk.server.finish()
    desk.keeper.do(Chose(1, 12))
    desk.until_over()
    assert desk.session.phase is Phase.CLOSED
    assert [item.question_id for item in desk.session.refused] == [1]
    assert [u.unsent for u in desk.journals.outstanding(KEY.origin, KEY.user_id).unfinished] == [1]
    assert "start" not in desk.line.log[2:]


def test_one_refusal_of_a_question_neither_closes_the_attempt_nor_loses_the_answer() -> None:
    desk = Desk().sit()
    desk.line.failures["save 1"] = [Forbidden("Not now.", status=403)]
    desk.keeper.do(Chose(1, 12))
    desk.wait(20)
    assert desk.session.phase is Phase.RUNNING
    assert desk.held(1) == (12,)


def test_repeated_refusals_of_a_question_are_listed_and_the_exam_continues() -> None:
    desk = Desk().sit()
    desk.line.failures["save 1"] = [Forbidden("Not yours.", status=403)] * 9
    desk.keeper.do(Chose(1, 12))
    desk.keeper.do(Chose(2, 22))
    desk.wait(60)
    assert [(item.question_id, item.refused) for item in desk.session.refused] == [(1, "Not yours.")]
    assert desk.held(2) == (22,)
    assert desk.line.log.count("save 1") == 3


def put_back(desk: Desk, question: int) -> None:
    """Put the server back to a backup that was made before this question was answered."""
    del desk.server.answers[question]
    desk.server.stamped.pop(question)
    desk.server.standing.pop(question)


def test_a_server_restored_from_a_backup_gets_its_answers_again_after_reconnecting() -> None:
    desk = Desk(duration=7200.0).sit()
    desk.keeper.do(Chose(1, 12))
    desk.keeper.do(Chose(2, 22))
    desk.wait(310)
    desk.line.failures["heartbeat"] = [Offline("No connection.")]
    put_back(desk, 1)
    desk.wait(90)
    assert (desk.held(1), desk.held(2)) == ((12,), (22,))
    assert desk.session.conflicts == ()
    assert desk.session.saved_there == 2


def test_a_server_that_was_put_back_to_what_this_run_found_there_gets_the_newer_answer_again() -> None:
    desk = Desk(duration=7200.0)
    begun_elsewhere = AnswerInput(selected_answers=(11,), review=False)
    desk.server.answers[1] = begun_elsewhere
    desk.sit()
    desk.keeper.do(Chose(1, 12))
    desk.wait(60)
    desk.server.answers[1] = begun_elsewhere
    desk.server.stamped.pop(1)
    desk.server.standing.pop(1)
    desk.wait(900)
    assert desk.held(1) == (12,)
    assert desk.session.conflicts == ()


def test_a_server_restored_from_a_backup_is_noticed_within_fifteen_minutes() -> None:
    desk = Desk(duration=7200.0).sit()
    desk.keeper.do(Chose(1, 12))
    desk.wait(60)
    put_back(desk, 1)
    desk.wait(900)
    assert desk.held(1) == (12,)


def test_answers_are_compared_at_the_next_heartbeat_if_the_server_lost_the_start() -> None:
    desk = Desk(duration=7200.0).sit()
    desk.keeper.do(Chose(1, 12))
    desk.wait(10)
    desk.server.began -= 3600.0
    put_back(desk, 1)
    desk.wait(61)
    assert desk.held(1) == (12,)
    assert desk.session.items[0].answer.selected == (12,)


def test_a_lost_answer_counts_as_unsent_until_it_is_sent_again() -> None:
    desk = Desk(duration=7200.0).sit()
    desk.keeper.do(Chose(1, 12))
    desk.keeper.do(Chose(2, 22))
    desk.wait(60)
    put_back(desk, 1)
    desk.line.failures["save 1"] = [Offline("No connection.")] * 200
    desk.wait(900)
    assert desk.session.saved_there == 1


def test_a_lost_answer_stays_undelivered_after_a_crash() -> None:
    desk = Desk(duration=7200.0).sit()
    desk.keeper.do(Chose(1, 12))
    desk.wait(60)
    put_back(desk, 1)
    desk.line.failures["save 1"] = [Offline("No connection.")] * 200
    desk.wait(900)
    desk.scheduler.kill("computer")
    desk.journal.close()
    (unfinished,) = desk.journals.outstanding(KEY.origin, KEY.user_id).unfinished
    assert unfinished.unsent == 1


def test_a_lost_answer_is_sent_again_when_the_exam_is_opened() -> None:
    desk = Desk(duration=7200.0).sit()
    desk.keeper.do(Chose(1, 12))
    desk.wait(60)
    put_back(desk, 1)
    desk.crash()
    desk.wait(5)
    assert desk.session.items[0].answer.selected == (12,)
    assert desk.held(1) == (12,)


def test_answers_are_compared_at_most_once_in_five_minutes_on_a_bad_connection() -> None:
    desk = Desk(duration=None).sit()
    for _ in range(60):
        desk.line.failures["heartbeat"] = [Offline("No connection.")]
        desk.wait(60)
    assert 3 <= desk.line.log[2:].count("questions") <= 12


@pytest.mark.case(2)
def test_after_sleep_start_is_sent_first_and_its_time_is_adopted() -> None:
    desk = Desk(duration=7200.0).sit()
    desk.keeper.tick()
    desk.scheduler.paused.add("computer")
    desk.wait(45 * 60)
    desk.scheduler.paused.clear()
    desk.scheduler.now = 45 * 60.0
    desk.line.log.clear()
    desk.keeper.tick()
    desk.wait(1)
    assert desk.line.log[0] == "start"
    left = desk.keeper.time_left()
    assert left is not None
    assert left == pytest.approx(7200.0, abs=2)


def test_extra_time_is_adopted_with_the_next_heartbeat() -> None:
    desk = Desk(duration=600.0).sit()
    assert desk.server.remaining is not None
    desk.server.remaining += 300.0
    desk.wait(61)
    left = desk.keeper.time_left()
    assert left == pytest.approx(900.0 - desk.scheduler.now, abs=1.5)


@pytest.mark.case(12)
def test_an_answer_is_sent_and_a_notice_shown_if_the_disk_is_full() -> None:
    desk = Desk().sit()

    def full(*entries: Entry, visits: Sequence[Visit] = ()) -> None:
        raise JournalError("The disk is full.")

    record, desk.journal.record = desk.journal.record, full  # type: ignore[method-assign]  # plays a full disk
    desk.keeper.do(Chose(1, 12))
    assert "The disk is full." in desk.session.journal_trouble
    assert desk.session.saved_here == 0
    desk.wait(1)
    assert desk.held(1) == (12,)
    desk.journal.record = record  # type: ignore[method-assign]  # the disk has room again
    desk.keeper.do(Chose(2, 22))
    assert desk.session.journal_trouble == ""
    assert desk.session.saved_here == 2


def test_an_attempt_that_has_ended_cannot_be_opened() -> None:
    desk = Desk()
    desk.server.finish()
    assert isinstance(desk.sit().trouble, AttemptOverError)


# Sections that follow one another.


@dataclass
class SectionedService(WithoutNotices, FilesInMemory):
    """Two locked sections of two questions; `states` as the server has them."""

    states: dict[int, str] = field(default_factory=lambda: {1: "Running", 2: "Not Started"})
    left: float = 120.0
    state: str = "Running"
    log: list[str] = field(default_factory=list)
    answers: dict[int, AnswerInput] = field(default_factory=dict)

    def _attempt(self) -> Attempt:
        sections = tuple(
            AttemptSection(
                id=9,
                attempt_section_id=n,
                name=f"Part {n}",
                order=n,
                state=state,
                duration=timedelta(seconds=120),
                remaining_time=timedelta(seconds=self.left),
            )
            for n, state in self.states.items()
        )
        exam = Exam(title="Sections", duration=timedelta(seconds=240), allow_preemptive_section_ending=True)
        return Attempt(id=ATTEMPT_ID, exam=exam, state=self.state, sections=sections, remaining_time=timedelta(hours=1))

    async def read(self, attempt_id: int) -> Attempt:
        return self._attempt()

    async def start(self, attempt_id: int) -> Attempt:
        self.log.append("start")
        return self._attempt()

    async def heartbeat(self, attempt_id: int) -> Attempt:
        self.left = max(0.0, self.left - 60.0)
        return self._attempt()

    async def end(self, attempt_id: int) -> Attempt:
        self.log.append("end")
        self.state = "Completed"
        return self._attempt()

    def show(self, number: int) -> AttemptQuestion:
        held = self.answers.get(number, AnswerInput())
        body = AttemptQuestionBody(type="R", answers=(AnswerOption(id=10 * number), AnswerOption(id=10 * number + 1)))
        return AttemptQuestion(id=number, question=body, selected_answers=held.selected_answers, review=held.review)

    async def questions(self, attempt_id: int) -> list[AttemptQuestion]:
        raise Forbidden("By section only.", status=403)

    async def section_questions(self, section: AttemptSection) -> list[AttemptQuestion]:
        first = 2 * section.attempt_section_id - 1
        return [self.show(first), self.show(first + 1)]

    async def start_section(self, section: AttemptSection) -> None:
        self.log.append(f"start section {section.attempt_section_id}")
        self.states[section.attempt_section_id] = "Running"
        self.left = 120.0

    async def end_section(self, section: AttemptSection) -> None:
        self.log.append(f"end section {section.attempt_section_id}")
        self.states[section.attempt_section_id] = "Completed"

    async def save(
        self, attempt_id: int, question_id: int, answer: AnswerInput, stamp: str = "", chosen_at: int | None = None
    ) -> AttemptQuestion:
        self.log.append(f"save {question_id}")
        self.answers[question_id] = answer
        return self.show(question_id)


def test_locked_sections_run_in_order_and_the_last_ends_the_attempt() -> None:
    scheduler, service = Scheduler(), SectionedService()
    desk: list[Keeper] = []

    async def sit() -> None:
        together = functools.partial(scheduler.together, group="computer")
        journal = MemoryJournals().open(KEY, "")
        clock = SimulatedClock(scheduler)
        desk.append(await Keeper.open(service, journal, clock, Random(1), ATTEMPT_ID, together=together))
        await desk[0].run()

    scheduler.spawn(sit(), "computer")
    scheduler.run(1.0, lambda: bool(desk))
    keeper = desk[0]
    assert [item.question_id for item in keeper.session.items] == [1, 2]
    assert keeper.time_left() == pytest.approx(120.0, abs=0.1)
    keeper.do(Chose(1, 10))
    keeper.do(EndAsked(Goal.SECTION))
    scheduler.run(scheduler.now + 10, lambda: len(keeper.session.items) == 4)
    assert keeper.session.editable
    assert keeper.session.item.question_id == 3
    assert [item.number for item in keeper.session.items] == [1, 2, 3, 4]
    assert keeper.question(4).id == 4
    keeper.do(Chose(1, 11))
    assert keeper.session.items[0].answer.selected == (10,)
    keeper.do(Chose(3, 30))
    scheduler.run(scheduler.now + 300, lambda: keeper.session.over)
    assert keeper.session.phase is Phase.ENDED
    assert service.log == ["start", "save 1", "end section 1", "start section 2", "save 3", "end"]
