"""The results of an exam for staff. Only the embedded service has them."""

from decimal import Decimal
from enum import StrEnum

from lms_tui.wire.base import Count, DecimalString, Duration, Flag, Input, Instant, Many, Rank, Text, Wire


class Marker(StrEnum):
    """The person who gives marks. `FINAL`: a moderator, whose marks stand in place of the first and the second ones."""

    FIRST = "first"
    SECOND = "second"
    FINAL = "final"


class MarkedAnswer(Wire):
    """An answer with its marks. `question`: its number. Options are letters in the order of the exam file.

    `outcome` is correct, partial, incorrect, unanswered or unscored, and "" while the attempt runs.
    """

    question: Count = 0
    answer: Text = ""
    outcome: Text = ""
    marks: DecimalString = None


class SubjectMarks(Wire):
    """`subject`: the path in the subject tree, such as `Physics / Optics`."""

    subject: Text = ""
    marks: DecimalString = None


class ExamResult(Wire):
    """The result of one attempt. `to_mark`: how many answers wait for a person to mark them."""

    id: Count = 0
    username: Text = ""
    display_name: Text = ""
    state: Text = ""
    score: DecimalString = None
    max_score: DecimalString = None
    percentage: Text = ""
    rank: Rank = None
    correct_count: Count = 0
    incorrect_count: Count = 0
    unanswered_count: Count = 0
    to_mark: Count = 0
    date: Instant = None
    ended: Instant = None
    time_taken: Duration = None
    subjects: Many[SubjectMarks] = ()
    answers: Many[MarkedAnswer] = ()


class ChosenOption(Wire):
    """How often an option was chosen. `share`: of all ended attempts, 0 to 1."""

    option: Text = ""
    correct: Flag = False
    count: Count = 0
    share: float | None = None


class WrittenText(Wire):
    text: Text = ""
    count: Count = 0


class ItemStatistics(Wire):
    """The item analysis of a question. `facility`: 0 to 1, `discrimination`: -1 to 1, None without a value.

    `suspicions`: sentences about what may be wrong with the question. `to_mark`: answers without marks.
    """

    number: Count = 0
    type: Text = ""
    title: Text = ""
    answered: Count = 0
    to_mark: Count = 0
    correction: Text = ""
    suspicions: Many[Text] = ()
    facility: float | None = None
    discrimination: float | None = None
    choices: Many[ChosenOption] = ()
    answers: Many[WrittenText] = ()


class ExamStatistics(Wire):
    """The scores of all ended attempts, and each question. `reliability`: Cronbach's alpha."""

    slug: Text = ""
    title: Text = ""
    attempts: Count = 0
    mean: float | None = None
    median: float | None = None
    deviation: float | None = None
    lowest: float | None = None
    highest: float | None = None
    reliability: float | None = None
    questions: Many[ItemStatistics] = ()


class Criterion(Wire):
    """A criterion of a rubric, with its most points."""

    criterion: Text = ""
    points: DecimalString = None


class AnswerToMark(Wire):
    """An answer that a person marks. `marks`: the newest marks by hand, None before. `question`: its number.

    `automatic`: the question is marked automatically, so that other marks need a reason. `is_released`: students see
    the marks. `second_marks`: those of a second marker, until the release. `files`: the texts that name its files.
    """

    id: Count = 0
    attempt: Count = 0
    username: Text = ""
    name: Text = ""
    question: Count = 0
    question_html: Text = ""
    answer: Text = ""
    automatic: Flag = False
    max_marks: DecimalString = None
    marks: DecimalString = None
    comment: Text = ""
    is_released: Flag = False
    second_marks: DecimalString = None
    rubric: Many[Criterion] = ()
    files: Many[str] = ()


class MarkInput(Input):
    question: int
    attempt: int
    marks: Decimal
    comment: str = ""
    reason: str = ""
    marker: str = "first"
    points: tuple[Decimal, ...] = ()


class ReleasedMarks(Wire):
    """`released`: marks that count now. `to_mark`: answers that wait for marks."""

    released: Count = 0
    to_mark: Count = 0
