"""The command `lms-tui walk run`, which runs scenarios or prints them as checklists."""

import argparse
import sys
from contextlib import AsyncExitStack

import anyio

from lms_tui.client.address import parse_base_url
from lms_tui.commands.connecting import COULD_NOT_RUN, TEMPORARY, access_of, accounts_of, clock_of, names_server
from lms_tui.commands.practice import PASSWORD, Practice, open_practice
from lms_tui.common.cleaning import clean_line
from lms_tui.common.settings import Profile, find_paths
from lms_tui.common.user_errors import in_words
from lms_tui.qa.scenarios.player import Outcome, Target, play
from lms_tui.qa.scenarios.scenario import Scenario, checklist, included_scenarios, read_scenario
from lms_tui.qa.scenarios.terminal import Terminal, can_emulate, no_emulator
from lms_tui.qa.walk.user_client import Account
from lms_tui.runtime.profiles import ProfileList
from lms_tui.runtime.secrets import FileTokens


def run_scenarios(options: argparse.Namespace) -> int:
    """Return 0 if every scenario passed, 1 if one failed, and 2 if only scenarios of the app could not run.

    Raises AdvisedError if another scenario could not run.
    """
    scenarios = [read_scenario(file) for file in options.files or included_scenarios()]
    if options.print_checklist:
        for scenario in scenarios:
            print("\n".join(checklist(scenario)), end="\n\n")
        return 0
    server = f"Server: {options.base_url}, as {clean_line(options.user)}" if names_server(options) else TEMPORARY
    print(server)
    skipped = [] if can_emulate() else [scenario for scenario in scenarios if scenario.needs_app]
    passed = [anyio.run(_run, options, scenario) for scenario in scenarios if scenario not in skipped]
    for scenario in skipped:
        print(f"{scenario.title}\n  - not run")
    print(server)
    if passed:
        print(f"{sum(passed)} of {len(passed)} scenarios passed.")
    if skipped:
        print(in_words(no_emulator()), file=sys.stderr)
    return 1 if not all(passed) else COULD_NOT_RUN if skipped else 0


async def _run(options: argparse.Namespace, scenario: Scenario) -> bool:
    async with AsyncExitStack() as stack:
        outcomes = await play(scenario, await _target(options, stack))
    print(scenario.title)
    for number, outcome in enumerate(outcomes, start=1):
        _print(number, outcome)
    return not any(outcome.problems for outcome in outcomes)


def _print(number: int, outcome: Outcome) -> None:
    print(f"  {'✗' if outcome.problems else '✓'} {number:>2}. {outcome.words}")
    for problem in outcome.problems:
        print(f"        {clean_line(problem)}")
    if outcome.problems and outcome.request:
        print(f"        in {clean_line(outcome.request)}")


async def _target(options: argparse.Namespace, stack: AsyncExitStack) -> Target:
    access = access_of(options)
    if names_server(options):
        first, second = accounts_of(options)
        users = {"asha": first} | ({"ravi": second} if second else {})
        base_url = parse_base_url(options.base_url, allow_plain_http=options.allow_plain_http)
        return Target(base_url, users, access, clock_of(options))
    practice = await open_practice(options, stack)
    users = {name: Account(name, PASSWORD) for name in ("asha", "ravi")}

    def open_app(username: str, token: str) -> Terminal:
        return _open_app(practice, username, token)

    return Target(practice.base_url, users, access, practice.clock, practice.fault, open_app)


def _open_app(practice: Practice, username: str, token: str) -> Terminal:
    """Start the app in a terminal. It has its own data directory with one signed-in profile."""
    folder = practice.folder / "app"
    paths = find_paths(folder)
    profile = Profile(f"{username} here", practice.base_url, username)
    ProfileList(paths.profiles).remember(profile)
    FileTokens(paths.secrets).keep(profile, token)
    argv = [sys.executable, "-m", "lms_tui", "--reduced-motion", "--data-dir", str(folder)]
    return Terminal(argv, {"LMS_TUI_CONFIG_DIR": str(practice.folder / "config")})
