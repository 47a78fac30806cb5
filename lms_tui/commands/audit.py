"""The command `lms-tui audit`, which shows who changed what in the institute."""

import argparse
from typing import Any

from lms_tui.commands import arguments
from lms_tui.commands.administration import institute_options, opened, print_rows
from lms_tui.commands.parser import Subcommands, add_command


def register(commands: Subcommands) -> None:
    words = "show who changed marks, keys, times and people, and when"
    audit = add_command(commands, "audit", words, _run, [institute_options()])
    words = "only changes from this time on, such as 2026-01-31T09:30+05:30"
    audit.add_argument("--since", type=arguments.moment, metavar="WHEN", help=words)


def _run(options: argparse.Namespace) -> int:
    from lms_tui.service.admin.audit import audit_lines

    with opened(options) as admin:
        rows = audit_lines(admin.database, options.since)
    if not options.as_json:
        rows = [_shown(row) for row in rows]
    print_rows(rows, as_json=options.as_json)
    return 0


def _shown(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row for the table, with the values before and after in one cell."""
    before, after = row["before"] or {}, row["after"] or {}
    changes = [f"{name}: {_change(name, before, after)}" for name in {**before, **after}]
    return {name: row[name] for name in ("at", "who", "what", "about")} | {"change": "; ".join(changes)}


def _change(name: str, before: dict[str, Any], after: dict[str, Any]) -> str:
    return " -> ".join(str(values[name]) for values in (before, after) if name in values)
