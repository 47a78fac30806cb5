"""Posts, which administrators write and their audience reads."""

import re
import zlib
from collections.abc import Callable
from datetime import datetime
from typing import Final, TypeVar
from urllib.parse import urlsplit

from sqlalchemy import ColumnElement, Select, and_, exists, or_, select, true
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, defer, joinedload, selectinload

from lms_tui.common.frozen import frozen
from lms_tui.service.core.bodies import Address, Body, Boolean, Html, Line200, Line300, Names, When
from lms_tui.service.core.database.broadcasts import (
    Category,
    Post,
    Product,
    post_batches,
    post_products,
    product_members,
)
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import Batch, batch_members
from lms_tui.service.core.errors import Forbidden, Invalid, NotFound
from lms_tui.service.core.naming import free_slug, rows_named
from lms_tui.service.core.principal import STAFF, Principal
from lms_tui.service.core.slugs import slug_of
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
    """An omitted or null field keeps its value.

    `url`: its last segment becomes the slug. `category`: created if the name is new, "" for none.
    """

    url: Address | None = None
    title: Line300 | None = None
    summary: Html | None = None
    content_html: Html | None = None
    batches: Names | None = None
    products: Names | None = None
    is_public: Boolean | None = None
    category: Line200 | None = None
    published_date: When | None = None


class NewPostBody(PostBody):
    """`published_date`: now by default. Before that date only staff read the post."""

    title: Line300


@frozen
class Posts:
    """The posts of the institute."""

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

        return self._retry_if_taken(make)

    def update(self, slug: str, body: PostBody) -> wire.WholePost:
        def change(session: Session) -> wire.WholePost:
            post = session.scalar(select(Post).where(Post.slug == slug).options(*_WITH_ALL).with_for_update(of=Post))
            if post is None:
                raise NotFound
            post.slug = _given_slug(session, body.url, post.id) or post.slug
            self._write(session, post, body)
            return whole_view(post, self.urls)

        return self._retry_if_taken(change)

    def delete(self, slug: str) -> None:
        with self.database.write() as session:
            post = session.scalar(select(Post).where(Post.slug == slug))
            if post is None:
                raise NotFound
            session.delete(post)

    def read(self, slug: str, caller: Principal) -> wire.Post:
        """Return a post. Students get Forbidden for a missing post and for one of another audience."""
        with self.database.read() as session:
            statement = select(Post).where(Post.slug == slug, _readable(caller, self.now)).options(*_WITH_ALL)
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
            post.batches = rows_named(session, Batch.name, body.batches, "batches")
        if body.products is not None:
            post.products = rows_named(session, Product.title, body.products, "products")
        if body.category is not None:
            post.category = _category(session, body.category) if body.category else None
        post.modified = self.now
        session.add(post)
        session.flush()
        # Read again for the order of names, which every other response has.
        session.refresh(post, ["batches", "products", "created_by", "category"])

    def _retry_if_taken(self, work: Callable[[Session], T]) -> T:
        """Run `work` a second time if another process inserted the same slug or category first."""
        try:
            with self.database.write() as session:
                return work(session)
        except IntegrityError:
            with self.database.write() as session:
                return work(session)


def listed() -> Select[Post]:
    """Select all posts without their content, the newest first."""
    options = (*_WITH_ALL, defer(Post.content_html, raiseload=True))
    return select(Post).options(*options).order_by(Post.published_date.desc(), Post.id.desc())


def listed_for(caller: Principal, now: datetime) -> Select[Post]:
    """Select the posts that the caller can read, without their content, the newest first."""
    return listed().where(_readable(caller, now))


def _readable(caller: Principal, now: datetime) -> ColumnElement[bool]:
    """Return the condition that the caller can read a post. Staff can read every post."""
    if caller.role in STAFF:
        return true()
    in_batches = select(batch_members.c.batch_id).where(batch_members.c.user_id == caller.id)
    held = select(product_members.c.product_id).where(product_members.c.user_id == caller.id)
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
    """Return the slug in the given address, None without an address."""
    if not url:
        return None
    try:
        slug = urlsplit(url).path.rstrip("/").rpartition("/")[2]
    except ValueError:
        slug = ""
    if not _SLUG.fullmatch(slug):
        raise Invalid({"url": ["The last part of the address may have only letters, digits, - and _."]})
    holder = session.scalar(select(Post.id).where(Post.slug == slug))
    if holder not in {None, own}:
        raise Invalid({"url": ["This address is already taken by another post."]})
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
