"""Courses, their contents and report cards of the demo institute."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from uuid import NAMESPACE_URL, uuid5

from sqlalchemy import select
from sqlalchemy.orm import Session

from lms_tui.service.core.database.tables import Content, ContentAttempt, ReportCard, ReportGroup, User, course_batches
from lms_tui.service.demo.data import institute_data
from lms_tui.service.exams.importer import batch_named, course_named


def add_courses(session: Session, now: datetime) -> None:
    """Create the courses and assign them to their batches."""
    for name, batches in institute_data().courses.items():
        course = course_named(session, name, now, is_public=not batches)
        held = set(session.scalars(select(course_batches.c.batch_id).where(course_batches.c.course_id == course.id)))
        for batch in (batch_named(session, batch, now) for batch in batches):
            if batch.id not in held:
                session.execute(course_batches.insert().values(course_id=course.id, batch_id=batch.id))


def add_contents(session: Session, students: Mapping[str, User], now: datetime) -> None:
    """Add missing contents, and records of the students who watched or attended them."""
    for order, item in enumerate(institute_data().contents, 1):
        uuid = uuid5(NAMESPACE_URL, f"https://institute.example/{item.course}/{item.title}")
        if session.scalar(select(Content.id).where(Content.uuid == uuid)) is not None:
            continue
        content = Content(
            uuid=uuid,
            course_id=course_named(session, item.course, now).id,
            chapter=item.chapter,
            order=order,
            title=item.title,
            content_type=item.type,
            start_date=None if item.in_days is None else now + timedelta(days=item.in_days),
        )
        session.add(content)
        session.flush()
        days_ago = 1.5 if item.in_days is None else -item.in_days
        for username in item.by:
            date = now - timedelta(days=days_ago)
            session.add(ContentAttempt(content_id=content.id, user_id=students[username].id, date=date))


def add_report_cards(session: Session, students: Mapping[str, User], now: datetime) -> None:
    for card in institute_data().report_cards:
        session.add(
            ReportCard(
                user_id=students[card.username].id,
                title=card.title,
                total_score=Decimal(card.score),
                total_min_range=Decimal(card.min),
                total_max_range=Decimal(card.max),
                is_published=card.is_published,
                created=now - timedelta(days=card.days_ago),
                groups=[
                    ReportGroup(
                        order=order,
                        name=group["name"],
                        score=Decimal(group["score"]),
                        min_score=Decimal(group["min"]),
                        max_score=Decimal(group["max"]),
                        average_score=Decimal(group["average"]),
                    )
                    for order, group in enumerate(card.groups, 1)
                ],
            )
        )
