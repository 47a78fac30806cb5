"""Exams whose answers are shown after closing, and exams that are archived.

Revision ID: 0014
Revises: 0013
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_COLUMNS = ("answers_after_closing", "is_archived")


def upgrade() -> None:
    for name in _COLUMNS:
        op.add_column("exams", sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    # A batch would make the table anew on SQLite, without its counter of ids.
    for name in _COLUMNS:
        op.execute(f"ALTER TABLE exams DROP COLUMN {name}")
