"""Students in the database of a service."""

from datetime import datetime

from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import User


def add_student(database: Database, username: str, now: datetime) -> int:
    """Add a student without a password. Return the user ID."""
    with database.write() as session:
        user = User(username=username, tokens_valid_from=now, created=now, modified=now)
        session.add(user)
        session.flush()
        return user.id
