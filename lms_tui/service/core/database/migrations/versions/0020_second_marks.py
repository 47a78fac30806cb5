"""Second marks of answers, and rubrics of questions.

Revision ID: 0020
Revises: 0019
"""

import sqlalchemy as sa
from alembic import op

from lms_tui.service.core.database import types

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "second_marks",
        sa.Column("attempt_question_id", types.Identity, autoincrement=False, nullable=False),
        sa.Column("marks", types.Marks(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("by", sa.String(length=200), nullable=False),
        sa.Column("at", types.Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_question_id"],
            ["attempt_questions.id"],
            name=op.f("fk_second_marks_attempt_question_id_attempt_questions"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("attempt_question_id", name=op.f("pk_second_marks")),
    )
    op.add_column("questions", sa.Column("rubric", sa.JSON(), nullable=False, server_default="[]"))


def downgrade() -> None:
    # A batch would make the table anew on SQLite, without its counter of ids.
    op.execute("ALTER TABLE questions DROP COLUMN rubric")
    op.drop_table("second_marks")
