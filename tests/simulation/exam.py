"""One simulated exam: a person, a computer that dies and sleeps, a bad line, another device, and an oracle."""

import contextlib
import functools
from random import Random

from lms_tui.attempt.deadline import LONGEST_TRIP
from lms_tui.attempt.events import Chose, Cleared, EndAsked, Marked, Toggled, Undone, UserEvent, Visited
from lms_tui.attempt.keeper import AttemptOverError, Keeper
from lms_tui.attempt.mapping import answer_of
from lms_tui.attempt.ports import AttemptKey
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Answer, Goal
from lms_tui.wire.attempts import AnswerInput
from lms_tui.wire.errors import ApiError, SignInNeeded
from tests.simulation.disk import DyingJournal, Killed
from tests.simulation.judge import Evidence, Verdict, Written, judge
from tests.simulation.network import Line
from tests.simulation.scheduler import Scheduler, SimulatedClock, Sleep, Task
from tests.simulation.server import ATTEMPT_ID, SimulatedServer
from tests.simulation.sign_in import OWNER, STRANGER, user_after
from tests.simulation.trace import Trace

COMPUTER = "computer"
PATIENCE = 3 * 3600.0
"""Seconds that the line is well at the end of every exam, for everything owed to arrive."""
SLACK = LONGEST_TRIP / 2 + 1
"""Seconds by which the time shown may be more than what is left: half of the longest round trip, and a tolerance."""
BLOWS = ("outage", "outage", "crash", "suspend", "expiry", "restart", "elsewhere", "wall clock", "full disk")


class SimulatedExam:
    """`trace`: says which of the seed's events take place, for shrinking a failure."""

    def __init__(self, seed: int, trace: Trace | None = None) -> None:
        self.seed = seed
        self.trace = trace or Trace()
        # One stream each, so that leaving an event out changes as little as can be of what the others do.
        self.random, self.person, self.world, self.other = (Random(f"{seed} {name}") for name in "abcd")
        self.scheduler = Scheduler(now=self.random.uniform(0, 1e6), on_failure=self._died)
        duration = None if self.random.random() < 0.1 else self.random.uniform(120, 3600)
        parts = self.random.choice((2, 3)) if duration and self.random.random() < 0.2 else 0
        self.server = SimulatedServer(
            self.scheduler.now,
            duration,
            questions=self.random.randint(3, 12),
            stamps=self.random.random() < 0.7,
            parts=parts,
        )
        badness = self.random.choice((0.0, 0.1, 0.3, 0.6))
        self.line = Line(self.scheduler, self.server, Random(f"{seed} line"), badness=badness, trace=self.trace)
        key = AttemptKey("http://simulated", 1, ATTEMPT_ID)
        deadly = self.random.choice((0.0, 0.0, 0.01, 0.05))
        self.journal = DyingJournal(key, "Simulated", random=Random(f"{seed} disk"), trace=self.trace, deadly=deadly)
        self.line.auditing = self._auditing
        self.clock = SimulatedClock(self.scheduler)
        self.keeper: Keeper | None = None
        self.shown: dict[int, tuple[float, Answer]] = {}
        self.written: dict[int, list[Written]] = {}
        self.answers = 0
        self.touched: dict[int, float] = {}
        self.broken: list[str] = []
        self.closed = False
        self.leaving = self.random.random() < 0.15
        self.accompanied = self.random.random() < 0.2

    # The computer.

    def _died(self, task: Task, error: Exception) -> None:
        if isinstance(error, Killed):
            self._crash()
            return
        self.broken.append(f"{task.group or 'network'} died of {error!r}")
        self.closed = True

    def _crash(self) -> None:
        self.line.faults["crash"] += 1
        self.scheduler.kill(COMPUTER)
        self.line.saves_in_flight.clear()
        self.scheduler.paused.discard(COMPUTER)
        self.keeper = None
        self.journal.crashed()
        self.scheduler.spawn(self._boot(self.world.uniform(1, 120)), COMPUTER)

    async def _boot(self, after: float) -> None:
        """Start the program, as often as it takes, and sit down again."""
        await Sleep(self.scheduler.now + after)
        together = functools.partial(self.scheduler.together, group=COMPUTER)
        while self.keeper is None:
            try:
                self.keeper = await Keeper.open(
                    self.line, self.journal, self.clock, self.random, ATTEMPT_ID, together=together
                )
            except AttemptOverError:
                self.closed = True
                return
            except SignInNeeded:
                self.line.token_valid = True
            except ApiError:
                await Sleep(self.scheduler.now + self.world.uniform(1, 20))
        self.scheduler.spawn(self._keep(self.keeper), COMPUTER)
        self.scheduler.spawn(self._sit(self.keeper), COMPUTER)
        self.scheduler.spawn(self._ticks(self.keeper), COMPUTER)

    async def _keep(self, keeper: Keeper) -> None:
        await keeper.run()
        self.closed = True

    async def _ticks(self, keeper: Keeper) -> None:
        while not keeper.session.over:
            await Sleep(self.scheduler.now + 30)
            keeper.tick()
            self._check_time(keeper)
            if keeper.session.contact.sign_in_needed:
                await Sleep(self.scheduler.now + self.person.uniform(1, 60))
                self._sign_in_again(keeper)

    def _sign_in_again(self, keeper: Keeper) -> None:
        """Sometimes with the password of someone else, which must change nothing."""
        other = self.person.random() < 0.4
        if other and self.trace.happens("stranger", self.scheduler.now, "another user signs in"):
            self.line.faults["another user"] += 1
            self.line.user = user_after(STRANGER)
            if self.line.user == OWNER:
                return
        self.line.token_valid = True
        keeper.retry()

    def _check_time(self, keeper: Keeper) -> None:
        """What is shown is never more than what the server would say now."""
        self.server.now = self.scheduler.now
        shown, true = keeper.time_left(), self.server.left()
        if shown is None or true is None or self.server.parts or not self.server.running:
            return
        if shown > max(0.0, true) + SLACK:
            self.broken.append(f"{shown:.1f} s are shown as left, and {true:.1f} s are")

    def _auditing(self) -> bool:
        return self.keeper is not None and not self.keeper.session.editable and not self.keeper._sync.look

    # The person.

    async def _sit(self, keeper: Keeper) -> None:
        pace = self.person.choice((2.0, 10.0, 40.0))
        for _ in range(self.person.randint(5, 40)):
            await Sleep(self.scheduler.now + self.person.expovariate(1 / pace))
            whim = self._whim()
            if keeper.session.editable and self.trace.happens("act", self.scheduler.now, repr(whim)):
                self._act(keeper, whim)
        if not self.leaving:
            await self._finish(keeper)

    async def _finish(self, keeper: Keeper) -> None:
        """Ask for the end, of one section after the other where there are sections."""
        while not keeper.session.over:
            keeper.do(EndAsked(Goal.SECTION if keeper.session.more_sections else Goal.ATTEMPT))
            await Sleep(self.scheduler.now + 20)

    def _whim(self) -> UserEvent:
        number = self.person.randint(1, self.server.questions)
        option = 10 * number + self.person.randint(1, 4)
        return self.person.choice(
            (
                Chose(number, option),
                Chose(number, option),
                Chose(number, option),
                Toggled(number, option),
                Visited(number),
                Marked(number),
                Cleared(number),
                Undone(),
            )
        )

    def _act(self, keeper: Keeper, event: UserEvent) -> None:
        before = keeper.session
        keeper.do(event)
        session = keeper.session
        for item in session.items:
            if item.latest > before.sequence and not item.visit_only:
                self.touched[item.question_id] = self.scheduler.now
            if item.visit_only and self.accompanied:
                continue  # having seen a question is no choice, and gives way to the other device's
            if item.latest > before.sequence and item.here < item.latest:
                self.journal.possible.setdefault(item.question_id, []).append(item.answer)
            # After a full disk what could not be written before is durable now, and shows so.
            if item.latest > 0 and item.here >= item.latest and self._fresh(item.latest, item.question_id, before):
                made = self.touched.get(item.question_id, self.scheduler.now)
                self.shown[item.question_id] = made, item.answer
                self.journal.possible[item.question_id] = [item.answer]
                self.answers += 1

    @staticmethod
    def _fresh(latest: int, question: int, before: Session) -> bool:
        known = before.find(question)
        return known is None or latest > before.sequence or known.here < latest

    # The world.

    async def _fate(self) -> None:
        """Outages, crashes, sleep, an expired sign-in, an end on another device: some of each, some of the time."""
        for _ in range(self.world.randint(0, 6)):
            await Sleep(self.scheduler.now + self.world.expovariate(1 / 120))
            if self.closed:
                return
            blow = self.world.choice(BLOWS)
            rare = self.world.random() < 0.8
            if (blow == "elsewhere" and rare) or not self.trace.happens("blow", self.scheduler.now, blow):
                continue
            if blow == "crash":
                self._crash()
                continue
            self.line.faults[blow] += 1
            await self._blow(blow)

    async def _blow(self, blow: str) -> None:
        match blow:
            case "outage" | "restart":
                self.line.outage = True
                await Sleep(self.scheduler.now + self.world.uniform(1, 600 if blow == "outage" else 20))
                self.line.outage = False
            case "suspend":
                self.scheduler.paused.add(COMPUTER)
                await Sleep(self.scheduler.now + self.world.choice((1, 30, 600, 7200)))
                self.scheduler.paused.discard(COMPUTER)
            case "full disk":
                self.journal.full = True
                await Sleep(self.scheduler.now + self.world.uniform(1, 300))
                self.journal.full = False
            case "expiry":
                self.line.token_valid = False
            case "wall clock":
                self.clock.wall_offset += self.world.choice((3600.0, -3600.0, 3.2e7, -3.2e7))
            case _ if self.server.running:
                self.server.finish()
            case _:
                pass

    async def _company(self) -> None:
        """The same person on another device, whose line is good: comes, answers, and may be gone again."""
        await Sleep(self.scheduler.now + self.other.expovariate(1 / 120))
        for turn in range(self.other.randint(1, 10)):
            number = self.other.randint(1, self.server.questions)
            option = 10 * number + self.other.randint(1, 4)
            await Sleep(self.scheduler.now + self.other.expovariate(1 / 60))
            self.server.now = self.scheduler.now
            if turn == 0 and self.server.running:
                with contextlib.suppress(ApiError):
                    self.server.start()
            if not self.trace.happens("other", self.scheduler.now, f"question {number}: {option}"):
                continue
            try:
                echo = self.server.save(number, AnswerInput(selected_answers=(option,), review=False), f"other:{turn}")
            except ApiError:
                continue
            item = self.keeper.session.find(number) if self.keeper else None
            clear = item is not None and not item.unsent and item.here >= item.latest
            busy = self.line.saves_in_flight[number] > 0
            noticed = self.keeper is not None and self.keeper._sync.company
            record = Written(self.scheduler.now, answer_of(echo), clear and noticed and not busy)
            self.written.setdefault(number, []).append(record)
            self.line.faults["second device"] += 1

    def run(self) -> Verdict:
        self.scheduler.spawn(self._boot(0.0), COMPUTER)
        self.scheduler.spawn(self._fate(), "world")
        if self.accompanied:
            self.scheduler.spawn(self._company(), "world")
        self.scheduler.run(self.scheduler.now + self.random.uniform(300, 7200), lambda: self.closed)
        self._recover()
        self.scheduler.run(self.scheduler.now + PATIENCE, self._quiet)
        for group in (COMPUTER, "network", "world"):
            self.scheduler.kill(group)
        return self._judged()

    def _recover(self) -> None:
        """The line becomes well, the person signs in, the computer wakes, and no more blows fall."""
        self.scheduler.kill("world")
        self.line.healthy, self.line.outage, self.line.token_valid = True, False, True
        self.journal.deadly, self.journal.full = 0.0, False
        self.scheduler.paused.discard(COMPUTER)
        if self.keeper is not None:
            self.keeper.retry()
            if not self.leaving:
                self.scheduler.spawn(self._finish(self.keeper), COMPUTER)

    def _quiet(self) -> bool:
        if self.closed:
            return True
        if self.keeper is None or not self.leaving:
            return False
        return not any(not item.visit_only for item in self.keeper.session.unsent)

    def _judged(self) -> Verdict:
        session = self.keeper.session if self.keeper else None
        verdict = Verdict(self.seed, self.answers, +self.line.faults, events=self.trace.events)
        verdict.broken = self.broken + self.line.broken
        if not self.closed and not self.leaving:
            verdict.broken.append("the exam did not end")
        return judge(
            Evidence(self.server, self.line, self.journal, session, self.shown, self.written, self.touched), verdict
        )
