"""Layouts of the questions near the current one."""

import logging
from collections import OrderedDict
from collections.abc import Callable

from lms_tui.attempt.values import Item
from lms_tui.content.model import MathsStyle
from lms_tui.views.answers import AnswerForm, AnswerMode, form_of
from lms_tui.views.question_layout import GapTexts, Passage, QuestionLayout, lay_out, lay_out_source
from lms_tui.wire.attempts import AttemptQuestionBody

_log = logging.getLogger(__name__)
KEPT = 8
"""The number of layouts in memory: the current one, those of `near`, and two more."""


Key = tuple[Item, int, int, MathsStyle, Passage, GapTexts | None, bool]
"""A question, its columns and rows, and what else its layout depends on. The last: whether its words are numbered."""


class LayoutCache:
    def __init__(
        self, body_of: Callable[[int], AttemptQuestionBody], *, passage_key: Callable[[AnswerForm], str]
    ) -> None:
        self._body_of = body_of
        self._passage_key = passage_key
        self._kept: OrderedDict[tuple[object, ...], QuestionLayout] = OrderedDict()
        self._forms: dict[int, AnswerForm] = {}
        self._gapped: tuple[object, ...] = ()

    def form(self, item: Item) -> AnswerForm:
        """Return how a question is answered. A question that cannot be read is only shown."""
        found = self._forms.get(item.question_id)
        if found is None:
            try:
                found = form_of(item.kind, self._body_of(item.question_id))
            except Exception:  # noqa: BLE001 - one faulty question must not end the exam
                _log.exception("question %d cannot be read", item.question_id)
                found = AnswerForm(AnswerMode.SHOWN)
            self._forms[item.question_id] = found
        return found

    def get(self, *key: *Key) -> QuestionLayout:
        """Return the layout of a question for this window."""
        known = _known(key)
        kept = self._kept.get(known)
        if kept is None:
            kept = self._kept[known] = self._laid(*key)
            if key[5] is not None:
                # Every key typed into a gap makes another layout. Only the newest of them is kept.
                self._kept.pop(self._gapped, None)
                self._gapped = known
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(known)
        return kept

    def _laid(
        self,
        item: Item,
        width: int,
        height: int,
        style: MathsStyle,
        passage: Passage,
        filling: GapTexts | None,
        count_words: bool,
    ) -> QuestionLayout:
        body, form = self._body_of(item.question_id), self.form(item)
        try:
            key = self._passage_key(form)
            return lay_out(
                item, body, width, height, style, passage, form, filling, passage_key=key, count_words=count_words
            )
        except Exception:  # noqa: BLE001 - one faulty question must not end the exam
            _log.exception("question %d cannot be laid out", item.question_id)
            return lay_out_source(item, body, width)

    def has(self, *key: *Key) -> bool:
        return _known(key) in self._kept

    def forget(self) -> None:
        self._kept.clear()


def near(current: int, count: int) -> tuple[int, ...]:
    """Return the places of the questions that are likely to be next, the likeliest first."""
    return tuple(place for place in (current + step for step in (1, -1, 2, 3, 4)) if 0 <= place < count)


def _known(key: Key) -> tuple[object, ...]:
    return (key[0].question_id, *key[1:])
