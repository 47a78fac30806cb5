"""Marks that a person gave, and corrections of questions.

Revision ID: 0016
Revises: 0015
"""

import sqlalchemy as sa
from alembic import op

from lms_tui.service.core.database import types

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "hand_marks",
        sa.Column("attempt_question_id", types.Identity, nullable=False),
        sa.Column("is_released", sa.Boolean(), nullable=False),
        sa.Column("marks", types.Marks(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by", sa.String(length=200), nullable=False),
        sa.Column("at", types.Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_question_id"],
            ["attempt_questions.id"],
            name=op.f("fk_hand_marks_attempt_question_id_attempt_questions"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("attempt_question_id", "is_released", name=op.f("pk_hand_marks")),
    )
    op.add_column("questions", sa.Column("correction", sa.String(length=16), server_default="", nullable=False))
    op.add_column("questions", sa.Column("corrected", types.Moment(), nullable=True))


def downgrade() -> None:
    # A batch would make the table anew on SQLite, without its counter of ids.
    for column in ("corrected", "correction"):
        op.execute(f"ALTER TABLE questions DROP COLUMN {column}")
    op.drop_table("hand_marks")
