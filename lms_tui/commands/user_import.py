"""The command `lms-tui user import`, which adds users and batches from a CSV file."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lms_tui.commands.administration import Rows, add_action, print_notes
from lms_tui.commands.parser import Subcommands
from lms_tui.common.user_errors import UsageError

if TYPE_CHECKING:
    from lms_tui.service.admin.administration import Administration

_SHOWN = 50


def register(actions: Subcommands) -> None:
    words = "add users and their batches from a CSV file, all or none"
    action = add_action(actions, "import", words, _import, creates=True, quiet="")  # it prints passwords
    words = "columns: username, first_name, last_name, email, role, batches (separated by ;)"
    action.add_argument("file", type=Path, metavar="FILE", help=words)
    action.add_argument("--dry-run", action="store_true", help="show what would change, and change nothing")
    words = "write the first passwords to this new file, which only you can read (default: print them)"
    action.add_argument("--passwords", type=Path, metavar="OUT", help=words)


def _import(admin: "Administration", options: argparse.Namespace) -> Rows:
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
    rows, errors = import_users(
        admin, data, dry_run=options.dry_run, hand_out=lambda added: _write_passwords(target, added)
    )
    if errors:
        print_notes(f"{file.name}: {error}" for error in errors[:_SHOWN])
        count = "1 line" if len(errors) == 1 else f"{len(errors)} lines"
        raise UsageError(f"{count} of {file.name} cannot be used. Nothing was changed.", "Correct the file.")
    if target is not None:
        for row in rows:
            del row["password"]
    if options.dry_run:
        print_notes(["Nothing was changed: this was a dry run."])
    return rows


def _write_passwords(target: Path | None, added: list[dict[str, Any]]) -> None:
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
