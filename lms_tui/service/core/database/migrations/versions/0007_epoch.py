"""The epoch of the server, and the answers that it has seen of each attempt.

Revision ID: 0007
Revises: 0006
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("attempts", sa.Column("answers_seen", sa.Text(), nullable=False, server_default=""))
    op.create_table(
        "server_epoch",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("value", sa.String(length=32), nullable=False),
        sa.Column("ticks", sa.BigInteger(), nullable=False),
        sa.Column("place", sa.String(length=64), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_server_epoch_single")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_server_epoch")),
    )


def downgrade() -> None:
    op.drop_table("server_epoch")
    # A batch would make the table anew on SQLite, without its counter of ids.
    op.execute("ALTER TABLE attempts DROP COLUMN answers_seen")
