"""Match questions in API responses, which have no field for pairs.

The question text ends with a table of the left sides, each beside a numbered gap. The right sides are the answers. A
client sends the text of an answer as the response to a gap.
"""

import html

from lms_tui.service.core.database.tables import Question
from lms_tui.wire.attempts import AnswerOption
from lms_tui.wire.question_types import QuestionType


def asked_html(question: Question, *, key: bool = False) -> str:
    """Return the text of a question, with a table of gaps if it is a match question. `key`: with the solution."""
    if question.kind != QuestionType.MATCH:
        return question.html
    pairs = [pair for pair in question.pairs if pair.left_html]
    solved = [f"<td>✓ {html.escape(pair.right, quote=False)}</td>" if key else "" for pair in pairs]
    rows = "".join(
        f"<tr><td>{pair.left_html}</td><td>[[{gap}]]</td>{right}</tr>"
        for gap, (pair, right) in enumerate(zip(pairs, solved, strict=True), start=1)
    )
    return f"{question.html}<table>{rows}</table>" if rows else question.html


def choices(question: Question) -> list[AnswerOption]:
    """Return the answers for a student. Those of a match question are sorted, which hides the key."""
    if question.kind != QuestionType.MATCH:
        return [AnswerOption(id=option.id, text_html=option.html) for option in question.options]
    rights = sorted({pair.right for pair in question.pairs}, key=lambda text: (text.casefold(), text))
    return [
        AnswerOption(id=number, text_html=html.escape(text, quote=False)) for number, text in enumerate(rights, start=1)
    ]
