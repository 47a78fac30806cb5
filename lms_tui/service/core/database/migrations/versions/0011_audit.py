"""The audit of changes.

Revision ID: 0011
Revises: 0010
"""

import sqlalchemy as sa
from alembic import op

from lms_tui.service.core.database import types

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("at", types.Moment(), nullable=False),
        sa.Column("who", sa.String(length=200), nullable=False),
        sa.Column("what", sa.String(length=100), nullable=False),
        sa.Column("about", sa.String(length=500), nullable=False),
        sa.Column("before", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("after", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("id", types.Identity, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_audit_at"), "audit", ["at"], unique=False)


def downgrade() -> None:
    op.drop_table("audit")
