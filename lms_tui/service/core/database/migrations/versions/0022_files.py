"""The files of answers, and which files a question accepts.

Revision ID: 0022
Revises: 0021
"""

import sqlalchemy as sa
from alembic import op

from lms_tui.service.core.database import types

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "attempt_files",
        sa.Column("attempt_id", types.Identity, nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("received", sa.Integer(), nullable=False),
        sa.Column("id", types.Identity, nullable=False),
        sa.CheckConstraint("received >= 0 AND received <= size", name=op.f("ck_attempt_files_received")),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempts.id"], name=op.f("fk_attempt_files_attempt_id_attempts"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempt_files")),
        sa.UniqueConstraint("attempt_id", "digest", name=op.f("uq_attempt_files_attempt_id_digest")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "attempt_file_parts",
        sa.Column("file_id", types.Identity, nullable=False),
        sa.Column("offset", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["file_id"],
            ["attempt_files.id"],
            name=op.f("fk_attempt_file_parts_file_id_attempt_files"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("file_id", "offset", name=op.f("pk_attempt_file_parts")),
    )
    op.add_column("questions", sa.Column("file_types", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column("questions", sa.Column("most_files", sa.Integer(), nullable=False, server_default="1"))


def downgrade() -> None:
    # A batch would make the table anew on SQLite, without its counter of ids.
    op.execute("ALTER TABLE questions DROP COLUMN most_files")
    op.execute("ALTER TABLE questions DROP COLUMN file_types")
    op.drop_table("attempt_file_parts")
    op.drop_table("attempt_files")
