"""The command `lms-tui user import`, which adds users and batches from a CSV file."""

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lms_tui.commands.administration import Rows, institute_options, opened, print_notes, print_rows
from lms_tui.commands.parser import Subcommands, add_command
from lms_tui.common.user_errors import UsageError

if TYPE_CHECKING:
    from lms_tui.service.admin.administration import Administration

_SHOWN = 50


def register(actions: Subcommands) -> None:
    words = "add users and their batches from a CSV file, all or none"
    action = add_command(actions, "import", words, _run, [institute_options()])
    words = "columns: username, first_name, last_name, email, role, batches (separated by ;)"
    action.add_argument("file", type=Path, metavar="FILE", help=words)
    action.add_argument("--dry-run", action="store_true", help="show what would change, and change nothing")
    words = "write the first passwords to this new file, which only you can read (default: print them)"
    action.add_argument("--passwords", type=Path, metavar="OUT", help=words)


def _run(options: argparse.Namespace) -> int:
    with opened(options, creates=True) as admin:
        _import(admin, options)
    return 0


def _import(admin: "Administration", options: argparse.Namespace) -> None:
    from lms_tui.service.admin.user_import import import_users
    from lms_tui.service.admin.user_lists import LARGEST

    file: Path = options.file
    target: Path | None = options.passwords
    if not file.is_file():
        what = f"{file} is not a file." if file.exists() else f"There is no file {file}."
        raise UsageError(what, "Check its name and folder.")
    if target is not None and target.exists():
        raise UsageError(f"The file {target} exists.", "Name a new file for the passwords.")
    with file.open("rb") as stream:
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise UsageError(f"{file.name} is larger than 8 MiB.", "Split it.")
    printed = target is None and not options.dry_run
    # Passwords that are printed later would be lost with the output, and the users would stay.
    hand_out = partial(_print, options) if printed else partial(_write_passwords, target)
    rows, errors = import_users(admin, data, dry_run=options.dry_run, hand_out=hand_out)
    if errors:
        print_notes(f"{file.name}: {error}" for error in errors[:_SHOWN])
        count = "1 line" if len(errors) == 1 else f"{len(errors)} lines"
        raise UsageError(f"{count} of {file.name} cannot be used. Nothing was changed.", "Correct the file.")
    if target is not None:
        for row in rows:
            del row["password"]
    if options.dry_run:
        print_notes(["Nothing was changed: this was a dry run."])
    if not printed:
        _print(options, rows)


def _print(options: argparse.Namespace, rows: Rows) -> None:
    print_rows(rows, as_json=options.as_json, none=(f"{options.file.name} names no users, so nothing was changed.",))
    sys.stdout.flush()


def _write_passwords(target: Path | None, rows: Rows) -> None:
    added = [row for row in rows if row["outcome"] == "added"]
    if target is None or not added:
        return
    import csv
    import io

    from lms_tui.common.private_files import write_new

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["username", "name", "password"])
    writer.writerows([_cell(row["username"]), _cell(row["name"]), row["password"]] for row in added)
    write_new(target, text.getvalue().encode())


def _cell(text: str) -> str:
    """Return a text that a spreadsheet does not take for a formula."""
    from lms_tui.common.formulas import looks_like_a_formula

    return f"'{text}" if looks_like_a_formula(text) else text
