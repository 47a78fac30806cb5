from typing import Annotated

from fastapi import Query

from lms_tui.service.core.audit import login_of
from lms_tui.service.core.dependencies import Paged, ServiceDep
from lms_tui.service.core.principal import Role
from lms_tui.service.core.roles import Staff, Watcher
from lms_tui.service.core.routing import Router, Slug
from lms_tui.service.watch.board import board_of
from lms_tui.service.watch.exams import AT_A_TIME, LISTED, exam_views
from lms_tui.service.watch.granting import GrantBody, carry_out
from lms_tui.service.watch.grants import Grants
from lms_tui.wire.base import Page
from lms_tui.wire.board import Board, Granted
from lms_tui.wire.staff_exams import StaffExam

router = Router(prefix="/api/v2.5/admin/exams")

Position = Annotated[str, Query(max_length=60)]


@router.get("/")
def list_exams(watcher: Watcher, service: ServiceDep, paging: Paged) -> Page[StaffExam]:
    """List the exams that are not archived, the newest first, with the numbers of their attempts."""
    mentor = watcher.id if watcher.role is Role.MENTOR else None
    with service.database.read() as session:
        return paging.of_rows(session, LISTED, lambda exams: exam_views(session, exams, mentor), AT_A_TIME)


@router.post("/{slug}/grants/")
def grant(slug: Slug, body: GrantBody, staff: Staff, service: ServiceDep) -> Granted:
    """Give students more time, stop or continue their clocks, end or reopen their attempts, or tell them something."""
    with service.database.write() as session:
        grants = Grants(session, service.clock(), login_of(session, staff.id), slug, body.usernames)
        return Granted(changed=len(carry_out(grants, body)))


@router.get("/{slug}/board/")
def read_board(slug: Slug, watcher: Watcher, service: ServiceDep, cursor: Position = "") -> Board:
    """Return the attempts of an exam that have changed since a cursor. A mentor sees those of their students."""
    mentor = watcher.id if watcher.role is Role.MENTOR else None
    with service.database.read() as session:
        return board_of(session, slug, service.clock(), cursor, mentor)
