"""E-mail addresses that belong to one user each.

An address of several users is kept in their profiles and given to none of them, because nothing tells whose it is.

Revision ID: 0005
Revises: 0004
"""

import sqlalchemy as sa
from alembic import op

from lms_tui.service.core.database import types

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    addresses = op.create_table(
        "email_addresses",
        sa.Column("address", sa.String(length=762), nullable=False),
        sa.Column("user_id", types.Identity, nullable=False),
        sa.Column("given", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_email_addresses_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("address", name=op.f("pk_email_addresses")),
    )
    op.create_index(op.f("ix_email_addresses_user_id"), "email_addresses", ["user_id"], unique=False)
    users: dict[str, list[int]] = {}
    for user_id, email in op.get_bind().execute(sa.text("SELECT id, email FROM users WHERE email <> ''")):
        users.setdefault(email.casefold(), []).append(user_id)
    rows = [{"address": one, "user_id": ids[0], "given": True} for one, ids in users.items() if len(ids) == 1]
    if rows:
        op.bulk_insert(addresses, rows)


def downgrade() -> None:
    op.drop_index(op.f("ix_email_addresses_user_id"), table_name="email_addresses")
    op.drop_table("email_addresses")
