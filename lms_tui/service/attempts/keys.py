"""Keys in the review of an attempt. The API shows keys only as answers with `is_correct`."""

import html
from collections.abc import Sequence

from lms_tui.banks.asked import key_texts
from lms_tui.service.attempts.ending import key_of
from lms_tui.service.attempts.matching import ordered
from lms_tui.service.core.database.tables import Question
from lms_tui.wire.attempts import ReviewOption


def review_answers(question: Question, order: Sequence[int]) -> list[ReviewOption]:
    """Return the options with their key in this order, or else every text that earns full marks."""
    if question.options:
        return [
            ReviewOption(id=option.id, text_html=option.html, is_correct=option.is_correct)
            for option in ordered(question, order)
        ]
    return [
        ReviewOption(id=position, text_html=html.escape(text, quote=False), is_correct=True)
        for position, text in enumerate(key_texts(key_of(question)), start=1)
    ]
