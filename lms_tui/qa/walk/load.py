"""Many examinees take exams at once for a while. Their replies are judged by the rules of the walk, and timed."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import field, replace
from math import ceil

import anyio

from lms_tui.client.address import parse_base_url
from lms_tui.client.connection import Access
from lms_tui.client.port import TOKEN_PATH
from lms_tui.client.recording import Exchange
from lms_tui.common.frozen import frozen
from lms_tui.qa.walk.address_style import AddressStyle
from lms_tui.qa.walk.clocks import ServerClock
from lms_tui.qa.walk.endpoints import endpoint
from lms_tui.qa.walk.expected import Expected
from lms_tui.qa.walk.pace import Pace
from lms_tui.qa.walk.patient_client import BUSY, PatientClient
from lms_tui.qa.walk.rules import load_rules
from lms_tui.qa.walk.stages import ending, preparation, taking
from lms_tui.qa.walk.user_client import EXAMS, Account, CannotWalkError, attempt
from lms_tui.qa.walk.values import at, integer
from lms_tui.qa.walk.verdicts import RuleResult, Verdict, Verdicts, Watcher
from lms_tui.qa.walk.walk_run import CLEANING, WalkRun, WalkStoppedError
from lms_tui.wire.errors import ApiError


@frozen
class LoadPlan:
    """`accounts` holds one for each examinee. After `seconds`, no examinee starts a further attempt."""

    base_url: str
    accounts: tuple[Account, ...]
    seconds: float
    exam: str = ""
    token_path: str = TOKEN_PATH
    style: AddressStyle = field(default_factory=AddressStyle)
    rate: float = 0.0
    expected: Expected = field(default_factory=Expected)


@frozen
class Times:
    """The requests of one endpoint. `failed` had no reply, a busy one or an error of the server."""

    endpoint: str
    seconds: tuple[float, ...]
    failed: int

    def percentile(self, share: float) -> float:
        """Return the time within which this share of the requests ended."""
        return sorted(self.seconds)[max(0, ceil(share * len(self.seconds)) - 1)]


@frozen
class LoadReport:
    """`failures` says why examinees stopped. `lines` holds the judged rules. `server` names the server in words."""

    base_url: str
    examinees: int
    attempts: int
    seconds: float
    times: tuple[Times, ...]
    size: int
    repeated: int
    lines: tuple[RuleResult, ...]
    failures: tuple[str, ...]
    server: str = ""

    @property
    def broken(self) -> tuple[RuleResult, ...]:
        return tuple(line for line in self.lines if line.verdict is Verdict.BROKEN)


class _Timings:
    """Keeps the times of requests and no bodies, because a load has many."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self.size = 0
        self._times: dict[str, list[float]] = {}
        self._failed: dict[str, int] = {}

    def keep(self, exchange: Exchange) -> None:
        name = endpoint(exchange)
        self.size += exchange.size
        self._times.setdefault(name, []).append(exchange.seconds)
        failed = not exchange.status or exchange.status in BUSY or exchange.status >= 500
        self._failed[name] = self._failed.get(name, 0) + failed
        self._watcher.sent(exchange)

    def by_endpoint(self) -> tuple[Times, ...]:
        return tuple(Times(name, tuple(taken), self._failed[name]) for name, taken in self._times.items())


class _Examinee:
    """Signs in and takes one exam after the other."""

    def __init__(self, plan: LoadPlan, run: WalkRun, account: Account) -> None:
        self._plan = plan
        self._run = run
        self._account = account
        self.attempts = 0
        self.failure = ""

    async def work(self, is_over: Callable[[], bool]) -> None:
        try:
            await self._sign_in()
            while not (self.attempts and is_over()):
                await self._take()
                self.attempts += 1
        except (ApiError, CannotWalkError, WalkStoppedError) as error:
            # An examinee may run out of attempts.
            if not (self.attempts and isinstance(error, CannotWalkError)):
                self.failure = f"{self._account.username}: {error}"
        finally:
            with anyio.move_on_after(CLEANING, shield=True):
                await self._run.clean_up()

    async def _sign_in(self) -> None:
        run = self._run
        run.succeeds("auth.token", await run.owner.sign_in(self._plan.token_path, self._account))
        listed = await run.owner.read_all(EXAMS)
        run.exams = list(listed.rows)
        await preparation.choose_exam(run, self._plan.exam)

    async def _take(self) -> None:
        run = self._run
        created = await taking.start_attempt(run)
        made = integer(at(created.tree(), "id"))
        listing = await taking.check_questions(run, created)
        work = taking.Answering(run, made, listing.rows)
        await taking.answer_questions(run, work)
        run.succeeds("heartbeat.running", await run.owner.put(attempt(made, "heartbeat/")))
        read = await ending.end_attempt(run, made, work)
        await ending.check_review(run, made, read, work)


async def load(plan: LoadPlan, access: Access, clock: ServerClock, watcher: Watcher | None = None) -> LoadReport:
    """Let all examinees work at once, and return what they saw. Raises Invalid for a wrong address."""
    base_url = parse_base_url(plan.base_url, allow_plain_http=access.allow_plain_http)
    timings = _Timings(watcher or Watcher())
    access = replace(access, recorder=timings)
    verdicts = Verdicts(load_rules(), watcher=watcher)
    pace = Pace(plan.rate, anyio.current_time, access.sleep) if plan.rate else None
    began = anyio.current_time()

    def is_over() -> bool:
        return anyio.current_time() - began >= plan.seconds

    async with AsyncExitStack() as stack:
        examinees: list[_Examinee] = []
        clients: list[PatientClient] = []
        for account in plan.accounts:
            client = PatientClient(base_url, access, account.username, plan.style, pace)
            stack.push_async_callback(client.close)
            clients.append(client)
            examinees.append(_Examinee(plan, WalkRun(verdicts, client, None, clock, alone=False), account))
        async with anyio.create_task_group() as group:
            for examinee in examinees:
                group.start_soon(examinee.work, is_over)
    return LoadReport(
        base_url,
        len(examinees),
        sum(examinee.attempts for examinee in examinees),
        anyio.current_time() - began,
        timings.by_endpoint(),
        timings.size,
        sum(client.repeated for client in clients),
        _judged(plan.expected, verdicts),
        tuple(examinee.failure for examinee in examinees if examinee.failure),
    )


def _judged(expected: Expected, verdicts: Verdicts) -> tuple[RuleResult, ...]:
    """Return the judged rules. A load judges few requests, so a rule that holds is no vanished deviation."""
    lines = [line for line in verdicts.lines() if line.judged]
    pairs = zip(lines, expected.judge(lines), strict=True)
    return tuple(line if line.verdict is Verdict.HOLDS else judged for line, judged in pairs)
