from pydantic import Field

from lms_tui.wire.base import Count, Input, Instant, Many, Text, Wire
from lms_tui.wire.users import BatchName


class CreatedMentor(Wire):
    """The mentor in the reply to its creation (v2.5). `state` is the full name of a state."""

    id: Count = 0
    username: Text = ""
    email: Text = ""
    first_name: Text = ""
    last_name: Text = ""
    display_name: Text = ""
    gender: Text = ""
    state: Text = ""
    created: Instant = None


class StudentsOfMentor(Wire):
    """The address of the list of a mentor's students, and their number."""

    url: Text = ""
    students_count: Count = 0


class Mentor(CreatedMentor):
    students: StudentsOfMentor = StudentsOfMentor()


class MentorStudent(Wire):
    """A student in the list of a mentor. `birth_date` is DD/MM/YYYY here."""

    id: Count = 0
    url: Text = ""
    username: Text = ""
    first_name: Text = ""
    last_name: Text = ""
    display_name: Text = ""
    email: Text = ""
    photo: Text = ""
    large_image: Text = ""
    medium_image: Text = ""
    small_image: Text = ""
    x_small_image: Text = ""
    mini_image: Text = ""
    birth_date: str | None = None
    gender_code: str | None = None
    gender: str | None = None
    address1: Text = ""
    address2: Text = ""
    city: Text = ""
    zip: Text = ""
    state: Text = ""
    state_code: Text = ""
    phone: Text = ""
    batches: Many[BatchName] = ()
    batches_url: Text = ""


class NewMentor(Input):
    """The fields of a new mentor. User name and password are required. `state_code` is an ISO 3166-2:IN code."""

    username: str
    password: str = Field(repr=False)
    first_name: str | None = None
    last_name: str | None = None
    email: str | None = None
    birth_date: str | None = None
    gender_code: str | None = None
    address1: str | None = None
    address2: str | None = None
    city: str | None = None
    zip: str | None = None
    state_code: str | None = None
    phone: str | None = None
