"""The demo institute as a whole, put into a database once."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import Exam, User
from lms_tui.service.core.media import Media
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.core.settings import Clock
from lms_tui.service.demo.broadcasts import add_broadcasts, add_film
from lms_tui.service.demo.catalogue import OFFERS, Offer
from lms_tui.service.demo.contents import add_contents, add_courses, add_report_cards
from lms_tui.service.demo.history import add_history
from lms_tui.service.demo.people import add_people
from lms_tui.service.exams.importer import import_exam

_MARK = "asha"
"""The account by which a database shows that the institute is in it."""


def build_institute(database: Database, passwords: Passwords, now: datetime, media: Media) -> None:
    """Put the institute into a database, and its film among the media, unless they are there."""
    add_film(media)
    with database.write() as session:
        if not ensure_demo(session, lambda: now, passwords):
            # An institute that an earlier version made has no posts yet.
            add_broadcasts(session, now)


def ensure_demo(session: Session, clock: Clock, passwords: Passwords | None = None) -> bool:
    """Put people, courses, exams and posts into the database and return True; False where they are there.

    Existing data is left alone: accounts, batches, courses and exams of the same names are kept as they are. All in
    the caller's transaction, with times counted from the clock's.
    """
    if session.scalar(select(User.id).where(User.username == _MARK)) is not None:
        return False
    now = clock()
    students = add_people(session, passwords or Passwords(), now)
    add_courses(session, now)
    for offer in OFFERS:
        _add_exam(session, offer, students, now)
    add_contents(session, students, now)
    add_report_cards(session, students, now)
    add_broadcasts(session, now)
    session.flush()
    return True


def _add_exam(session: Session, offer: Offer, students: Mapping[str, User], now: datetime) -> None:
    if session.scalar(select(Exam.id).where(Exam.slug == offer.exam.slug)) is not None:
        return
    exam_id = import_exam(
        session,
        offer.exam,
        course=offer.course,
        now=now + offer.starts if offer.starts.total_seconds() < 0 else now,
        start_date=now + offer.starts,
        end_date=None if offer.ends is None else now + offer.ends,
        batches=offer.batches,
        is_public=offer.is_public,
        allow_pdf=True,
        rank_publishing_date=None if offer.ranks_after is None else now + offer.ranks_after,
    )
    add_history(session, offer, exam_id, students, now)
