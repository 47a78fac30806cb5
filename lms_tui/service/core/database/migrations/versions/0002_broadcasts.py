"""Posts with their categories and products, mentors' students, photos, videos and the tokens that play them."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from lms_tui.service.core.database import types

revision: str = "0002"
down_revision: str | None = "0001"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "categories",
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("color", sa.String(length=6), nullable=False),
        sa.Column("slug", sa.String(length=200), nullable=False),
        sa.Column("is_starred", sa.Boolean(), nullable=False),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_categories")),
        sa.UniqueConstraint("name", name=op.f("uq_categories_name")),
        sa.UniqueConstraint("slug", name=op.f("uq_categories_slug")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "products",
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("slug", sa.String(length=200), nullable=False),
        sa.Column("image", sa.String(length=500), nullable=False),
        sa.Column("images", sa.JSON(), nullable=False),
        sa.Column("start_date", types.Moment(timezone=True), nullable=True),
        sa.Column("end_date", types.Moment(timezone=True), nullable=True),
        sa.Column("categories", sa.JSON(), nullable=False),
        sa.Column("types", sa.JSON(), nullable=False),
        sa.Column("exams_count", sa.Integer(), nullable=False),
        sa.Column("notes_count", sa.Integer(), nullable=False),
        sa.Column("price", types.Marks(), nullable=False),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_products")),
        sa.UniqueConstraint("slug", name=op.f("uq_products_slug")),
        sa.UniqueConstraint("title", name=op.f("uq_products_title")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "mentor_students",
        sa.Column("mentor_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("student_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["mentor_id"], ["users.id"], name=op.f("fk_mentor_students_mentor_id_users"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["student_id"], ["users.id"], name=op.f("fk_mentor_students_student_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("mentor_id", "student_id", name=op.f("pk_mentor_students")),
    )
    op.create_index(op.f("ix_mentor_students_student_id"), "mentor_students", ["student_id"], unique=False)

    op.create_table(
        "photos",
        sa.Column("user_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("x_offset", sa.Integer(), nullable=False),
        sa.Column("y_offset", sa.Integer(), nullable=False),
        sa.Column("crop_width", sa.Integer(), nullable=False),
        sa.Column("crop_height", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_photos_user_id_users"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_photos")),
    )
    op.create_table(
        "posts",
        sa.Column("slug", sa.String(length=200), nullable=False),
        sa.Column("title", sa.String(length=300), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("content_html", sa.Text(), nullable=False),
        sa.Column("created_by_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("category_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("is_public", sa.Boolean(), nullable=False),
        sa.Column("created", types.Moment(timezone=True), nullable=False),
        sa.Column("modified", types.Moment(timezone=True), nullable=False),
        sa.Column("published_date", types.Moment(timezone=True), nullable=False),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(["category_id"], ["categories.id"], name=op.f("fk_posts_category_id_categories")),
        sa.ForeignKeyConstraint(
            ["created_by_id"], ["users.id"], name=op.f("fk_posts_created_by_id_users"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_posts")),
        sa.UniqueConstraint("slug", name=op.f("uq_posts_slug")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_posts_category_id"), "posts", ["category_id"], unique=False)
    op.create_index(op.f("ix_posts_created_by_id"), "posts", ["created_by_id"], unique=False)
    op.create_index(op.f("ix_posts_published_date_posts_id"), "posts", ["published_date", "id"], unique=False)

    op.create_table(
        "product_members",
        sa.Column("product_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("user_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["product_id"], ["products.id"], name=op.f("fk_product_members_product_id_products"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_product_members_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("product_id", "user_id", name=op.f("pk_product_members")),
    )
    op.create_index(op.f("ix_product_members_user_id"), "product_members", ["user_id"], unique=False)

    op.create_table(
        "post_batches",
        sa.Column("post_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("batch_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["batch_id"], ["batches.id"], name=op.f("fk_post_batches_batch_id_batches"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["post_id"], ["posts.id"], name=op.f("fk_post_batches_post_id_posts"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("post_id", "batch_id", name=op.f("pk_post_batches")),
    )
    op.create_index(op.f("ix_post_batches_batch_id"), "post_batches", ["batch_id"], unique=False)

    op.create_table(
        "post_products",
        sa.Column("post_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("product_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["post_id"], ["posts.id"], name=op.f("fk_post_products_post_id_posts"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["product_id"], ["products.id"], name=op.f("fk_post_products_product_id_products"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("post_id", "product_id", name=op.f("pk_post_products")),
    )
    op.create_index(op.f("ix_post_products_product_id"), "post_products", ["product_id"], unique=False)

    op.create_table(
        "playback_tokens",
        sa.Column("key", sa.Uuid(), nullable=False),
        sa.Column("content_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("expires_after_first_usage", sa.Boolean(), nullable=False),
        sa.Column("valid_until", types.Moment(timezone=True), nullable=True),
        sa.Column("used", types.Moment(timezone=True), nullable=True),
        sa.Column("annotations", sa.JSON(), nullable=False),
        sa.Column("created", types.Moment(timezone=True), nullable=False),
        sa.Column("modified", types.Moment(timezone=True), nullable=False),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["content_id"], ["contents.id"], name=op.f("fk_playback_tokens_content_id_contents"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_playback_tokens")),
        sa.UniqueConstraint("key", name=op.f("uq_playback_tokens_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        op.f("ix_playback_tokens_content_id_playback_tokens_id"), "playback_tokens", ["content_id", "id"], unique=False
    )

    op.create_table(
        "videos",
        sa.Column("content_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("title", sa.String(length=300), nullable=False),
        sa.Column("file", sa.String(length=200), nullable=False),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["content_id"], ["contents.id"], name=op.f("fk_videos_content_id_contents"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_videos")),
        sa.UniqueConstraint("content_id", name=op.f("uq_videos_content_id")),
        sqlite_autoincrement=True,
    )
    # Videos were contents and nothing else before they had files.
    op.execute(
        "INSERT INTO videos (content_id, title, file) SELECT id, title, '' FROM contents WHERE content_type = 'Video'"
    )


def downgrade() -> None:
    op.drop_table("videos")
    op.drop_index(op.f("ix_playback_tokens_content_id_playback_tokens_id"), table_name="playback_tokens")

    op.drop_table("playback_tokens")
    op.drop_index(op.f("ix_post_products_product_id"), table_name="post_products")

    op.drop_table("post_products")
    op.drop_index(op.f("ix_post_batches_batch_id"), table_name="post_batches")

    op.drop_table("post_batches")
    op.drop_index(op.f("ix_product_members_user_id"), table_name="product_members")

    op.drop_table("product_members")
    op.drop_index(op.f("ix_posts_published_date_posts_id"), table_name="posts")
    op.drop_index(op.f("ix_posts_created_by_id"), table_name="posts")
    op.drop_index(op.f("ix_posts_category_id"), table_name="posts")

    op.drop_table("posts")
    op.drop_table("photos")
    op.drop_index(op.f("ix_mentor_students_student_id"), table_name="mentor_students")

    op.drop_table("mentor_students")
    op.drop_table("products")
    op.drop_table("categories")
