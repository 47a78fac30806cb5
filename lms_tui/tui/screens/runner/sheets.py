"""Questions laid out, kept for as long as they are near: the next one is ready before it is asked for."""

import logging
from collections import OrderedDict
from collections.abc import Callable

from lms_tui.attempt.values import Item
from lms_tui.content.model import MathsStyle
from lms_tui.tui.presenters.runner_sheet import Passage, Sheet, sheet, source_sheet
from lms_tui.wire.attempts import AttemptQuestionBody

_log = logging.getLogger(__name__)
KEPT = 24
"""Sheets kept: enough to page back and forth, few enough that an exam of 200 questions stays small."""


class Sheets:
    def __init__(self, body_of: Callable[[int], AttemptQuestionBody]) -> None:
        self._body_of = body_of
        self._kept: OrderedDict[tuple[object, ...], Sheet] = OrderedDict()

    def get(self, item: Item, width: int, height: int, style: MathsStyle, passage: Passage) -> Sheet:
        """Return the question laid out for this window; laid out now where it was not ahead of time."""
        key = (item.question_id, width, height, style, passage)
        kept = self._kept.get(key)
        if kept is None:
            kept = self._kept[key] = self._laid(item, width, height, style, passage)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return kept

    def _laid(self, item: Item, width: int, height: int, style: MathsStyle, passage: Passage) -> Sheet:
        body = self._body_of(item.question_id)
        try:
            return sheet(item, body, width, height, style, passage)
        except Exception:  # noqa: BLE001 - a question that cannot be drawn costs its looks, never the person the exam
            _log.exception("question %d cannot be laid out", item.question_id)
            return source_sheet(item, body, width)

    def has(self, item: Item, width: int, height: int, style: MathsStyle, passage: Passage) -> bool:
        return (item.question_id, width, height, style, passage) in self._kept

    def forget(self) -> None:
        self._kept.clear()
