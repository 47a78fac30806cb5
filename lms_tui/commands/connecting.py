"""The options with which testers name a server and its users, shared by `walk`, `walk run` and `fault`."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lms_tui.commands import arguments
from lms_tui.commands.parser import Parser, add_json
from lms_tui.common.user_errors import AdvisedError, UsageError, in_words

if TYPE_CHECKING:
    from lms_tui.client.connection import Access
    from lms_tui.qa.walk.clocks import ServerClock
    from lms_tui.qa.walk.user_client import Account

COULD_NOT_RUN: Final = 2
TEMPORARY: Final = "a temporary service of this program"
_OF_A_SERVER: Final = (
    "user",
    "second_user",
    "password",
    "password_stdin",
    "second_password",
    "token_path",
    "ca_file",
    "accounts",
)


def add_server_options(command: Parser, words: str) -> None:
    command.add_argument("--base-url", metavar="URL", help=words)
    password = command.add_mutually_exclusive_group()
    words = "visible in the process list, so prefer --password-stdin"
    password.add_argument("--password", metavar="TEXT", help=words)
    password.add_argument("--password-stdin", action="store_true", help="read the password from standard input")
    words = "certificates to trust besides the system's"
    command.add_argument("--ca-file", type=Path, metavar="FILE", help=words)
    command.add_argument("--allow-plain-http", action="store_true", help="send the password without encryption")


def add_student_options(command: Parser, first: str, second: str) -> None:
    command.add_argument("--user", default="", metavar="NAME", help=first)
    command.add_argument("--second-user", default="", metavar="NAME", help=second)
    words = "password of the second user (better: the second line of standard input)"
    command.add_argument("--second-password", metavar="TEXT", help=words)
    words = "the server's clock runs N times faster"
    command.add_argument("--fast-clock", type=arguments.speed, default=1.0, metavar="N", help=words)


def guarded(options: argparse.Namespace, work: Callable[[argparse.Namespace], int]) -> int:
    """Do some work. An error for people is printed in two sentences, and the result is COULD_NOT_RUN."""
    try:
        return work(options)
    except (AdvisedError, OSError) as error:
        words = in_words(error)
        if words is None:
            raise
        print(words, file=sys.stderr)
        return COULD_NOT_RUN


def names_server(options: argparse.Namespace) -> bool:
    """Return whether the options name a server.

    Raises UsageError if they name only a user of one, or if passwords to the server could be read on the way.
    """
    if options.base_url is not None:
        _refuse_plain_http(options)
        return True
    given = next((name for name in _OF_A_SERVER if getattr(options, name, None)), "")
    if given:
        option = f"--{given.replace('_', '-')}"
        raise UsageError(f"{option} is given without a server.", "Add --base-url URL, or leave the option out.")
    return False


def _refuse_plain_http(options: argparse.Namespace) -> None:
    """Raise UsageError with the option that allows the address. Other messages name the setting of the app."""
    from lms_tui.client.address import NOT_ENCRYPTED, is_loopback, parse_base_url

    address = parse_base_url(options.base_url, allow_plain_http=True)
    if address.startswith("http://") and not (options.allow_plain_http or is_loopback(address)):
        raise UsageError(NOT_ENCRYPTED, "Use https, or give --allow-plain-http if you trust the network.")


def add_report_options(command: Parser) -> None:
    add_json(command)
    command.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit XML")
    command.add_argument("--github", action="store_true", help="also print annotations for GitHub Actions")
    command.add_argument("--har", type=Path, metavar="FILE", help="write every request, without secrets")


def check_folders(*files: Path | None) -> None:
    """Raise UsageError for a report that has no folder or is one. This is checked first, because tests take long."""
    for file in filter(None, files):
        if file.is_dir():
            raise UsageError(f"{file} is a folder.", "Give the name of a file.")
        if not file.parent.is_dir():
            raise UsageError(f"There is no folder {file.parent} for {file.name}.", "Create it, or choose another.")


def access_of(options: argparse.Namespace) -> "Access":
    from lms_tui.client.connection import Access

    return Access(ca_file=options.ca_file, allow_plain_http=options.allow_plain_http)


def passwords_of(options: argparse.Namespace) -> list[str]:
    """Return the password and any further lines of standard input. Raises UsageError."""
    if options.password_stdin:
        lines = sys.stdin.read(64 * 1024).splitlines()
        if lines and lines[0]:
            return lines
        raise UsageError("Standard input holds no password.", "Send the password as its first line.")
    if options.password:
        return [options.password]
    raise UsageError("There is no password.", "Use --password-stdin or --password.")


def accounts_of(options: argparse.Namespace) -> "tuple[Account, Account | None]":
    """Return the named users with their passwords. Raises UsageError."""
    from lms_tui.qa.walk.user_client import Account

    if not options.user:
        raise UsageError("No user is given.", "Use --user NAME with --password-stdin or --password.")
    first, *others = passwords_of(options)
    if not options.second_user:
        return Account(options.user, first), None
    second = options.second_password or (others[0] if others else "")
    if not second:
        raise UsageError("The second user has no password.", "Use --second-password, or a second line of input.")
    return Account(options.user, first), Account(options.second_user, second)


def clock_of(options: argparse.Namespace) -> "ServerClock":
    """Return a clock that waits for the server's time to pass."""
    import time

    import anyio

    from lms_tui.qa.walk.clocks import WaitingClock

    return WaitingClock(time.monotonic, anyio.sleep, options.fast_clock)
