"""Posts, products, students of mentors, and videos of the demo institute."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from lms_tui.service.core.database.broadcasts import Category, Post, Product, product_members
from lms_tui.service.core.database.playbacks import Video
from lms_tui.service.core.database.tables import Content, ContentType, User, mentor_students
from lms_tui.service.demo.data import institute_data
from lms_tui.service.demo.marks import FIRST_CATEGORY
from lms_tui.service.demo.people import find_people
from lms_tui.service.demo.presence import FILM
from lms_tui.service.exams.importer import batch_named

_AUTHOR: Final = "admin"


def add_broadcasts(session: Session, now: datetime) -> None:
    """Add products, posts, students of mentors and videos, unless they exist.

    Missing users are ignored. Without the administrator nothing is added.
    """
    if session.scalar(select(Category.id).where(Category.name == FIRST_CATEGORY)) is not None:
        return
    people = find_people(session)
    if _AUTHOR not in people:
        return
    _add_products(session, people, now)
    _add_posts(session, people[_AUTHOR], now)
    for mentor, students in institute_data().mentors.items():
        rows = [{"mentor_id": people[mentor].id, "student_id": people[name].id} for name in students if name in people]
        if mentor in people and rows:
            session.execute(insert(mentor_students), rows)
    _add_videos(session)
    session.flush()


def _add_products(session: Session, people: dict[str, User], now: datetime) -> None:
    for data in institute_data().products:
        product = Product(
            title=data.title,
            slug=data.slug,
            start_date=now - timedelta(days=60),
            end_date=now + timedelta(days=300),
            categories=list(data.categories),
            types=["Exams", "Notes"],
            exams_count=data.exams,
            notes_count=data.notes,
            price=Decimal(data.price),
        )
        session.add(product)
        session.flush()
        rows = [{"product_id": product.id, "user_id": people[name].id} for name in data.holders if name in people]
        session.execute(insert(product_members), rows)


def _add_posts(session: Session, author: User, now: datetime) -> None:
    data = institute_data()
    categories = {
        fields["name"]: Category(slug=fields["name"].lower().replace(" ", "-"), **fields) for fields in data.categories
    }
    session.add_all(categories.values())
    products = {product.title: product for product in session.scalars(select(Product))}
    for post in data.posts:
        published = now + timedelta(days=post.in_days)
        session.add(
            Post(
                slug=post.slug,
                title=post.title,
                summary=post.summary,
                content_html=post.html,
                created_by=author,
                category=categories[post.category],
                is_public=post.is_public,
                created=min(now, published),
                modified=min(now, published),
                published_date=published,
                batches=[batch_named(session, name, now) for name in post.batches],
                products=[products[title] for title in post.products],
            )
        )


def _add_videos(session: Session) -> None:
    """Add a record for every video content, with the film for some of them."""
    known = {video.content_id: video for video in session.scalars(select(Video))}
    for content in session.scalars(select(Content).where(Content.content_type == ContentType.VIDEO.value)).all():
        video = known.get(content.id) or Video(content_id=content.id, title=content.title)
        if content.title in institute_data().filmed:
            video.file = FILM.name
        session.add(video)
