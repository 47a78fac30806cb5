"""Migrations with Alembic, which a new version of the program runs when it starts."""

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from lms_tui.common.user_errors import AdvisedError


class NewerDatabase(AdvisedError):
    """A database that a later version of the program has upgraded. It stays unchanged."""


def configuration(connection: Connection) -> Config:
    """Return the Alembic configuration for a connection."""
    config = Config()
    config.set_main_option("script_location", "lms_tui.service.core.database:migrations")
    config.attributes["connection"] = connection
    return config


def upgrade(connection: Connection) -> None:
    """Run the missing migrations in the transaction of the caller. Raises NewerDatabase."""
    config = configuration(connection)
    found = MigrationContext.configure(connection).get_current_revision()
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if found is not None and found not in known:
        raise NewerDatabase(
            f"A newer version has upgraded the database, to migration {found}, which this version does not know.",
            "Start the newer version, or restore a backup from before the upgrade.",
        )
    command.upgrade(config, "head")
