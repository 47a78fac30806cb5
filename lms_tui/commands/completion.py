"""The command `lms-tui completion`, which prints shell completion scripts."""

import argparse

from lms_tui.commands.parser import Subcommands, add_command

_SHELLS = ("bash", "zsh", "fish")


def register(commands: Subcommands) -> None:
    completion = add_command(commands, "completion", "print a shell completion script", _completion)
    completion.add_argument("shell", choices=_SHELLS, metavar="SHELL", help="bash, zsh or fish")


def _completion(options: argparse.Namespace) -> int:
    from argcomplete.shell_integration import shellcode

    print(shellcode(["lms-tui"], shell=options.shell))
    return 0
