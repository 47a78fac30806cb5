"""The JSON of the commands about marks, results, statistics and receipts."""

from typing import Literal

from pydantic import Field

from lms_tui.commands.json_shapes.base import Moment, Shape, Span
from lms_tui.commands.json_shapes.exams import WrittenFile

Outcome = Literal["correct", "incorrect", "partial", "unanswered", "unscored"]


class ChosenOption(Shape):
    """`share`: of the ended attempts, from 0 to 1."""

    option: str
    correct: bool
    count: int
    share: float | None


class WrittenAnswer(Shape):
    text: str
    count: int


class QuestionStatistics(Shape):
    """How a question worked. `suspicions`: a sentence for each thing that may be wrong with it."""

    number: int
    type: str
    title: str
    answered: int
    to_mark: int
    correction: str
    suspicions: list[str]
    facility: float | None
    discrimination: float | None
    choices: list[ChosenOption]
    answers: list[WrittenAnswer]


class Statistics(Shape):
    """The statistics of an exam. `reliability`: Cronbach's alpha. Numbers are null where they are undefined."""

    slug: str
    title: str
    attempts: int
    mean: float | None
    median: float | None
    deviation: float | None
    lowest: float | None
    highest: float | None
    reliability: float | None
    questions: list[QuestionStatistics]


class ResultQuestion(Shape):
    number: int
    title: str
    type: str
    subject: str
    marks: float


class ResultAnswer(Shape):
    """`outcome`, `marks`: null before the end and while the answer waits for marks."""

    question: int
    answer: str
    outcome: Outcome | None
    marks: float | None


class Result(Shape):
    """An attempt. Marks and counts are null before the end. `to_mark`: answers that wait for a person."""

    attempt: int
    name: str
    username: str
    state: str
    score: float | None
    max_score: float | None
    percentage: float | None
    rank: int | None
    correct: int
    incorrect: int
    unanswered: int
    to_mark: int
    started: Moment
    ended: Moment | None
    time_used: Span
    subjects: dict[str, float | None]
    answers: list[ResultAnswer]


class Results(Shape):
    exam: str
    title: str
    questions: list[ResultQuestion]
    results: list[Result]


class WrittenResults(WrittenFile):
    slug: str


class GradebookItem(Shape):
    """An exam, or with `--questions` a question, whose slug is that of its exam and its number."""

    slug: str
    title: str
    max_score: float


class GradebookStudent(Shape):
    """`scores`: by slug, without exams that the student has not ended. `to_mark`: how many answers wait for marks."""

    name: str
    username: str
    email: str
    scores: dict[str, float]
    to_mark: dict[str, int]


class Gradebook(Shape):
    exams: list[GradebookItem]
    students: list[GradebookStudent]


class WrittenGradebook(WrittenFile):
    students: int


class Criterion(Shape):
    """`points`: a text such as `"2.5"`."""

    criterion: str
    points: str


class Paper(Shape):
    """An answer to mark by hand. `second`: the second marks. `name`, `username`: missing with `--hide-names`."""

    question: int
    attempt: int
    name: str = ""
    username: str = ""
    marks: float | None
    second: float | None
    maximum: float
    comment: str
    released: bool


class AnswerFile(Shape):
    """A file of an answer to mark. `state`: `written`, `already there`, or `missing` if its content has not arrived.

    `path`: null if it is missing. `name`, `username`: missing with `--hide-names`.
    """

    question: int
    attempt: int
    name: str = ""
    username: str = ""
    file: str
    bytes: int
    state: str
    path: str | None


class Released(Shape):
    """`to_mark`: how many answers still wait for marks."""

    slug: str
    released: int
    to_mark: int


class MovedScore(Shape):
    """An attempt whose score or rank a correction changes."""

    name: str
    username: str
    score: float
    new_score: float
    rank: int
    new_rank: int


class ReceiptKey(Shape):
    """Which attempt a receipt is of. `origin`: the address of the server."""

    origin: str
    user_id: int
    attempt_id: int


class VerifiedReceipt(Shape):
    """A checked receipt. `key`: null if it is no receipt. `after_last_heard`: changes after the last reply."""

    verdict: Literal["whole", "changed", "no receipt"]
    problems: list[str]
    legible: bool
    key: ReceiptKey | None
    title: str
    changes: int
    undelivered: int
    last_heard: dict[str, str] | None
    after_last_heard: int
    digest: str
    login: str
    ended: bool
    acknowledged_at: str
    acknowledged_by: str
    acknowledges: bool


class KeptAttempt(Shape):
    """An attempt whose answers are on this computer. `last`: the time of the last change, or empty."""

    attempt_id: int
    title: str
    server: str
    user_id: int
    changes: int
    undelivered: int
    last: str
    undelivered_answers: list[str]


class UnreadableAttempt(Shape):
    """A journal that cannot be read, and why."""

    attempt_id: int
    trouble: str


class ExportedReceipt(WrittenFile):
    changes: int
    undelivered: int


class ComparedAnswer(Shape):
    """An answer that differs. `receipt`, `database`: the answers in words."""

    question: int
    found: Literal["missing here", "differs", "too late"]
    receipt: str
    database: str
    chosen: Moment
    delivered: bool


class ComparedReceipt(Shape):
    """A receipt and the database. `counts`: by what was found. `taken_in`: the numbers of the questions.

    The fields with a default are missing where the receipt has problems, and `taken_in` without `--take-in`.
    """

    file: str
    problems: list[str]
    made_after_the_end: bool
    signature: Literal["none", "true", "other answers", "another key", "not checked"]
    answers: list[ComparedAnswer]
    attempt: int = 0
    exam: str = ""
    username: str = ""
    counts: dict[str, int] = Field(default={})
    taken_in: list[int] = Field(default=[])


class PublicKey(Shape):
    key: str
