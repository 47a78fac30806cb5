"""The command `lms-tui walk run`, which runs scenarios or prints them as checklists."""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

import anyio

from lms_tui.client.address import parse_base_url
from lms_tui.client.har import write_har
from lms_tui.client.recording import Recording
from lms_tui.commands.connecting import (
    COULD_NOT_RUN,
    TEMPORARY,
    access_of,
    accounts_of,
    check_folders,
    clock_of,
    names_server,
)
from lms_tui.commands.github import plain_output, print_annotations
from lms_tui.commands.practice import PASSWORD, Practice, open_practice
from lms_tui.common.cleaning import clean_line
from lms_tui.common.settings import Profile, find_paths
from lms_tui.common.user_errors import AdvisedError, UsageError, in_words
from lms_tui.qa.junit import Result
from lms_tui.qa.scenarios.emulator import can_emulate, no_emulator
from lms_tui.qa.scenarios.player import Outcome, Target, play
from lms_tui.qa.scenarios.report import Played, to_annotations, to_json, to_junit, to_lines
from lms_tui.qa.scenarios.scenario import Scenario, checklist, included_scenarios, read_scenario
from lms_tui.qa.scenarios.terminal import Terminal
from lms_tui.qa.walk.user_client import Account
from lms_tui.runtime.profiles import ProfileList
from lms_tui.runtime.secrets import FileTokens


def run_scenarios(options: argparse.Namespace) -> int:
    """Return 0 if every scenario passed, 1 if one failed, and 2 if one could not run.

    Raises AdvisedError if the options or the files are wrong.
    """
    scenarios = _chosen(options)
    if options.print_checklist:
        for scenario in scenarios:
            print("\n".join(checklist(scenario)), end="\n\n")
        return 0
    check_folders(options.junit, options.har)
    server = TEMPORARY
    if names_server(options):  # a wrong address is refused before the first scenario
        address = parse_base_url(options.base_url, allow_plain_http=options.allow_plain_http)
        server = f"Server: {address}, as {clean_line(options.user)}"
    accounts = _accounts(options)
    with plain_output(github=options.github and not options.as_json):
        if not options.as_json:
            print(server)
        runs = anyio.run(_run_all, options, scenarios, accounts)
        print(to_json(server, runs) if options.as_json else "\n".join([server, *_summary(runs)]))
    _report(options, runs)
    results = {played.result for played in runs}
    return 1 if Result.FAILED in results else 0 if results == {Result.PASSED} else COULD_NOT_RUN


def _report(options: argparse.Namespace, runs: Sequence[Played]) -> None:
    """Write the reports that the options ask for, and say where a scenario needs a terminal that is not here."""
    if options.junit is not None:
        options.junit.write_bytes(to_junit(runs))
    if options.har is not None:
        write_har(options.har, [exchange for played in runs for exchange in played.exchanges])
    if options.github:
        print_annotations(to_annotations(runs), as_json=options.as_json)
    if any(played.skipped for played in runs):
        print(in_words(no_emulator()), file=sys.stderr)


def _files(named: Sequence[Path]) -> list[Path]:
    """Return the named files, and the files of the named folders. Raises UsageError if there are none."""
    files = [inner for file in named for inner in (sorted(file.glob("*.yaml")) if file.is_dir() else [file])]
    if not files:
        folder = clean_line(str(named[0]))
        raise UsageError(f"{folder} holds no scenarios.", "Name a file, or a folder with files such as my-test.yaml.")
    return files


def _chosen(options: argparse.Namespace) -> list[Scenario]:
    """Return the scenarios of the files and folders that `--only` names. Raises AdvisedError."""
    scenarios = [read_scenario(file) for file in (_files(options.files) if options.files else included_scenarios())]
    names = options.only or ["*"]
    for name in names:
        if not any(fnmatchcase(scenario.name, name) for scenario in scenarios):
            known = ", ".join(scenario.name for scenario in scenarios) or "none"
            raise UsageError(f"There is no scenario “{clean_line(name)}”.", f"The scenarios are: {known}.")
    return [scenario for scenario in scenarios if any(fnmatchcase(scenario.name, name) for name in names)]


def _accounts(options: argparse.Namespace) -> dict[str, Account]:
    """Return the users of a named server, or of the temporary services. Raises UsageError."""
    if not names_server(options):
        return {name: Account(name, PASSWORD) for name in ("asha", "ravi")}
    if options.jobs > 1:
        raise UsageError("Scenarios on one server share its users.", "Leave out --jobs, or --base-url.")
    first, second = accounts_of(options)
    return {"asha": first} | ({"ravi": second} if second else {})


async def _run_all(
    options: argparse.Namespace, scenarios: Sequence[Scenario], accounts: Mapping[str, Account]
) -> list[Played]:
    """Run up to `options.jobs` scenarios at once. Print the results in the order of the scenarios."""
    done: dict[int, Played] = {}
    printed = 0
    limiter = anyio.CapacityLimiter(options.jobs)

    async def run(number: int, scenario: Scenario) -> None:
        nonlocal printed
        async with limiter:
            done[number] = await _run(options, scenario, accounts)
        while not options.as_json and printed in done:
            print("\n".join(to_lines(done[printed])), flush=True)
            printed += 1

    async with anyio.create_task_group() as group:
        for number, scenario in enumerate(scenarios):
            group.start_soon(run, number, scenario)
    return [done[number] for number in range(len(scenarios))]


async def _run(options: argparse.Namespace, scenario: Scenario, accounts: Mapping[str, Account]) -> Played:
    if scenario.needs_app and not can_emulate():
        return Played(scenario, stopped=str(no_emulator()), skipped=True)
    outcomes: list[Outcome] = []
    recording = Recording(most=None, largest=None)
    stopped = ""
    try:
        async with AsyncExitStack() as stack:
            target = await _target(options, accounts, stack)
            target = replace(target, access=replace(target.access, recorder=recording))
            await play(scenario, target, outcomes.append)
    except AdvisedError as error:
        stopped = f"{error} {error.advice}"
    return Played(scenario, tuple(outcomes), recording.exchanges, stopped)


def _summary(runs: Sequence[Played]) -> Iterator[str]:
    begun = [played for played in runs if not played.skipped]
    if begun:
        yield f"{sum(played.result is Result.PASSED for played in begun)} of {len(begun)} scenarios passed."


async def _target(options: argparse.Namespace, accounts: Mapping[str, Account], stack: AsyncExitStack) -> Target:
    access = access_of(options)
    if names_server(options):
        base_url = parse_base_url(options.base_url, allow_plain_http=options.allow_plain_http)
        return Target(base_url, accounts, access, clock_of(options))
    practice = await open_practice(options, stack)

    def open_app(username: str, token: str) -> Terminal:
        return _open_app(practice, username, token)

    return Target(practice.base_url, accounts, access, practice.clock, practice.fault, open_app)


def _open_app(practice: Practice, username: str, token: str) -> Terminal:
    """Start the app in a terminal. It has its own data directory with one signed-in profile."""
    folder = practice.folder / "app"
    paths = find_paths(folder)
    profile = Profile(f"{username} here", practice.base_url, username)
    ProfileList(paths.profiles).remember(profile)
    FileTokens(paths.secrets).keep(profile, token)
    argv = [sys.executable, "-m", "lms_tui", "--reduced-motion", "--data-dir", str(folder)]
    return Terminal(argv, {"LMS_TUI_CONFIG_DIR": str(practice.folder / "config")})
