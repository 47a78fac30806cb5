"""The commands `lms-tui exam board` and `message`, with which an institute watches a running exam."""

import argparse
import sys
import time
from datetime import datetime
from typing import TYPE_CHECKING, Any

from lms_tui.commands.administration import Rows, add_action, institute_options, opened, print_rows
from lms_tui.commands.exam_time import nobody
from lms_tui.commands.parser import Subcommands, add_command
from lms_tui.common.user_errors import UsageError

if TYPE_CHECKING:
    from lms_tui.service.admin.administration import Administration
    from lms_tui.wire.board import BoardRow

_EVERY = 5.0
"""Seconds between two looks at the attempts."""
_CLEAR = "\x1b[H\x1b[J"
_LONGEST = 500
"""Characters of a message."""


def register(actions: Subcommands) -> None:
    words = "show who takes an exam, how far each is and how much time is left"
    board = add_command(actions, "board", words, _board, [institute_options()])
    board.add_argument("slug")
    board.add_argument("--watch", action="store_true", help="show it again every five seconds, until ctrl+c")
    words = "tell students something during an exam, or list what they were told and whether their app has shown it"
    message = add_action(actions, "message", words, _message)
    message.set_defaults(nothing=_nobody_told)
    message.add_argument("slug")
    message.add_argument("text", nargs="?", metavar="TEXT")
    words = "only this user, repeatable (default: everyone who takes the exam now)"
    message.add_argument("--user", action="append", default=[], metavar="NAME", dest="users", help=words)


def _board(options: argparse.Namespace) -> int:
    from lms_tui.service.admin.grants import changes_of
    from lms_tui.service.core.settings import system_clock
    from lms_tui.views.board import in_order

    clears = options.watch and not options.as_json and sys.stdout.isatty()
    attempts: dict[int, BoardRow] = {}
    with opened(options) as admin:
        cursor = ""
        while True:
            now = system_clock()
            changed, cursor = changes_of(admin, options.slug, now, cursor)
            attempts |= {row.attempt: row for row in changed}
            if clears:
                print(_CLEAR, end="")
            rows = [_row(row, now) for row in in_order(attempts.values())]
            shown = rows if options.as_json else [_cells(row) for row in rows]
            print_rows(shown, as_json=options.as_json, none=(f"No student has started {options.slug} yet.",))
            sys.stdout.flush()
            if not options.watch:
                return 0
            time.sleep(_EVERY)


def _row(row: "BoardRow", now: datetime) -> dict[str, Any]:
    contact = row.last_contact
    return {
        "attempt": row.attempt,
        "username": row.username,
        "name": row.name,
        "state": row.state,
        "answered": row.answered,
        "questions": row.total_questions,
        "left": _left(row, now),
        "contact": None if contact is None else contact.astimezone().isoformat(timespec="seconds"),
        "devices": row.devices,
        "not_shown": row.waiting_notices,
    }


def _cells(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of the table, with both numbers of answers in one cell."""
    answered = f"{row['answered']}/{row['questions']}"
    return {name: cell for name, cell in (row | {"answered": answered}).items() if name not in {"attempt", "questions"}}


def _left(row: "BoardRow", now: datetime) -> str | None:
    """Return the time left, which goes on since the row was read."""
    left = row.remaining_time if row.ends_at is None else max(row.ends_at - now, row.ends_at - row.ends_at)
    return None if left is None else str(left).partition(".")[0]


def _message(admin: "Administration", options: argparse.Namespace) -> Rows:
    from lms_tui.common.cleaning import clean_line
    from lms_tui.service.admin.grants import grants_of

    text = clean_line(options.text or "").strip()
    if options.text is not None and not text:
        raise UsageError("The message is empty.", "Write a text, or leave it out to list the messages.")
    if len(text) > _LONGEST:
        raise UsageError(f"The message has more than {_LONGEST} characters.", "Write a shorter one.")
    with grants_of(admin, options.slug, options.users) as grants:
        if text and not grants.message(text):
            return []
        return grants.notices()


def _nobody_told(options: argparse.Namespace) -> tuple[str, ...]:
    """Return what happened, and what to do, where no message was sent."""
    if options.text is None:
        return (f"No message was sent in {options.slug} yet.",)
    return nobody(options, f"takes {options.slug} now, so nobody was told.")
