"""Questions laid out, kept for as long as they are near: the next one is ready before it is asked for."""

import logging
from collections import OrderedDict
from collections.abc import Callable

from lms_tui.attempt.values import Item
from lms_tui.content.model import MathsStyle
from lms_tui.views.answers import AnswerForm, AnswerMode, form_of
from lms_tui.views.question_layout import GapTexts, Passage, QuestionLayout, lay_out, lay_out_source
from lms_tui.wire.attempts import AttemptQuestionBody

_log = logging.getLogger(__name__)
KEPT = 24
"""LayoutCache kept: enough to page back and forth, few enough that an exam of 200 questions stays small."""


Key = tuple[Item, int, int, MathsStyle, Passage, GapTexts | None]
"""A question, the columns and rows it has, and what else its looks depend on."""


class LayoutCache:
    def __init__(self, body_of: Callable[[int], AttemptQuestionBody], *, passage_key: str = "r") -> None:
        self._body_of = body_of
        self._passage_key = passage_key
        self._kept: OrderedDict[tuple[object, ...], QuestionLayout] = OrderedDict()
        self._forms: dict[int, AnswerForm] = {}
        self._gapped: tuple[object, ...] = ()

    def form(self, item: Item) -> AnswerForm:
        """How this question is answered: found out once."""
        found = self._forms.get(item.question_id)
        if found is None:
            try:
                found = form_of(item.kind, self._body_of(item.question_id))
            except Exception:  # noqa: BLE001 - a question that cannot be read costs its field, never the person the exam
                _log.exception("question %d cannot be read", item.question_id)
                found = AnswerForm(AnswerMode.SHOWN)
            self._forms[item.question_id] = found
        return found

    def get(self, *key: *Key) -> QuestionLayout:
        """Return the question laid out for this window; laid out now where it was not ahead of time."""
        known = _known(key)
        kept = self._kept.get(known)
        if kept is None:
            kept = self._kept[known] = self._laid(*key)
            if key[5] is not None:
                # With every key that is typed into a gap comes another layout; those near must not make room for them.
                self._kept.pop(self._gapped, None)
                self._gapped = known
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(known)
        return kept

    def _laid(
        self, item: Item, width: int, height: int, style: MathsStyle, passage: Passage, filling: GapTexts | None
    ) -> QuestionLayout:
        body, form = self._body_of(item.question_id), self.form(item)
        try:
            return lay_out(item, body, width, height, style, passage, form, filling, passage_key=self._passage_key)
        except Exception:  # noqa: BLE001 - a question that cannot be drawn costs its looks, never the person the exam
            _log.exception("question %d cannot be laid out", item.question_id)
            return lay_out_source(item, body, width)

    def has(self, *key: *Key) -> bool:
        return _known(key) in self._kept

    def forget(self) -> None:
        self._kept.clear()


def _known(key: Key) -> tuple[object, ...]:
    return (key[0].question_id, *key[1:])
