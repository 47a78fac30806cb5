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
from importlib import import_module
from typing import Final

from lms_tui import __version__
from lms_tui.commands import app
from lms_tui.commands.parser import Parser, add_group, data_dir_of, data_options, look_options
from lms_tui.common.user_errors import in_words

_AREAS: Final = (
    "app",
    "exam",
    "practise",
    "deck",
    "receipt",
    "profiles",
    "ssh_key",
    "serve",
    "user",
    "batch",
    "video",
    "post",
    "audit",
    "backup",
    "walk",
    "fault",
    "api",
    "completion",
    "doctor",
)
"""The modules of `lms_tui.commands` that register commands, in the order of the help."""
_OPENING: Final = {"": ("app",), "demo": ("app",), "try": ("app",), "settings": ("app",), "serve": ("serve",)}
"""The modules that a command needs which opens the app or its service: to read the others takes 80 ms."""
_READER_ENDED: Final = 128 + 13
"""The exit code that shells report for a program that SIGPIPE has ended."""


def build_parser() -> Parser:
    """Return the parser of every command. Needs the standard library only."""
    return _parser_of(_AREAS)


def _parser_of(areas: Sequence[str]) -> Parser:
    """Return a parser of the commands that these modules register."""
    parser = Parser(
        prog="lms-tui",
        description="Timed exams in the terminal. Without a command, the app opens with your last profile.",
        parents=[data_options(), look_options()],
    )
    parser.add_argument("-V", "--version", action="version", version=f"lms-tui {__version__}")
    parser.set_defaults(run=app.run)
    commands = add_group(parser, required=False)
    for area in areas:
        import_module(f"lms_tui.commands.{area}").register(commands)
    if areas is _AREAS:
        from lms_tui.commands import help_page

        help_page.register(commands, parser)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code of the process."""
    words = sys.argv[1:] if arguments is None else arguments
    if "_ARGCOMPLETE" in os.environ:
        import argcomplete

        argcomplete.autocomplete(build_parser())
    # All that is said of a mistake, and the help, comes from the parser of the first word.
    parser = _parser_of(_OPENING.get(words[0] if words else "", _AREAS))
    _write_every_character()
    options = parser.parse(words)
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
