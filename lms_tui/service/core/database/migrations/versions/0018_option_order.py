"""Exams whose options are shuffled for each attempt.

Revision ID: 0018
Revises: 0017
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("exams", sa.Column("shuffle_options", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("options", sa.Column("is_fixed", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("attempt_questions", sa.Column("option_order", sa.JSON(), nullable=False, server_default="[]"))


def downgrade() -> None:
    # A batch would make the table anew on SQLite, without its counter of ids.
    for table, column in (
        ("attempt_questions", "option_order"),
        ("options", "is_fixed"),
        ("exams", "shuffle_options"),
    ):
        op.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
