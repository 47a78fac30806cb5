"""A course with contents and a video that really plays."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from uuid import UUID, uuid4

from sqlalchemy import insert

import lms_tui.service.demo
from lms_tui.service.core.database import playbacks, tables
from lms_tui.service.core.media import VIDEOS, Media
from lms_tui.service.exams.importer import batch_named
from tests.service.service_world import World

FILM = Path(lms_tui.service.demo.__file__).with_name("media") / "velocity-time-graph.webm"


@dataclass(frozen=True)
class Course:
    id: int
    video: int
    uuid: UUID
    exam: int
    later: int
    unplayable: UUID

    @property
    def tokens(self) -> str:
        return f"/api/v2.5/admin/videos/{self.uuid}/access-tokens/"


def add_course(world: World, name: str = "Physics", *, batch: str = "Evening") -> Course:
    """Add a course of a batch: a video with a file, one without, one of tomorrow, and a live stream."""
    Media(world.settings.media).add_file(VIDEOS, FILM.name, FILM)
    with world.database.write() as session:
        course = tables.Course(name=name, created=world.clock.now)
        session.add(course)
        session.flush()
        group = batch_named(session, batch, world.clock.now)
        session.execute(insert(tables.course_batches), {"course_id": course.id, "batch_id": group.id})
        kinds = ("Video", "Video", "Video", "Live Stream")
        rows = [
            tables.Content(
                uuid=uuid4(),
                course_id=course.id,
                order=order,
                title=f"{kind} {order} <of> {name}",
                content_type=kind,
                start_date=world.clock.now + timedelta(days=1) if order == 3 else None,
            )
            for order, kind in enumerate(kinds, 1)
        ]
        session.add_all(rows)
        session.flush()
        for row, file in zip(rows[:3], (FILM.name, "", FILM.name), strict=True):
            session.add(playbacks.Video(content_id=row.id, title=row.title, file=file))
        return Course(course.id, rows[0].id, rows[0].uuid, rows[3].id, rows[2].id, rows[1].uuid)
