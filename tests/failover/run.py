"""Break the machines one after the other while students answer, and count what was lost."""

import asyncio
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.failover.institute import Institute
from tests.failover.machines import Machine, Machines
from tests.failover.students import Student

STUDENTS: Final = 32
_PATIENCE: Final = 240.0
"""Seconds after which the answers should flow, or the machines be whole again."""
Repair = Callable[[], None] | None


@dataclass
class Outcome:
    """One fault. `first`, `last`: seconds until the first and the last student's next answer showed as sent."""

    fault: str
    first: float
    last: float

    def __str__(self) -> str:
        return f"{self.fault}: answers sent again after {self.first:.1f} s, of every student after {self.last:.1f} s"


@dataclass
class Tally:
    """`lost`: answers that showed as sent and that the primary does not have. `never_sent`: those left in the end.

    `doubted`: answers that showed as sent and then did not. `stuck`: faults after which answers did not flow again.
    """

    outcomes: list[Outcome] = field(default_factory=list)
    sent: int = 0
    compared: int = 0
    lost: list[str] = field(default_factory=list)
    doubted: int = 0
    never_sent: int = 0
    stuck: list[str] = field(default_factory=list)

    @property
    def well(self) -> bool:
        return not (self.lost or self.doubted or self.never_sent or self.stuck) and self.sent > 0

    def lines(self) -> list[str]:
        counts = (
            f"{self.sent} answers of {STUDENTS} students sent, {self.compared} comparisons with the primary: "
            f"{len(self.lost)} lost or wrong, {self.doubted} shown as sent too early, {self.never_sent} never sent"
        )
        stuck = [f"{fault}: not well again after {_PATIENCE:.0f} s" for fault in self.stuck]
        return [*map(str, self.outcomes), *stuck, *self.lost[:20], counts]


class Run:
    def __init__(self, institute: Institute, students: list[Student], tell: Callable[[str], None]) -> None:
        self._institute = institute
        self._machines = institute.machines
        self._students = students
        self._tell = tell
        self._answering = asyncio.Event()
        self.tally = Tally()

    async def __call__(self, folder: Path) -> Tally:
        url = self._institute.base_url
        async with asyncio.TaskGroup() as tasks:
            sitting = [
                tasks.create_task(student.sit(url, folder, seed, self._answering))
                for seed, student in enumerate(self._students)
            ]
            self._answering.set()
            await self._resumed(time.monotonic())
            for name, strike in (
                ("primary killed, its disk removed", self._lose_primary),
                ("service process killed", self._kill_service),
                ("primary cut off from the network", self._cut_primary),
                ("synchronous standby cut off", self._cut_standby),
            ):
                await self._fault(name, strike)
                if self.tally.stuck:
                    break
            for task in sitting:
                task.cancel()
        self.tally.sent = sum(bool(given.sent) for student in self._students for given in student.given.values())
        self.tally.doubted = sum(student.doubted for student in self._students)
        return self.tally

    async def _fault(self, name: str, strike: Callable[[], Awaitable[Repair]]) -> None:
        """Cause a fault, wait until every student's answers flow again, repair it, and compare with the primary."""
        try:
            repair = await strike()
        except TimeoutError as error:
            self.tally.stuck.append(f"{name}, not begun because {error}")
            return
        since = time.monotonic()
        if await self._resumed(since):
            times = [student.resumed(since) or 0.0 for student in self._students]
            self.tally.outcomes.append(Outcome(name, min(times), max(times)))
            self._tell(f"{name}: answers flow again")
        else:
            self.tally.stuck.append(name)
        self._compare(name)
        if repair is not None:
            repair()
            if not await self._until(self._machines.whole):
                self.tally.stuck.append(f"{name}, repaired")
            self._tell("three machines run again")
        self._answering.clear()
        await self._until(lambda: not any(student.waits for student in self._students))
        self.tally.never_sent = sum(student.waits for student in self._students)
        self._compare(name)
        self._answering.set()

    async def _resumed(self, since: float) -> bool:
        return await self._until(lambda: all(student.resumed(since) for student in self._students))

    async def _until(self, condition: Callable[[], bool]) -> bool:
        ends = time.monotonic() + _PATIENCE
        while time.monotonic() < ends:
            if condition():
                return True
            await asyncio.sleep(0.25)
        return False

    def _compare(self, fault: str) -> None:
        """Compare what shows as sent with what the primary has. It may already have an answer that was given later."""
        shown = {question: (student, text) for student in self._students for question, text in student.shown().items()}
        held = self._institute.held()
        for question, (student, text) in shown.items():
            self.tally.compared += 1
            found = held.get(question)
            if not student.is_newer(found, than=text):
                self.tally.lost.append(f"after “{fault}”: {text!r} shows as sent, the primary has {found!r}")

    # Faults. Each returns what repairs it, None where nothing needs a repair before the next fault.

    async def _lose_primary(self) -> Repair:
        machine = await self._machine("leader")
        await machine.lose()
        return machine.start  # an empty machine, which copies the database by itself

    async def _kill_service(self) -> Repair:
        self._institute.services[0].kill()
        return None

    async def _cut_primary(self) -> Repair:
        machine = await self._machine("leader")
        machine.cut()
        return machine.plug

    async def _cut_standby(self) -> Repair:
        (await self._machine("sync_standby")).cut()
        return None

    async def _machine(self, role: str) -> Machine:
        """Return the machine with a role, when there is one."""
        ends = time.monotonic() + _PATIENCE
        while (machine := self._machines.having(role)) is None:
            if time.monotonic() > ends:
                raise TimeoutError(f"no machine is the {role}: {self._machines.members()}")
            await asyncio.sleep(0.25)
        return machine


async def run(tell: Callable[[str], None], logs: Path | None = None) -> Tally:
    """Start everything, break it, and return the counts. `logs`: a folder for the logs of all programs."""
    folder = _new_folder()
    machines = Machines(folder)
    institute = None
    try:
        machines.start()
        await _whole(machines)
        tell("three machines run")
        institute = Institute(machines, folder)
        students = await institute.open(STUDENTS)
        tell(f"{STUDENTS} students answer")
        return await Run(institute, students, tell)(folder)
    finally:
        if institute is not None:
            await institute.close()
        await machines.stop()
        if logs is not None:
            _keep_logs(folder, logs)
        shutil.rmtree(folder, ignore_errors=True)


def _new_folder() -> Path:
    """Make a folder that PostgreSQL's user can enter."""
    folder = Path(tempfile.mkdtemp(prefix="failover-"))
    folder.chmod(0o711)
    return folder


def _keep_logs(folder: Path, target: Path) -> None:
    for log in folder.glob("**/*.log"):
        kept = target / log.relative_to(folder)
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(log, kept)


async def _whole(machines: Machines) -> None:
    ends = time.monotonic() + _PATIENCE
    while not machines.whole():
        if time.monotonic() > ends:
            raise TimeoutError(f"the machines did not find each other: {machines.members()}")
        await asyncio.sleep(0.5)
