"""The lines of the audit, for the administrator's command."""

from datetime import datetime
from typing import Any

from sqlalchemy import select

from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import AuditLine


def audit_lines(database: Database, since: datetime | None = None) -> list[dict[str, Any]]:
    """Return all changes from a moment on, the oldest first."""
    statement = select(AuditLine).order_by(AuditLine.id)
    if since is not None:
        statement = statement.where(AuditLine.at >= since)
    with database.read() as session:
        return [
            {
                "id": line.id,
                "at": line.at.isoformat(timespec="seconds"),
                "who": line.who,
                "what": line.what,
                "about": line.about,
                "before": line.before,
                "after": line.after,
            }
            for line in session.scalars(statement)
        ]
