"""When an attempt was answered last, kept with the attempt, and how often signing in has failed.

Revision ID: 0003
Revises: 0002
"""

import sqlalchemy as sa
from alembic import op

from lms_tui.service.core.database import types

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("attempts", sa.Column("last_answer", types.Moment(timezone=True), nullable=True))
    op.execute(
        "UPDATE attempts SET last_answer ="
        " (SELECT max(last_seen) FROM attempt_questions WHERE attempt_id = attempts.id)"
    )
    op.create_table(
        "sign_in_levels",
        sa.Column("key", sa.String(length=80), nullable=False),
        sa.Column("level", sa.Double(), nullable=False),
        sa.Column("counted", types.Moment(timezone=True), nullable=False),
        sa.Column("blocked_until", types.Moment(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_sign_in_levels")),
    )
    op.create_index(op.f("ix_sign_in_levels_counted"), "sign_in_levels", ["counted"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_sign_in_levels_counted"), table_name="sign_in_levels")
    op.drop_table("sign_in_levels")
    # A batch would make the table anew on SQLite, without its counter of ids.
    op.execute("ALTER TABLE attempts DROP COLUMN last_answer")
