"""User names that are unique in any case.

Of names that differ only in case, the oldest keeps the name in every case. The others are known by their exact name.

Revision ID: 0006
Revises: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("users", sa.Column("name_key", sa.String(length=450), nullable=True))
    oldest: dict[str, int] = {}
    for user_id, username in op.get_bind().execute(sa.text("SELECT id, username FROM users ORDER BY id")):
        oldest.setdefault(username.casefold(), user_id)
    rows = [{"key": key, "id": user_id} for key, user_id in oldest.items()]
    if rows:
        op.get_bind().execute(sa.text("UPDATE users SET name_key = :key WHERE id = :id"), rows)
    op.create_index(op.f("ix_users_name_key"), "users", ["name_key"], unique=True)


def downgrade() -> None:
    op.drop_index(op.f("ix_users_name_key"), table_name="users")
    # A batch would make the table anew on SQLite, without its counter of ids.
    op.execute("ALTER TABLE users DROP COLUMN name_key")
