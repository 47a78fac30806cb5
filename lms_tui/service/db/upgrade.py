"""Alembic, driven from the program: an institute upgrades by starting the new version."""

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def configuration(connection: Connection) -> Config:
    """The migrations of this package, to be run on connection."""
    config = Config()
    config.set_main_option("script_location", "lms_tui.service.db:migrations")
    config.attributes["connection"] = connection
    return config


def upgrade(connection: Connection) -> None:
    """Run what is missing, inside the caller's transaction."""
    command.upgrade(configuration(connection), "head")
