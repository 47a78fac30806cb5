"""Mentors and their students, for administrators (pure)."""

from typing import Final

from lms_tui.common.cleaning import clean_line
from lms_tui.views import format as say
from lms_tui.views import forms
from lms_tui.views.forms import FieldKind, FieldSpec, Values
from lms_tui.views.listing import Column, Listing
from lms_tui.views.rows import EMPTY, Row, pairs, row, strong, wrapped
from lms_tui.wire.mentors import Mentor, MentorStudent, NewMentor


def name_of(person: Mentor | MentorStudent) -> str:
    return clean_line(person.display_name or person.username)


def matches(person: Mentor | MentorStudent, wanted: str) -> bool:
    texts = (person.display_name, person.username, person.email)
    return any(wanted.casefold() in text.casefold() for text in texts)


MENTORS: Final[Listing[Mentor]] = Listing(
    "Mentor",
    (Column("user name", 14, 40), Column("state", 16, 64), Column("students", 8, 30, right=True)),
    lambda mentor: (name_of(mentor), mentor.username, mentor.state, str(mentor.students.students_count)),
)


def mentor_details(mentor: Mentor, room: int) -> list[Row]:
    facts = [
        ("user name", clean_line(mentor.username)),
        ("e-mail", clean_line(mentor.email)),
        ("state", clean_line(mentor.state)),
        ("gender", clean_line(mentor.gender)),
        ("since", say.day(mentor.created)),
        ("students", str(mentor.students.students_count)),
        ("user ID", str(mentor.id)),
    ]
    words = wrapped("Press enter to list the students.", room, "accent")
    return [row(strong(name_of(mentor))), EMPTY, *pairs(facts, room), EMPTY, *words]


def student_details(student: MentorStudent, room: int) -> list[Row]:
    address = ", ".join(
        clean_line(p) for p in (student.address1, student.address2, student.city, student.zip, student.state) if p
    )
    facts = [
        ("user name", clean_line(student.username)),
        ("e-mail", clean_line(student.email)),
        ("phone", clean_line(student.phone)),
        ("batches", _batches(student)),
        ("born", clean_line(student.birth_date or "")),
        ("gender", clean_line(student.gender or "")),
        ("address", address),
        ("user ID", str(student.id)),
    ]
    return [row(strong(name_of(student))), EMPTY, *pairs(facts, room)]


def _batches(student: MentorStudent) -> str:
    return ", ".join(clean_line(batch.name) for batch in student.batches)


STUDENTS: Final[Listing[MentorStudent]] = Listing(
    "Student",
    (Column("user name", 14, 34), Column("batches", 24, 64)),
    lambda student: (name_of(student), student.username, _batches(student)),
)


def mentor_form() -> tuple[FieldSpec, ...]:
    return (*account_fields(""), *forms.person({}, born=forms.day_first, born_hint="DD/MM/YYYY"))


def account_fields(username: str) -> tuple[FieldSpec, ...]:
    """User name and password. `username`: "" for a new account. An empty password keeps the present one."""
    return (
        FieldSpec("username", "User name", username, check=forms.at_most(150, forms.username), required=True),
        FieldSpec(
            "password",
            "Password",
            kind=FieldKind.SECRET,
            hint="empty: unchanged" if username else "",
            required=not username,
        ),
    )


def person_input(values: Values, state: str) -> dict[str, object]:
    """Return the fields of a person in a request. `state` is the name that the endpoint has for the state code."""
    sent: dict[str, object] = {name: text for name, text in values.items() if name not in {"gender", "state"}}
    if "gender" in values:
        sent["gender_code"] = forms.gender_code(values["gender"])
    if "state" in values:
        sent[state] = forms.state_code(values["state"])
    return sent


def new_mentor(values: Values) -> NewMentor:
    return NewMentor.model_validate({"username": "", "password": "", **person_input(values, "state_code")})


def students_form() -> tuple[FieldSpec, ...]:
    return (FieldSpec("students_username", "User names", hint="asha, ravi", required=True),)
