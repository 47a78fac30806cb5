"""Accommodations of students: more time, a later closing or no time limit in every exam.

Revision ID: 0012
Revises: 0011
"""

import sqlalchemy as sa
from alembic import op

from lms_tui.service.core.database import types

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "accommodations",
        sa.Column("user_id", types.Identity, autoincrement=False, nullable=False),
        sa.Column("factor", types.Marks(), nullable=False),
        sa.Column("extra", types.Span(), nullable=False),
        sa.Column("closes_later", types.Span(), nullable=False),
        sa.Column("no_limit", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_accommodations_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_accommodations")),
    )


def downgrade() -> None:
    op.drop_table("accommodations")
