"""Pauses of attempts, and notices to their students.

Revision ID: 0013
Revises: 0012
"""

import sqlalchemy as sa
from alembic import op

from lms_tui.service.core.database import types

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("attempts", sa.Column("paused", types.Moment(), nullable=True))
    op.add_column("attempts", sa.Column("newest_notice", types.Identity, server_default="0", nullable=False))
    op.create_table(
        "notices",
        sa.Column("attempt_id", types.Identity, nullable=False),
        sa.Column("at", types.Moment(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("seen", types.Moment(), nullable=True),
        sa.Column("id", types.Identity, nullable=False),
        sa.CheckConstraint(
            "kind IN ('time', 'pause', 'go on', 'end', 'reopen', 'message')", name=op.f("ck_notices_kind")
        ),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempts.id"], name=op.f("fk_notices_attempt_id_attempts"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notices")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_notices_attempt_id_notices_id"), "notices", ["attempt_id", "id"], unique=False)


def downgrade() -> None:
    op.drop_table("notices")
    # A batch would make the table anew on SQLite, without its counter of ids.
    op.execute("ALTER TABLE attempts DROP COLUMN newest_notice")
    op.execute("ALTER TABLE attempts DROP COLUMN paused")
