"""Accounts whose passwords everybody knows."""

from sqlalchemy import select

from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import User
from lms_tui.service.core.passwords import PUBLIC_HASH


def accounts_with_public_passwords(database: Database) -> list[str]:
    """Return the user names of active accounts with a public password, in order. The demo institute has them."""
    public = User.password_hash.startswith(PUBLIC_HASH, autoescape=True)
    with database.read() as session:
        return list(session.scalars(select(User.username).where(User.is_active, public).order_by(User.username)))
