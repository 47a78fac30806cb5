"""The data of the demo institute, read from `institute.yaml` and the exam files in `exams`."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from lms_tui.banks.model import Exam
from lms_tui.common.frozen import frozen
from lms_tui.service.core.principal import Role

_FOLDER: Final = Path(__file__).parent


@frozen
class Person:
    """`strength`: the share of questions that a student tends to answer correctly."""

    username: str
    first_name: str
    last_name: str
    gender_code: str
    born: date
    city: str
    state_code: str
    batches: Sequence[str] = ()
    strength: float = 0.5
    role: str = Role.STUDENT.value


@frozen
class ExamOffer:
    """An exam with its audience and dates, in days from the creation of the institute.

    `ranks_after`: when ranks are published, None for always. `is_taken`: whether students have attempts.
    `absent`: user names without an attempt. `attempts`: planned attempts by user name, as fields of `PlannedAttempt`.
    """

    slug: str
    course: str
    batches: Sequence[str]
    starts: float
    ends: float | None = None
    ranks_after: float | None = None
    is_public: bool = False
    is_taken: bool = True
    absent: Sequence[str] = ()
    attempts: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)

    @property
    def exam(self) -> Exam:
        return _read_exam(self.slug)


@frozen
class ContentItem:
    """`in_days`: when it starts. `by`: user names of students who watched or attended it."""

    course: str
    chapter: str
    title: str
    type: str
    in_days: float | None = None
    by: Sequence[str] = ()


@frozen
class ReportCardData:
    """`groups`: mappings with name, score, min, max and average."""

    username: str
    title: str
    score: str
    min: int
    max: int
    days_ago: int
    groups: Sequence[Mapping[str, Any]]
    is_published: bool = True


@frozen
class ProductData:
    """`holders`: user names."""

    title: str
    slug: str
    price: str
    categories: Sequence[str]
    exams: int
    notes: int
    holders: Sequence[str]


@frozen
class PostData:
    """`in_days`: when it is published."""

    slug: str
    title: str
    summary: str
    html: str
    category: str
    in_days: float
    batches: Sequence[str] = ()
    products: Sequence[str] = ()
    is_public: bool = False


@frozen
class InstituteData:
    """`mentors`: user names of students by mentor. `courses`: batches by course. `filmed`: titles of videos."""

    staff: Sequence[Person]
    students: Sequence[Person]
    mentors: Mapping[str, Sequence[str]]
    courses: Mapping[str, Sequence[str]]
    exams: Sequence[ExamOffer]
    contents: Sequence[ContentItem]
    filmed: Sequence[str]
    report_cards: Sequence[ReportCardData]
    products: Sequence[ProductData]
    categories: Sequence[Mapping[str, Any]]
    posts: Sequence[PostData]

    @property
    def people(self) -> Sequence[Person]:
        return (*self.staff, *self.students)


@lru_cache(maxsize=1)
def institute_data() -> InstituteData:
    """Return the data of the demo institute, which is read once."""
    import yaml  # noqa: PLC0415  # only the first start reads the data

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    read = yaml.load((_FOLDER / "institute.yaml").read_bytes(), Loader=loader)  # noqa: S506  # a safe loader
    types: dict[str, type[Any]] = {
        "staff": Person,
        "students": Person,
        "exams": ExamOffer,
        "contents": ContentItem,
        "report_cards": ReportCardData,
        "products": ProductData,
        "posts": PostData,
    }
    for name, type_ in types.items():
        read[name] = tuple(type_(**fields) for fields in read[name])
    return InstituteData(**read)


@lru_cache(maxsize=16)
def _read_exam(slug: str) -> Exam:
    from lms_tui.banks.yaml_exam import read_yaml  # noqa: PLC0415  # only the first start reads exam files

    path = _FOLDER / "exams" / f"{slug}.yaml"
    return read_yaml(path.read_text("utf-8"), path.name).exam
