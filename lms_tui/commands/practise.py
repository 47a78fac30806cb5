"""`lms-tui practise FILE`: the questions of an exam file, with the answer at once."""

import argparse
from pathlib import Path

from lms_tui.commands import arguments
from lms_tui.commands.parser import (
    Subcommands,
    add_command,
    add_reading,
    data_dir_of,
    look_of,
    look_options,
    reading_of,
)


def register(commands: Subcommands) -> None:
    words = "practise the questions of an exam file, with the correct answer at once"
    parser = add_command(commands, "practise", words, _practise, [look_options()])
    parser.add_argument("file", type=Path, metavar="FILE", help="an exam file in any format")
    words = "order of questions and options: as in the file, or shuffled (default: shuffled)"
    parser.add_argument("--order", choices=("file", "shuffled"), default="shuffled", help=words)
    words = "end after this time, such as 10 min; 1:30 is 90 seconds"
    parser.add_argument("--duration", type=arguments.duration, metavar="TIME", help=words)
    add_reading(parser)


def _practise(options: argparse.Namespace) -> int:
    from lms_tui.runtime.practising import PractiseFile, run_practice

    wanted = PractiseFile(options.file, options.order == "shuffled", options.duration, reading_of(options))
    return run_practice(wanted, data_dir_of(options), look_of(options))
