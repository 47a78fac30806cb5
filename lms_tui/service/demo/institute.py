"""The demo institute, added to a database once."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import Exam, User
from lms_tui.service.core.media import Media
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.core.settings import Clock
from lms_tui.service.demo.broadcasts import add_broadcasts
from lms_tui.service.demo.contents import add_contents, add_courses, add_report_cards
from lms_tui.service.demo.data import ExamOffer, institute_data
from lms_tui.service.demo.history import add_history
from lms_tui.service.demo.marks import FIRST_STUDENT
from lms_tui.service.demo.people import add_people
from lms_tui.service.demo.presence import add_film
from lms_tui.service.exams.importer import import_exam


def _ignore(_words: str) -> None:
    pass


def build_institute(
    database: Database, passwords: Passwords, now: datetime, media: Media, tell: Callable[[str], None] = _ignore
) -> None:
    """Add the institute to a database and its film to the media folder, unless they exist.

    `tell` gets the name of each step.
    """
    add_film(media)
    with database.write() as session:
        if not ensure_demo(session, lambda: now, passwords, tell):
            # An institute of an earlier version has no posts yet.
            add_broadcasts(session, now)


def ensure_demo(
    session: Session, clock: Clock, passwords: Passwords | None = None, tell: Callable[[str], None] = _ignore
) -> bool:
    """Add people, courses, exams and posts, and return True, or False if they exist.

    Existing accounts, batches, courses and exams of the same names stay unchanged. Times count from the clock.
    """
    if session.scalar(select(User.id).where(User.username == FIRST_STUDENT)) is not None:
        return False
    now = clock()
    tell("Making the practice institute: people")
    students = add_people(session, passwords or Passwords(), now)
    add_courses(session, now)
    offers = institute_data().exams
    for number, offer in enumerate(offers, 1):
        tell(f"Making the practice institute: exams {number} of {len(offers)}")
        _add_exam(session, offer, students, now)
    tell("Making the practice institute: courses and posts")
    add_contents(session, students, now)
    add_report_cards(session, students, now)
    add_broadcasts(session, now)
    session.flush()
    return True


def _add_exam(session: Session, offer: ExamOffer, students: Mapping[str, User], now: datetime) -> None:
    if session.scalar(select(Exam.id).where(Exam.slug == offer.slug)) is not None:
        return
    start = now + timedelta(days=offer.starts)
    exam_id = import_exam(
        session,
        offer.exam,
        course=offer.course,
        now=min(start, now),
        start_date=start,
        end_date=None if offer.ends is None else now + timedelta(days=offer.ends),
        batches=offer.batches,
        is_public=offer.is_public,
        allow_pdf=True,
        rank_publishing_date=None if offer.ranks_after is None else now + timedelta(days=offer.ranks_after),
    )
    add_history(session, offer, exam_id, students, now)
