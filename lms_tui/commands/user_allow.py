"""The command `lms-tui user allow`, which gives students more time."""

import argparse
from typing import TYPE_CHECKING

from lms_tui.commands import arguments
from lms_tui.commands.administration import Rows, add_action, print_notes
from lms_tui.commands.parser import Subcommands
from lms_tui.common.user_errors import UsageError

if TYPE_CHECKING:
    from lms_tui.service.admin.administration import Administration


def register(actions: Subcommands) -> None:
    words = "set how much more time students have in every exam that they start from now on, or show it"
    allow = add_action(actions, "allow", words, _allow)
    allow.add_argument("usernames", nargs="+", metavar="NAME")
    words = "multiply the time limit by F, such as 1.25"
    allow.add_argument("--factor", type=arguments.time_factor, metavar="F", help=words)
    allow.add_argument("--minutes", type=arguments.extra_minutes, metavar="N", help="add N minutes to the time limit")
    words = "let them start an exam up to N minutes after it has closed"
    allow.add_argument("--closes-later", type=arguments.extra_minutes, metavar="N", help=words)
    allow.add_argument("--no-limit", action="store_true", default=None, help="take the time limit away")
    allow.add_argument("--none", action="store_true", help="remove all of this")


def _allow(admin: "Administration", options: argparse.Namespace) -> Rows:
    from decimal import Decimal

    from lms_tui.service.admin.accommodations import Allowance, allow

    factor = None if options.factor is None else Decimal(str(options.factor))
    given = Allowance(factor, options.minutes, options.closes_later, options.no_limit)
    if options.none and given != Allowance():
        raise UsageError("--none stands alone.", "Leave --none out, or the other options.")
    rows, notes = allow(admin, options.usernames, None if options.none else given)
    print_notes(notes)
    return rows
