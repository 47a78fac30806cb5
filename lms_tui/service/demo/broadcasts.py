"""What the demo institute tells and sells, who looks after whom, and its film."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Final

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from lms_tui.service.core.database.tables import (
    Category,
    Content,
    ContentType,
    Post,
    Product,
    User,
    Video,
    mentor_students,
    product_members,
)
from lms_tui.service.core.media import VIDEOS, Media
from lms_tui.service.demo.catalogue import EVENING, MORNING, SCHOLARS
from lms_tui.service.demo.people import STAFF, STUDENTS
from lms_tui.service.exams.importer import batch_named

FILM: Final = Path(__file__).with_name("media") / "velocity-time-graph.webm"
_FILMED: Final = frozenset({"Reading a velocity–time graph", "Newton's laws with a trolley"})
_AUTHOR: Final = "admin"
_MENTORS: Final = {
    "mentor": ("asha", "ravi", "meera", "arjun", "gurpreet"),
    "devika": ("imran", "sneha", "tenzin", "zoya"),
}


@dataclass(frozen=True, slots=True)
class _Goods:
    """`holders`: usernames."""

    title: str
    slug: str
    price: str
    categories: tuple[str, ...]
    exams: int
    notes: int
    holders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _News:
    """`in_days`: when it is published, counted from the day the institute is made."""

    slug: str
    title: str
    summary: str
    html: str
    category: str
    in_days: float
    batches: tuple[str, ...] = ()
    products: tuple[str, ...] = ()
    is_public: bool = False


_ANNOUNCEMENTS: Final = "Announcements"
_CATEGORIES: Final = {_ANNOUNCEMENTS: ("1e88e5", True), "Exams": ("e53935", False), "Study tips": ("43a047", False)}
_SCHOLARSHIP_PACK: Final = "Scholarship Pack 2026"
_PHYSICS_PACK: Final = "Physics in Pictures"
_GOODS: Final = (
    _Goods(_SCHOLARSHIP_PACK, "scholarship-pack-2026", "1499", ("Scholarship",), 1, 4, ("asha", "meera", "imran")),
    _Goods(_PHYSICS_PACK, "physics-in-pictures", "799.50", ("Science", "Physics"), 2, 6, ("ravi",)),
)
_NEWS: Final = (
    _News(
        "welcome",
        "Welcome to the new term",
        "Where to find your exams, your videos and your mentor.",
        "<p>A new term begins. Your <strong>exams</strong> are on the first page; what you have taken stays there with "
        "its review.</p><ul><li>Doubt sessions are on Saturdays.</li><li>Your mentor answers within a day.</li></ul>",
        _ANNOUNCEMENTS,
        -30,
        is_public=True,
    ),
    _News(
        "library-on-sundays",
        "रविवार को पुस्तकालय खुला रहेगा",
        "सुबह नौ बजे से शाम पाँच बजे तक।",
        "<p>इस महीने से <strong>पुस्तकालय</strong> रविवार को भी खुला रहेगा, सुबह नौ बजे से शाम पाँच बजे तक।</p>",
        _ANNOUNCEMENTS,
        -9,
        is_public=True,
    ),
    _News(
        "foundation-test-2-in-three-days",
        "Foundation Test 2 is in three days",
        "Fifteen minutes, five questions, one retake.",
        "<p>The second test opens soon. It covers progressions, oxides and resistors.</p><table><tr><th>Right</th>"
        "<th>Wrong</th></tr><tr><td>+4</td><td>&minus;1</td></tr></table>",
        "Exams",
        -1,
        batches=(MORNING, EVENING),
    ),
    _News(
        "how-the-mock-is-marked",
        "How the scholarship mock is marked",
        "Two papers, a cut-off for each.",
        r"<p>Each paper has a cut-off of 8 marks. With \(r\) answers right and \(w\) wrong it earns \(4r - w\).</p>",
        "Study tips",
        -8,
        batches=(SCHOLARS,),
        products=(_SCHOLARSHIP_PACK,),
    ),
    _News(
        "ten-graphs-to-know",
        "Ten graphs to know by heart",
        "For holders of Physics in Pictures.",
        "<p>Begin with the velocity–time graph: its slope is the acceleration, the area under it the distance.</p>",
        "Study tips",
        -5,
        products=(_PHYSICS_PACK,),
    ),
    _News(
        "ranks-of-acids-and-bases",
        "Ranks of Acids and Bases",
        "Published when everybody has taken the test.",
        "<p>The ranks of the chapter test are out.</p>",
        "Exams",
        7,
        batches=(MORNING, EVENING),
    ),
)


def add_broadcasts(session: Session, now: datetime) -> None:
    """Add products, posts, students of mentors and records of videos, unless they are there.

    People who are not there have nothing to do with it; without the administrator nothing is added.
    """
    if session.scalar(select(Category.id).where(Category.name == _ANNOUNCEMENTS)) is not None:
        return
    usernames = [person.username for person in (*STAFF, *STUDENTS)]
    people = {user.username: user for user in session.scalars(select(User).where(User.username.in_(usernames)))}
    if _AUTHOR not in people:
        return
    _add_products(session, people, now)
    _add_posts(session, people[_AUTHOR], now)
    for mentor, students in _MENTORS.items():
        rows = [{"mentor_id": people[mentor].id, "student_id": people[name].id} for name in students if name in people]
        if mentor in people and rows:
            session.execute(insert(mentor_students), rows)
    _add_videos(session)
    session.flush()


def add_film(media: Media) -> None:
    """Put the film where videos are played from."""
    media.add_file(VIDEOS, FILM.name, FILM)


def _add_products(session: Session, people: dict[str, User], now: datetime) -> None:
    for goods in _GOODS:
        product = Product(
            title=goods.title,
            slug=goods.slug,
            start_date=now - timedelta(days=60),
            end_date=now + timedelta(days=300),
            categories=list(goods.categories),
            types=["Exams", "Notes"],
            exams_count=goods.exams,
            notes_count=goods.notes,
            price=Decimal(goods.price),
        )
        session.add(product)
        session.flush()
        rows = [{"product_id": product.id, "user_id": people[name].id} for name in goods.holders if name in people]
        session.execute(insert(product_members), rows)


def _add_posts(session: Session, author: User, now: datetime) -> None:
    categories = {
        name: Category(name=name, slug=name.lower().replace(" ", "-"), color=color, is_starred=starred)
        for name, (color, starred) in _CATEGORIES.items()
    }
    session.add_all(categories.values())
    products = {product.title: product for product in session.scalars(select(Product))}
    for news in _NEWS:
        written = min(now, now + timedelta(days=news.in_days))
        batches = [batch_named(session, name, now) for name in news.batches]
        session.add(
            Post(
                slug=news.slug,
                title=news.title,
                summary=news.summary,
                content_html=news.html,
                created_by=author,
                category=categories[news.category],
                is_public=news.is_public,
                created=written,
                modified=written,
                published_date=now + timedelta(days=news.in_days),
                batches=batches,
                products=[products[title] for title in news.products],
            )
        )


def _add_videos(session: Session) -> None:
    """Give every video its record; two of them have a film to play."""
    recorded = {video.content_id: video for video in session.scalars(select(Video))}
    for content in session.scalars(select(Content).where(Content.content_type == ContentType.VIDEO.value)).all():
        video = recorded.get(content.id) or Video(content_id=content.id, title=content.title)
        if content.title in _FILMED:
            video.file = FILM.name
        session.add(video)
