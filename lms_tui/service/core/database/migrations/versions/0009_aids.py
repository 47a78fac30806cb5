"""The aids of an exam: which calculator it allows, and its reference sheet.

Revision ID: 0009
Revises: 0008
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("exams", sa.Column("calculator", sa.String(length=16), nullable=False, server_default="scientific"))
    op.add_column("exams", sa.Column("reference_sheet", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    # A batch would make the table anew on SQLite, without its counter of ids.
    op.execute("ALTER TABLE exams DROP COLUMN reference_sheet")
    op.execute("ALTER TABLE exams DROP COLUMN calculator")
