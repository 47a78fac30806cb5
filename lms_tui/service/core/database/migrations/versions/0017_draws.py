"""Question banks, and questions that are drawn for each attempt.

Revision ID: 0017
Revises: 0016
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("exams", sa.Column("is_bank", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("exams", sa.Column("picks", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column("questions", sa.Column("pool", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("questions", sa.Column("content_digest", sa.String(length=64), nullable=False, server_default=""))


def downgrade() -> None:
    # A batch would make the table anew on SQLite, without its counter of ids.
    for table, column in (
        ("questions", "content_digest"),
        ("questions", "pool"),
        ("exams", "picks"),
        ("exams", "is_bank"),
    ):
        op.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
