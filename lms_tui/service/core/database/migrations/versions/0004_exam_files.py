"""Numbers in gaps, what gaps offer, and which file an exam came from.

Revision ID: 0004
Revises: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("numeric_keys", sa.Column("gap", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("questions", sa.Column("gap_choices", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column("exams", sa.Column("source_digest", sa.String(length=64), nullable=False, server_default=""))


def downgrade() -> None:
    # A batch would make the tables anew on SQLite, without their counters of ids.
    op.execute("ALTER TABLE exams DROP COLUMN source_digest")
    op.execute("ALTER TABLE questions DROP COLUMN gap_choices")
    op.execute("ALTER TABLE numeric_keys DROP COLUMN gap")
