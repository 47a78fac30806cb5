"""Parse the command line, run one command and turn its outcome into an exit code.

0: success. 1: failure, explained in two sentences on standard error. 2: wrong usage. 141: the program that read the
output has ended, as for other programs of a shell.
"""

import argparse
import codecs
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import Final

from lms_tui import __version__
from lms_tui.commands import (
    api,
    app,
    audit,
    backup,
    batch,
    completion,
    deck,
    doctor,
    exam,
    fault,
    help_page,
    post,
    practise,
    profiles,
    receipt,
    serve,
    ssh_key,
    user,
    video,
    walk,
)
from lms_tui.commands.parser import Parser, Subcommands, add_group, data_dir_of, data_options, look_options
from lms_tui.common.user_errors import in_words

_COMMANDS: Final[tuple[Callable[[Subcommands], None], ...]] = (
    app.register,
    exam.register,
    practise.register,
    deck.register,
    receipt.register,
    profiles.register,
    ssh_key.register,
    serve.register,
    user.register,
    batch.register,
    video.register,
    post.register,
    audit.register,
    backup.register,
    walk.register,
    fault.register,
    api.register,
    completion.register,
    doctor.register,
)


_READER_ENDED: Final = 128 + 13
"""The exit code that shells report for a program that SIGPIPE has ended."""


def build_parser() -> Parser:
    """Return the parser of every command. Needs the standard library only."""
    parser = Parser(
        prog="lms-tui",
        description="Timed exams in the terminal. Without a command, the app opens with your last profile.",
        parents=[data_options(), look_options()],
    )
    parser.add_argument("-V", "--version", action="version", version=f"lms-tui {__version__}")
    parser.set_defaults(run=app.run)
    commands = add_group(parser, required=False)
    for register in _COMMANDS:
        register(commands)
    help_page.register(commands, parser)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code of the process."""
    parser = build_parser()
    completion.complete(parser)
    _write_every_character()
    options = parser.parse(sys.argv[1:] if arguments is None else arguments)
    command: Callable[[argparse.Namespace], int] = options.run
    try:
        code = _run_verbosely(command, options) if getattr(options, "verbose", False) else command(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Python writes what is left at its end, and could not report the error either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _READER_ENDED
    except Exception as error:  # noqa: BLE001 - the last handler: a person never sees a traceback
        print(_explain(error, options), file=sys.stderr)
        return 1
    return code


def _run_verbosely(command: Callable[[argparse.Namespace], int], options: argparse.Namespace) -> int:
    from lms_tui.commands.verbose import steps_told

    with steps_told():
        return command(options)


def _write_every_character() -> None:
    """Write characters that the encoding of the output lacks as escapes of JSON."""
    codecs.register_error("json", _escaped)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="json")


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    import json

    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def _explain(error: Exception, options: argparse.Namespace) -> str:
    """Return the two sentences of an error for people. Any other error is saved in a report."""
    if (words := in_words(error)) is not None:
        return words
    import logging

    from lms_tui.common.settings import find_paths
    from lms_tui.tui.crash import report_crash

    # Python prints log records if there is no handler.
    logging.getLogger("lms_tui").addHandler(logging.NullHandler())
    return report_crash(error, find_paths(data_dir_of(options)))
