"""Posts with their categories and products, mentors' students, photos, videos and the tokens that play them."""

import sqlalchemy as sa
from alembic import op

from lms_tui.service.core.database import types

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "categories",
        sa.Column("name", sa.String(200), nullable=False, unique=True),
        sa.Column("color", sa.String(6), nullable=False),
        sa.Column("slug", sa.String(200), nullable=False, unique=True),
        sa.Column("is_starred", sa.Boolean(), nullable=False),
        sa.Column("id", types.Identity, primary_key=True),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "products",
        sa.Column("title", sa.String(200), nullable=False, unique=True),
        sa.Column("slug", sa.String(200), nullable=False, unique=True),
        sa.Column("image", sa.String(500), nullable=False),
        sa.Column("images", sa.JSON(), nullable=False),
        sa.Column("start_date", types.Moment(), nullable=True),
        sa.Column("end_date", types.Moment(), nullable=True),
        sa.Column("categories", sa.JSON(), nullable=False),
        sa.Column("types", sa.JSON(), nullable=False),
        sa.Column("exams_count", sa.Integer(), nullable=False),
        sa.Column("notes_count", sa.Integer(), nullable=False),
        sa.Column("price", types.Marks(), nullable=False),
        sa.Column("id", types.Identity, primary_key=True),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "mentor_students",
        sa.Column("mentor_id", types.Identity, sa.ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
        sa.Column(
            "student_id", types.Identity, sa.ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True
        ),
    )
    op.create_table(
        "photos",
        sa.Column("user_id", types.Identity, sa.ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("x_offset", sa.Integer(), nullable=False),
        sa.Column("y_offset", sa.Integer(), nullable=False),
        sa.Column("crop_width", sa.Integer(), nullable=False),
        sa.Column("crop_height", sa.Integer(), nullable=False),
    )
    op.create_table(
        "posts",
        sa.Column("slug", sa.String(200), nullable=False, unique=True),
        sa.Column("title", sa.String(300), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("content_html", sa.Text(), nullable=False),
        sa.Column(
            "created_by_id", types.Identity, sa.ForeignKey("users.id", ondelete="SET NULL"), nullable=True, index=True
        ),
        sa.Column("category_id", types.Identity, sa.ForeignKey("categories.id"), nullable=True, index=True),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("is_public", sa.Boolean(), nullable=False),
        sa.Column("created", types.Moment(), nullable=False),
        sa.Column("modified", types.Moment(), nullable=False),
        sa.Column("published_date", types.Moment(), nullable=False),
        sa.Column("id", types.Identity, primary_key=True),
        sa.Index(None, "published_date", "id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "product_members",
        sa.Column("product_id", types.Identity, sa.ForeignKey("products.id", ondelete="CASCADE"), primary_key=True),
        sa.Column(
            "user_id", types.Identity, sa.ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True
        ),
    )
    op.create_table(
        "post_batches",
        sa.Column("post_id", types.Identity, sa.ForeignKey("posts.id", ondelete="CASCADE"), primary_key=True),
        sa.Column(
            "batch_id", types.Identity, sa.ForeignKey("batches.id", ondelete="CASCADE"), primary_key=True, index=True
        ),
    )
    op.create_table(
        "post_products",
        sa.Column("post_id", types.Identity, sa.ForeignKey("posts.id", ondelete="CASCADE"), primary_key=True),
        sa.Column(
            "product_id", types.Identity, sa.ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, index=True
        ),
    )
    op.create_table(
        "playback_tokens",
        sa.Column("key", sa.Uuid(), nullable=False, unique=True),
        sa.Column("content_id", types.Identity, sa.ForeignKey("contents.id", ondelete="CASCADE"), nullable=False),
        sa.Column("expires_after_first_usage", sa.Boolean(), nullable=False),
        sa.Column("valid_until", types.Moment(), nullable=True),
        sa.Column("used", types.Moment(), nullable=True),
        sa.Column("annotations", sa.JSON(), nullable=False),
        sa.Column("created", types.Moment(), nullable=False),
        sa.Column("modified", types.Moment(), nullable=False),
        sa.Column("id", types.Identity, primary_key=True),
        sa.Index(None, "content_id", "id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "videos",
        sa.Column(
            "content_id", types.Identity, sa.ForeignKey("contents.id", ondelete="CASCADE"), nullable=False, unique=True
        ),
        sa.Column("title", sa.String(300), nullable=False),
        sa.Column("file", sa.String(200), nullable=False),
        sa.Column("id", types.Identity, primary_key=True),
        sqlite_autoincrement=True,
    )
    # Videos were contents and nothing else before they had files.
    op.execute(
        "INSERT INTO videos (content_id, title, file) SELECT id, title, '' FROM contents WHERE content_type = 'Video'"
    )


def downgrade() -> None:
    for table in (
        "videos",
        "playback_tokens",
        "post_products",
        "post_batches",
        "product_members",
        "posts",
        "photos",
        "mentor_students",
        "products",
        "categories",
    ):
        op.drop_table(table)
