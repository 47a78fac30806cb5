"""Run all stages of a walk in order, then end its attempts."""

from contextlib import AsyncExitStack
from dataclasses import dataclass, replace

from lms_tui.client.address import parse_base_url
from lms_tui.client.connection import Access
from lms_tui.client.port import TOKEN_PATH
from lms_tui.client.recording import Exchange, Recording
from lms_tui.qa.walk.clocks import ServerClock
from lms_tui.qa.walk.judgements import replies
from lms_tui.qa.walk.rules import load_rules
from lms_tui.qa.walk.stages import ending, entrance, further, others, taking, time_rules
from lms_tui.qa.walk.tour import StuckError, Tour
from lms_tui.qa.walk.values import at, integer
from lms_tui.qa.walk.verdicts import RuleResult, Verdict, Verdicts
from lms_tui.qa.walk.visitor import Account, CannotWalkError, Visitor
from lms_tui.wire.errors import ApiError


@dataclass(frozen=True, slots=True)
class Plan:
    """The server, the users and the exams. The walk chooses if `exam` is empty, and takes each exam of `also`."""

    base_url: str
    account: Account
    second: Account | None = None
    exam: str = ""
    also: tuple[str, ...] = ()
    token_path: str = TOKEN_PATH


@dataclass(frozen=True, slots=True)
class Report:
    """The verdicts, the requests and the remaining attempts. `stopped` says why the walk ended early."""

    base_url: str
    exam: str
    lines: tuple[RuleResult, ...]
    exchanges: tuple[Exchange, ...]
    left: tuple[str, ...]
    stopped: str = ""
    advice: str = ""

    def holds(self, *, strict: bool = False) -> bool:
        """Return whether no rule is broken, and with `strict` whether the server also follows the notes."""
        bad = {Verdict.BROKEN, Verdict.DIFFERS} if strict else {Verdict.BROKEN}
        return not any(line.verdict in bad for line in self.lines)


async def walk(plan: Plan, access: Access, clock: ServerClock) -> Report:
    """Run the walk and return its report, even if it ended early. Raises Invalid for a wrong address."""
    recording = Recording(most=None, largest=None)
    access = replace(access, recorder=recording)
    base_url = parse_base_url(plan.base_url, allow_plain_http=access.allow_plain_http)
    verdicts = Verdicts(load_rules())
    stopped: ApiError | CannotWalkError | None = None
    async with AsyncExitStack() as stack:

        def visitor(account: Account | None) -> Visitor:
            made = Visitor(base_url, access, account.username if account else "")
            stack.push_async_callback(made.close)
            return made

        other = visitor(plan.second) if plan.second else None
        tour = Tour(verdicts, visitor(plan.account), other, clock)
        try:
            await _sign_in(tour, plan)
            await _go(tour, plan, visitor(None))
        except StuckError as error:
            verdicts.stop(str(error))
        except (ApiError, CannotWalkError) as error:
            stopped = error
            verdicts.stop(str(error))
        await tour.clean_up()
    return Report(
        base_url,
        tour.slug,
        verdicts.lines(),
        recording.exchanges,
        tuple(tour.left),
        stopped=str(stopped) if stopped else "",
        advice=stopped.advice if stopped else "",
    )


async def _sign_in(tour: Tour, plan: Plan) -> None:
    signed = await tour.owner.sign_in(plan.token_path, plan.account)
    tour.check("auth.token", replies.succeeds(signed), signed)
    if tour.other is not None and plan.second is not None:
        signed = await tour.other.sign_in(plan.token_path, plan.second)
        tour.check("auth.token", replies.succeeds(signed), signed)


async def _go(tour: Tour, plan: Plan, nobody: Visitor) -> None:
    await entrance.check_sign_in(tour, nobody, plan.token_path)
    await entrance.read_starting_point(tour)
    await entrance.choose_exam(tour, plan.exam)
    created = await taking.start_attempt(tour)
    made = integer(at(created.tree(), "id"))
    await taking.check_lists(tour, created)
    await taking.check_heartbeat(tour, made)
    if at(created.tree(), "sections"):
        await further.check_sections(tour, created)
    listing = await taking.check_questions(tour, created)
    work = taking.Answering(tour, made, listing.rows)
    await taking.answer_questions(tour, work)
    await others.check_other_user(tour, made, work)
    await ending.check_running_review(tour, made)
    read = await ending.end_attempt(tour, made, work)
    await ending.check_ended_attempt(tour, made, read, work)
    await ending.check_review(tour, made, read, work)
    await ending.check_statistics(tour)
    await further.check_refusals(tour)
    for slug in plan.also:
        await further.take_another_exam(tour, slug)
    await time_rules.check_time_rules(tour)
    further.explain_untested_rules(tour)
