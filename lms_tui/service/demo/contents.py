"""Courses with what is in their chapters, what Asha watched of it, and report cards."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from sqlalchemy import select
from sqlalchemy.orm import Session

from lms_tui.service.core.database.tables import (
    Content,
    ContentAttempt,
    ContentType,
    ReportCard,
    ReportGroup,
    User,
    course_batches,
)
from lms_tui.service.demo.catalogue import EVENING, FOUNDATION, LANGUAGE, MORNING, SCHOLARS, SCHOLARSHIP
from lms_tui.service.exams.importer import batch_named, course_named

_COURSES: Final[Mapping[str, tuple[str, ...]]] = {
    FOUNDATION: (MORNING, EVENING),
    LANGUAGE: (),
    SCHOLARSHIP: (SCHOLARS,),
}


@dataclass(frozen=True, slots=True)
class _Piece:
    """`in_days`: when it opens, counted from the day the institute is made. `by`: who watched or attended it."""

    course: str
    chapter: str
    title: str
    kind: ContentType
    in_days: float | None = None
    by: tuple[str, ...] = ()


_VIDEO: Final = ContentType.VIDEO
_CONFERENCE: Final = ContentType.VIDEO_CONFERENCE
_STREAM: Final = ContentType.LIVE_STREAM
_PIECES: Final = (
    _Piece(FOUNDATION, "Motion", "Reading a velocity–time graph", _VIDEO, by=("asha", "ravi", "meera")),
    _Piece(FOUNDATION, "Motion", "Newton's laws with a trolley", _VIDEO, by=("asha", "meera")),
    _Piece(FOUNDATION, "Light", "Where the image of a lens is", _VIDEO, by=("asha",)),
    _Piece(FOUNDATION, "Light", "Refraction in a glass of water", _VIDEO, by=("arjun",)),
    _Piece(FOUNDATION, "Chemistry", "Balancing equations step by step", _VIDEO),
    _Piece(FOUNDATION, "Chemistry", "Acids in the kitchen", _VIDEO, by=("ravi",)),
    _Piece(FOUNDATION, "Doubt sessions", "Doubts: motion and forces", _CONFERENCE, -18, ("asha", "ravi", "lakshmi")),
    _Piece(FOUNDATION, "Doubt sessions", "Doubts: acids and bases", _CONFERENCE, -6, ("ravi",)),
    _Piece(FOUNDATION, "Doubt sessions", "Doubts before the second test", _CONFERENCE, 2),
    _Piece(FOUNDATION, "Live", "Live: solving last year's paper", _STREAM, -12, ("asha", "fatima")),
    _Piece(FOUNDATION, "Live", "Live: mental arithmetic for beginners", _STREAM, -4),
    _Piece(LANGUAGE, "Reading", "How to read a text twice", _VIDEO, by=("asha",)),
    _Piece(LANGUAGE, "Reasoning", "Drawing what a puzzle says", _VIDEO),
    _Piece(SCHOLARSHIP, "Getting ready", "How the two papers work", _VIDEO),
    _Piece(SCHOLARSHIP, "Getting ready", "Meet a former scholar", _CONFERENCE, -3, ("asha", "meera")),
)


@dataclass(frozen=True, slots=True)
class _Group:
    name: str
    least: int
    most: int
    average: str


@dataclass(frozen=True, slots=True)
class _Card:
    """Scores of a student's class beside the student's own."""

    username: str
    title: str
    score: str
    least: int
    most: int
    groups: tuple[_Group, ...]
    days_ago: int
    published: bool = True


_TERM: Final = (
    _Group("Physics", 22, 95, "61.5"),
    _Group("Chemistry", 30, 91, "64.25"),
    _Group("Mathematics", 18, 98, "58.75"),
    _Group("Reasoning", 35, 96, "70.5"),
)
_CARDS: Final = (
    _Card("asha", "First term 2026", "291.5", 142, 371, _TERM, 9),
    _Card(
        "asha",
        "Entrance test",
        "68",
        31,
        93,
        (_Group("Science", 14, 47, "32.5"), _Group("Mathematics", 12, 48, "30")),
        80,
    ),
    _Card("asha", "Second term 2026", "0", 0, 0, (), 1, published=False),
    _Card("ravi", "First term 2026", "254", 142, 371, _TERM, 9),
)


def add_courses(session: Session, now: datetime) -> None:
    """Make the courses and give them to their batches."""
    for name, batches in _COURSES.items():
        course = course_named(session, name, now, is_public=not batches)
        held = set(session.scalars(select(course_batches.c.batch_id).where(course_batches.c.course_id == course.id)))
        for batch in (batch_named(session, batch, now) for batch in batches):
            if batch.id not in held:
                session.execute(course_batches.insert().values(course_id=course.id, batch_id=batch.id))


def add_contents(session: Session, students: Mapping[str, User], now: datetime) -> None:
    """Fill the chapters and let students watch some of it; what is there already is left alone."""
    for order, piece in enumerate(_PIECES, 1):
        identity = uuid5(NAMESPACE_URL, f"https://institute.example/{piece.course}/{piece.title}")
        if session.scalar(select(Content.id).where(Content.uuid == identity)) is not None:
            continue
        content = Content(
            uuid=identity,
            course_id=course_named(session, piece.course, now).id,
            chapter=piece.chapter,
            order=order,
            title=piece.title,
            content_type=piece.kind.value,
            start_date=None if piece.in_days is None else now + timedelta(days=piece.in_days),
        )
        session.add(content)
        session.flush()
        for username in piece.by:
            days = 1.5 if piece.in_days is None else -piece.in_days
            session.add(
                ContentAttempt(content_id=content.id, user_id=students[username].id, date=now - timedelta(days=days))
            )


def add_report_cards(session: Session, students: Mapping[str, User], now: datetime) -> None:
    for card in _CARDS:
        session.add(
            ReportCard(
                user_id=students[card.username].id,
                title=card.title,
                total_score=Decimal(card.score),
                total_min_range=Decimal(card.least),
                total_max_range=Decimal(card.most),
                is_published=card.published,
                created=now - timedelta(days=card.days_ago),
                groups=[
                    ReportGroup(
                        order=order,
                        name=group.name,
                        min_score=Decimal(group.least),
                        max_score=Decimal(group.most),
                        average_score=Decimal(group.average),
                    )
                    for order, group in enumerate(card.groups, 1)
                ],
            )
        )
