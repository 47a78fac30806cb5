"""An exam in memory. Readers produce it, writers take it, and the service imports it."""

from collections import Counter
from collections.abc import Collection
from dataclasses import field, fields, replace
from datetime import timedelta
from decimal import Decimal
from enum import StrEnum

from lms_tui.common.calculator import Scope
from lms_tui.common.frozen import frozen
from lms_tui.common.user_errors import AdvisedError
from lms_tui.wire.question_types import QuestionType


@frozen
class Option:
    """An option of a question. `weight`: its share of the marks, 1 for all of them and below 0 for a penalty.

    `fixed`: the option keeps its place when options are shuffled, as "all of the above" should.
    """

    html: str
    correct: bool = False
    weight: Decimal | None = None
    feedback_html: str = ""
    fixed: bool = False


@frozen
class NumericKey:
    """Numbers from `low` to `high` are right. `gap` is the number of the gap from 1, or 0."""

    low: Decimal
    high: Decimal
    weight: Decimal = Decimal(1)
    feedback_html: str = ""
    gap: int = 0


@frozen
class TextKey:
    """A correct text. `gap` is the number of the gap from 1, or 0 if the answer is one field."""

    text: str
    gap: int = 0
    case_sensitive: bool = False
    weight: Decimal = Decimal(1)
    feedback_html: str = ""


@frozen
class Pair:
    """One row of a match question. A row without a left side is a distractor."""

    left_html: str
    right: str


@frozen
class Criterion:
    """A criterion of a rubric, and the most points that an answer gets for it."""

    name: str
    points: Decimal


@frozen
class Question:
    """A question. Questions that share a passage have the same `direction_html`.

    `marks`, `negative_marks`: None to use the values of the exam. `pool`: the place in `Exam.picks`, from 1, of a pick
    that draws from this question and others. 0 for a question that is always asked.
    """

    kind: QuestionType
    html: str
    options: tuple[Option, ...] = ()
    numbers: tuple[NumericKey, ...] = ()
    texts: tuple[TextKey, ...] = ()
    pairs: tuple[Pair, ...] = ()
    essay_topics: tuple[str, ...] = ()
    gap_choices: tuple[tuple[str, ...], ...] = ()
    """The choices of each gap, in order. A gap that takes any text has none."""
    title: str = ""
    direction_html: str = ""
    explanation_html: str = ""
    subject: tuple[str, ...] = ()
    """The path from the broadest subject to the narrowest: `("Physics", "Optics")`."""
    marks: Decimal | None = None
    negative_marks: Decimal | None = None
    language: str = ""
    identifier: str = ""
    tags: tuple[str, ...] = ()
    rubric: tuple[Criterion, ...] = ()
    """How the marks are divided where a person marks the answer. The points add up to the marks of the question."""
    file_types: tuple[str, ...] = ()
    """The types of the files that it asks for, such as `.pdf`. Empty: files of any type."""
    most_files: int = 1
    pool: int = 0
    line: int = 0
    """Line of the source where the question begins, from 1, or 0 without a source."""

    def texts_of(self, gap: int) -> tuple[TextKey, ...]:
        return tuple(key for key in self.texts if key.gap == gap)

    def numbers_of(self, gap: int) -> tuple[NumericKey, ...]:
        return tuple(key for key in self.numbers if key.gap == gap)

    def choices_of(self, gap: int) -> tuple[str, ...]:
        return self.gap_choices[gap - 1] if 1 <= gap <= len(self.gap_choices) else ()


@frozen
class BankDraw:
    """Questions that each attempt draws from a question bank of the institute.

    `bank`: the link name of the bank. `count`: how many questions are drawn. `tags`: the tags that each question must
    have, where its difficulty is a tag too. `marks`: the marks of each question, None to use those of the exam.
    """

    bank: str
    count: int
    subject: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    marks: Decimal | None = None

    def fits(self, question: Question) -> bool:
        """Return whether a question of the bank can be drawn. Small and capital letters are the same."""
        path = _folded(question.subject)[: len(self.subject)]
        return path == _folded(self.subject) and set(_folded(self.tags)) <= set(_folded(question.tags))


def _folded(texts: tuple[str, ...]) -> list[str]:
    return [text.casefold() for text in texts]


@frozen
class Section:
    """A section. `duration` None means that it has no time limit.

    `draws`: what is drawn from banks, after the questions of the section.
    """

    name: str
    questions: tuple[Question, ...]
    duration: timedelta | None = None
    cut_off: int = 0
    instructions_html: str = ""
    draws: tuple[BankDraw, ...] = ()


@frozen
class Exam:
    """An exam. It has at least one section. The section of an exam without sections has an empty name.

    `duration`: None without a time limit. `max_retakes`: None if the file gives no number, negative without a limit.
    """

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
    answers_after_closing: bool = False
    enable_ranks: bool = True
    immediate_feedback: bool = False
    allow_preemptive_section_ending: bool = True
    language: str = ""
    calculator: Scope = Scope.SCIENTIFIC
    """The calculator that students may use."""
    reference_html: str = ""
    """The reference sheet, which students may read during the exam."""
    picks: tuple[int, ...] = ()
    """How many questions of each pool are drawn for an attempt. `Question.pool` counts the pools from 1."""
    said: frozenset[str] = field(default=frozenset(), compare=False)
    """The names of the fields that the file gives, also where the value is the default."""

    @property
    def questions(self) -> tuple[Question, ...]:
        return tuple(question for section in self.sections for question in section.questions)

    def says(self, *names: str) -> bool:
        """Return whether the file gives one of these fields. A value other than the default was given."""
        usual = {each.name: each.default for each in fields(self)}
        return any(name in self.said or getattr(self, name) != usual[name] for name in names)

    @property
    def draws(self) -> tuple[BankDraw, ...]:
        return tuple(draw for section in self.sections for draw in section.draws)

    def marks_of(self, question: Question) -> Decimal:
        """Return the marks for a correct answer to one of its questions."""
        return self.mark_per_question if question.marks is None else question.marks

    def cost_of(self, question: Question) -> Decimal:
        """Return what an incorrect answer costs, never negative. Files write it with and without a sign."""
        return abs(self.negative_marks if question.negative_marks is None else question.negative_marks)

    @property
    def asked(self) -> int:
        """The number of questions of one attempt, without those drawn from banks."""
        sizes = Counter(question.pool for question in self.questions)
        return sizes[0] + sum(min(count, sizes[pool]) for pool, count in enumerate(self.picks, 1))

    def limited_to(self, duration: timedelta) -> "Exam":
        """Return the exam with a time limit for the whole, and none for its sections."""
        sections = tuple(replace(section, duration=None) for section in self.sections)
        return replace(self, duration=duration, sections=sections)

    def without(self, numbers: Collection[int]) -> "Exam":
        """Return the exam without some questions, which count from 1, and without sections that are empty then."""
        left = iter(range(1, len(self.questions) + 1))
        kept = [
            replace(section, questions=tuple(each for each in section.questions if next(left) not in numbers))
            for section in self.sections
        ]
        return replace(self, sections=tuple(section for section in kept if section.questions or section.draws))


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@frozen
class Finding:
    """A finding of a reader or a check. `message` is one sentence. `line` and `question` count from 1, or are 0."""

    severity: Severity
    message: str
    line: int = 0
    question: int = 0

    @property
    def in_words(self) -> str:
        """The message after its line and question."""
        places = [f"{word} {at}" for word, at in (("line", self.line), ("question", self.question)) if at]
        return f"{', '.join(places)}: {self.message}" if places else self.message


@frozen
class Reading:
    """The exam in a file, with findings about everything that could not be read."""

    exam: Exam
    findings: tuple[Finding, ...] = field(default=())

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity is Severity.ERROR)


class NotAnExam(AdvisedError):
    """The file is not an exam in a known format. `advice` says what to do."""
