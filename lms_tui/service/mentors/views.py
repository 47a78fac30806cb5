from typing import Any

from lms_tui.service.batches.views import batch_names
from lms_tui.service.core.database.tables import User
from lms_tui.service.core.urls import Urls
from lms_tui.service.users.views import account_fields
from lms_tui.wire import mentors as wire


def mentor_view(mentor: User, urls: Urls) -> wire.CreatedMentor:
    return wire.CreatedMentor(**account_fields(mentor, urls))


def mentor_with_students(mentor: User, students: int, urls: Urls) -> wire.Mentor:
    held = wire.StudentsOfMentor(url=urls.mentor_students(mentor.id), students_count=students)
    return wire.Mentor(**account_fields(mentor, urls), students=held)


def student_view(student: User, urls: Urls) -> wire.MentorStudent:
    """Return a student for the list of a mentor. The batches must be loaded."""
    fields: dict[str, Any] = account_fields(student, urls)
    fields["gender"] = fields["gender"] or None
    fields["gender_code"] = fields["gender_code"] or None
    return wire.MentorStudent(**fields, batches=batch_names(student.batches, urls))
