"""The command `lms-tui receipt`. It needs no service and no network. `compare` and `key` need the institute."""

import argparse
from pathlib import Path

from lms_tui.commands import arguments
from lms_tui.commands.administration import institute_options
from lms_tui.commands.parser import Subcommands, add_command, add_group, add_quiet, data_dir_of


def register(commands: Subcommands) -> None:
    words = "check, list and export receipts of your answers"
    actions = add_group(add_command(commands, "receipt", words))
    words = "check a receipt, and exit with 0 if it is whole, 1 if changed, 2 if it is not a receipt"
    verify = add_command(actions, "verify", words, _verify)
    verify.add_argument("file", type=Path, metavar="FILE", help="a receipt made by this program")
    verify.add_argument(
        "--key", default="", metavar="KEY", help="the public key of the institute, which must have signed it"
    )
    listed = add_command(actions, "list", "list the attempts with answers on this computer", _list)
    export = add_command(actions, "export", "write the receipt of an attempt to a file", _export)
    export.add_argument(
        "attempt", type=arguments.identifier, metavar="ATTEMPT", help="number of the attempt in `receipt list`"
    )
    words = "a new file (default: receipt-ATTEMPT-TIME.txt)"
    export.add_argument("out", type=Path, metavar="OUT", nargs="?", help=words)
    words = "server of the attempt, if two servers have this number"
    export.add_argument("--server", default="", metavar="URL", help=words)
    words = "compare receipts of students with the database, and exit with 1 where they differ"
    compare = add_command(actions, "compare", words, _compare, [institute_options()])
    compare.add_argument("path", type=Path, metavar="FILE|FOLDER", help="a receipt, or a folder of receipts (*.txt)")
    words = "write the answers of the receipt that are not in the database to the ended attempt, and mark it again"
    compare.add_argument("--take-in", action="store_true", help=words)
    words = "with --take-in, only the answer to this question of the exam; can be repeated"
    compare.add_argument("--question", type=arguments.number, action="append", default=[], metavar="N", help=words)
    compare.add_argument("--reason", default="", metavar="TEXT", help="with --take-in, a reason for the audit")
    words = "print the public key that checks the signatures of this institute"
    add_command(actions, "key", words, _key, [institute_options()])
    for action in (verify, listed, export):
        action.add_argument("--json", action="store_true", help="print JSON")
    add_quiet(verify, "print only what is wrong with the receipt")
    add_quiet(export, "do not name the file that was written")
    add_quiet(compare, "print only receipts that are not valid, or that differ from the database")


def _verify(options: argparse.Namespace) -> int:
    from lms_tui.commands.receipt_commands import run_verify

    return run_verify(options.file, key=options.key, as_data=options.json, quiet=options.quiet)


def _list(options: argparse.Namespace) -> int:
    from lms_tui.commands.receipt_commands import run_list

    return run_list(data_dir_of(options), as_data=options.json)


def _compare(options: argparse.Namespace) -> int:
    from lms_tui.commands.receipt_compare import run_compare

    return run_compare(options)


def _key(options: argparse.Namespace) -> int:
    from lms_tui.commands.receipt_compare import run_key

    return run_key(options)


def _export(options: argparse.Namespace) -> int:
    from lms_tui.commands.receipt_commands import run_export

    folder = data_dir_of(options)
    how = {"server": options.server, "as_data": options.json, "quiet": options.quiet}
    return run_export(options.attempt, options.out, folder, **how)
