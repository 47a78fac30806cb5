"""The command `lms-tui walk`, which tests a server against the API document."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lms_tui.commands import arguments
from lms_tui.commands.connecting import (
    COULD_NOT_RUN,
    add_report_options,
    add_server_options,
    add_student_options,
    check_folders,
    guarded,
)
from lms_tui.commands.parser import Subcommands, add_command, add_group, add_json, print_json
from lms_tui.common.user_errors import two_sentences
from lms_tui.wire.versions import VERSIONS

if TYPE_CHECKING:
    from lms_tui.qa.walk.rules import Rule
    from lms_tui.qa.walk.walking import Report


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
    words = (
        "file with what is known about the server: its address, paths, accounts and deviations (`lms-tui help walk`)"
    )
    walk.add_argument("--profile", type=Path, metavar="FILE", help=words)
    words = "create and change nothing: judge what the account has"
    walk.add_argument("--read-only", action="store_true", help=words)
    words = "version of every path, or find the versions (default: those of the document)"
    walk.add_argument("--api-version", choices=(*VERSIONS, "probe"), help=words)
    walk.add_argument("--rate", type=arguments.rate, metavar="N", help="send at most N requests a second")
    walk.add_argument("--user-agent", default="", metavar="TEXT", help="name of the walk in the server's log")
    walk.add_argument("--database-url", default="", metavar="URL", help="database of the temporary service")
    words = "judge this rule, or the rules of this area, and no others"
    walk.add_argument("--only", action="append", metavar="RULE|AREA", help=words)
    words = "do not judge this rule or area, such as one that the server does not have"
    walk.add_argument("--skip", action="append", metavar="RULE|AREA", help=words)
    walk.add_argument("--strict", action="store_true", help="fail on differences from the notes too")
    words = "let N examinees take exams at once, and report the times and the rules that break"
    walk.add_argument("--load", type=arguments.examinees, metavar="N", help=words)
    words = "after S seconds, no examinee starts a further attempt (default: 30)"
    walk.add_argument("--load-seconds", type=arguments.load_seconds, default=30.0, metavar="S", help=words)
    words = "file with a line `user,password` for each examinee"
    walk.add_argument("--accounts", type=Path, metavar="FILE", help=words)
    words = "allow --load on a server that is not on this computer"
    walk.add_argument("--i-own-this-server", action="store_true", help=words)
    words = "show no progress, and list only the rules that do not hold"
    walk.add_argument("--quiet", action="store_true", help=words)
    walk.add_argument("--quotes", action="store_true", help="show the text that each rule quotes")
    add_report_options(walk)
    walk.add_argument("--print-rules", action="store_true", help="print every rule with its quote, and send nothing")
    group = add_group(walk, required=False)
    _add_run(group)
    rule = add_command(group, "rule", "show a rule, the text that it is based on, and a request", _show_rules)
    rule.add_argument("names", nargs="+", metavar="RULE|AREA")
    diff = add_command(group, "diff", "compare two outputs of `lms-tui walk --json`", _diff)
    diff.add_argument("before", type=Path, metavar="A")
    diff.add_argument("after", type=Path, metavar="B")
    for command in (rule, diff):
        add_json(command)


def _diff(options: argparse.Namespace) -> int:
    from lms_tui.commands.walk_diff import print_diff

    return guarded(options, print_diff)


def _show_rules(options: argparse.Namespace) -> int:
    return guarded(options, _print_rules)


def _print_rules(options: argparse.Namespace) -> int:
    from lms_tui.qa.walk.examples import curl_of
    from lms_tui.qa.walk.report import SOURCES
    from lms_tui.qa.walk.rules import load_rules, named_rules

    names = named_rules(options.names)
    rules = [rule for rule in load_rules() if rule.id in names]
    if options.as_json:
        print_json([_rule(rule) for rule in rules])
    else:
        for rule in rules:
            print(f"{rule.id}: {rule.expect}\n  “{rule.quote}”\n  - {SOURCES[rule.source]}, {rule.under}")
            print(f"  {curl_of(rule)}")
    return 0


def _rule(rule: "Rule") -> dict[str, str]:
    from lms_tui.qa.walk.examples import curl_of

    texts = {name: getattr(rule, name) for name in ("id", "under", "quote", "expect")}
    return texts | {"source": rule.source.value, "request": curl_of(rule)}


def _add_run(group: Subcommands) -> None:
    words = "run scenarios: files, folders, or names of the included ones (default: all of these)"
    run = add_command(group, "run", words, _run_scenarios)
    run.add_argument("files", type=Path, nargs="*", metavar="FILE")
    words = "run only the scenarios of this name, such as 'section-*' (may be repeated)"
    run.add_argument("--only", action="append", metavar="NAME", help=words)
    words = "number of scenarios that run at once, each in its own temporary service (default: 1)"
    run.add_argument("--jobs", type=arguments.count, default=1, metavar="N", help=words)
    add_report_options(run)
    words = "print the steps as a checklist, and run nothing"
    run.add_argument("--print-checklist", action="store_true", help=words)
    add_server_options(run, "server to run against (default: a temporary service for each scenario)")
    add_student_options(run, "the user for asha", "the user for ravi")
    run.set_defaults(database_url="")


def _walk(options: argparse.Namespace) -> int:
    """Return 0 if all rules hold, 1 if a rule is broken, and 2 if the walk could not run."""
    return guarded(options, _run_walk if options.load is None else _run_load)


def _run_load(options: argparse.Namespace) -> int:
    from lms_tui.commands.walk_load import run_load

    return run_load(options)


def _run_scenarios(options: argparse.Namespace) -> int:
    from lms_tui.commands.walk_run import run_scenarios

    return guarded(options, run_scenarios)


def _run_walk(options: argparse.Namespace) -> int:
    import anyio

    from lms_tui.commands.github import plain_output, print_annotations
    from lms_tui.commands.walk_target import report_of
    from lms_tui.qa.walk.report import rules_table, to_annotations
    from lms_tui.qa.walk.rules import load_rules

    if options.print_rules:
        print(rules_table(load_rules()))
        return 0
    check_folders(options.junit, options.har)
    report = anyio.run(report_of, options)
    _write(options, report)
    with plain_output(github=options.github and not options.as_json):
        _print(options, report)
    if options.github:
        print_annotations(to_annotations(report, strict=options.strict), as_json=options.as_json)
    return COULD_NOT_RUN if report.stopped else 0 if report.holds(strict=options.strict) else 1


def _print(options: argparse.Namespace, report: "Report") -> None:
    from lms_tui.qa.walk.report import to_json, to_table, walked

    if options.as_json:
        print(to_json(report))
    elif report.stopped and not any(line.judged for line in report.lines):
        print(f"{walked(report)}\n{two_sentences(report.stopped, report.advice)}", file=sys.stderr)
    else:
        for line in to_table(report, quotes=options.quotes, quiet=options.quiet):
            print(line)


def _write(options: argparse.Namespace, report: "Report") -> None:
    from lms_tui.client.har import write_har
    from lms_tui.qa.walk.report import to_junit

    if options.junit is not None:
        options.junit.write_bytes(to_junit(report, strict=options.strict))
    if options.har is not None:
        write_har(options.har, report.exchanges)
