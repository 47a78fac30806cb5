"""Questions of an ended attempt: match questions with their key, and options in the order of the attempt."""

from collections.abc import Sequence
from operator import attrgetter

from lms_tui.banks.asked import match_html
from lms_tui.service.attempts.asked import in_order
from lms_tui.service.core.database.tables import Option, Question
from lms_tui.wire.question_types import QuestionType


def solved_html(question: Question) -> str:
    """Return the text of a question, with a table of its pairs if it is a match question."""
    if question.kind != QuestionType.MATCH:
        return question.html
    pairs = [pair for pair in question.pairs if pair.left_html]
    return match_html(question.html, [pair.left_html for pair in pairs], [pair.right for pair in pairs])


def ordered(question: Question, order: Sequence[int]) -> list[Option]:
    """Return the options as an attempt shows them. `order`: their IDs, or none for the order of the exam."""
    return in_order(question.options, order, attrgetter("id"))
