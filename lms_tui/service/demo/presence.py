"""Whether the demo institute is there already. A start that finds it needs no module that builds it."""

from pathlib import Path
from typing import Final

from sqlalchemy import select

from lms_tui.service.core.database.broadcasts import Category
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import Batch, User
from lms_tui.service.core.media import VIDEOS, Media
from lms_tui.service.demo.marks import FIRST_BATCH, FIRST_CATEGORY, FIRST_STUDENT

FILM: Final = Path(__file__).with_name("media") / "velocity-time-graph.webm"


def is_another(database: Database) -> bool:
    """Return whether the database holds an institute that is not the demo institute."""
    with database.read() as session:
        if session.scalar(select(User.id).limit(1)) is None:
            return False
        marks = (
            select(User.id).where(User.username == FIRST_STUDENT),
            select(Batch.id).where(Batch.name == FIRST_BATCH),
        )
        return any(session.scalar(mark) is None for mark in marks)


def add_film(media: Media) -> None:
    """Copy the film to the media folder, unless it is there."""
    media.add_file(VIDEOS, FILM.name, FILM)


def is_complete(database: Database) -> bool:
    """Return whether nothing has to be added to the database."""
    with database.read() as session:
        marks = (
            select(User.id).where(User.username == FIRST_STUDENT),
            select(Category.id).where(Category.name == FIRST_CATEGORY),
        )
        return all(session.scalar(mark) is not None for mark in marks)
