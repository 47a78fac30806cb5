"""The command `lms-tui fault`, which changes the faults and the clock of a running service."""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from lms_tui.commands.arguments import seconds
from lms_tui.commands.connecting import access_of, add_server_options, guarded, passwords_of
from lms_tui.commands.parser import Subcommands, add_command, add_group, add_json
from lms_tui.common.cleaning import clean_line, clean_tree
from lms_tui.common.user_errors import UsageError

if TYPE_CHECKING:
    from lms_tui.client.recording import Exchange
    from lms_tui.qa.walk.values import Tree


def register(commands: Subcommands) -> None:
    fault = add_command(commands, "fault", "change the faults and the clock of a running `lms-tui serve --bench`")
    actions = add_group(fault)
    for name, words in (
        ("list", "list the active faults"),
        ("add", "add a fault"),
        ("clear", "remove all faults"),
        ("clock", "move the clock forward"),
        ("report", "count requests, faults, repetitions, answers received and answers saved"),
    ):
        action = add_command(actions, name, words, run_fault)
        add_server_options(action, "address of the service on this computer")
        action.add_argument("--user", default="admin", metavar="NAME", help="an administrator (default: admin)")
        add_json(action)
        if name == "add":
            action.add_argument("faults", nargs="+", metavar="FAULT", help="such as 'PUT */heartbeat/ 503 30%%'")
        if name == "clock":
            action.add_argument("seconds", type=seconds, metavar="SECONDS")
        action.set_defaults(action=name)


def run_fault(options: argparse.Namespace) -> int:
    """Send a command to the running service. Return 1 if it is refused and 2 if there is no reply."""
    import anyio

    return guarded(options, lambda given: anyio.run(_fault, given))


async def _fault(options: argparse.Namespace) -> int:
    from lms_tui.commands.practice import BENCH, sign_in
    from lms_tui.qa.walk.user_client import Account

    if not options.base_url:
        raise UsageError("No service is given.", "Give its address with --base-url.")
    account = Account(options.user, passwords_of(options)[0])
    async with AsyncExitStack() as stack:
        admin = await sign_in(stack, options.base_url, access_of(options), account)
        match options.action:
            case "add":
                replies = [await admin.post(f"{BENCH}faults/", {"fault": text}) for text in options.faults]
            case "clear":
                replies = [await admin.delete(f"{BENCH}faults/")]
            case "clock":
                replies = [await admin.post(f"{BENCH}clock/", {"advance": options.seconds})]
            case name:
                replies = [await admin.get(f"{BENCH}{'faults' if name == 'list' else name}/")]
    return _print(replies, as_json=options.as_json)


def _print(replies: "list[Exchange]", *, as_json: bool) -> int:
    """Print the last reply and every refusal."""
    from lms_tui.client.errors import words_of
    from lms_tui.qa.walk.values import as_tree

    refused = [reply for reply in replies if not reply.succeeded]
    for reply in refused:
        sentence, fields = words_of(reply.tree())
        words = sentence or " ".join(line for lines in fields.values() for line in lines) or reply.outcome
        if reply.status == 404:
            words = "This service accepts no faults. Start it with `lms-tui serve --bench`."
        print(f"lms-tui: {clean_line(words)}", file=sys.stderr)
    if replies[-1].succeeded:
        tree = as_tree(replies[-1].tree())
        print(json.dumps(clean_tree(tree), ensure_ascii=False, indent=2) if as_json else "\n".join(_lines(tree)))
    return 1 if refused else 0


def _lines(tree: "Tree") -> Iterator[str]:
    from lms_tui.qa.walk.values import as_rows

    if "rows" not in tree:
        yield from (clean_line(f"{name}: {value}") for name, value in tree.items())
    elif not (rows := as_rows(tree["rows"])):
        yield "no faults"
    else:
        for row in rows:
            now = "" if row.get("active") else ", not active now"
            yield clean_line(f"{row.get('fault')} (hit {row.get('hits')}{now})")
