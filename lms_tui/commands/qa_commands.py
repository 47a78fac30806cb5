"""The commands of testers: `lms-tui walk`, `lms-tui fault`, and what `lms-tui serve` does for them."""

import argparse
import sys
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lms_tui.commands.arguments import Subcommands, speed
from lms_tui.common.user_errors import AdvisedError, UsageError, in_words, two_sentences

if TYPE_CHECKING:
    from lms_tui.client.connection import Access
    from lms_tui.client.recording import Exchange
    from lms_tui.qa.walk.passing import Passing
    from lms_tui.qa.walk.visitor import Account, Visitor
    from lms_tui.qa.walk.walking import Plan, Report
    from lms_tui.service.core.settings import FaultSettings

COULD_NOT_RUN: Final = 2
_ALSO: Final = ("every-type-of-question", "scholarship-mock", "hindi-and-tamil")
"""Exams of the practice institute that have what the chosen one has not: types of questions, sections, a lock."""
PRACTICE: Final = "practice"  # public, and the service listens on this computer only
_BENCH: Final = "/bench/"


def add_commands(commands: Subcommands, data: argparse.ArgumentParser, parser: type[argparse.ArgumentParser]) -> None:
    """Add `walk` and `fault`; `data`: the options that every command has."""
    words = "walk the attempt flow of a server and judge it by the API document"
    walk = commands.add_parser("walk", parents=[data], help=words)
    _server(walk, "the server to walk; without it, a service of this program, thrown away afterwards")
    walk.add_argument("--user", default="", metavar="NAME", help="the student who walks")
    walk.add_argument("--second-user", default="", metavar="NAME", help="another student, who must see nothing")
    walk.add_argument("--second-password", metavar="TEXT", help="or the second line of standard input")
    walk.add_argument("--exam", default="", metavar="SLUG", help="the exam to walk; else one that shows most")
    walk.add_argument("--also", action="append", metavar="SLUG", help="take this exam too: sections, other types")
    walk.add_argument(
        "--fast-clock", type=speed, default=1.0, metavar="N", help="the server's clock runs N times as fast"
    )
    walk.add_argument("--token-path", default="", metavar="PATH", help="where the server hands out tokens")
    walk.add_argument("--database-url", default="", metavar="URL", help="for a service of this program")
    walk.add_argument("--strict", action="store_true", help="what differs from the notes fails too")
    walk.add_argument("--quotes", action="store_true", help="show the words that each rule is judged by")
    walk.add_argument("--json", action="store_true", dest="as_json", help="print JSON instead of the table")
    walk.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit XML")
    walk.add_argument("--har", type=Path, metavar="FILE", help="write every request, without secrets")
    walk.add_argument("--print-rules", action="store_true", help="print every rule with its words, and walk nowhere")
    walk.set_defaults(run=run_walk)
    _add_run(walk.add_subparsers(title="commands", metavar="COMMAND", parser_class=parser), data)
    words = "change the faults and the clock of a running `serve --bench`"
    fault = commands.add_parser("fault", parents=[data], help=words)
    actions = fault.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=parser)
    for name, words in (
        ("list", "the faults that are on"),
        ("add", "put a fault on"),
        ("clear", "take every fault off"),
        ("clock", "set the clock forward"),
        ("report", "requests, faults, answers offered and kept"),
    ):
        action = actions.add_parser(name, parents=[data], help=words)
        _server(action, "the service, on this computer")
        action.add_argument("--user", default="admin", metavar="NAME", help="an administrator (admin)")
        if name == "add":
            action.add_argument("faults", nargs="+", metavar="FAULT", help="such as 'PUT */heartbeat/ 503 30%%'")
        if name == "clock":
            action.add_argument("seconds", type=float, metavar="SECONDS")
        action.set_defaults(run=run_fault, action=name)


def _add_run(commands: Subcommands, data: argparse.ArgumentParser) -> None:
    words = "play scenarios: files, or the names of those that ship (all without any)"
    run = commands.add_parser("run", parents=[data], help=words)
    run.add_argument("files", type=Path, nargs="*", metavar="FILE")
    run.add_argument(
        "--print-checklist", action="store_true", help="print the steps to follow by hand, and play nothing"
    )
    _server(run, "the server to play against; without it, a service of this program for each scenario")
    run.add_argument("--user", default="", metavar="NAME", help="who plays asha")
    run.add_argument("--second-user", default="", metavar="NAME", help="who plays ravi")
    run.add_argument("--second-password", metavar="TEXT", help="or the second line of standard input")
    run.add_argument(
        "--fast-clock", type=speed, default=1.0, metavar="N", help="the server's clock runs N times as fast"
    )
    run.set_defaults(run=_run_scenarios, database_url="")


def _run_scenarios(options: argparse.Namespace) -> int:
    from lms_tui.commands.scenario_commands import run_scenarios

    return guarded(options, run_scenarios)


def _server(command: argparse.ArgumentParser, words: str) -> None:
    command.add_argument("--base-url", default="", metavar="URL", help=words)
    password = command.add_mutually_exclusive_group()
    password.add_argument("--password", metavar="TEXT", help="seen by others on this computer; better:")
    password.add_argument("--password-stdin", action="store_true", help="read it from standard input")
    command.add_argument("--ca-file", type=Path, metavar="FILE", help="certificates to trust beside the usual ones")
    command.add_argument("--allow-plain-http", action="store_true", help="send the password unencrypted")


def add_serve_options(serve: argparse.ArgumentParser) -> None:
    """Add what makes a service a bench for testers, on this computer only."""
    bench = serve.add_argument_group("for testers, on this computer only")
    bench.add_argument("--bench", action="store_true", help="let `lms-tui fault` change faults and clock")
    bench.add_argument(
        "--fault", action="append", default=[], metavar="FAULT",
        help="'PUT */heartbeat/ 503 30%%', 'latency 400ms ±200', 'drop 5%%'; may be given several times",
    )  # fmt: skip
    bench.add_argument("--clock-speed", type=speed, metavar="N", help="time passes N times as fast")
    bench.add_argument("--seed", type=int, metavar="N", help="of the faults' chance (0)")


def bench_of(options: argparse.Namespace) -> "FaultSettings | None":
    """What a tester asked of `serve`; None where nothing."""
    from lms_tui.service.core.settings import FaultSettings

    if not (options.bench or options.fault or options.clock_speed is not None or options.seed is not None):
        return None
    return FaultSettings(tuple(options.fault), options.seed or 0)


def run_walk(options: argparse.Namespace) -> int:
    """Walk, print and write what was found: 0 all hold, 1 a rule is broken, 2 could not run."""
    return guarded(options, _run_walk)


def guarded(options: argparse.Namespace, work: Callable[[argparse.Namespace], int]) -> int:
    """Do a tester's work; what keeps it from running is told in two sentences, and is 2."""
    try:
        return work(options)
    except (AdvisedError, OSError) as error:
        words = in_words(error)
        if words is None:
            raise
        print(words, file=sys.stderr)
        return COULD_NOT_RUN


def _run_walk(options: argparse.Namespace) -> int:
    import anyio

    from lms_tui.qa.walk.report import rules_table, to_json, to_table
    from lms_tui.qa.walk.rules import load_rules

    if options.print_rules:
        print(rules_table(load_rules()))
        return 0
    for file in filter(None, (options.junit, options.har)):
        if not file.parent.is_dir():  # told before the walk, not after it
            raise UsageError(f"There is no folder {file.parent} for {file.name}.", "Make it, or name another place.")
    report = anyio.run(_walk, options)
    _write(options, report)
    if options.as_json:
        print(to_json(report))
    else:
        for line in to_table(report, quotes=options.quotes):
            print(line)
    if report.stopped:
        print(two_sentences(report.stopped, report.advice), file=sys.stderr)
        return COULD_NOT_RUN
    return 0 if report.holds(strict=options.strict) else 1


def _write(options: argparse.Namespace, report: "Report") -> None:
    from lms_tui.client.har import write_har
    from lms_tui.qa.walk.report import to_junit

    if options.junit is not None:
        options.junit.write_bytes(to_junit(report, strict=options.strict))
    if options.har is not None:
        write_har(options.har, report.exchanges)


async def _walk(options: argparse.Namespace) -> "Report":
    from lms_tui.qa.walk.walking import walk

    async with AsyncExitStack() as stack:
        if options.base_url:
            plan, passing = _asked_for(options)
        else:
            plan, passing = await _own_service(options, stack)
        report = await walk(plan, access_of(options), passing)
    # What was left behind in a service of our own has gone with it.
    return report if options.base_url else replace(report, left=())


def _asked_for(options: argparse.Namespace) -> "tuple[Plan, Passing]":
    import anyio

    from lms_tui.client.port import TOKEN_PATH
    from lms_tui.qa.walk.passing import Waiting
    from lms_tui.qa.walk.walking import Plan

    first, second = accounts_of(options)
    plan = Plan(
        options.base_url,
        first,
        second,
        options.exam,
        tuple(options.also or ()),
        options.token_path or TOKEN_PATH,
    )
    return plan, Waiting(time.monotonic, anyio.sleep, options.fast_clock)


def accounts_of(options: argparse.Namespace) -> "tuple[Account, Account | None]":
    """The named users with their passwords; raises UsageError where one is missing."""
    from lms_tui.qa.walk.visitor import Account

    if not options.user:
        raise UsageError("Nobody is named who could walk.", "Give --user NAME, and --password-stdin or --password.")
    first, *others = _passwords(options)
    if not options.second_user:
        return Account(options.user, first), None
    words = options.second_password or (others[0] if others else "")
    if not words:
        raise UsageError("The second user has no password.", "Give it with --second-password, or as second line.")
    return Account(options.user, first), Account(options.second_user, words)


async def _own_service(options: argparse.Namespace, stack: AsyncExitStack) -> "tuple[Plan, Passing]":
    from lms_tui.qa.walk.visitor import Account
    from lms_tui.qa.walk.walking import Plan

    practice = await open_practice(options, stack)
    plan = Plan(
        practice.base_url,
        Account("asha", PRACTICE),
        Account("ravi", PRACTICE),
        options.exam,
        _ALSO if options.also is None else tuple(options.also),
    )
    return plan, practice.passing


@dataclass(frozen=True, slots=True)
class Practice:
    """A practice institute whose clock can be moved; `folder` is thrown away with it."""

    base_url: str
    folder: Path
    passing: "Passing"
    bench: "Visitor"

    async def fault(self, text: str) -> None:
        """Put a fault on, or take all off; raises UsageError about what is no fault."""
        path = f"{_BENCH}faults/"
        asked = await (self.bench.post(path, {"fault": text}) if text else self.bench.delete(path))
        if not asked.succeeded:
            raise UsageError(f"{text} is no fault.", "Write it like 'PUT */heartbeat/ 503 30%'.")


async def open_practice(options: argparse.Namespace, stack: AsyncExitStack) -> Practice:
    """Start a practice institute that ends with the stack."""
    from tempfile import TemporaryDirectory

    from lms_tui.qa.walk.passing import Moving
    from lms_tui.qa.walk.visitor import Account, CannotWalkError
    from lms_tui.runtime.service_process import ServiceProcess

    folder = Path(stack.enter_context(TemporaryDirectory(prefix="lms-tui-", ignore_cleanup_errors=True)))
    arguments = ["--data-dir", str(folder), "--demo", "--bench"]
    if options.database_url:
        arguments += ["--database-url", options.database_url]
    child = ServiceProcess(arguments, folder / "child.log")
    stack.callback(child.stop)
    base_url = await child.start()
    bench = await _enter(stack, base_url, access_of(options), Account("admin", PRACTICE))

    async def move(seconds: float) -> None:
        moved = await bench.post(f"{_BENCH}clock/", {"advance": seconds})
        if not moved.succeeded:
            raise CannotWalkError(f"The clock could not be moved: {moved.outcome}.", "Report this: it is our service.")

    return Practice(base_url, folder, Moving(time.monotonic, move), bench)


async def _enter(stack: AsyncExitStack, base_url: str, access: "Access", account: "Account") -> "Visitor":
    """Sign in to a service of this computer; raises UsageError elsewhere and what signing in raises."""
    from lms_tui.client.address import is_loopback, parse_base_url
    from lms_tui.client.port import TOKEN_PATH
    from lms_tui.qa.walk.visitor import Visitor

    base_url = parse_base_url(base_url)
    if not is_loopback(base_url):
        raise UsageError("Faults are for a service on this computer.", "Give its address: http://127.0.0.1:PORT.")
    visitor = Visitor(base_url, access, account.username)
    stack.push_async_callback(visitor.close)
    await visitor.sign_in(TOKEN_PATH, account)
    return visitor


def access_of(options: argparse.Namespace) -> "Access":
    from lms_tui.client.connection import Access

    return Access(ca_file=options.ca_file, allow_plain_http=options.allow_plain_http)


def _passwords(options: argparse.Namespace) -> list[str]:
    """The password, and further lines of standard input; raises UsageError where there is none."""
    if options.password_stdin:
        lines = sys.stdin.read(64 * 1024).splitlines()
        if lines and lines[0]:
            return lines
        raise UsageError("Standard input holds no password.", "Write it there, on a line of its own.")
    if options.password:
        return [options.password]
    raise UsageError("There is no password.", "Give it with --password-stdin or --password.")


def run_fault(options: argparse.Namespace) -> int:
    """Speak to the bench of a running service: 0 done, 1 refused, 2 could not be asked."""
    import anyio

    return guarded(options, lambda given: anyio.run(_fault, given))


async def _fault(options: argparse.Namespace) -> int:
    from lms_tui.qa.walk.visitor import Account

    if not options.base_url:
        raise UsageError("There is no service to speak to.", "Give its address with --base-url.")
    account = Account(options.user, _passwords(options)[0])
    async with AsyncExitStack() as stack:
        visitor = await _enter(stack, options.base_url, access_of(options), account)
        match options.action:
            case "add":
                asked = [await visitor.post(f"{_BENCH}faults/", {"fault": text}) for text in options.faults]
            case "clear":
                asked = [await visitor.delete(f"{_BENCH}faults/")]
            case "clock":
                asked = [await visitor.post(f"{_BENCH}clock/", {"advance": options.seconds})]
            case name:
                asked = [await visitor.get(f"{_BENCH}{'faults' if name == 'list' else name}/")]
    return _tell(asked)


def _tell(asked: "list[Exchange]") -> int:
    """Print the last answer, or what was refused."""
    from lms_tui.client.errors import words_of
    from lms_tui.common.cleaning import clean_line
    from lms_tui.qa.walk.values import as_tree

    refused = [exchange for exchange in asked if not exchange.succeeded]
    for exchange in refused:
        sentence, fields = words_of(exchange.tree())
        words = sentence or " ".join(line for lines in fields.values() for line in lines) or exchange.outcome
        if exchange.status == 404:
            words = "This service has no bench: start it with `lms-tui serve --bench`."
        print(f"lms-tui: {clean_line(words)}", file=sys.stderr)
    tree = as_tree(asked[-1].tree())
    if asked[-1].succeeded:
        for name, value in tree.items():
            rows = value if isinstance(value, list) else [f"{name}: {value}"]
            for row in rows:
                print(clean_line(str(row)))
        if tree.get("faults") == []:
            print("no faults")
    return 1 if refused else 0
