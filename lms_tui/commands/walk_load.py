"""The option `lms-tui walk --load N`: many examinees at once, on this computer or on the tester's own server."""

import argparse
import csv
import sys
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Final

import anyio

from lms_tui.client.address import is_loopback, parse_base_url
from lms_tui.client.port import TOKEN_PATH
from lms_tui.commands.connecting import TEMPORARY, accounts_of, clock_of, names_server
from lms_tui.commands.practice import PASSWORD, Practice, open_practice
from lms_tui.commands.walk_progress import watching
from lms_tui.commands.walk_target import completed
from lms_tui.common.cleaning import clean_line
from lms_tui.common.reading import read_file
from lms_tui.common.user_errors import UsageError
from lms_tui.qa.walk.load import LoadPlan, LoadReport, load
from lms_tui.qa.walk.load_report import to_json, to_table
from lms_tui.qa.walk.user_client import Account, CannotWalkError

_BATCH: Final = "Foundation Morning"
_USERS: Final = "/api/v2.5/admin/users/"
_LARGEST: Final = 1024 * 1024


def run_load(options: argparse.Namespace) -> int:
    """Return 0 if every rule held for all examinees, and 1 otherwise. Raises AdvisedError."""
    if options.read_only:
        raise UsageError("--load takes exams, and --read-only creates nothing.", "Leave one of them out.")
    report = anyio.run(_load, options)
    print(to_json(report) if options.as_json else "\n".join(to_table(report)))
    return 1 if report.broken or report.failures else 0


async def _load(options: argparse.Namespace) -> LoadReport:
    options, profile, access = completed(options)
    async with AsyncExitStack() as stack:
        if names_server(options):
            base_url = parse_base_url(options.base_url, allow_plain_http=options.allow_plain_http)
            _refuse_others(base_url, owned=options.i_own_this_server)
            server, accounts = base_url, _accounts(options)
        else:
            practice = await open_practice(options, stack)
            base_url, server = practice.base_url, f"{TEMPORARY} ({practice.base_url})"
            accounts = await _new_accounts(practice, options.load)
        plan = LoadPlan(
            base_url,
            accounts,
            options.load_seconds,
            options.exam,
            options.token_path or TOKEN_PATH,
            profile.style(options.api_version),
            options.rate or 0.0,
            profile.expected,
        )
        watcher = await stack.enter_async_context(watching(sys.stderr, quiet=options.quiet))
        return replace(await load(plan, access, clock_of(options), watcher), server=server)


def _refuse_others(base_url: str, *, owned: bool) -> None:
    if not owned and not is_loopback(base_url):
        raise UsageError(
            "A load can make this server slow for its users, and it is not on this computer.",
            "Add --i-own-this-server if it is yours and nobody else uses it now.",
        )


def _accounts(options: argparse.Namespace) -> tuple[Account, ...]:
    """Return an account for each examinee. Two examinees of one account would share an attempt. Raises AdvisedError."""
    if options.accounts is not None:
        found = _accounts_in(options.accounts)
    else:
        found = tuple(filter(None, accounts_of(options)))
    if len(found) < options.load:
        raise UsageError(
            f"--load {options.load} needs {options.load} accounts, and has {len(found)}.",
            "Give a file with a line `user,password` for each examinee with --accounts FILE.",
        )
    return found[: options.load]


def _accounts_in(file: Path) -> tuple[Account, ...]:
    advice = "Write a line `user,password` for each examinee."
    content, name = read_file(file, _LARGEST), clean_line(file.name)
    try:
        rows = [row for row in csv.reader(content.decode("utf-8-sig").splitlines()) if row]
    except (UnicodeDecodeError, csv.Error):
        raise UsageError(f"{name} is not a table of text.", advice) from None
    for number, row in enumerate(rows, start=1):
        if len(row) != 2 or not all(row):
            raise UsageError(f"{name}, line {number}: this is not a user name and a password.", advice)
    found = {user.strip(): Account(user.strip(), password) for user, password in rows}
    return tuple(found.values())


async def _new_accounts(practice: Practice, count: int) -> tuple[Account, ...]:
    accounts = tuple(Account(f"examinee-{number}", PASSWORD) for number in range(1, count + 1))
    for account in accounts:
        body = {"username": account.username, "password": account.password, "batches": [_BATCH]}
        made = await practice.admin.post(_USERS, body)
        if not made.succeeded:
            raise CannotWalkError(f"An examinee was not created: {made.outcome}.", "Report this fault of lms-tui.")
    return accounts
