"""Exams whose questions are shuffled for each attempt.

Revision ID: 0015
Revises: 0014
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("exams", sa.Column("shuffle_questions", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    # A batch would make the table anew on SQLite, without its counter of ids.
    op.execute("ALTER TABLE exams DROP COLUMN shuffle_questions")
