"""Alembic, driven from the program: an institute upgrades by starting the new version."""

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from lms_tui.common.user_errors import AdvisedError


class NewerDatabase(AdvisedError):
    """A database that a later version of the program has upgraded; it is left as it is."""


def configuration(connection: Connection) -> Config:
    """The migrations of this package, to be run on connection."""
    config = Config()
    config.set_main_option("script_location", "lms_tui.service.core.database:migrations")
    config.attributes["connection"] = connection
    return config


def upgrade(connection: Connection) -> None:
    """Run what is missing, inside the caller's transaction; raises NewerDatabase."""
    config = configuration(connection)
    found = MigrationContext.configure(connection).get_current_revision()
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if found is not None and found not in known:
        raise NewerDatabase(
            f"The database is at migration {found}, which this version does not know: a newer one has upgraded it.",
            "Start the newer version again, or restore a backup from before the upgrade.",
        )
    command.upgrade(config, "head")
