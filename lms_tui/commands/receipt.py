"""The command `lms-tui receipt`. It needs no service and no network."""

import argparse
from pathlib import Path

from lms_tui.commands.parser import Subcommands, add_command, add_group, data_dir_of


def register(commands: Subcommands) -> None:
    words = "check, list and export receipts of your answers"
    actions = add_group(add_command(commands, "receipt", words))
    words = "check a receipt, and exit with 0 if it is whole, 1 if changed, 2 if it is not a receipt"
    verify = add_command(actions, "verify", words, _verify)
    verify.add_argument("file", type=Path, metavar="FILE", help="a receipt made by this program")
    listed = add_command(actions, "list", "list the attempts with answers on this computer", _list)
    export = add_command(actions, "export", "write the receipt of an attempt to a file", _export)
    export.add_argument("attempt", type=int, metavar="ATTEMPT", help="number of the attempt in `receipt list`")
    words = "a new file (default: receipt-ATTEMPT-TIME.txt)"
    export.add_argument("out", type=Path, metavar="OUT", nargs="?", help=words)
    words = "server of the attempt, if two servers have this number"
    export.add_argument("--server", default="", metavar="URL", help=words)
    for action in (verify, listed, export):
        action.add_argument("--json", action="store_true", help="print JSON")


def _verify(options: argparse.Namespace) -> int:
    from lms_tui.commands.receipt_commands import run_verify

    return run_verify(options.file, as_data=options.json)


def _list(options: argparse.Namespace) -> int:
    from lms_tui.commands.receipt_commands import run_list

    return run_list(data_dir_of(options), as_data=options.json)


def _export(options: argparse.Namespace) -> int:
    from lms_tui.commands.receipt_commands import run_export

    folder = data_dir_of(options)
    return run_export(options.attempt, options.out, folder, server=options.server, as_data=options.json)
