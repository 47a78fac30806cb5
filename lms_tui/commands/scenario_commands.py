"""`lms-tui walk run`: scenarios played against a server, or printed as lists that a person can follow."""

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from lms_tui.commands.qa_commands import COULD_NOT_RUN, PRACTICE, access_of, accounts_of, open_practice
from lms_tui.common.user_errors import in_words

if TYPE_CHECKING:
    from lms_tui.commands.qa_commands import Practice
    from lms_tui.qa.scenarios.player import Cast, Outcome
    from lms_tui.qa.scenarios.scenario import Scenario
    from lms_tui.qa.scenarios.terminal import Terminal


def run_scenarios(options: argparse.Namespace) -> int:
    """0 when every step leads to what is expected, 1 when one does not, 2 when only a screen to look at is missing.

    Raises what keeps them from being played otherwise.
    """
    import anyio

    from lms_tui.qa.scenarios.scenario import checklist, read_scenario, shipped
    from lms_tui.qa.scenarios.terminal import can_emulate, no_emulator

    scenarios = [read_scenario(file) for file in options.files or shipped()]
    if options.print_checklist:
        for scenario in scenarios:
            print("\n".join(checklist(scenario)), end="\n\n")
        return 0
    unseen = [] if can_emulate() else [scenario for scenario in scenarios if scenario.needs_app]
    held = [anyio.run(_play, options, scenario) for scenario in scenarios if scenario not in unseen]
    for scenario in unseen:
        print(f"{scenario.title}\n  - not played")
    if held:
        print(f"{sum(held)} of {len(held)} scenarios came out as they say.")
    if unseen:
        print(in_words(no_emulator()), file=sys.stderr)
    if not all(held):
        return 1
    return COULD_NOT_RUN if unseen else 0


async def _play(options: argparse.Namespace, scenario: "Scenario") -> bool:
    from lms_tui.qa.scenarios.player import play

    async with AsyncExitStack() as stack:
        outcomes = await play(scenario, await _cast(options, stack))
    print(scenario.title)
    for number, outcome in enumerate(outcomes, start=1):
        print("\n".join(_told(number, outcome)))
    return not any(outcome.problems for outcome in outcomes)


def _told(number: int, outcome: "Outcome") -> Iterator[str]:
    from lms_tui.common.cleaning import clean_line

    yield f"  {'✗' if outcome.problems else '✓'} {number:>2}. {outcome.words}"
    for problem in outcome.problems:
        yield f"        {clean_line(problem)}"
    if outcome.problems and outcome.request:
        yield f"        in {clean_line(outcome.request)}"


async def _cast(options: argparse.Namespace, stack: AsyncExitStack) -> "Cast":
    import anyio

    from lms_tui.client.address import parse_base_url
    from lms_tui.qa.scenarios.player import Cast
    from lms_tui.qa.walk.passing import Waiting
    from lms_tui.qa.walk.visitor import Account

    access = access_of(options)
    if options.base_url:
        first, second = accounts_of(options)
        people = {"asha": first} | ({"ravi": second} if second else {})
        base_url = parse_base_url(options.base_url, allow_plain_http=options.allow_plain_http)
        return Cast(base_url, people, access, Waiting(time.monotonic, anyio.sleep, options.fast_clock))
    practice = await open_practice(options, stack)
    people = {name: Account(name, PRACTICE) for name in ("asha", "ravi")}

    def app(username: str, token: str) -> "Terminal":
        return _open_app(practice, username, token)

    return Cast(practice.base_url, people, access, practice.passing, practice.fault, app)


def _open_app(practice: "Practice", username: str, token: str) -> "Terminal":
    """Open the app in a terminal, with a data directory of its own, where someone has signed in before."""
    from lms_tui.common.settings import Profile, find_paths
    from lms_tui.qa.scenarios.terminal import Terminal
    from lms_tui.runtime.profiles import ProfileList
    from lms_tui.runtime.secrets import FileTokens

    folder = practice.folder / "app"
    paths = find_paths(folder)
    profile = Profile(f"{username} here", practice.base_url, username)
    ProfileList(paths.profiles).remember(profile)
    FileTokens(paths.secrets).keep(profile, token)
    argv = [sys.executable, "-m", "lms_tui", "--reduced-motion", "--data-dir", str(folder)]
    return Terminal(argv, {"LMS_TUI_CONFIG_DIR": str(practice.folder / "config")})
