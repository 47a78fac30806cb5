"""Questions to the person at the terminal. Each answer may also be a line of standard input."""

import sys
from functools import partial
from getpass import getpass

from lms_tui.commands.arguments import typed
from lms_tui.common.user_errors import UsageError


def ask(question: str) -> str:
    if not sys.stdin.isatty():
        return typed(sys.stdin.readline).strip()
    return typed(partial(input, question)).strip()


def ask_secret(question: str) -> str:
    """Read a line without showing it."""
    if not sys.stdin.isatty():
        return typed(sys.stdin.readline).rstrip("\n")
    return typed(partial(getpass, question))


def new_password(*, from_stdin: bool) -> str:
    """Read a password from standard input, or twice from the terminal. Raises UsageError."""
    if from_stdin:
        return typed(sys.stdin.readline).rstrip("\n")
    if not sys.stdin.isatty():
        raise UsageError("There is no terminal to ask for a password.", "Use --password-stdin.")
    first = typed(partial(getpass, "Password: "))
    if first != typed(partial(getpass, "Repeat password: ")):
        raise UsageError("The two passwords differ.", "Try again.")
    return first
