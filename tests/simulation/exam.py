"""One simulated exam: a student, a computer that dies and sleeps, a bad line, another device, and an oracle."""

import contextlib
import functools
from collections.abc import Collection, Mapping
from random import Random

from lms_tui.attempt.keeper import AttemptOverError, Keeper
from lms_tui.attempt.ports import AttemptKey, JournalError
from lms_tui.attempt.session import Session
from lms_tui.wire.attempts import AnswerInput
from lms_tui.wire.errors import ApiError, SignInNeeded, Unreachable
from tests.simulation.content import Content, as_echoed, as_stored
from tests.simulation.disk import DAMAGES, Disk, FileDisk, Killed, MemoryDisk, Mishaps
from tests.simulation.judge import NEVER, Evidence, Verdict, Written, judge
from tests.simulation.network import Line
from tests.simulation.oracle import Notes, Oracle
from tests.simulation.scheduler import Scheduler, SimulatedClock, Sleep, Task
from tests.simulation.server import ATTEMPT_ID, SimulatedServer
from tests.simulation.sign_in import OWNER, STRANGER, SignIns
from tests.simulation.student import Student
from tests.simulation.trace import Trace

COMPUTER = "computer"
TERMINAL = "terminal"
"""The group of what the student sees and does: it stands still while the terminal does not read."""
PATIENCE = 3 * 3600.0
"""Seconds that the line is well at the end of every exam, for everything owed to arrive."""
SLACK = 16.0
"""Seconds by which the time shown may be more than what is left: half of a round trip of half a minute, and one."""
TICK = 4.0
"""Seconds between two ticks: fewer than make the program believe that the computer slept. One while text is typed."""
REAL = 0.03
"""Share of the exams that are kept in files, by the real journal."""
KINDS = ("RRC", "RRC", "RCSEGNM")
BLOWS = (
    "outage",
    "outage",
    "crash",
    "suspend",
    "expiry",
    "restart",
    "elsewhere",
    "wall clock",
    "full disk",
    "terminal",
    "forgets",
)
FILE_BLOWS = (*BLOWS, "damage", "damage", "folder gone")


class SimulatedExam:
    """`trace`: says which of the seed's events take place, for shrinking a failure. `sign_ins`: of many exams."""

    def __init__(self, seed: int, trace: Trace | None = None, sign_ins: SignIns | None = None) -> None:
        self.seed = seed
        self.trace = trace or Trace()
        self.sign_ins = sign_ins or SignIns()
        # One stream each, so that leaving an event out changes as little as can be of what the others do.
        self.random, self.person, self.world, self.other = (Random(f"{seed} {name}") for name in "abcd")
        self.scheduler = Scheduler(now=self.random.uniform(0, 1e6), on_failure=self._died, after_step=self._look)
        duration = None if self.random.random() < 0.1 else self.random.uniform(120, 3600)
        parts = self.random.choice((2, 3)) if duration and self.random.random() < 0.2 else 0
        self.server = SimulatedServer(
            self.scheduler.now,
            duration,
            questions=self.random.randint(3, 12),
            stamps=self.random.random() < 0.7,
            parts=parts,
            kinds=self.random.choice(KINDS),
            grace=self.random.choice((0.0, 10.0)),
        )
        badness = self.random.choice((0.0, 0.1, 0.3, 0.6))
        # A stream of its own, which leaves the others as they are without it.
        self.forgetting = Random(f"{seed} forgetting")
        if self.server.stamps:
            self.server.tells = self.forgetting.choice(("epoch", "epoch", "epoch alone", "numbers", ""))
        self.forgets = self.forgetting.random() < 0.3
        self.line = Line(self.scheduler, self.server, Random(f"{seed} line"), badness=badness, trace=self.trace)
        self.line.auditing = self._auditing
        self.leaving = self.random.random() < 0.15
        self.patient = False
        """The student does not end the exam, but lets its time run out."""
        self.accompanied = self.random.random() < 0.2
        deadly = self.random.choice((0.0, 0.0, 0.01, 0.05))
        self.mishaps = Mishaps(Random(f"{seed} disk"), self.trace, deadly)
        self.in_files = self.random.random() < REAL
        key = AttemptKey("http://simulated", 1, ATTEMPT_ID)
        self.disk: Disk = FileDisk(key, self.mishaps) if self.in_files else MemoryDisk(key, self.mishaps)
        self.clock = SimulatedClock(self.scheduler)
        self.keeper: Keeper | None = None
        self.painted: Session | None = None
        self.oracle = Oracle(Notes(), self.line, self._held, alone=not self.accompanied)
        self.student = Student(
            self.scheduler,
            self.person,
            self.trace,
            self.oracle,
            self.server.kind_of,
            self.server.questions,
            COMPUTER,
            alone=not self.accompanied,
        )
        self.written: dict[int, list[Written]] = {}
        self.damaged = self.gone = self.noticed = self.unnoted = False
        self.told = ""
        """What was said to be damaged since the exam was last on the screen: it is said before it comes there."""
        self.forgot: list[float] = []
        """When the server was put back to an older state."""
        self.told_elsewhere: dict[int, tuple[str, int, AnswerInput]] = {}
        """The newest answer of the other device to each question, which it sends again: stamp, time and answer."""
        self.backups = [self.server.backup()]
        self.sent_again_at = NEVER
        self.before_full = self.line.looks
        """What the program had read before the disk was full."""
        self.signing_in = False
        self.closed = False

    # The computer.

    def _died(self, task: Task, error: Exception) -> None:
        if isinstance(error, Killed):
            self._crash()
            return
        self.oracle.breaks(f"{task.group or 'network'} died of {error!r}")
        self.closed = True

    def _crash(self) -> None:
        self.line.faults["crash"] += 1
        self.line.dies()
        if self.mishaps.full:
            self.line.looks, self.unnoted = self.before_full, True  # what came since then could not be noted
        for group in (COMPUTER, TERMINAL):
            self.scheduler.kill(group)
            self.scheduler.paused.discard(group)
        self.line.saves_in_flight.clear()
        self.line.under_way = 0
        self.keeper = self.painted = self.oracle.session = None
        self.signing_in = False
        self.student.comes(None)
        # A folder that goes is noticed at the next tick; nothing is left of it where the program dies before that.
        self.gone = self.gone or self.disk.gone
        self.disk.crash()
        # Of a journal and its mark that are lost one after the other, no more is left than of a folder that goes.
        self.gone = self.gone or (self.damaged and self.disk.empty)
        self.damaged = self.damaged or self.gone
        self._look_at_list()
        self.scheduler.spawn(self._boot(self.world.uniform(1, 120)), COMPUTER)

    def _look_at_list(self) -> None:
        """The list of unfinished attempts opens, whatever happened, and names what was not sent."""
        try:
            listed = self.disk.listed()
        except Exception as error:  # noqa: BLE001 - any error would keep the student out of every exam
            self.oracle.breaks(f"the list of unfinished attempts does not open: {error!r}")
            return
        if not (listed or self.damaged or self.accompanied or self.closed) and (missing := self._missing()):
            self.oracle.breaks(f"question {missing} is not sent, and the list of unfinished attempts is empty")

    def _missing(self) -> int:
        """A question whose answer counts as saved, and which no reply has ever confirmed, nor a later answer to it."""
        moments = self.oracle.notes.moments
        for number, (moment, content) in self.oracle.notes.shown.items():
            confirmed = self.line.confirmed.get(number, ())
            later = any(moments.get((number, other), NEVER) > moment for other in confirmed)
            if not (content.empty or content in confirmed or later):
                return number
        return 0

    async def _boot(self, after: float) -> None:
        """Start the program, as often as it takes, and sit down again."""
        await Sleep(self.scheduler.now + after)
        together = functools.partial(self.scheduler.together, group=COMPUTER)
        journal = self.disk.open()
        self.told = journal.restored or self.told
        while self.keeper is None:
            try:
                with self.line.opening():
                    keeper = await Keeper.open(
                        self.line, journal, self.clock, self.random, ATTEMPT_ID, together=together
                    )
            except AttemptOverError:
                self.closed = True
                if self.told:
                    self.oracle.forget_lost_rows(())
                return
            except SignInNeeded:
                self.line.token_valid = True
            except ApiError as error:
                alone = isinstance(error, Unreachable) and self.world.random() < 0.5
                offline = (
                    Keeper.resume_offline(self.line, journal, self.clock, self.random, together=together)
                    if alone and self.trace.happens("offline", self.scheduler.now, "resumed without a server")
                    else None
                )
                if offline is not None:
                    self.line.faults["resumed offline"] += 1
                    self.line.timed_at = NEVER  # a reply that it did not live to use tells it nothing
                    self._sits_down(offline)
                else:
                    await Sleep(self.scheduler.now + self.world.uniform(1, 20))
            else:
                self._sits_down(keeper)

    def _sits_down(self, keeper: Keeper) -> None:
        self.keeper, self.painted = keeper, keeper.session
        # Where the time was over before the program started, its grace began earlier too.
        already_over = keeper.time_left() == 0.0
        self.oracle.awake_since, self.oracle.over_since = self.scheduler.now, NEVER if already_over else None
        told = self.told or ("The folder went." if self.gone else "")
        self.oracle.opens(keeper.session, told=told, noticed=keeper._sender.sync.other_device)
        self.told, self.gone = "", False
        keeper.listen(self._paints)
        self.student.comes(keeper)
        self.scheduler.spawn(self._keep(keeper), COMPUTER)
        self.scheduler.spawn(self.student.sit(keeper, leaving=self.leaving or self.patient), TERMINAL)
        self.scheduler.spawn(self._ticks(keeper), COMPUTER)

    def _paints(self, session: Session) -> None:
        before = self.painted
        # Another section, also where a restored server has gone back to an earlier one.
        if before is not None and (len(session.items), session.running_section) != (
            len(before.items),
            before.running_section,
        ):
            self.oracle.notes.undo = []
        self.painted = session

    async def _keep(self, keeper: Keeper) -> None:
        await keeper.run()
        self.closed = True

    def _held(self, questions: Collection[int]) -> Mapping[int, Content]:
        return self.disk.held(questions)

    def _look(self) -> None:
        if self.keeper is not None and (session := self.keeper.session) is not self.oracle.session:
            noticed = self.keeper._sender.sync.other_device
            self.oracle.untold = bool(self.forgot) and noticed and not self.server.tells
            self.oracle.sees(session)

    async def _ticks(self, keeper: Keeper) -> None:
        while not keeper.session.over:
            left = keeper.time_left()
            hurry = self.student.typing or (left is not None and left < 3 * TICK)
            ends = NEVER if left is None else self.scheduler.now + left
            await Sleep(self.scheduler.now + (1.0 if hurry else TICK))
            now, left = self.scheduler.now, keeper.time_left()
            if left:
                self.oracle.over_since = None  # there is more time
            if left == 0.0 and self.oracle.over_since is None:
                self.oracle.over_since = min(now, ends)  # a computer that slept notices it late
            self.oracle.second(keeper.session, self.painted or keeper.session, now)
            if self.forgot:
                noticed = keeper._sender.sync.other_device
                self.noticed = self.noticed or noticed
                self.oracle.compares(
                    keeper.session,
                    as_stored(self.server.state()),
                    now,
                    noticed=noticed,
                    # Numbers that arrived and were not noted make up for those that the server forgets later.
                    told=bool(self.server.tells)
                    and not (self.damaged or (self.unnoted and self.server.tells == "numbers")),
                    lately=sum(1 for moment in self.forgot if now - moment < 1200),
                )
            self.student.autosave.tick(left)
            keeper.tick()
            self._check_time(keeper)
            if keeper.session.contact.sign_in_needed and not self.signing_in:
                self.signing_in = True
                self.scheduler.spawn(self._sign_in_again(keeper), TERMINAL)

    async def _sign_in_again(self, keeper: Keeper) -> None:
        """The notice is seen after a while. Sometimes the password is someone else's, which must change nothing."""
        await Sleep(self.scheduler.now + self.person.uniform(1, 60))
        self.signing_in = False
        other = self.person.random() < 0.4
        if other and self.trace.happens("stranger", self.scheduler.now, "another user signs in"):
            self.line.faults["another user"] += 1
            self.line.user = self.sign_ins.user_after(STRANGER)
            if self.line.user == OWNER:
                return
        self.line.token_valid = True
        keeper.retry()

    def _check_time(self, keeper: Keeper) -> None:
        """What is shown is never more than what the server would say now."""
        self.server.now = self.scheduler.now
        shown, true = keeper.time_left(), self.server.left()
        told = self.line.timed_at >= self.forgot_at
        if shown is None or true is None or self.server.parts or not (self.server.running and told):
            return
        if shown > max(0.0, true) + SLACK:
            self.oracle.breaks(f"{shown:.1f} s are shown as left, and {true:.1f} s are")

    @property
    def forgot_at(self) -> float:
        return self.forgot[-1] if self.forgot else NEVER

    def _auditing(self) -> bool:
        return self.keeper is not None and not self.keeper.session.editable and not self.keeper._sender.sync.look

    # The world.

    async def _fate(self) -> None:
        """Outages, crashes, sleep, an expired sign-in, an end on another device: some of each, some of the time."""
        for _ in range(self.world.randint(0, 6)):
            await Sleep(self.scheduler.now + self.world.expovariate(1 / 120))
            if self.closed:
                return
            self.server.now = self.scheduler.now
            self.backups.append(self.server.backup())
            blow = self.world.choice(FILE_BLOWS if self.in_files else BLOWS)
            rare = self.world.random() < 0.8
            if (blow == "elsewhere" and rare) or not self.trace.happens("blow", self.scheduler.now, blow):
                continue
            if blow == "crash":
                self._crash()
                continue
            self.line.faults[blow] += 1
            await self._blow(blow)

    async def _blow(self, blow: str) -> None:  # noqa: C901 - one line a blow, read as a table
        match blow:
            case "outage" | "restart":
                self.line.outage = True
                await Sleep(self.scheduler.now + self.world.uniform(1, 600 if blow == "outage" else 20))
                self.line.outage = False
            case "suspend":
                await self._stands_still((COMPUTER, TERMINAL), self.world.choice((1, 30, 600, 7200)))
            case "terminal":
                await self._stands_still((TERMINAL,), self.world.uniform(10, 600))
            case "full disk":
                self.mishaps.full, self.before_full = True, self.line.looks
                await Sleep(self.scheduler.now + self.world.uniform(1, 300))
                self.mishaps.full = False
            case "expiry":
                self.line.token_valid = False
            case "wall clock":
                self.clock.wall_offset += self.world.choice((3600.0, -3600.0, 3.2e7, -3.2e7))
            case "forgets" if self.server.running and not self.accompanied:
                self._put_back(self.world.choice(self.backups))
            case "damage" if isinstance(self.disk, FileDisk):
                self.disk.damage, self.damaged = self.world.choice(DAMAGES), True
                self._crash()
            case "folder gone" if isinstance(self.disk, FileDisk) and self.keeper is not None:
                self.disk.go()
            case "elsewhere" if self.server.running:
                self.server.finish()
            case _:
                pass

    def _put_back(self, backup: Mapping[str, object]) -> None:
        """Put the server back to an older state. The other device notices it as we do, within a minute."""
        self.server.put_back(backup)
        self.forgot.append(self.scheduler.now)
        if self.told_elsewhere:
            self.scheduler.spawn(self._sends_again(self.forgetting.uniform(1, 60)), "world")

    async def _sends_again(self, after: float) -> None:
        await Sleep(self.scheduler.now + after)
        self.server.now = self.scheduler.now
        with contextlib.suppress(ApiError):
            for number, (stamp, moment, answer) in self.told_elsewhere.items():
                self.server.save(number, answer, stamp, moment)
            self.sent_again_at = self.scheduler.now

    async def _restores(self) -> None:
        """The server is killed and put back to an older state, up to three times."""
        for _ in range(self.forgetting.randint(1, 3)):
            for _ in range(self.forgetting.randint(1, 3)):
                self.backups.append(self.server.backup())
                await Sleep(self.scheduler.now + self.forgetting.expovariate(1 / 150))
            if self.closed or not self.server.running:
                return
            if not self.trace.happens("restore", self.scheduler.now, "restored"):
                continue
            self.line.faults["restored"] += 1
            self.server.now = self.scheduler.now
            self._put_back(self.forgetting.choice(self.backups))

    async def _stands_still(self, groups: tuple[str, ...], seconds: float) -> None:
        self.scheduler.paused |= set(groups)
        await Sleep(self.scheduler.now + seconds)
        self.scheduler.paused -= set(groups)
        if COMPUTER in groups:
            self.oracle.awake_since = self.scheduler.now

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
            answer, stamp = AnswerInput(selected_answers=(option,), review=False), f"other:{turn}"
            try:
                echo = self.server.save(number, answer, stamp)
            except ApiError:
                continue
            self.told_elsewhere[number] = stamp, self.server.moment(), answer
            self._note(number, as_echoed(echo))

    def _note(self, number: int, content: Content) -> None:
        item = self.keeper.session.find(number) if self.keeper else None
        clear = item is not None and not item.unsent and item.here >= item.latest
        clear = clear and number not in self._owed()  # a full disk has not noted that ours arrived: it may come again
        busy = self.line.saves_in_flight[number] > 0
        noticed = self.keeper is not None and self.keeper._sender.sync.other_device
        self.oracle.notes.foreign.setdefault(number, set()).add(content)
        self.written.setdefault(number, []).append(Written(self.scheduler.now, content, clear and noticed and not busy))
        self.line.faults["second device"] += 1

    # The course of it.

    def run(self) -> Verdict:
        self.scheduler.spawn(self._boot(0.0), COMPUTER)
        self.scheduler.spawn(self._fate(), "world")
        if self.accompanied:
            self.scheduler.spawn(self._company(), "world")
        if self.forgets and (self.server.tells.startswith("epoch") or not self.accompanied):
            self.scheduler.spawn(self._restores(), "world")
        self.scheduler.run(self.scheduler.now + self.random.uniform(300, 7200), lambda: self.closed)
        self._calm()
        self.scheduler.run(self.scheduler.now + PATIENCE, self._quiet)
        verdict = self._judged()
        for group in (COMPUTER, TERMINAL, "network", "world"):
            self.scheduler.kill(group)
        self.disk.clear()
        return verdict

    def _calm(self) -> None:
        """The line becomes well, the computer wakes, and no more blows fall. Nobody presses a key for the student."""
        self.scheduler.kill("world")
        self.line.healthy, self.line.outage, self.line.token_valid = True, False, True
        self.mishaps.deadly, self.mishaps.full = 0.0, False
        if COMPUTER in self.scheduler.paused:
            self.oracle.awake_since = self.scheduler.now
        self.scheduler.paused.clear()

    def _quiet(self) -> bool:
        if self.closed:
            return True
        if self.keeper is None or not self.leaving:
            return False
        return not any(not item.visit_only for item in self.keeper.session.unsent)

    def _judged(self) -> Verdict:
        session = self.keeper.session if self.keeper else None
        verdict = Verdict(self.seed, self.oracle.notes.answers, +self.line.faults, events=self.trace.events)
        verdict.broken = self.oracle.broken + self.line.broken
        if not self.closed and not self.leaving:
            verdict.broken.append("the exam did not end")
        evidence = Evidence(
            self.server,
            self.line,
            self.oracle.notes,
            session,
            self._owed(),
            self.written,
            self.forgot_at,
            self.sent_again_at,
            self.noticed,
            len(self.forgot),
        )
        return judge(evidence, verdict)

    def _owed(self) -> frozenset[int]:
        journal = getattr(self.disk, "journal", None)
        try:
            newest = journal.newest() if journal is not None else {}
        except JournalError:
            return frozenset()
        return frozenset(number for number, kept in newest.items() if not kept.acknowledged)
