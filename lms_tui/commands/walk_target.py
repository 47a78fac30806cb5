"""The server that `lms-tui walk` tests: that of the options and the profile, or a temporary service of this program."""

import argparse
import os
import sys
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Final

from lms_tui import __version__
from lms_tui.client.connection import Access
from lms_tui.client.port import TOKEN_PATH
from lms_tui.commands.connecting import TEMPORARY, access_of, accounts_of, clock_of, names_server
from lms_tui.commands.practice import PASSWORD, open_practice
from lms_tui.commands.walk_profile import WalkProfile, read_profile, with_profile
from lms_tui.commands.walk_progress import watching
from lms_tui.qa.walk.clocks import ServerClock
from lms_tui.qa.walk.rules import load_rules, named_rules
from lms_tui.qa.walk.user_client import Account
from lms_tui.qa.walk.walking import Plan, Report, walk

_ALSO: Final = ("every-type-of-question", "scholarship-mock", "hindi-and-tamil")
"""Demo exams with question types, sections and a section lock that the chosen exam lacks."""


def completed(options: argparse.Namespace) -> tuple[argparse.Namespace, WalkProfile, Access]:
    """Return the options with the values of the profile, the profile, and the connection. Raises AdvisedError."""
    profile = read_profile(options.profile) if options.profile else WalkProfile()
    options = with_profile(options, profile, os.environ)
    agent = options.user_agent or f"lms-tui-walk/{__version__}"
    return options, profile, replace(profile.access(access_of(options)), user_agent=agent)


async def report_of(options: argparse.Namespace) -> Report:
    """Walk and return the report. Raises AdvisedError."""
    options, profile, access = completed(options)
    left_out = _left_out(options)
    async with AsyncExitStack() as stack:
        plan, clock = await _plan(options, stack)
        plan = replace(
            plan,
            left_out=left_out,
            style=profile.style(options.api_version),
            probes=options.api_version == "probe",
            rate=options.rate or 0.0,
            only_reads=options.read_only,
            expected=profile.expected,
        )
        watcher = await stack.enter_async_context(watching(sys.stderr, quiet=options.quiet))
        report = await walk(plan, access, clock, watcher)
    if options.base_url is not None:
        return report
    # The temporary service takes the attempts of the walk with it.
    return replace(report, left=(), server=f"{TEMPORARY} ({report.base_url})")


def _left_out(options: argparse.Namespace) -> frozenset[str]:
    """Return the rules that get no verdict. Raises UsageError for an unknown name."""
    every = frozenset(rule.id for rule in load_rules())
    chosen = named_rules(options.only) if options.only else every
    return every - (chosen - named_rules(options.skip or ()))


async def _plan(options: argparse.Namespace, stack: AsyncExitStack) -> tuple[Plan, ServerClock]:
    """Return what to test. Without `--base-url`, start a service that ends with the stack."""
    if names_server(options):
        first, second = accounts_of(options)
        also = tuple(options.also or ())
        path = options.token_path or TOKEN_PATH
        return Plan(options.base_url, first, second, options.exam, also, path), clock_of(options)
    practice = await open_practice(options, stack)
    asha, ravi = (Account(name, PASSWORD) for name in ("asha", "ravi"))
    also = _ALSO if options.also is None else tuple(options.also)
    return Plan(practice.base_url, asha, ravi, options.exam, also), practice.clock
