"""The commands `lms-tui exam time`, `end` and `reopen`, which change the time of running exams."""

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from lms_tui.commands import arguments
from lms_tui.commands.administration import Rows, Work, add_action, print_notes
from lms_tui.commands.parser import Parser, Subcommands

if TYPE_CHECKING:
    from lms_tui.service.admin.administration import Administration
    from lms_tui.service.watch.grants import Grants


def register(actions: Subcommands) -> None:
    time = add_action(actions, "time", "give time to students in a running exam, or stop its clock", _work(_time))
    _add_who(time, required=False)
    time.set_defaults(nothing=_nothing)
    change = time.add_mutually_exclusive_group(required=True)
    change.add_argument("--add", type=arguments.added_minutes, metavar="N", help="give N minutes more")
    words = "give back the time of an interruption of today, such as 10:05-10:17"
    change.add_argument("--outage", type=arguments.time_of_day_span, metavar="FROM-TO", help=words)
    change.add_argument("--pause", action="store_true", help="stop the clock. Answers are still accepted")
    change.add_argument("--go-on", action="store_true", help="let a stopped clock run again")
    words = "end a running exam early, which leaves 90 seconds to send the answers"
    end = add_action(actions, "end", words, _work(lambda grants, _: grants.end()))
    _add_who(end, required=False)
    end.set_defaults(nothing=_none_ended)
    reopen = add_action(actions, "reopen", "let a student continue an exam that has ended", _work(_reopen))
    _add_who(reopen, required=True)
    words = "give N minutes more than were left"
    reopen.add_argument("--minutes", type=arguments.extra_minutes, default=0, metavar="N", help=words)


def _add_who(action: Parser, *, required: bool) -> None:
    action.add_argument("slug")
    words = "only this user, repeatable" + ("" if required else " (default: everyone who takes the exam now)")
    action.add_argument(
        "--user", action="append", default=[], required=required, metavar="NAME", dest="users", help=words
    )


def _none_ended(options: argparse.Namespace) -> tuple[str, str]:
    """Return what happened, and what to do, where no attempt runs."""
    return nobody(options, f"takes {options.slug} now, so no attempt was ended.")


def _nothing(options: argparse.Namespace) -> tuple[str, str]:
    """Return what happened, and what to do, where no student's time was changed."""
    match options:
        case argparse.Namespace(outage=(since, until)):
            span = f"{since.astimezone():%H:%M} and {until.astimezone():%H:%M}"
            return nobody(options, f"lost time in {options.slug} between {span}, so nothing was changed.")
        case argparse.Namespace(pause=True):
            return nobody(options, f"has a running clock in {options.slug}, so no clock was stopped.")
        case argparse.Namespace(go_on=True):
            return nobody(options, f"has a stopped clock in {options.slug}, so no clock runs again.")
        case _:
            return nobody(options, f"takes {options.slug} with a time limit now, so nothing was changed.")


def nobody(options: argparse.Namespace, does: str) -> tuple[str, str]:
    """Return what happened, and what to do, where a command for running attempts found none."""
    who = "None of these students" if options.users else "No student"
    return f"{who} {does}", f"`lms-tui exam board {options.slug}` shows who takes the exam."


def _work(change: Callable[["Grants", argparse.Namespace], Rows]) -> Work:
    def work(admin: "Administration", options: argparse.Namespace) -> Rows:
        from lms_tui.service.admin.grants import grants_of

        with grants_of(admin, options.slug, options.users) as grants:
            rows = change(grants, options)
        if rows and not options.quiet:
            print_notes(["Each student's app hears of it with its next heartbeat, within about a minute."])
        return rows

    return work


def _time(grants: "Grants", options: argparse.Namespace) -> Rows:
    from datetime import timedelta

    from lms_tui.service.watch.grants import Outage

    if options.pause:
        return grants.pause()
    if options.go_on:
        return grants.go_on()
    if options.outage is not None:
        return grants.credit(Outage(*options.outage))
    return grants.add(timedelta(minutes=options.add))


def _reopen(grants: "Grants", options: argparse.Namespace) -> Rows:
    from datetime import timedelta

    return grants.reopen(timedelta(minutes=options.minutes))
