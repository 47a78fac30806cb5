"""What a review answers as right where nothing was offered to choose from: written keys among the answers.

The document has one place for what is right: answers with `is_correct`. So a text that would have been taken stands
there as it would be written, a number as `2` or `1.9 to 2.1`, and what belongs in a gap behind its number, `2. sea`.
"""

import html
from collections.abc import Iterator

from lms_tui.service.attempts import scoring
from lms_tui.service.attempts.ending import item_of
from lms_tui.service.core.database.tables import Question
from lms_tui.wire.attempts import ReviewOption
from lms_tui.wire.question_types import GAP_TYPES


def review_answers(question: Question) -> list[ReviewOption]:
    """The options with their key; where there are none, every written answer that would have had full marks."""
    if question.options:
        return [
            ReviewOption(id=option.id, text_html=option.html, is_correct=option.is_correct)
            for option in question.options
        ]
    return [
        ReviewOption(id=place, text_html=html.escape(text, quote=False), is_correct=True)
        for place, text in enumerate(_written(question.kind, item_of(question)), start=1)
    ]


def _written(kind: str, item: scoring.Item) -> Iterator[str]:
    for key in item.numbers:
        if key.weight >= 1:
            low, high = f"{key.low.normalize():f}", f"{key.high.normalize():f}"
            span = low if key.low == key.high else f"{low} to {high}"
            yield f"{key.gap}. {span}" if key.gap else span
    in_gaps = kind in GAP_TYPES
    for text in item.texts:
        if text.weight >= 1:
            shown = text.text.replace(r"\*", "*")
            yield f"{text.gap}. {shown}" if in_gaps else shown
