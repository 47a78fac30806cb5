"""The command `lms-tui help`, the same as `--help` of a command."""

import argparse
from functools import partial

from lms_tui.commands.parser import Parser, Subcommands, add_command


def register(commands: Subcommands, program: Parser) -> None:
    shown = add_command(commands, "help", "print the help of a command", partial(_help, program))
    shown.add_argument("words", nargs="*", metavar="COMMAND", help="such as `exam check`")


def _help(program: Parser, options: argparse.Namespace) -> int:
    found = program
    for word in options.words:
        found = found.command(word)
    found.print_help()
    return 0
