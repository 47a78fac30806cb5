from lms_tui.service.core.database.engine import Database
from lms_tui.service.server.fast_path.sqlite import SqliteStore
from lms_tui.service.server.fast_path.writer import Store


def open_store(database: Database) -> Store:
    """Open the store for heartbeats and answers. It is closed with the database."""
    if database.is_sqlite:
        return SqliteStore(database)
    from lms_tui.service.server.fast_path.postgresql import PostgresqlStore  # noqa: PLC0415  # its driver is an extra

    return PostgresqlStore(database)
