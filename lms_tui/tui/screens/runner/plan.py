"""Divides the window of the exam between its parts."""

from dataclasses import replace

from textual.geometry import Size

from lms_tui.common.frozen import frozen
from lms_tui.tui.widgets.answer_editor import LINE_ROWS
from lms_tui.tui.widgets.pane import FRAME
from lms_tui.views.answers import AnswerMode

SMALLEST = Size(40, 12)
PALETTE_FROM = 100
"""Columns from which the palette is shown beside the question."""
PASSAGE_FROM = 112
"""Columns from which a passage is shown beside its question."""
PALETTE_WIDTH = 33
"""Least columns of the palette. It gets those that passage and question leave free."""
WIDEST_QUESTION = 94
"""Most columns of a question beside the palette. Longer lines are hard to read."""
WIDEST_PASSAGE = 84
LINES_FROM = 18
"""Rows from which notice and sections have their own lines."""
NEAR_FROM = 30
"""Rows from which a short answer stands directly below its question. In a lower window it stands at the end."""
_ESSAY_ROWS = 20
_FILE_ROWS = 5


@frozen
class Plan:
    """`question`, `passage`: columns of their boxes. `rows`: rows inside the question's box.

    `editor`: rows of the answer editor or of the box of files, 0 without one. `free`: rows below it that stay empty.
    """

    question: int
    passage: int
    rows: int
    palette: bool
    lines: bool
    editor: int = 0
    free: int = 0

    @property
    def inner(self) -> int:
        return max(1, self.question - FRAME)

    def grown(self, needed: int) -> "Plan":
        """Give the editor the rows that a question of `needed` rows leaves free."""
        free = max(0, self.rows - max(1, needed))
        return replace(self, rows=self.rows - free, editor=self.editor + free)

    def closed_up(self, needed: int) -> "Plan":
        """Put the editor directly below a question of `needed` rows."""
        free = max(0, self.rows - max(1, needed))
        return replace(self, rows=self.rows - free, free=free)


def plan(
    size: Size,
    *,
    sections: bool,
    passage: bool,
    mode: AnswerMode = AnswerMode.CHOOSE,
    pace: bool = False,
    banner: int = 0,
    notice: int = 1,
) -> Plan:
    """Divide a window for a question. `banner`, `notice`: rows of the banner of the last minutes and of the notice."""
    palette = size.width >= PALETTE_FROM
    room = size.width - (PALETTE_WIDTH if palette else 0)
    beside = min(room * 9 // 20, WIDEST_PASSAGE) if passage and size.width >= PASSAGE_FROM else 0
    question = min(room - beside, WIDEST_QUESTION) if palette else room - beside
    lines = size.height >= LINES_FROM
    body = size.height - 2 - (notice + sections + pace + banner if lines else 0)
    editor = 0
    if mode in {AnswerMode.LINE, AnswerMode.GAPS}:
        editor = LINE_ROWS
    elif mode is AnswerMode.FILES:
        editor = _FILE_ROWS
    elif mode is AnswerMode.ESSAY:
        editor = max(5, min(_ESSAY_ROWS, body * 9 // 20))
    return Plan(question, beside, max(1, body - editor - 2), palette, lines, editor)
