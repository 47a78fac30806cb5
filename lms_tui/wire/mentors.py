from pydantic import Field

from lms_tui.wire.accounts import PersonInput
from lms_tui.wire.base import Count, Instant, Many, Text, Wire
from lms_tui.wire.users import BatchName, PersonName, PostalAddress, SomePhotos


class CreatedMentor(PersonName):
    """The mentor in the reply to its creation (v2.5). `state` is the full name of a state."""

    id: Count = 0
    email: Text = ""
    gender: Text = ""
    state: Text = ""
    created: Instant = None


class StudentsOfMentor(Wire):
    """The address of the list of a mentor's students, and their number."""

    url: Text = ""
    students_count: Count = 0


class Mentor(CreatedMentor):
    students: StudentsOfMentor = StudentsOfMentor()


class MentorStudent(PersonName, SomePhotos, PostalAddress):
    """A student in the list of a mentor. `birth_date` is DD/MM/YYYY here."""

    id: Count = 0
    url: Text = ""
    email: Text = ""
    birth_date: str | None = None
    gender_code: str | None = None
    gender: str | None = None
    state: Text = ""
    state_code: Text = ""
    batches: Many[BatchName] = ()
    batches_url: Text = ""


class NewMentor(PersonInput):
    """The fields of a new mentor. User name and password are required. `state_code` is an ISO 3166-2:IN code."""

    username: str
    password: str = Field(repr=False)
    gender_code: str | None = None
    state_code: str | None = None
