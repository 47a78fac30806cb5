"""One typed exam, whatever file it came from; what readers produce, writers take and the service imports."""

from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from enum import StrEnum

from lms_tui.common.user_errors import AdvisedError
from lms_tui.wire.question_types import QuestionType


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to choose. `weight`: share of the marks it earns, 1 for the whole key, negative where it costs."""

    html: str
    correct: bool = False
    weight: Decimal | None = None
    feedback_html: str = ""


@dataclass(frozen=True, slots=True)
class NumericKey:
    """A number that is right when low <= answer <= high; `gap` is the number (from 1) of the gap it fills, or 0."""

    low: Decimal
    high: Decimal
    weight: Decimal = Decimal(1)
    feedback_html: str = ""
    gap: int = 0


@dataclass(frozen=True, slots=True)
class TextKey:
    """A text that is right; `gap` is the number (from 1) of the gap it fills, 0 where the answer is one field."""

    text: str
    gap: int = 0
    case_sensitive: bool = False
    weight: Decimal = Decimal(1)
    feedback_html: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """One row of a match question; an empty left side is a distractor on the right."""

    left_html: str
    right: str


@dataclass(frozen=True, slots=True)
class Question:
    """`direction_html`: a passage, the same text for each question that shares it. Marks None: the exam's own."""

    kind: QuestionType
    html: str
    options: tuple[Option, ...] = ()
    numbers: tuple[NumericKey, ...] = ()
    texts: tuple[TextKey, ...] = ()
    pairs: tuple[Pair, ...] = ()
    essay_topics: tuple[str, ...] = ()
    gap_choices: tuple[tuple[str, ...], ...] = ()
    """What each gap offers to choose from, in the order of the gaps; nothing for a gap that takes any text."""
    title: str = ""
    direction_html: str = ""
    explanation_html: str = ""
    subject: tuple[str, ...] = ()
    """The path from the broadest subject to the narrowest, `("Physics", "Optics")`."""
    marks: Decimal | None = None
    negative_marks: Decimal | None = None
    language: str = ""
    identifier: str = ""
    tags: tuple[str, ...] = ()
    line: int = 0
    """Line of the source where the question begins, from 1; 0 where there is no source."""


@dataclass(frozen=True, slots=True)
class Section:
    """`duration` None: no clock of its own."""

    name: str
    questions: tuple[Question, ...]
    duration: timedelta | None = None
    cut_off: int = 0
    instructions_html: str = ""


@dataclass(frozen=True, slots=True)
class Exam:
    """`duration` None: untimed. An exam without named sections has one section with an empty name."""

    title: str
    sections: tuple[Section, ...]
    slug: str = ""
    description_html: str = ""
    duration: timedelta | None = None
    mark_per_question: Decimal = Decimal(1)
    negative_marks: Decimal = Decimal(0)
    allow_retake: bool = True
    max_retakes: int | None = None
    show_answers: bool = True
    enable_ranks: bool = True
    immediate_feedback: bool = False
    allow_preemptive_section_ending: bool = True
    language: str = ""

    @property
    def questions(self) -> tuple[Question, ...]:
        return tuple(question for section in self.sections for question in section.questions)


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a reader or the lint has to say: `message` is one sentence, `line` and `question` from 1, 0 for none."""

    severity: Severity
    message: str
    line: int = 0
    question: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """A file as it was understood: everything that could be read, and an account of what could not."""

    exam: Exam
    findings: tuple[Finding, ...] = field(default=())

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity is Severity.ERROR)


class NotAnExam(AdvisedError):
    """The bytes are no exam in any format known here; `str(error)` is a sentence for people, `advice` what to do."""
