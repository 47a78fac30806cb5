"""A line between keeper and server on which anything goes wrong that does in life; the seed says what and when."""

import contextlib
import functools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

from lms_tui.wire.attempts import AnswerInput, Attempt, AttemptQuestion, AttemptSection
from lms_tui.wire.errors import (
    ApiError,
    Busy,
    Forbidden,
    NotFound,
    NotTheService,
    Offline,
    Refused,
    ServerFault,
    SignInNeeded,
    TimedOut,
)
from tests.fakes.files import FilesInMemory
from tests.fakes.notices import WithoutNotices
from tests.simulation.content import Content, as_echoed, as_sent
from tests.simulation.scheduler import Scheduler, Sleep
from tests.simulation.server import SimulatedServer
from tests.simulation.sign_in import OWNER
from tests.simulation.trace import Trace

T = TypeVar("T")
Looks = tuple[dict[int, float], dict[int, float]]
"""`Line.read_back` and `Line.listed`."""
TIMEOUT = 15.0
RETRY_AFTER = (None, 0.0, 1.0, 30.0, 120.0, 600.0, -5.0, 1e9)
FAULTS = (
    "lost",
    "reply lost",
    "duplicate",
    "delayed",
    "slow",
    "offline",
    "429",
    "503",
    "500",
    "401",
    "403",
    "404",
    "portal",
    "truncated",
    "wrong echo",
)


@dataclass
class Line(WithoutNotices, FilesInMemory):
    """The service as the keeper sees it. `badness`: share of requests that meet a fault while the line is bad."""

    scheduler: Scheduler
    server: SimulatedServer
    random: Random
    badness: float
    faults: Counter[str] = field(default_factory=Counter)
    kinds: tuple[str, ...] = FAULTS
    healthy: bool = False
    outage: bool = False
    token_valid: bool = True
    user: int = OWNER
    """Whose token the requests carry."""
    requests: int = 0
    saves_in_flight: Counter[int] = field(default_factory=Counter)
    denied: set[int] = field(default_factory=set)
    """Questions of which a change was refused or echoed wrongly, so that they may be listed as refused."""
    broken: list[str] = field(default_factory=list)
    wandered: dict[int, float] = field(default_factory=dict)
    """When a request for a question last arrived at the server that nobody waited for any more."""
    listed: dict[int, float] = field(default_factory=dict)
    """When the last comparison before an end asked for the questions of a section (0 without sections)."""
    read_back: dict[int, float] = field(default_factory=dict)
    """When a list of the questions of a section was last asked for that arrived."""
    listed_at: float = float("-inf")
    """When the last list arrived or failed."""
    before_lists: Looks | None = None
    """The looks before the lists that came after the last other request."""
    ending: Callable[[], None] = lambda: None
    """Called when the end is asked for."""
    auditing: Callable[[], bool] = lambda: False
    """Whether what is read now is that comparison."""
    trace: Trace = field(default_factory=Trace)
    asked_at: float = 0.0
    """When a request last set out, or came back."""
    timed_at: float = 0.0
    """When the last reply that tells the time left was asked for."""
    refusals: int = 0
    """How often a request about the attempt, not about one answer, was refused."""
    under_way: int = 0
    spoilt_at: float = float("-inf")
    """When a request last met a fault."""
    asked_to_wait: float = 0.0
    """Seconds that the last reply asked to wait; 0 after any other reply."""
    last_wait: tuple[float, float] = float("-inf"), 0.0
    """When a reply last asked to wait, and for how many seconds."""
    confirmed: dict[int, set[Content]] = field(default_factory=dict)
    """What each question was ever said to hold by a reply that arrived."""

    async def read(self, attempt_id: int) -> Attempt:
        return await self._carry("read", self.server.read)

    async def start(self, attempt_id: int) -> Attempt:
        return await self._timed("start", self.server.start)

    async def heartbeat(self, attempt_id: int) -> Attempt:
        return await self._timed("heartbeat", self.server.heartbeat)

    async def _timed(self, name: str, request: Callable[[], Attempt]) -> Attempt:
        asked_at = self.scheduler.now
        attempt = await self._carry(name, request)
        self.timed_at = asked_at
        return attempt

    async def end(self, attempt_id: int) -> Attempt:
        self.ending()
        return await self._carry("end", self.server.end)

    async def questions(self, attempt_id: int) -> list[AttemptQuestion]:
        return await self._listed("questions", 0)

    async def section_questions(self, section: AttemptSection) -> list[AttemptQuestion]:
        number = section.attempt_section_id
        return await self._listed(f"questions of section {number}", number)

    async def _listed(self, name: str, part: int) -> list[AttemptQuestion]:
        asked_at = self.scheduler.now
        before = self.before_lists or self.looks
        try:
            found = await self._carry(name, lambda: self.server.list_section(part))
        finally:
            self.before_lists, self.listed_at = before, self.scheduler.now
        self.read_back[part] = asked_at
        for question in found:
            self._confirm(question)
        if self.auditing():
            self.listed[part] = asked_at
        return found

    @property
    def looks(self) -> Looks:
        return dict(self.read_back), dict(self.listed)

    @looks.setter
    def looks(self, looks: Looks) -> None:
        self.read_back, self.listed = looks

    @contextlib.contextmanager
    def opening(self) -> Iterator[None]:
        """The program reads the lists to open the exam. They tell it nothing where the opening fails or is killed."""
        before = self.looks
        try:
            yield
        except BaseException:
            self.looks = before
            raise

    def dies(self) -> None:
        """The program was killed. If a list arrived or failed now, it and those before it tell it nothing."""
        if self.listed_at == self.scheduler.now and self.before_lists is not None:
            self.looks = self.before_lists
        self.before_lists = None

    async def start_section(self, section: AttemptSection) -> None:
        number = section.attempt_section_id
        await self._carry(f"start section {number}", lambda: self.server.start_section(number))

    async def end_section(self, section: AttemptSection) -> None:
        number = section.attempt_section_id
        await self._carry(f"end section {number}", lambda: self.server.end_section(number))

    async def save(
        self, attempt_id: int, question_id: int, answer: AnswerInput, stamp: str = "", chosen_at: int | None = None
    ) -> AttemptQuestion:
        self.saves_in_flight[question_id] += 1
        if self.saves_in_flight[question_id] > 1:
            self.broken.append(f"two changes of question {question_id} in flight")
        if self.user != OWNER and self.token_valid:
            self.broken.append(f"the answer to question {question_id} was sent as another user")
        try:
            request = functools.partial(self.server.save, question_id, answer, stamp, chosen_at)
            echo = await self._carry(f"save {question_id}", request, saves=question_id)
        except Refused:
            self.denied.add(question_id)
            raise
        else:
            if echo.id != question_id or as_echoed(echo) != as_sent(answer):
                self.denied.add(question_id)
            else:
                self._confirm(echo)
            return echo
        finally:
            self.saves_in_flight[question_id] -= 1

    def _confirm(self, question: AttemptQuestion) -> None:
        self.confirmed.setdefault(question.id, set()).add(as_echoed(question))

    async def _carry(self, name: str, request: Callable[[], T], *, saves: int = 0) -> T:
        """Take one request to the server and its reply back, and note when."""
        self.asked_at, self.asked_to_wait = self.scheduler.now, 0.0
        self.under_way += 1
        self.before_lists = None
        about_attempt = not saves
        try:
            reply = await self._spoilt(name, request, saves)
        except Refused as error:
            self.refusals += about_attempt and not isinstance(error, SignInNeeded)
            raise
        except Busy as error:
            self.asked_to_wait = error.retry_after or 0.0
            self.last_wait = self.scheduler.now, self.asked_to_wait
            raise
        else:
            return reply
        finally:
            self.asked_at = self.scheduler.now
            self.under_way -= 1

    async def _spoilt(self, name: str, request: Callable[[], T], saves: int) -> T:
        """Lose, delay, double or garble a request or its reply, where the seed says so."""
        self.requests += 1
        await Sleep(self.scheduler.now + self.random.uniform(0.005, 0.2))
        if self.outage:
            self.spoilt_at = self.scheduler.now
            raise Offline("No connection.")
        if not self.token_valid:
            self.spoilt_at = self.scheduler.now
            raise SignInNeeded("The sign-in has expired.", status=401)
        fault = ""
        if not self.healthy and self.random.random() < self.badness:
            fault = self.random.choice(self.kinds)
            if self.trace.happens("fault", self.scheduler.now, f"{name}: {fault}"):
                self.faults[fault] += 1
            else:
                fault = ""
        if fault:
            self.spoilt_at = self.scheduler.now
        if fault in {"", "slow"}:
            return await self._honest(request, self.random.uniform(1.0, 14.0) if fault else 0.01)
        return await self._faulty(fault, request, saves)

    async def _honest(self, request: Callable[[], T], trip: float) -> T:
        share = self.random.random()
        await Sleep(self.scheduler.now + trip * share)
        reply = self._at_server(request)
        await Sleep(self.scheduler.now + trip * (1 - share))
        if isinstance(reply, ApiError):
            raise reply
        return reply

    def _at_server(self, request: Callable[[], T]) -> T | ApiError:
        self.server.now = self.scheduler.now
        try:
            return request()
        except ApiError as error:
            return error

    async def _later(self, request: Callable[[], object], delay: float, saves: int) -> None:
        """A request that wanders through the network arrives when nobody waits for it any more."""
        await Sleep(self.scheduler.now + delay)
        self._at_server(request)
        self.wandered[saves] = self.scheduler.now

    async def _faulty(self, fault: str, request: Callable[[], T], saves: int) -> T:
        match fault:
            case "delayed" | "duplicate":
                self.scheduler.spawn(self._later(request, self.random.uniform(1.0, 600.0), saves), "network")
            case "reply lost" | "truncated":
                self._at_server(request)
            case "wrong echo" if saves:
                self._at_server(request)
                wrong: Any = AttemptQuestion(id=0, selected_answers=(999_999,), review=True)
                return wrong  # type: ignore[no-any-return]  # only a save is echoed with a question
            case _:
                pass
        if fault == "duplicate":
            return await self._honest(request, 0.02)
        failure = await self._failure(fault)
        self.spoilt_at = self.scheduler.now
        raise failure

    async def _failure(self, fault: str) -> ApiError:
        if fault in {"lost", "reply lost", "delayed"}:
            await Sleep(self.scheduler.now + TIMEOUT)
            return TimedOut("No answer in time.")
        if fault in {"429", "503"}:
            return Busy("Busy.", status=int(fault), retry_after=self.random.choice(RETRY_AFTER))
        return {
            "offline": Offline("No connection."),
            "401": SignInNeeded("The sign-in has expired.", status=401),
            "500": ServerFault("The server failed.", status=500),
            "403": Forbidden("Not allowed.", status=403),
            "404": NotFound("Not found.", status=404),
        }.get(fault, NotTheService("The answer was not this service's."))
