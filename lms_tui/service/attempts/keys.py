"""Keys in the review of an attempt.

The API shows keys only as answers with `is_correct`. For questions without options, each accepted text becomes such an
answer. A number reads `2` or `1.9 to 2.1`, and the text of a gap follows its number, as in `2. sea`.
"""

import html
from collections.abc import Iterator

from lms_tui.service.attempts import scoring
from lms_tui.service.attempts.ending import key_of
from lms_tui.service.core.database.tables import Question
from lms_tui.wire.attempts import ReviewOption
from lms_tui.wire.question_types import GAP_TYPES


def review_answers(question: Question) -> list[ReviewOption]:
    """Return the options with their key, or else every text that earns full marks."""
    if question.options:
        return [
            ReviewOption(id=option.id, text_html=option.html, is_correct=option.is_correct)
            for option in question.options
        ]
    return [
        ReviewOption(id=position, text_html=html.escape(text, quote=False), is_correct=True)
        for position, text in enumerate(_written(question.kind, key_of(question)), start=1)
    ]


def _written(kind: str, key: scoring.QuestionKey) -> Iterator[str]:
    for number in key.numbers:
        if number.weight >= 1:
            low, high = f"{number.low.normalize():f}", f"{number.high.normalize():f}"
            span = low if number.low == number.high else f"{low} to {high}"
            yield f"{number.gap}. {span}" if number.gap else span
    in_gaps = kind in GAP_TYPES
    for text in key.texts:
        if text.weight >= 1:
            shown = text.text.replace(r"\*", "*")
            yield f"{text.gap}. {shown}" if in_gaps else shown
