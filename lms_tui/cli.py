"""Parse the command line, run one command and turn its outcome into an exit code.

0: success. 1: failure, explained in two sentences on standard error. 2: wrong usage. 141: the program that read the
output has ended, as for other programs of a shell.
"""

import argparse
import atexit
import codecs
import errno
import gc
import io
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from types import MappingProxyType
from typing import Final

from lms_tui import __version__
from lms_tui.commands import app
from lms_tui.commands.parser import Parser, add_group, data_dir_of, data_options, look_options
from lms_tui.common.user_errors import in_words, two_sentences

_COMMANDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "demo": "app",
        "settings": "app",
        "try": "app",
        "exam": "exam",
        "practise": "practise",
        "deck": "deck",
        "receipt": "receipt",
        "login": "profiles",
        "logout": "profiles",
        "profiles": "profiles",
        "ssh-key": "ssh_key",
        "serve": "serve",
        "user": "user",
        "batch": "batch",
        "video": "video",
        "post": "post",
        "audit": "audit",
        "backup": "backup",
        "restore": "backup",
        "walk": "walk",
        "fault": "fault",
        "api": "api",
        "completion": "completion",
        "doctor": "doctor",
    }
)
"""The module of `lms_tui.commands` that registers each command, in the order of the help."""
_AREAS: Final = tuple(dict.fromkeys(_COMMANDS.values()))
_WITHOUT_COMMAND: Final = frozenset({"", "-V", "--version"})
"""First words of command lines that need no command."""
_SWITCHES: Final = frozenset({"--plain", "--ascii", "--reduced-motion"})
_WITH_VALUE: Final = frozenset({"--data-dir", "--theme", "--record"})
"""Options that can stand before a command."""
_COLLECTIONS: Final = (10_000, 10, 10)
"""How many new objects bring a search for garbage. The default of Python, 700, takes a tenth of a start."""
_NO_ROOM: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_READER_ENDED: Final = 128 + 13
"""The exit code that shells report for a program that SIGPIPE has ended."""


def build_parser() -> Parser:
    """Return the parser of every command. Needs the standard library only."""
    return _parser_of(_AREAS)


def _parser_for(words: Sequence[str]) -> Parser:
    """Return a parser that reads this command line as `build_parser` does."""
    first = _first(words)
    if first in _WITHOUT_COMMAND:
        return _parser_of(("app",))
    return _parser_of((_COMMANDS[first],) if first in _COMMANDS else _AREAS)


def _first(words: Sequence[str]) -> str:
    """Return the first word after the options that can stand before a command, "" if there is none."""
    left = iter(words)
    for word in left:
        if word.partition("=")[0] not in _SWITCHES | _WITH_VALUE:
            return word
        if word in _WITH_VALUE:
            next(left, "")
    return ""


def _parser_of(areas: tuple[str, ...]) -> Parser:
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


def run() -> int:
    """Run the command of this process and return the exit code."""
    _open_missing_streams()
    # Pydantic would look for plugins of its own in all installed packages. The program uses none.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    gc.set_threshold(*_COLLECTIONS)
    # Python would search all modules for garbage before it ends, which takes up to 250 ms.
    atexit.register(gc.freeze)
    return main()


def _open_missing_streams() -> None:
    """Open the null device in place of each standard stream that the shell has closed.

    A database would otherwise get the number of the stream, and Python has None in its place.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(descriptor, True)
            setattr(sys, name, os.fdopen(descriptor, mode, encoding="utf-8"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code of the process."""
    words = sys.argv[1:] if arguments is None else arguments
    if "_ARGCOMPLETE" in os.environ:
        import argcomplete

        argcomplete.autocomplete(build_parser())
    # Making the parsers of all commands takes 40 ms. The parser of the first word has all messages about mistakes.
    parser = _parser_for(words)
    _write_every_character()
    options = parser.parse(words)
    command: Callable[[argparse.Namespace], int] = options.run
    try:
        code = _run_verbosely(command, options) if getattr(options, "verbose", False) else command(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _drop_output()
        return _READER_ENDED
    except Exception as error:  # noqa: BLE001 - the last handler: a person never sees a traceback
        print(_explain(error, options), file=sys.stderr)
        if _lacks_room(error):
            _drop_output()
        return 1
    return code


def _lacks_room(error: Exception) -> bool:
    """Return whether a disk is full. The error of a write names no file."""
    return isinstance(error, OSError) and error.filename is None and error.errno in _NO_ROOM


def _drop_output() -> None:
    """Drop what is not written yet. Python writes it at its end, and could not report the error either."""
    with suppress(OSError, ValueError):  # a test may have put a stream without a number in its place
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
    if _lacks_room(error):
        reason = os.strerror(getattr(error, "errno", 0))
        return two_sentences(f"The output cannot be written ({reason}).", "Make room, or choose another place.")
    import logging

    from lms_tui.common.settings import find_paths
    from lms_tui.tui.crash import report_crash

    # Python prints log records if there is no handler.
    logging.getLogger("lms_tui").addHandler(logging.NullHandler())
    return report_crash(error, find_paths(data_dir_of(options)))
