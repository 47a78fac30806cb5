"""One simulated exam: a person, a computer that dies and sleeps, a bad line, and an oracle that counts losses."""

import functools
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from lms_tui.attempt.events import Chose, Cleared, EndAsked, Marked, Toggled, Undone, UserEvent, Visited
from lms_tui.attempt.facts import answer_of
from lms_tui.attempt.keeper import AttemptOverError, Keeper
from lms_tui.attempt.memory import MemoryJournal
from lms_tui.attempt.ports import AttemptKey, Entry
from lms_tui.attempt.values import Answer, Phase
from lms_tui.wire.errors import ApiError, SignInNeeded
from tests.simulation.network import FAULTS, Line
from tests.simulation.scheduler import Scheduler, SimulatedClock, Sleep, Task
from tests.simulation.server import ATTEMPT_ID, SimulatedServer

COMPUTER = "computer"
PATIENCE = 3 * 3600.0
"""Seconds that the line is well at the end of every exam, for everything owed to arrive."""


class Killed(Exception):
    """The process was killed at this very step."""


@dataclass
class DyingJournal(MemoryJournal):
    """Durable when `record` returns, as the real one; may kill its process just before or just after the write."""

    random: Random = field(default_factory=Random)
    deadly: float = 0.0
    possible: dict[int, list[Answer]] = field(default_factory=dict)
    """What each question may hold: what was shown as saved, or became durable after that and was never shown."""

    def record(self, *entries: Entry) -> None:
        fate = self.random.random()
        if fate < self.deadly:
            raise Killed
        super().record(*entries)
        for entry in entries:
            self.possible.setdefault(entry.question_id, []).append(entry.answer)
        if fate > 1 - self.deadly:
            raise Killed

    def settle(self, question_id: int, sequence: int, *, refused: str = "") -> None:
        super().settle(question_id, sequence, refused=refused)
        if self.random.random() < self.deadly / 4:
            raise Killed


@dataclass
class Verdict:
    """What came of one exam. `lost`: one line for each answer that showed as saved and is nowhere now."""

    seed: int
    answers: int
    faults: Counter[str]
    refused: int
    lost: list[str]
    broken: list[str]

    @property
    def good(self) -> bool:
        return not self.lost and not self.broken


class SimulatedExam:
    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.random = Random(seed)
        self.scheduler = Scheduler(now=self.random.uniform(0, 1e6), on_failure=self._died)
        duration = None if self.random.random() < 0.1 else self.random.uniform(120, 3600)
        stamps = self.random.random() < 0.7
        self.server = SimulatedServer(self.scheduler.now, duration, questions=self.random.randint(3, 12), stamps=stamps)
        self.line = Line(self.scheduler, self.server, self.random, badness=self.random.choice((0.0, 0.1, 0.3, 0.6)))
        # Without stamps nothing a client does can stop a wandering request from overwriting; see docs/reliability.md.
        self.line.kinds = FAULTS if stamps else tuple(f for f in FAULTS if f not in {"delayed", "duplicate"})
        key = AttemptKey("http://simulated", 1, ATTEMPT_ID)
        deadly = self.random.choice((0.0, 0.0, 0.01, 0.05))
        self.journal = DyingJournal(key, "Simulated", random=self.random, deadly=deadly)
        self.clock = SimulatedClock(self.scheduler)
        self.keeper: Keeper | None = None
        self.shown: dict[int, Answer] = {}
        self.answers = 0
        self.broken: list[str] = []
        self.closed = False
        self.leaving = self.random.random() < 0.15

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
        self.scheduler.spawn(self._boot(self.random.uniform(1, 120)), COMPUTER)

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
                await Sleep(self.scheduler.now + self.random.uniform(1, 20))
        self.scheduler.spawn(self._keep(self.keeper), COMPUTER)
        self.scheduler.spawn(self._person(self.keeper), COMPUTER)
        self.scheduler.spawn(self._ticks(self.keeper), COMPUTER)

    async def _keep(self, keeper: Keeper) -> None:
        await keeper.run()
        self.closed = True

    async def _ticks(self, keeper: Keeper) -> None:
        while not keeper.session.over:
            await Sleep(self.scheduler.now + 30)
            keeper.tick()
            if keeper.session.contact.sign_in_needed:
                await Sleep(self.scheduler.now + self.random.uniform(1, 60))
                self.line.token_valid = True
                keeper.retry()

    # The person.

    async def _person(self, keeper: Keeper) -> None:
        pace = self.random.choice((2.0, 10.0, 40.0))
        for _ in range(self.random.randint(5, 40)):
            await Sleep(self.scheduler.now + self.random.expovariate(1 / pace))
            if not keeper.session.editable:
                return
            self._act(keeper, self._whim(keeper))
        if not self.leaving:
            keeper.do(EndAsked())

    def _whim(self, keeper: Keeper) -> UserEvent:
        number = self.random.randint(1, self.server.questions)
        option = 10 * number + self.random.randint(1, 4)
        return self.random.choice(
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
            if item.latest > before.sequence and item.here >= item.latest:
                self.shown[item.question_id] = item.answer
                self.journal.possible[item.question_id] = [item.answer]
                self.answers += 1

    # The world.

    async def _fate(self) -> None:
        """Outages, crashes, sleep, an expired sign-in, an end on another device: some of each, some of the time."""
        for _ in range(self.random.randint(0, 6)):
            await Sleep(self.scheduler.now + self.random.expovariate(1 / 120))
            if self.closed:
                return
            blow = self.random.choice(("outage", "outage", "crash", "suspend", "expiry", "restart", "elsewhere"))
            if blow == "crash":
                self._crash()
                continue
            if blow == "elsewhere" and self.random.random() < 0.8:
                continue
            self.line.faults[blow] += 1
            await self._blow(blow)

    async def _blow(self, blow: str) -> None:
        match blow:
            case "outage" | "restart":
                self.line.outage = True
                await Sleep(self.scheduler.now + self.random.uniform(1, 600 if blow == "outage" else 20))
                self.line.outage = False
            case "suspend":
                self.scheduler.paused.add(COMPUTER)
                await Sleep(self.scheduler.now + self.random.choice((1, 30, 600, 7200)))
                self.scheduler.paused.discard(COMPUTER)
            case "expiry":
                self.line.token_valid = False
            case _ if self.server.running:
                self.server.finish()
            case _:
                pass

    def run(self) -> Verdict:
        self.scheduler.spawn(self._boot(0.0), COMPUTER)
        self.scheduler.spawn(self._fate(), "world")
        self.scheduler.run(self.scheduler.now + self.random.uniform(300, 7200), lambda: self.closed)
        self._recover()
        self.scheduler.run(self.scheduler.now + PATIENCE, self._quiet)
        for group in (COMPUTER, "network", "world"):
            self.scheduler.kill(group)
        return self._judge()

    def _recover(self) -> None:
        """The line becomes well, the person signs in, the computer wakes, and no more blows fall."""
        self.scheduler.kill("world")
        self.line.healthy, self.line.outage, self.line.token_valid = True, False, True
        self.journal.deadly = 0.0
        self.scheduler.paused.discard(COMPUTER)
        if self.keeper is not None:
            self.keeper.retry()
            if not self.leaving:
                self.keeper.do(EndAsked())

    def _quiet(self) -> bool:
        if self.closed:
            return True
        if self.keeper is None or not self.leaving:
            return False
        return not any(not item.visit_only for item in self.keeper.session.unsent)

    def _judge(self) -> Verdict:
        kept = self.journal.newest()
        session = self.keeper.session if self.keeper else None
        refused = {item.question_id for item in session.refused} if session else set()
        if not self.server.running:
            # What the journal still owes to an attempt that has ended is listed and exported, never dropped.
            refused |= {question for question, entry in kept.items() if not entry.acknowledged}
        held = {question: answer_of(self.server.show(question)) for question in self.shown}
        lost = [
            f"question {question}: {answer} was saved here, the server has {held[question]}"
            for question, answer in self.shown.items()
            if question not in refused and not any(map(held[question].same_as, self.journal.possible[question]))
        ]
        if (
            session
            and session.phase is Phase.ENDED
            and (claimed := {i.question_id for i in session.refused} - self.line.denied)
        ):
            self.broken.append(f"questions {claimed} are listed as refused and never were")
        if not self.closed and not self.leaving:
            self.broken.append("the exam did not end")
        if self.server.ends > 1:
            self.broken.append(f"{self.server.ends} ends")
        return Verdict(
            self.seed,
            self.answers,
            self.line.faults,
            len(refused & set(self.shown)),
            lost,
            self.broken + self.line.broken,
        )
