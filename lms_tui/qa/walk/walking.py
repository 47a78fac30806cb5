"""Run all stages of a walk in order, then end its attempts."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import field, replace
from typing import Final

import anyio

from lms_tui.client.address import parse_base_url
from lms_tui.client.connection import Access
from lms_tui.client.port import TOKEN_PATH
from lms_tui.client.recording import Exchange, Recording
from lms_tui.common.frozen import frozen
from lms_tui.qa.walk.address_style import AddressStyle
from lms_tui.qa.walk.clocks import ServerClock
from lms_tui.qa.walk.expected import Expected
from lms_tui.qa.walk.pace import Pace
from lms_tui.qa.walk.patient_client import PatientClient
from lms_tui.qa.walk.rules import load_rules
from lms_tui.qa.walk.stages import ending, existing, other_exams, other_user, preparation, taking, time_rules
from lms_tui.qa.walk.user_client import Account, CannotWalkError
from lms_tui.qa.walk.values import at, integer
from lms_tui.qa.walk.verdicts import RuleResult, Verdict, Verdicts, Watcher
from lms_tui.qa.walk.versions import probe_resources, probe_sign_in
from lms_tui.qa.walk.walk_run import CLEANING, WalkRun, WalkStoppedError
from lms_tui.wire.errors import ApiError

_EARLY: Final = "the walk stopped early"
_ONLY_READS: Final = "--read-only creates nothing"
_NO_ATTEMPTS: Final = "no attempt is made, because the profile says that the server cannot create one"


@frozen
class Plan:
    """The server, the users and the exams. The walk chooses if `exam` is empty, and takes each exam of `also`.

    Rules of `left_out` get no verdict. `style` says how the server writes paths. With `probes`, the walk finds their
    versions. `rate` is the most requests a second, or 0. With `only_reads`, the walk creates and changes nothing.
    """

    base_url: str
    account: Account
    second: Account | None = None
    exam: str = ""
    also: tuple[str, ...] = ()
    token_path: str = TOKEN_PATH
    left_out: frozenset[str] = frozenset()
    style: AddressStyle = field(default_factory=AddressStyle)
    probes: bool = False
    rate: float = 0.0
    only_reads: bool = False
    expected: Expected = field(default_factory=Expected)


@frozen
class Report:
    """The verdicts, the requests and the remaining attempts. `stopped` says why the walk ended early.

    `server` names the server in other words than its address.
    `repeated` is the number of requests that were sent again after a lost or busy reply. `versions` holds the resources
    whose paths have another version than in the document.
    """

    base_url: str
    exam: str
    lines: tuple[RuleResult, ...]
    exchanges: tuple[Exchange, ...]
    left: tuple[str, ...]
    user: str = ""
    server: str = ""
    repeated: int = 0
    stopped: str = ""
    advice: str = ""
    seconds: float = 0.0
    versions: tuple[tuple[str, str], ...] = ()

    def holds(self, *, strict: bool = False) -> bool:
        """Return whether no rule is broken, and with `strict` whether the server also follows the notes."""
        bad = {Verdict.BROKEN, Verdict.DIFFERS} if strict else {Verdict.BROKEN}
        return not any(line.verdict in bad for line in self.lines)


async def walk(plan: Plan, access: Access, clock: ServerClock, watcher: Watcher | None = None) -> Report:
    """Run the walk and return its report, even if it ended early. Raises Invalid for a wrong address."""
    watcher = watcher or Watcher()
    began = anyio.current_time()
    recording = Recording(most=None, largest=None, auth_header=access.auth_header)
    access = replace(access, recorder=recording)
    base_url = parse_base_url(plan.base_url, allow_plain_http=access.allow_plain_http)
    recording.listen(watcher.sent)
    verdicts = Verdicts(load_rules(), plan.left_out, watcher)
    pace = Pace(plan.rate, anyio.current_time, access.sleep) if plan.rate else None
    stopped: ApiError | CannotWalkError | None = None
    clients: list[PatientClient] = []
    async with AsyncExitStack() as stack:

        def client(account: Account | None) -> PatientClient:
            made = PatientClient(base_url, access, account.username if account else "", plan.style, pace)
            stack.push_async_callback(made.close)
            clients.append(made)
            return made

        other = client(plan.second) if plan.second else None
        run, nobody = WalkRun(verdicts, client(plan.account), other, clock), client(None)
        try:
            await _sign_in(run, plan, clients)
            await preparation.check_sign_in(run, nobody, plan.token_path)
            await preparation.read_starting_point(run)
            await _run_stages(run, plan)
        except WalkStoppedError as error:
            verdicts.stop(str(error))
        except (ApiError, CannotWalkError) as error:
            stopped = error
            verdicts.stop(_EARLY)
        finally:
            # ctrl+c cancels the walk, and its attempt must not stay: it would block the next walk.
            with anyio.move_on_after(CLEANING, shield=True):
                await run.clean_up()
        run.judge_refusals(recording.exchanges)
    return Report(
        base_url,
        run.slug,
        plan.expected.judge(verdicts.lines()),
        recording.exchanges,
        tuple(run.left),
        user=plan.account.username,
        repeated=sum(client.repeated for client in clients),
        stopped=str(stopped) if stopped else "",
        advice=stopped.advice if stopped else "",
        seconds=anyio.current_time() - began,
        versions=tuple(run.owner.style.versions.items()),
    )


async def _sign_in(run: WalkRun, plan: Plan, clients: Sequence[PatientClient]) -> None:
    """Sign in, and find the versions of the paths if the plan probes them."""
    if plan.probes:
        await probe_sign_in(run.owner, plan.token_path)
    signed = await run.owner.sign_in(plan.token_path, plan.account)
    run.succeeds("auth.token", signed)
    if run.other is not None and plan.second is not None:
        run.other.style = run.owner.style
        signed = await run.other.sign_in(plan.token_path, plan.second)
        run.succeeds("auth.token", signed)
    if plan.probes:
        await probe_resources(run.owner)
    for client in clients:
        client.style = run.owner.style
        client.only_reads = plan.only_reads


async def _run_stages(run: WalkRun, plan: Plan) -> None:
    if plan.only_reads or "create.running" in plan.expected.absent:
        await existing.check_existing(run, plan.exam, _ONLY_READS if plan.only_reads else _NO_ATTEMPTS)
        return
    await preparation.choose_exam(run, plan.exam)
    created = await taking.start_attempt(run)
    made = integer(at(created.tree(), "id"))
    await taking.check_lists(run, created)
    await taking.check_heartbeat(run, made)
    if at(created.tree(), "sections"):
        await other_exams.check_sections(run, created)
    listing = await taking.check_questions(run, created)
    work = taking.Answering(run, made, listing.rows)
    await taking.answer_questions(run, work)
    await other_user.check_other_user(run, made, work)
    await ending.check_running_review(run, made)
    read = await ending.end_attempt(run, made, work)
    await ending.check_ended_attempt(run, made, read, work)
    await ending.check_review(run, made, read, work)
    await ending.check_statistics(run)
    await other_exams.check_refusals(run)
    for slug in plan.also:
        await other_exams.take_another_exam(run, slug)
    await time_rules.check_time_rules(run)
    other_exams.explain_untested_rules(run)
