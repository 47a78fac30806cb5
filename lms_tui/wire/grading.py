"""The results of an exam for staff. Only the embedded service has them."""

from lms_tui.wire.base import Count, DecimalString, Duration, Instant, Many, Rank, Text, Wire


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
