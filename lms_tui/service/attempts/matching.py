"""Match questions on the wire: their left sides stand in the text, each beside a gap; what is offered are the answers.

The document has no field for pairs. So every client shows them whole, and one that takes answers finds in the table
which gap belongs to which left side: it sends the text of an answer as what fills that gap.
"""

import html

from lms_tui.service.core.database.tables import Question
from lms_tui.wire.attempts import AnswerOption
from lms_tui.wire.question_types import QuestionType


def asked_html(question: Question, *, key: bool = False) -> str:
    """The text of a question, with a table of its left sides and their gaps where it is a match; `key`: solved."""
    if question.kind != QuestionType.MATCH:
        return question.html
    pairs = [pair for pair in question.pairs if pair.left_html]
    solved = [f"<td>✓ {html.escape(pair.right, quote=False)}</td>" if key else "" for pair in pairs]
    rows = "".join(
        f"<tr><td>{pair.left_html}</td><td>[[{gap}]]</td>{right}</tr>"
        for gap, (pair, right) in enumerate(zip(pairs, solved, strict=True), start=1)
    )
    return f"{question.html}<table>{rows}</table>" if rows else question.html


def offered(question: Question) -> list[AnswerOption]:
    """The answers as a student sees them. Those of a match are in the order of their letters, which tells nothing."""
    if question.kind != QuestionType.MATCH:
        return [AnswerOption(id=option.id, text_html=option.html) for option in question.options]
    rights = sorted({pair.right for pair in question.pairs}, key=lambda text: (text.casefold(), text))
    return [
        AnswerOption(id=place, text_html=html.escape(text, quote=False)) for place, text in enumerate(rights, start=1)
    ]
