"""Posts: made and changed by administrators, read by those they are meant for."""

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeVar
from urllib.parse import urlsplit

from sqlalchemy import ColumnElement, Select, and_, exists, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, joinedload, selectinload

from lms_tui.service.core.bodies import Address, Body, Html, Line200, Line300, Names, Truth, When
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import (
    Batch,
    Category,
    Post,
    Product,
    batch_members,
    post_batches,
    post_products,
    product_members,
)
from lms_tui.service.core.errors import Forbidden, Invalid, NotFound
from lms_tui.service.core.naming import called, free_slug, slug_of
from lms_tui.service.core.roles import STAFF
from lms_tui.service.core.security import Principal
from lms_tui.service.core.urls import Urls
from lms_tui.service.posts.views import read_view, whole_view
from lms_tui.wire import posts as wire

T = TypeVar("T")
_SLUG: Final = re.compile(r"[-a-zA-Z0-9_]{1,200}")
_COLORS: Final = ("1e88e5", "43a047", "e53935", "8e24aa", "f4511e", "00897b", "6d4c41", "3949ab")
_WITH_ALL: Final = (
    joinedload(Post.created_by),
    joinedload(Post.category),
    selectinload(Post.batches),
    selectinload(Post.products),
)


class PostBody(Body):
    """What of a post is to change; a field that is left out or null stays as it is.

    `url`: its last segment becomes the slug. `category`: made where there is none of this name, as there is no other
    way to make one; "" takes the post out of its category.
    """

    url: Address | None = None
    title: Line300 | None = None
    summary: Html | None = None
    content_html: Html | None = None
    batches: Names | None = None
    products: Names | None = None
    is_public: Truth | None = None
    category: Line200 | None = None
    published_date: When | None = None


class NewPostBody(PostBody):
    """`published_date` left out: now; in the future: nobody reads it before."""

    title: Line300


@dataclass(frozen=True, slots=True)
class Posts:
    """The institute's posts at one moment."""

    database: Database
    urls: Urls
    now: datetime

    def create(self, body: NewPostBody, author: int) -> wire.WholePost:
        def make(session: Session) -> wire.WholePost:
            post = Post(
                slug=_given_slug(session, body.url, None)
                or free_slug(session, Post.slug, slug_of(body.title) or "post"),
                created_by_id=author,
                created=self.now,
                published_date=self.now,
            )
            self._write(session, post, body)
            return whole_view(post, self.urls)

        return self._again_if_taken(make)

    def update(self, slug: str, body: PostBody) -> wire.WholePost:
        def change(session: Session) -> wire.WholePost:
            post = session.scalar(select(Post).where(Post.slug == slug).options(*_WITH_ALL).with_for_update(of=Post))
            if post is None:
                raise NotFound
            post.slug = _given_slug(session, body.url, post.id) or post.slug
            self._write(session, post, body)
            return whole_view(post, self.urls)

        return self._again_if_taken(change)

    def delete(self, slug: str) -> None:
        with self.database.write() as session:
            post = session.scalar(select(Post).where(Post.slug == slug))
            if post is None:
                raise NotFound
            session.delete(post)

    def read(self, slug: str, caller: Principal) -> wire.Post:
        """Read a post; to students a missing one and one for others are the same."""
        with self.database.read() as session:
            statement = select(Post).where(Post.slug == slug).options(*_WITH_ALL)
            if caller.role not in STAFF:
                statement = statement.where(readable(caller.id, self.now))
            post = session.scalar(statement)
            if post is not None:
                return read_view(post, self.urls)
        raise NotFound if caller.role in STAFF else Forbidden("This post is not available to you.")

    def _write(self, session: Session, post: Post, body: PostBody) -> None:
        if body.title is not None:
            if not body.title:
                raise Invalid({"title": ["This field may not be blank."]})
            post.title = body.title
        post.summary = post.summary or "" if body.summary is None else body.summary
        post.content_html = post.content_html or "" if body.content_html is None else body.content_html
        post.published_date = body.published_date or post.published_date
        post.is_public = bool(post.is_public) if body.is_public is None else body.is_public
        if body.batches is not None:
            post.batches = called(session, Batch.name, body.batches, "batches")
        if body.products is not None:
            post.products = called(session, Product.title, body.products, "products")
        if body.category is not None:
            post.category = _category(session, body.category) if body.category else None
        post.modified = self.now
        session.add(post)
        session.flush()
        # Read again: in the order of their names, which is how everybody else sees them.
        session.refresh(post, ["batches", "products", "created_by", "category"])

    def _again_if_taken(self, work: Callable[[Session], T]) -> T:
        """Do the work once more where another took the same slug or category between our look and our insert."""
        try:
            with self.database.write() as session:
                return work(session)
        except IntegrityError:
            with self.database.write() as session:
                return work(session)


def listed() -> Select[Post]:
    """Select every post, the newest first."""
    return select(Post).options(*_WITH_ALL).order_by(Post.published_date.desc(), Post.id.desc())


def readable(user_id: int, now: datetime) -> ColumnElement[bool]:
    """The post is out, and public or meant for a batch or a product of this user."""
    in_batches = select(batch_members.c.batch_id).where(batch_members.c.user_id == user_id)
    held = select(product_members.c.product_id).where(product_members.c.user_id == user_id)
    return and_(
        Post.is_active,
        Post.published_date <= now,
        or_(
            Post.is_public,
            exists().where(post_batches.c.post_id == Post.id, post_batches.c.batch_id.in_(in_batches)),
            exists().where(post_products.c.post_id == Post.id, post_products.c.product_id.in_(held)),
        ),
    )


def _given_slug(session: Session, url: str | None, own: int | None) -> str | None:
    """Return the slug that a body asks for, None where it asks for none; the address itself is never visited."""
    if not url:
        return None
    try:
        slug = urlsplit(url).path.rstrip("/").rpartition("/")[2]
    except ValueError:
        slug = ""
    if not _SLUG.fullmatch(slug):
        raise Invalid({"url": ["The last part of the address may have letters, digits, - and _ only."]})
    holder = session.scalar(select(Post.id).where(Post.slug == slug))
    if holder not in {None, own}:
        raise Invalid({"url": ["There is a post of this address already."]})
    return slug


def _category(session: Session, name: str) -> Category:
    found = session.scalar(select(Category).where(Category.name == name))
    if found is None:
        found = Category(
            name=name,
            slug=free_slug(session, Category.slug, slug_of(name) or "category"),
            color=_COLORS[zlib.crc32(name.encode()) % len(_COLORS)],
        )
        session.add(found)
    return found
