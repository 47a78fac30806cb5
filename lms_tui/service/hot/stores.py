from lms_tui.service.db.database import Database
from lms_tui.service.hot.sqlite import SqliteStore
from lms_tui.service.hot.writer import Store


def open_store(database: Database) -> Store:
    """Open what the hot moves of this process are written through; it is closed with the database."""
    if database.is_sqlite:
        return SqliteStore(database)
    from lms_tui.service.hot.postgresql import PostgresqlStore  # noqa: PLC0415  # its driver is an extra

    return PostgresqlStore(database)
