"""Opening a database, with errors that a person understands."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DataError,
    IntegrityError,
    NoSuchModuleError,
    ProgrammingError,
)

from lms_tui.common.user_errors import AdvisedError
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.new_file import draft_of, publish

_log = logging.getLogger(__name__)


class UnusableDatabase(AdvisedError):
    """A database that cannot be opened, read or written. The message leaves out its password."""


class NoInstitute(AdvisedError):
    """A place without an institute, for a command that makes none."""

    def __init__(self, place: object) -> None:
        super().__init__(
            f"There is no institute in {place}.",
            "Check --data-dir and --database-url. `lms-tui user add` and `lms-tui exam import` make an institute.",
        )


def open_database(address: str | URL, *, brief: bool = False, creates: bool = True, prepares: bool = True) -> Database:
    """Open a database and bring it to the newest migration unless `prepares` is False. `brief`: see `Database.prepare`.

    `creates`: False to leave a database as it is if it holds no institute. Raises UnusableDatabase, NewerDatabase,
    OSError, and NoInstitute unless `creates`.
    """
    try:
        url = _parsed(address)
        with database_errors(url):
            database = _opened(url, brief=brief, creates=creates, prepares=prepares)
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        raise UnusableDatabase(
            "This database address cannot be used.",
            "Write postgresql+psycopg://USER@HOST/NAME, and install lms-tui[postgresql] for it.",
        ) from error
    _log.debug("opened the database %s", url.render_as_string(hide_password=True))
    return database


def _opened(url: URL, *, brief: bool = False, creates: bool = True, prepares: bool = True) -> Database:
    if not creates and missing_file(url) is not None:  # opening would create it
        raise NoInstitute(url.database)
    database = Database(url)
    try:
        if not creates:
            _refuse_empty(database)
        if prepares:
            database.prepare(brief=brief)
    except BaseException:
        database.close()
        raise
    return database


@contextmanager
def institute_database(address: str | URL, *, creates: bool, kept: bool = True) -> Iterator[Database]:
    """Open a database for one command. If it is empty, its tables are created in one transaction with the block.

    An error in the block leaves an empty database empty. `kept`: False to leave it so at the end too. `creates` and
    errors: see `open_database`.
    """
    with closing(open_database(address, creates=creates, prepares=False)) as database, database_errors(address):
        if database.is_empty():
            with database.created(kept=kept):
                yield database
        else:
            database.prepare()
            yield database


def _refuse_empty(database: Database) -> None:
    if database.is_empty():
        url = database.url
        raise NoInstitute(url.database if database.is_sqlite else url.render_as_string(hide_password=True))


@contextmanager
def database_errors(address: str | URL) -> Iterator[None]:
    """Turn an error of a disk, a connection or a damaged file into UnusableDatabase."""
    try:
        yield
    except (IntegrityError, ProgrammingError, DataError):
        raise
    except (DatabaseError, sqlite3.Error) as error:
        raise unusable(_parsed(address), error) from error


@contextmanager
def new_database(file: Path, *, kept: bool = True) -> Iterator[Database]:
    """Open a new SQLite database, which becomes `file` when the block ends. An error in the block leaves no file.

    `kept`: False to discard it at the end too. Raises UnusableDatabase and OSError, such as FileExistsError if another
    program has made the file meanwhile.
    """
    folders = _make_folders(file.parent)
    draft = draft_of(file)
    try:
        with database_errors(URL.create("sqlite", database=str(file))):
            with closing(_opened(URL.create("sqlite", database=str(draft)))) as database:
                yield database
            if kept:
                _move(draft, file)
    except OSError as error:
        if error.filename != str(draft):
            raise
        raise OSError(error.errno, error.strerror, str(file)) from error
    finally:
        for suffix in ("", "-wal", "-shm"):
            draft.with_name(draft.name + suffix).unlink(missing_ok=True)
        with suppress(OSError):  # a folder that is not empty stays
            for folder in folders:
                folder.rmdir()


def _make_folders(folder: Path) -> list[Path]:
    """Make a folder that only its owner can read. Return what was made, the innermost first."""
    made = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return made


def _move(draft: Path, file: Path) -> None:
    """Give a closed database its name. Raises FileExistsError and sqlite3.Error."""
    with closing(sqlite3.connect(draft)) as connection:
        # The write-ahead log of the draft is not moved.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    publish(draft, file)


def missing_file(address: str | URL) -> Path | None:
    """Return the SQLite file of an address if it does not exist. `open_database` would create it."""
    try:
        url = _parsed(address)
        file = Path(url.database or "") if url.get_backend_name() == "sqlite" else None
    except (ArgumentError, NoSuchModuleError):
        return None  # `open_database` says what is wrong
    return None if file is None or file.exists() else file


def reason(error: Exception) -> str:
    """Return the first line of the message of a database, without a full stop."""
    return next(iter(str(getattr(error, "orig", None) or error).splitlines()), "").rstrip(".")


def _parsed(address: str | URL) -> URL:
    try:
        return make_url(address)
    except ValueError as error:  # the port is not a number
        raise ArgumentError(str(error)) from None


def unusable(address: URL, error: Exception) -> UnusableDatabase:
    """Return the sentences about an error of a disk, a connection or a damaged file."""
    if address.get_backend_name() == "sqlite":
        return UnusableDatabase(
            f"The database {address.database} cannot be used: {reason(error)}.",
            "Check that the file is undamaged and that its disk has free space, or give another file.",
        )
    return UnusableDatabase(
        f"The database {address.render_as_string(hide_password=True)} cannot be used: {reason(error)}.",
        "Check that its server runs, and check the name, user and password in the address.",
    )
