"""Simulated exams whose student gets more time: at any moment, and shortly before the time is over."""

from random import Random

from lms_tui.attempt.keeper import Keeper
from lms_tui.attempt.values import Phase
from tests.simulation.exam import SLACK, TICK, SimulatedExam
from tests.simulation.judge import NEVER, Verdict
from tests.simulation.scheduler import Sleep
from tests.simulation.sign_in import SignIns
from tests.simulation.trace import Trace

HEARD = 120.0
"""Seconds after which the program must have heard of a grant: a heartbeat is due every minute, and before the end."""


class GrantedExam(SimulatedExam):
    """An exam that is never ended early, and whose student can answer as soon as the program has heard of a grant."""

    def __init__(self, seed: int, trace: Trace | None = None, sign_ins: SignIns | None = None) -> None:
        super().__init__(seed, trace, sign_ins)
        self.granting = Random(f"{seed} grants")
        self.patient = self.server.duration is not None and self.granting.random() < 0.5
        self.granted_at = NEVER
        self.line.ending = self._ends

    def run(self) -> Verdict:
        if self.server.duration is not None:
            self.scheduler.spawn(self._grants(), "world")
        return super().run()

    async def _grants(self) -> None:
        for _ in range(self.granting.randint(1, 4)):
            late, before = self.granting.random() < 0.6, self.granting.uniform(0, 90)
            wait = self.granting.expovariate(1 / 200)
            extra = self.granting.uniform(30, 900)
            self.server.now = self.scheduler.now
            left = self.server.left() or 0.0
            await Sleep(self.scheduler.now + (max(0.0, left - before) if late else wait))
            if not self.trace.happens("grant", self.scheduler.now, f"{extra:.0f} s"):
                continue
            self.server.now = self.scheduler.now
            if self.server.grant(extra):
                self.granted_at = self.scheduler.now
                self.line.faults["grant"] += 1

    @property
    def _changed_at(self) -> float:
        """When the time left last changed by other than its course.

        A server that was put back has other times, and a start that wandered through the network gives time too.
        """
        return max(self.granted_at, self.forgot_at, self.server.began)

    def _left(self) -> float:
        """Seconds that the server would still take answers for, 0 where it does not matter."""
        self.server.now = self.scheduler.now
        left = self.server.left()
        return 0.0 if left is None or self.server.parts or not self.server.running else left

    def _ends(self) -> None:
        """The program asks for the end. Where the time is over, it has asked before whether there is more."""
        keeper, left = self.keeper, self._left()
        if keeper is None or keeper.session.phase is not Phase.TIME_OVER or left <= SLACK:
            return
        heard, noticed = self.line.timed_at, self.oracle.over_since
        over_since = self.scheduler.now if noticed is None else noticed  # None: the end is asked for in the same moment
        if self.server.began > heard >= self.granted_at:
            return  # the time is that of a start whose reply was lost, and not of a grant
        has_not_asked = heard < over_since and self._changed_at < over_since
        if has_not_asked or self._changed_at <= heard or self._changed_at < self.scheduler.now - HEARD:
            self.oracle.breaks(f"the exam was ended by its time, with {left:.0f} s left")

    def _check_time(self, keeper: Keeper) -> None:
        super()._check_time(keeper)
        heard = self._changed_at <= self.line.timed_at
        if heard and keeper.session.phase is Phase.TIME_OVER and (left := self._left()) > SLACK + TICK:
            self.oracle.breaks(f"{left:.0f} s are left, and the student cannot answer")
