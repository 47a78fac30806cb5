"""The access code of an exam.

Revision ID: 0019
Revises: 0018
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("exams", sa.Column("access_code", sa.String(length=100), nullable=False, server_default=""))


def downgrade() -> None:
    # A batch would make the table anew on SQLite, without its counter of ids.
    op.execute("ALTER TABLE exams DROP COLUMN access_code")
