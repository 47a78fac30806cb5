"""Tables of posts, their categories and the products they belong to."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import Column, ForeignKey, Index, String, Table, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from lms_tui.service.core.database.base import NEVER_REUSED, Base, Numbered
from lms_tui.service.core.database.people import Batch, User

post_batches = Table(
    "post_batches",
    Base.metadata,
    Column("post_id", ForeignKey("posts.id", ondelete="CASCADE"), primary_key=True),
    Column("batch_id", ForeignKey("batches.id", ondelete="CASCADE"), primary_key=True, index=True),
)
post_products = Table(
    "post_products",
    Base.metadata,
    Column("post_id", ForeignKey("posts.id", ondelete="CASCADE"), primary_key=True),
    Column("product_id", ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, index=True),
)
product_members = Table(
    "product_members",
    Base.metadata,
    Column("product_id", ForeignKey("products.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True),
)


class Category(Numbered, Base):
    """`color`: six hexadecimal digits without a leading #."""

    __tablename__ = "categories"

    name: Mapped[str] = mapped_column(String(200), unique=True)
    color: Mapped[str] = mapped_column(String(6))
    slug: Mapped[str] = mapped_column(String(200), unique=True)
    is_starred: Mapped[bool] = mapped_column(default=False)


class Product(Numbered, Base):
    """A product that the institute sells. Posts name it by its title. `image`: an address, "" without a picture."""

    __tablename__ = "products"

    title: Mapped[str] = mapped_column(String(200), unique=True)
    slug: Mapped[str] = mapped_column(String(200), unique=True)
    image: Mapped[str] = mapped_column(String(500), default="")
    images: Mapped[list[dict[str, str]]] = mapped_column(default=list)
    start_date: Mapped[datetime | None]
    end_date: Mapped[datetime | None]
    categories: Mapped[list[str]] = mapped_column(default=list)
    types: Mapped[list[str]] = mapped_column(default=list)
    exams_count: Mapped[int] = mapped_column(default=0)
    notes_count: Mapped[int] = mapped_column(default=0)
    price: Mapped[Decimal] = mapped_column(default=Decimal(0))


class Post(Numbered, Base):
    """A public post is for every user, others are for members of its batches and holders of its products.

    A post stays when the account of its author is deleted. It is hidden until `published_date`.
    """

    __tablename__ = "posts"
    __table_args__ = (Index(None, "published_date", "id"), NEVER_REUSED)

    slug: Mapped[str] = mapped_column(String(200), unique=True)
    title: Mapped[str] = mapped_column(String(300))
    summary: Mapped[str] = mapped_column(Text, default="")
    content_html: Mapped[str] = mapped_column(Text, default="")
    created_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"), index=True)
    category_id: Mapped[int | None] = mapped_column(ForeignKey("categories.id"), index=True)
    is_active: Mapped[bool] = mapped_column(default=True)
    is_public: Mapped[bool] = mapped_column(default=False)
    created: Mapped[datetime]
    modified: Mapped[datetime]
    published_date: Mapped[datetime]

    created_by: Mapped[User | None] = relationship()
    category: Mapped[Category | None] = relationship()
    batches: Mapped[list[Batch]] = relationship(secondary=post_batches, order_by=Batch.name, passive_deletes=True)
    products: Mapped[list[Product]] = relationship(
        secondary=post_products, order_by=Product.title, passive_deletes=True
    )
