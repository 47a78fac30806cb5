"""The public keys with which users sign in over ssh.

Revision ID: 0021
Revises: 0020
"""

import sqlalchemy as sa
from alembic import op

from lms_tui.service.core.database import types

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ssh_keys",
        sa.Column("user_id", types.Identity, nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("created", types.Moment(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_ssh_keys_user_id_users"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "fingerprint", name=op.f("pk_ssh_keys")),
    )


def downgrade() -> None:
    op.drop_table("ssh_keys")
