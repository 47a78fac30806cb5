"""Open the database of an institute, run an action on it and print its rows."""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from lms_tui.commands.parser import Parser, Subcommands, add_command, add_json, add_quiet, data_dir_of, print_json
from lms_tui.common.cleaning import clean_line
from lms_tui.common.user_errors import UsageError

if TYPE_CHECKING:
    from lms_tui.service.admin.administration import Administration
    from lms_tui.service.core.settings import ServiceSettings

Rows = list[dict[str, Any]]
Work = Callable[["Administration", argparse.Namespace], Rows]
NO_ROWS: Final = ("There are none.",)


@cache
def institute_options() -> Parser:
    """The options of every action on an institute."""
    parser = Parser(add_help=False)
    words = "SQLAlchemy address of the institute's database (default: an SQLite file)"
    parser.add_argument("--database-url", default="", metavar="URL", help=words)
    add_json(parser)
    return parser


def add_action(
    actions: Subcommands,
    name: str,
    words: str,
    work: Work,
    *,
    creates: bool = False,
    upright: bool = False,
    quiet: str = "print nothing but what went wrong",
) -> Parser:
    """Add a command that opens the institute, does some work and prints the rows that it returns.

    `creates`: the command may be the first one of an institute and create its database. `upright`: a single row is
    printed with a line for each of its columns. `quiet`: what `--quiet` does, or "" for a command that only reads.
    """
    action = add_command(actions, name, words, _run, [institute_options()])
    if quiet:
        add_quiet(action, quiet)
    action.set_defaults(work=work, creates=creates, upright=upright, nothing=lambda _: NO_ROWS)
    return action


def _run(options: argparse.Namespace) -> int:
    with opened(options, creates=options.creates) as admin:
        rows: Rows = options.work(admin, options)
    if options.as_json or not getattr(options, "quiet", False):
        print_rows(rows, as_json=options.as_json, upright=options.upright, none=options.nothing(options))
    return 0


@contextmanager
def opened(options: argparse.Namespace, *, creates: bool = False) -> "Iterator[Administration]":
    """Open the institute. Raises NoInstitute if there is none, unless the command may create it.

    A command that fails, or that only tries out what it would do, creates no file and no tables.
    """
    from lms_tui.service.admin.administration import Administration
    from lms_tui.service.core.database.opening import (
        NoInstitute,
        institute_database,
        missing_file,
        new_database,
    )
    from lms_tui.service.core.passwords import Passwords
    from lms_tui.service.core.settings import system_clock

    settings = service_settings(options)
    file = missing_file(settings.address)
    if file is not None and not creates:
        # A misspelt folder must not become an institute.
        raise NoInstitute(file if settings.database_url else file.parent.parent)
    kept = not getattr(options, "dry_run", False)
    if file is None:
        with institute_database(settings.address, creates=creates, kept=kept) as database:
            yield Administration(database, Passwords(), system_clock())
        return
    try:
        with new_database(file, kept=kept) as database:
            yield Administration(database, Passwords(), system_clock())
    except FileExistsError as error:
        if error.filename != str(file):
            raise
        raise UsageError(
            "Another program made this institute at the same moment, so nothing was changed.", "Run the command again."
        ) from error


def service_settings(options: argparse.Namespace) -> "ServiceSettings":
    from lms_tui.common.settings import find_paths
    from lms_tui.service.core.settings import ServiceSettings

    folder = find_paths(data_dir_of(options)).service
    return ServiceSettings(folder, database_url=options.database_url, media_dir=getattr(options, "media_dir", None))


def print_notes(notes: Iterable[str]) -> None:
    """Print one line a note on standard error."""
    for note in notes:
        print(f"lms-tui: {clean_line(note)}", file=sys.stderr)


def print_rows(rows: Rows, *, as_json: bool, upright: bool = False, none: tuple[str, ...] = NO_ROWS) -> None:
    """Print rows as a table or as JSON. `none`: the sentences that stand in place of a table without rows."""
    if as_json:
        print_json(rows)
    elif not rows:
        print(*map(clean_line, none), sep="\n")
    else:
        _print_table(rows, upright=upright)


def _print_table(rows: Rows, *, upright: bool) -> None:
    if upright and len(rows) == 1:
        width = max(map(len, rows[0]))
        for name, value in rows[0].items():
            print(f"{name:<{width}}  {clean_line(_cell(value))}".rstrip())
        return
    cells = [list(rows[0]), *([clean_line(_cell(value)) for value in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)
