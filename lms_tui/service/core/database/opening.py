"""Opening a database, and saying in words for a person why it cannot be used."""

import sqlite3

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError

from lms_tui.common.user_errors import AdvisedError
from lms_tui.service.core.database.engine import Database


class UnusableDatabase(AdvisedError):
    """A database that cannot be opened, read or written; its password is left out of the words."""


def open_database(address: str | URL, *, brief: bool = False) -> Database:
    """Open a database at the newest migration; `brief` as `Database.prepare` has it.

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
            "This is no database address that can be used here.",
            "Write postgresql+psycopg://USER@HOST/NAME, and install lms-tui[postgresql] for it.",
        ) from error
    return database


def told(error: Exception) -> str:
    """Return what a database says went wrong, as a clause."""
    return next(iter(str(getattr(error, "orig", None) or error).splitlines()), "").rstrip(".")


def _parsed(address: str | URL) -> URL:
    try:
        return make_url(address)
    except ValueError as error:  # a port that is no number
        raise ArgumentError(str(error)) from None


def _unusable(address: URL, error: Exception) -> UnusableDatabase:
    if address.get_backend_name() == "sqlite":
        return UnusableDatabase(
            f"The database {address.database} cannot be used: {told(error)}.",
            "Check that it is whole and that its disk has room, or give another.",
        )
    return UnusableDatabase(
        f"The database {address.render_as_string(hide_password=True)} cannot be used: {told(error)}.",
        "Check that its server runs, and the name, user and password in the address.",
    )
