"""The command `lms-tui walk`, which tests a server against the API document."""

import argparse
import sys
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lms_tui.commands.connecting import (
    COULD_NOT_RUN,
    TEMPORARY,
    access_of,
    accounts_of,
    add_server_options,
    add_student_options,
    clock_of,
    guarded,
    names_server,
)
from lms_tui.commands.parser import Subcommands, add_command, add_group
from lms_tui.common.user_errors import UsageError, two_sentences

if TYPE_CHECKING:
    from lms_tui.qa.walk.clocks import ServerClock
    from lms_tui.qa.walk.walking import Plan, Report

_ALSO: Final = ("every-type-of-question", "scholarship-mock", "hindi-and-tamil")
"""Demo exams with question types, sections and a section lock that the chosen exam lacks."""


def register(commands: Subcommands) -> None:
    words = "test the attempt flow of a server against the API document"
    walk = add_command(commands, "walk", words, _walk)
    add_server_options(walk, "server to test (default: a temporary service of this program)")
    add_student_options(walk, "the student who takes the exams", "another student, who must not see the first's data")
    walk.add_argument(
        "--exam", default="", metavar="SLUG", help="exam to take (default: the exam that covers most rules)"
    )
    words = "also take this exam, for its sections or question types"
    walk.add_argument("--also", action="append", metavar="SLUG", help=words)
    walk.add_argument("--token-path", default="", metavar="PATH", help="path where the server issues tokens")
    walk.add_argument("--database-url", default="", metavar="URL", help="database of the temporary service")
    words = "judge this rule, or the rules of this area, and no others"
    walk.add_argument("--only", action="append", metavar="RULE|AREA", help=words)
    words = "do not judge this rule or area, such as one that the server does not have"
    walk.add_argument("--skip", action="append", metavar="RULE|AREA", help=words)
    walk.add_argument("--strict", action="store_true", help="fail on differences from the notes too")
    walk.add_argument("--quotes", action="store_true", help="show the text that each rule quotes")
    walk.add_argument("--json", action="store_true", dest="as_json", help="print JSON")
    walk.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit XML")
    walk.add_argument("--har", type=Path, metavar="FILE", help="write every request, without secrets")
    walk.add_argument("--print-rules", action="store_true", help="print every rule with its quote, and send nothing")
    group = add_group(walk, required=False)
    _add_run(group)
    rule = add_command(group, "rule", "show a rule and the text that it is based on", _show_rules)
    rule.add_argument("names", nargs="+", metavar="RULE|AREA")


def _show_rules(options: argparse.Namespace) -> int:
    return guarded(options, _print_rules)


def _print_rules(options: argparse.Namespace) -> int:
    from lms_tui.qa.walk.report import SOURCES
    from lms_tui.qa.walk.rules import load_rules, named_rules

    names = named_rules(options.names)
    for rule in load_rules():
        if rule.id in names:
            print(f"{rule.id}: {rule.expect}\n  “{rule.quote}”\n  - {SOURCES[rule.source]}, {rule.under}")
    return 0


def _add_run(group: Subcommands) -> None:
    words = "run scenarios: files, or names of the included ones (default: all of them)"
    run = add_command(group, "run", words, _run_scenarios)
    run.add_argument("files", type=Path, nargs="*", metavar="FILE")
    words = "print the steps as a checklist, and run nothing"
    run.add_argument("--print-checklist", action="store_true", help=words)
    add_server_options(run, "server to run against (default: a temporary service for each scenario)")
    add_student_options(run, "the user for asha", "the user for ravi")
    run.set_defaults(database_url="")


def _walk(options: argparse.Namespace) -> int:
    """Return 0 if all rules hold, 1 if a rule is broken, and 2 if the walk could not run."""
    return guarded(options, _run_walk)


def _run_scenarios(options: argparse.Namespace) -> int:
    from lms_tui.commands.walk_run import run_scenarios

    return guarded(options, run_scenarios)


def _run_walk(options: argparse.Namespace) -> int:
    import anyio

    from lms_tui.qa.walk.report import rules_table, to_json, to_table, walked
    from lms_tui.qa.walk.rules import load_rules

    if options.print_rules:
        print(rules_table(load_rules()))
        return 0
    for file in filter(None, (options.junit, options.har)):
        if not file.parent.is_dir():  # checked first, because a walk takes long
            raise UsageError(f"There is no folder {file.parent} for {file.name}.", "Create it, or choose another.")
    left_out = _left_out(options)
    report = anyio.run(_report, options, left_out)
    _write(options, report)
    if options.as_json:
        print(to_json(report))
    elif report.stopped and not any(line.judged for line in report.lines):
        print(f"{walked(report)}\n{two_sentences(report.stopped, report.advice)}", file=sys.stderr)
    else:
        for line in to_table(report, quotes=options.quotes):
            print(line)
    return COULD_NOT_RUN if report.stopped else 0 if report.holds(strict=options.strict) else 1


def _write(options: argparse.Namespace, report: "Report") -> None:
    from lms_tui.client.har import write_har
    from lms_tui.qa.walk.report import to_junit

    if options.junit is not None:
        options.junit.write_bytes(to_junit(report, strict=options.strict))
    if options.har is not None:
        write_har(options.har, report.exchanges)


def _left_out(options: argparse.Namespace) -> frozenset[str]:
    """Return the rules that get no verdict. Raises UsageError for an unknown name."""
    from lms_tui.qa.walk.rules import load_rules, named_rules

    every = frozenset(rule.id for rule in load_rules())
    chosen = named_rules(options.only) if options.only else every
    return every - (chosen - named_rules(options.skip or ()))


async def _report(options: argparse.Namespace, left_out: frozenset[str]) -> "Report":
    from lms_tui.qa.walk.walking import walk

    async with AsyncExitStack() as stack:
        plan, clock = await _plan(options, stack)
        report = await walk(replace(plan, left_out=left_out), access_of(options), clock)
    if options.base_url is not None:
        return report
    # The temporary service takes the attempts of the walk with it.
    return replace(report, left=(), server=f"{TEMPORARY} ({report.base_url})")


async def _plan(options: argparse.Namespace, stack: AsyncExitStack) -> "tuple[Plan, ServerClock]":
    """Return what to test. Without `--base-url`, start a service that ends with the stack."""
    from lms_tui.client.port import TOKEN_PATH
    from lms_tui.qa.walk.user_client import Account
    from lms_tui.qa.walk.walking import Plan

    if names_server(options):
        first, second = accounts_of(options)
        also = tuple(options.also or ())
        path = options.token_path or TOKEN_PATH
        return Plan(options.base_url, first, second, options.exam, also, path), clock_of(options)
    from lms_tui.commands.practice import PASSWORD, open_practice

    practice = await open_practice(options, stack)
    asha, ravi = (Account(name, PASSWORD) for name in ("asha", "ravi"))
    also = _ALSO if options.also is None else tuple(options.also)
    return Plan(practice.base_url, asha, ravi, options.exam, also), practice.clock
