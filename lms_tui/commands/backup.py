"""The commands `lms-tui backup` and `lms-tui restore`, for an institute on SQLite."""

import argparse
from pathlib import Path

from lms_tui.commands import arguments
from lms_tui.commands.administration import institute_options, print_rows, service_settings
from lms_tui.commands.parser import Subcommands, add_command, add_quiet


def register(commands: Subcommands) -> None:
    words = "back up an institute on SQLite, also while its service runs"
    backup = add_command(commands, "backup", words, _back_up, [institute_options()])
    backup.add_argument("folder", type=Path, metavar="FOLDER", help="folder that gets the dated backup")
    words = "keep the newest N backups of the folder and remove the others (default: keep all)"
    backup.add_argument("--keep", type=arguments.number, metavar="N", help=words)
    words = "restore an institute on SQLite from a backup, also on a new computer"
    restore = add_command(commands, "restore", words, _restore, [institute_options()])
    restore.add_argument(
        "backup", type=Path, metavar="BACKUP", help="folder of one backup, such as lms-20260131T093000Z"
    )
    restore.add_argument("--replace", action="store_true", help="overwrite the database and the key that exist")
    words = "restore this SQLite file with the key and the media of the backup, such as a copy by Litestream"
    restore.add_argument("--database", type=Path, metavar="FILE", help=words)
    for command in (backup, restore):
        add_quiet(command, "print nothing but what went wrong")
        words = "the folder given to `serve --media-dir` (default: media in the data directory)"
        command.add_argument("--media-dir", type=arguments.folder, metavar="DIR", help=words)


def _back_up(options: argparse.Namespace) -> int:
    from lms_tui.service.admin.backups import back_up
    from lms_tui.service.core.settings import system_clock

    row = back_up(service_settings(options), options.folder, system_clock(), options.keep)
    if options.as_json or not options.quiet:
        print_rows([row], as_json=options.as_json)
    return 0


def _restore(options: argparse.Namespace) -> int:
    from lms_tui.service.admin.backups import restore

    row = restore(service_settings(options), options.backup, options.database, replace=options.replace)
    if options.as_json or not options.quiet:
        print_rows([row], as_json=options.as_json)
    return 0
