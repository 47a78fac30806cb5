"""The JSON of the commands about exams and their files."""

from typing import Literal

from lms_tui.commands.json_shapes.base import Moment, Shape, Span


class ListedExam(Shape):
    """An exam or a question bank. `questions`: how many an attempt has."""

    id: int
    slug: str
    title: str
    course: str
    questions: int
    duration: Span | None
    published: bool
    public: bool
    start: Moment
    end: Moment | None
    batches: list[str]


class ExamSettings(ListedExam):
    """An exam with every setting. `retakes`: a number, `none` or `unlimited`. Marks are texts such as `"0.25"`."""

    marks: str
    negative_marks: str
    retakes: str
    answers: Literal["always", "after-closing", "never"]
    ranks: bool
    calculator: Literal["no", "basic", "scientific"]
    shuffled: bool
    options_shuffled: bool
    access_code: str
    pdf: bool
    archived: bool


Outcome = Literal["created", "updated", "unchanged"]


class ImportedExam(ExamSettings):
    """An exam that was imported, or would be."""

    outcome: Outcome


class ImportedBank(Shape):
    """A file that was put into a question bank. `questions`: those of the file."""

    outcome: Outcome
    bank: str
    course: str
    file: str
    questions: int
    questions_of_bank: int


class DeletedExam(Shape):
    """The parts that were deleted with an exam, or would be."""

    outcome: Literal["deleted", "would be deleted"]
    slug: str
    title: str
    questions: int
    students: int
    attempts: int
    answers: int


class ExportedExam(Shape):
    """`changed`: the number of things that the format of the file does not keep."""

    slug: str
    file: str
    changed: int


class SectionOfFile(Shape):
    name: str
    questions: int


class Question(Shape):
    """A question of a file. `keys`: the right answers as text. `correct`: the numbers of the right options."""

    number: int
    type: str
    title: str
    text: str
    options: list[str]
    correct: list[int]
    keys: list[str]
    line: int


class Finding(Shape):
    """An error or a warning. `line`, `question`: 0 where it belongs to none."""

    message: str
    line: int
    question: int


class CheckedFile(Shape):
    """An exam file. `asked`: how many questions an attempt has. `counts`: how many questions each type has."""

    file: str
    title: str
    sections: list[SectionOfFile]
    asked: int
    counts: dict[str, int]
    questions: list[Question]
    errors: list[Finding]
    warnings: list[Finding]


class ConvertedFile(Shape):
    """`changes`: a sentence for each thing that the new file does not keep."""

    file: str
    changes: list[str]


class WrittenFile(Shape):
    file: str


class Sitting(Shape):
    """An attempt on the board. `left`: null without a time limit and after the end."""

    attempt: int
    username: str
    name: str
    state: Literal["running", "paused", "time over", "ended"]
    answered: int
    questions: int
    left: Span | None
    contact: Moment | None
    devices: int
    not_shown: int


class ChangedTime(Shape):
    """A running attempt whose time was changed."""

    username: str
    name: str
    attempt: int
    left_before: Span | None
    left: Span | None
    paused: bool


class ToldNotice(Shape):
    """A message or a change of the time. `shown`: when the student's app has shown it."""

    at: Moment
    username: str
    kind: Literal["time", "pause", "go on", "end", "reopen", "message"]
    text: str
    shown: Moment | None
