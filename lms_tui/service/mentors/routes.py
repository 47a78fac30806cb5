from http import HTTPStatus

from sqlalchemy.orm import Session

from lms_tui.service.core.audit import login_of, note
from lms_tui.service.core.context import Service
from lms_tui.service.core.dependencies import ServiceDep, UrlsDep
from lms_tui.service.core.principal import Principal
from lms_tui.service.core.roles import Admin
from lms_tui.service.core.routing import Id, Router
from lms_tui.service.mentors import handlers
from lms_tui.service.mentors.handlers import StudentsBody
from lms_tui.service.mentors.views import mentor_view, mentor_with_students
from lms_tui.service.users.accounts import AllAccounts, NewPersonBody
from lms_tui.wire import mentors as wire

router = Router()


@router.post("/api/v2.5/admin/mentors/", status_code=HTTPStatus.CREATED)
def create_mentor(body: NewPersonBody, _admin: Admin, accounts: AllAccounts) -> wire.CreatedMentor:
    return mentor_view(accounts.create_mentor(body), accounts.urls)


@router.post("/api/v2.2/admin/mentors/", status_code=HTTPStatus.CREATED)
def create_mentor_with_students(body: NewPersonBody, _admin: Admin, accounts: AllAccounts) -> wire.Mentor:
    return mentor_with_students(accounts.create_mentor(body), 0, accounts.urls)


@router.get("/api/v2.3/admin/mentors/")
@router.get("/api/v2.2/admin/mentors/")
def list_mentors(_admin: Admin, service: ServiceDep, urls: UrlsDep) -> list[wire.Mentor]:
    with service.database.read() as session:
        return handlers.listed(session, urls)


@router.get("/api/v2.3/admin/mentors/{mentor_id}/students/")
def list_students(mentor_id: Id, _admin: Admin, service: ServiceDep, urls: UrlsDep) -> list[wire.MentorStudent]:
    with service.database.read() as session:
        return handlers.students(session, mentor_id, urls)


@router.post("/api/v2.3/admin/mentors/{mentor_id}/students")
def assign_students(
    mentor_id: Id, body: StudentsBody, admin: Admin, service: ServiceDep, urls: UrlsDep
) -> list[wire.MentorStudent]:
    """Assign students and return all students of the mentor."""
    with service.database.write() as session:
        handlers.assign(session, mentor_id, body.students_username)
        _note(session, service, admin, "mentor.assign", mentor_id, body)
        return handlers.students(session, mentor_id, urls)


@router.delete("/api/v2.3/admin/mentors/{mentor_id}/students", status_code=HTTPStatus.NO_CONTENT)
def remove_students(mentor_id: Id, body: StudentsBody, admin: Admin, service: ServiceDep) -> None:
    with service.database.write() as session:
        handlers.remove(session, mentor_id, body.students_username)
        _note(session, service, admin, "mentor.remove", mentor_id, body)


def _note(session: Session, service: Service, admin: Principal, what: str, mentor_id: int, body: StudentsBody) -> None:
    who, about = login_of(session, admin.id), f"user {login_of(session, mentor_id)}"
    note(session, at=service.clock(), who=who, what=what, about=about, after={"students": body.students_username})
