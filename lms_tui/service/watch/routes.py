from typing import Annotated

from fastapi import Query

from lms_tui.service.core.context import ServiceDep
from lms_tui.service.core.database.people import Role
from lms_tui.service.core.roles import Watcher
from lms_tui.service.core.routing import Router, Slug
from lms_tui.service.watch.board import board_of
from lms_tui.wire.board import Board

router = Router(prefix="/api/v2.5/admin/exams")

Position = Annotated[str, Query(max_length=60)]


@router.get("/{slug}/board/")
def read_board(slug: Slug, watcher: Watcher, service: ServiceDep, cursor: Position = "") -> Board:
    """Return the attempts of an exam that have changed since a cursor. A mentor sees those of their students."""
    mentor = watcher.id if watcher.role is Role.MENTOR else None
    with service.database.read() as session:
        return board_of(session, slug, service.clock(), cursor, mentor)
