from typing import Annotated

from pydantic import BeforeValidator

from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.base import (
    Count,
    DecimalString,
    Duration,
    Flag,
    Instant,
    Integer,
    Many,
    Number,
    Rank,
    Text,
    Truth,
    Wire,
)
from lms_tui.wire.exams import Exam
from lms_tui.wire.notices import NoticeMark
from lms_tui.wire.server_memory import ServerMemory
from lms_tui.wire.users import UserSummary


class AttemptSection(Wire):
    """A section of an attempt. `state` is Not Started, Running or Completed (wire notes, Values)."""

    id: Count = 0
    attempt_section_id: Count = 0
    name: Text = ""
    order: Count = 0
    state: Text = AttemptState.NOT_STARTED.value
    duration: Duration = None
    remaining_time: Duration = None
    instructions: Text = ""
    questions_url: Text = ""
    start_url: Text = ""
    end_url: Text = ""


class Attempt(Wire):
    """An attempt in the caller's list or on its own. `user` is a user name (API document, Exam attempt)."""

    url: Text = ""
    id: Count = 0
    exam: Exam = Exam()
    user: str | UserSummary = ""
    date: Instant = None
    total_questions: Count = 0
    score: DecimalString = None
    review_pdf_url: Text = ""
    review_url: Text = ""
    questions_url: Text = ""
    percentile: Number = None
    correct_count: Count = 0
    incorrect_count: Count = 0
    unanswered_count: Count = 0
    last_started_time: Instant = None
    remaining_time: Duration = None
    time_taken: Duration = None
    state: Text = ""
    rank: Rank = None
    max_rank: Rank = None
    percentage: Text = ""
    commented_questions_count: Count = 0
    comments_count: Count = 0
    allow_retake: Flag = False
    remaining_attempts: Integer = None
    total_bonus: Count = 0
    rank_enabled: Flag = False
    sections: Many[AttemptSection] = ()
    speed: Number = None
    accuracy: Number = None
    institute_attempt_id: Integer = None


class ExamAids(Wire):
    """The aids of an exam beside its questions. Only the embedded service tells it.

    `calculator` is `no`, `basic` or `scientific`. `reference_sheet` is HTML, "" without one.
    """

    calculator: Text = ""
    reference_sheet: Text = ""


class AttemptNotice(Wire):
    """A sentence of the institute to the student of an attempt. Only the embedded service tells it.

    `kind` is time, pause, go on, end, reopen or message. `seen`: when the student's app had shown it.
    """

    id: Count = 0
    at: Instant = None
    kind: Text = ""
    text: Text = ""
    seen: Instant = None


class AnswersAcknowledged(Wire):
    """The signed acknowledgement of answers (`lms_tui.wire.acknowledgement`). Only the embedded service tells it."""

    acknowledgement: Text = ""


class ToldAttempt(Attempt):
    """An attempt in the reply to start, a heartbeat or the end, with what the server told of itself in headers."""

    memory: Annotated[ServerMemory, BeforeValidator(lambda _: ServerMemory())] = ServerMemory()
    notices: Annotated[NoticeMark, BeforeValidator(lambda _: NoticeMark())] = NoticeMark()
    acknowledgement: Annotated[str, BeforeValidator(lambda _: "")] = ""
    server_time: Annotated[Instant, BeforeValidator(lambda _: None)] = None


class AnswerOption(Wire):
    id: Count = 0
    text_html: Text = ""


class AttemptQuestionBody(Wire):
    question_html: Text = ""
    direction: str | None = None
    answers: Many[AnswerOption] = ()
    essay_topics: Many[object] = ()
    subject: Text = ""
    type: Text = ""


class GapFill(Wire):
    order: Text = ""
    answer: Text = ""


def _duration_as_sent(value: object) -> str | None:
    return None if value is None else str(value)


class AttemptQuestion(Wire):
    """A question of a running attempt, without its key.

    `review` is None before the first visit, False after it, and True for a question that is marked for review.
    """

    id: Count = 0
    url: Text = ""
    question: AttemptQuestionBody = AttemptQuestionBody()
    duration: Annotated[str | None, BeforeValidator(_duration_as_sent)] = None
    selected_answers: Many[int] = ()
    short_text: str | None = None
    essay_text: str | None = None
    essay_topic: str | None = None
    gap_fill_responses: Many[GapFill] = ()
    review: Truth = None


class AnswerInput(Wire):
    """The request body that saves an answer."""

    selected_answers: tuple[int, ...] = ()
    review: bool | None = None
    short_text: str | None = None
    essay_text: str | None = None
    essay_topic: str | None = None
    gap_fill_responses: tuple[GapFill, ...] | None = None


class ReviewOption(AnswerOption):
    is_correct: Flag = False


class ReviewQuestionBody(Wire):
    id: Count = 0
    url: Text = ""
    question_html: Text = ""
    direction: str | None = None
    answers: Many[ReviewOption] = ()
    essay_topics: Many[object] = ()
    subject: Text = ""
    explanation_html: Text = ""
    type: Text = ""
    comments_url: Text = ""
    marks: DecimalString = None
    negative_marks: DecimalString = None


class ReviewQuestion(Wire):
    """A question of an ended attempt, with its key. Times are in seconds.

    Only the embedded service sends the marks of the answer (`score`, None until a person has marked it), the `comment`
    of a person and the `correction` of the question: `key`, `void` or `full marks`. `outcome` is correct, partial,
    incorrect, unanswered or unscored where a person or a correction decided, and otherwise "".
    """

    id: Count = 0
    url: Text = ""
    order: Count = 0
    question: ReviewQuestionBody = ReviewQuestionBody()
    duration: Annotated[str | None, BeforeValidator(_duration_as_sent)] = None
    best_duration: Number = None
    average_duration: Number = None
    selected_answers: Many[int] = ()
    short_text: str | None = None
    essay_text: str | None = None
    essay_topic: str | None = None
    gap_fill_responses: Many[GapFill] = ()
    review: Truth = None
    comments_count: Count = 0
    correct_percentage: Number = None
    score: DecimalString = None
    outcome: Text = ""
    comment: Text = ""
    correction: Text = ""


class SubjectAnalytics(Wire):
    id: Count = 0
    name: Text = ""
    total: Count = 0
    correct: Count = 0
    unanswered: Count = 0
    incorrect: Count = 0
    parent: Integer = None
    leaf: Flag = True
    score: DecimalString = None
