"""Opening a database, with errors that a person understands."""

import logging
import sqlite3
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError

from lms_tui.common.user_errors import AdvisedError
from lms_tui.service.core.database.engine import Database

_log = logging.getLogger(__name__)


class UnusableDatabase(AdvisedError):
    """A database that cannot be opened, read or written. The message leaves out its password."""


def open_database(address: str | URL, *, brief: bool = False) -> Database:
    """Open a database and bring it to the newest migration. `brief`: see `Database.prepare`.

    Raises UnusableDatabase, NewerDatabase and OSError.
    """
    try:
        url = _parsed(address)
        try:
            database = Database(url)
            try:
                database.prepare(brief=brief)
            except BaseException:
                database.close()
                raise
        except (DatabaseError, sqlite3.Error) as error:
            raise _unusable(url, error) from error
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        raise UnusableDatabase(
            "This database address cannot be used.",
            "Write postgresql+psycopg://USER@HOST/NAME, and install lms-tui[postgresql] for it.",
        ) from error
    _log.debug("opened the database %s", url.render_as_string(hide_password=True))
    return database


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


def _unusable(address: URL, error: Exception) -> UnusableDatabase:
    if address.get_backend_name() == "sqlite":
        return UnusableDatabase(
            f"The database {address.database} cannot be used: {reason(error)}.",
            "Check that the file is undamaged and that its disk has free space, or give another file.",
        )
    return UnusableDatabase(
        f"The database {address.render_as_string(hide_password=True)} cannot be used: {reason(error)}.",
        "Check that its server runs, and check the name, user and password in the address.",
    )
