"""The accommodation of a student in the database."""

from datetime import timedelta
from functools import cache

from sqlalchemy import Select, bindparam, select
from sqlalchemy.orm import Session

from lms_tui.service.core.database.tables import Accommodation


def accommodation_of(session: Session, user_id: int) -> Accommodation | None:
    return session.get(Accommodation, user_id)


def closes_later(session: Session, user_id: int) -> timedelta:
    return session.scalar(_closes_later(), {"user": user_id}) or timedelta()


@cache
def _closes_later() -> Select[timedelta]:
    return select(Accommodation.closes_later).where(Accommodation.user_id == bindparam("user"))
