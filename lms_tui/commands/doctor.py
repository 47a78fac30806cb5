"""The command `lms-tui doctor`, which checks this computer."""

import argparse

from lms_tui.commands.parser import Subcommands, add_command, add_json, data_dir_of


def register(commands: Subcommands) -> None:
    add_json(add_command(commands, "doctor", "check this computer and say how to fix what does not work", _doctor))


def _doctor(options: argparse.Namespace) -> int:
    from lms_tui.commands.diagnosis import examine

    return examine(data_dir_of(options), as_json=options.as_json)
