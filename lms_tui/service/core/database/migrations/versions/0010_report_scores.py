"""The student's own score in each group of a report card.

Revision ID: 0010
Revises: 0009
"""

import sqlalchemy as sa
from alembic import op

from lms_tui.service.core.database import types

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("report_groups", sa.Column("score", types.Marks(), nullable=True))


def downgrade() -> None:
    # A batch would make the table anew on SQLite, without its counter of ids.
    op.execute("ALTER TABLE report_groups DROP COLUMN score")
