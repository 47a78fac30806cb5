"""Lays out a question in rows of cells: passage, text, options (pure)."""

from collections.abc import Sequence
from dataclasses import field, replace
from enum import Enum
from itertools import pairwise, zip_longest

from lms_tui.attempt.values import Item
from lms_tui.common.cleaning import clean
from lms_tui.common.frozen import frozen
from lms_tui.content.cells import cut, normalise
from lms_tui.content.cells import width as cells
from lms_tui.content.html import parse
from lms_tui.content.layout import layout
from lms_tui.content.lines import Line, Mark, Run
from lms_tui.content.model import Document, MathsStyle
from lms_tui.content.words import numbered
from lms_tui.views.answers import AnswerForm, AnswerMode, form_of, why_read_only
from lms_tui.views.format import LETTERS, counted
from lms_tui.views.gaps import filled
from lms_tui.views.glyphs import Glyphs
from lms_tui.views.highlights import words_of
from lms_tui.views.runner import given_text
from lms_tui.wire.attempts import AttemptQuestionBody
from lms_tui.wire.question_types import CHOICE_TYPES, QuestionType


class Passage(Enum):
    """The place of the passage: in its own box, or above the question in one line or in full."""

    BESIDE = "beside"
    FOLDED = "folded"
    UNFOLDED = "unfolded"


LONGEST_LINE = 96
"""Most cells of a line of text. Longer lines are hard to read."""
PREFIX = 8
"""Cells before the text of an option: `▸ A (●) `."""
RIGHT_PREFIX = 4
"""Cells before the text of a right side of a match: `C * `."""
TWO_COLUMNS = 48
"""Least width for right sides of a match next to the left sides. Otherwise they stand below."""
BLANK = Line((), 0)


@frozen
class GapTexts:
    """The texts of the gaps, by gap number. `active` is the highlighted gap, or 0."""

    texts: tuple[tuple[int, str], ...] = ()
    active: int = 0


@frozen
class LayoutRow:
    """A row of a question, and what it belongs to.

    `option` is the option of this row, or -1. In a match, an option is a left side. If `labelled`, the row shows the
    letter and the sign of the option. `right` is a row of a right side, and `choice` is the index of that side. If
    `lettered`, the row shows the letter of the right side. `unfolds`: the row stands for rows of the passage.
    """

    line: Line
    option: int = -1
    labelled: bool = False
    right: Line | None = None
    choice: int = -1
    lettered: bool = False
    unfolds: bool = False


@frozen
class QuestionLayout:
    """The rows of one question for one width.

    `options` are the rows of each option. `widest` is the number of cells of the widest row. `passage` is the number of
    rows of the passage, which are the first. `split` is the width of the left column of a match, or 0 if the right
    sides stand below. `drawn` is a cache for the widget.
    """

    question_id: int
    rows: tuple[LayoutRow, ...]
    options: tuple[range, ...]
    widest: int
    kind: str = QuestionType.SINGLE
    passage: int = 0
    split: int = 0
    drawn: dict[object, object] = field(default_factory=dict, compare=False, repr=False)


def plain_lines(texts: Sequence[str], width: int, marks: Mark = Mark.DIM) -> list[Line]:
    """Wrap plain text."""
    lines: list[Line] = []
    for text in texts:
        row = ""
        for word in text.split():
            if row and cells(row) + 1 + cells(word) > width:
                lines.append(Line((Run(row, marks),), cells(row)))
                row = ""
            row = f"{row} {word}" if row else word
        lines.append(Line((Run(row, marks),), cells(row)))
    return lines


def passage_of(body: AttemptQuestionBody) -> Document | None:
    """The passage of a question, None without one."""
    if not body.direction or not body.direction.strip():
        return None
    document = parse(body.direction)
    return document if document.blocks else None


def document_rows(document: Document, width: int, style: MathsStyle) -> list[LayoutRow]:
    return [LayoutRow(line) for line in layout(document, width, style)]


def lay_out(
    item: Item,
    body: AttemptQuestionBody,
    width: int,
    height: int,
    style: MathsStyle,
    passage: Passage,
    form: AnswerForm | None = None,
    filling: GapTexts | None = None,
    *,
    passage_key: str = "r",
    count_words: bool = False,
) -> QuestionLayout:
    """Lay out a question. `height`: rows of the window. Options get blank rows between them if they fit.

    With `count_words`, the words of the passage and then those of the question are numbered.
    """
    width = min(width, LONGEST_LINE)
    above = None if passage is Passage.BESIDE and not count_words else passage_of(body)
    read = parse
    if count_words:
        first = len(words_of(body.direction or ""))
        above, read = above and numbered(above), lambda html: numbered(parse(html), first)
        form = form_of(item.kind, body, read)
    form = form or form_of(item.kind, body)
    text = document_rows(_asked(form.stem or read(body.question_html), filling), width, style)
    choices = form.choices if form.mode is not AnswerMode.SHOWN else ()
    head = _head(above, width, height - len(text) - max(len(choices), len(form.lefts)), style, passage, passage_key)
    rows = [*head, *text]
    options: list[range] = []
    split = 0
    match form.mode:
        case AnswerMode.CHOOSE | AnswerMode.ESSAY:
            options = _add_options(rows, choices, width, height, style)
            rows += _unknown_choice(item, width)
        case AnswerMode.MATCH:
            split, options = _add_match(rows, form, width, style)
        case AnswerMode.SHOWN:
            rows += [LayoutRow(BLANK), *_only_shown(item, body, form, width, style)]
        case _:
            pass
    widest = max((row.line.width + (PREFIX if row.option >= 0 else 0) for row in rows), default=0)
    return QuestionLayout(item.question_id, tuple(rows), tuple(options), widest, item.kind, len(head), split)


def _asked(document: Document, filling: GapTexts | None) -> Document:
    return filled(document, filling.texts, filling.active) if filling is not None else document


def _add_options(
    rows: list[LayoutRow], choices: Sequence[str], width: int, height: int, style: MathsStyle
) -> list[range]:
    """Append the options. Returns the rows of each option."""
    options: list[range] = []
    texts = [layout(parse(text), max(8, width - PREFIX), style) or (BLANK,) for text in choices]
    needed = len(rows) + sum(map(len, texts))
    apart = needed + len(texts) <= height
    if texts and (apart or needed > height or needed + 1 <= height):
        rows.append(LayoutRow(BLANK))
    for number, lines in enumerate(texts):
        if number and apart:
            rows.append(LayoutRow(BLANK))
        options.append(range(len(rows), len(rows) + len(lines)))
        label = next((at for at, line in enumerate(lines) if line.base), 0)
        rows += [LayoutRow(line, number, labelled=at == label) for at, line in enumerate(lines)]
    return options


def _add_match(rows: list[LayoutRow], form: AnswerForm, width: int, style: MathsStyle) -> tuple[int, list[range]]:
    """Append both sides of a match. Returns the cells of the left column and the rows of each left side."""
    rows.append(LayoutRow(BLANK))
    room = (width - 3) // 2 if width >= TWO_COLUMNS else width
    lefts = [layout(left.document, max(8, room - PREFIX), style) or (BLANK,) for left in form.lefts]
    rights = [layout(parse(text), max(8, room - RIGHT_PREFIX), style) or (BLANK,) for text in form.choices]
    left_rows = [LayoutRow(line, at, labelled=not n) for at, lines in enumerate(lefts) for n, line in enumerate(lines)]
    right_rows = [
        LayoutRow(BLANK, right=line, choice=at, lettered=not n)
        for at, lines in enumerate(rights)
        for n, line in enumerate(lines)
    ]
    start = len(rows)
    places = [n for n, row in enumerate(left_rows) if row.labelled] + [len(left_rows)]
    options = [range(start + first, start + last) for first, last in pairwise(places)]
    if room == width:
        rows += [*left_rows, LayoutRow(BLANK), *right_rows]
        return 0, options
    rows += [
        replace(left, right=right.right, choice=right.choice, lettered=right.lettered)
        for left, right in zip_longest(left_rows, right_rows, fillvalue=LayoutRow(BLANK))
    ]
    widest = max((row.line.width for row in left_rows), default=0)
    return min(room, widest + PREFIX), options


def lay_out_source(item: Item, body: AttemptQuestionBody, width: int) -> QuestionLayout:
    """Show the source of a question that cannot be laid out. It can still be answered."""
    notice = "This question cannot be displayed. Below is its source."
    rows = [LayoutRow(line) for line in plain_lines([notice], width)]
    rows += [
        LayoutRow(line)
        for line in plain_lines([clean(body.direction or ""), clean(body.question_html)], width, Mark.NONE)
    ]
    options: list[range] = []
    if item.kind in CHOICE_TYPES:
        for number, option in enumerate(body.answers):
            lines = plain_lines([clean(option.text_html)], max(8, width - PREFIX), Mark.NONE)
            options.append(range(len(rows), len(rows) + len(lines)))
            rows += [LayoutRow(line, number, labelled=not at) for at, line in enumerate(lines)]
    return QuestionLayout(item.question_id, tuple(rows), tuple(options), width, item.kind)


_BESIDE_PART = 3
"""Rows beside a part of a passage: the line with its key, the rule, and the blank row before the options."""


def _head(
    found: Document | None, width: int, room: int, style: MathsStyle, passage: Passage, key: str
) -> list[LayoutRow]:
    """The rows of the passage above the question: all, or as many as fit, or one line for a folded passage."""
    if found is None or passage is Passage.BESIDE:
        return []
    rows = document_rows(found, width, style)
    rule = LayoutRow(Line((Run("─" * width, Mark.DIM),), width))
    if passage is Passage.UNFOLDED or len(rows) + 2 <= room:
        return [*rows, rule]
    if (shown := room - _BESIDE_PART) > 1:
        return [*rows[:shown], _key_row(f"[{key}] {counted(len(rows) - shown, 'more line')} of the passage"), rule]
    start = cut(f"{normalise(' '.join(row.line.text.strip() for row in rows[:3]))}", max(1, width - 22))[0]
    return [_key_row(f"[{key}] Passage: {start.rstrip()}…"), rule]


def _key_row(words: str) -> LayoutRow:
    """A line that names the key of the passage."""
    return LayoutRow(Line((Run(words, Mark.LINK),), cells(words)), unfolds=True)


def _unknown_choice(item: Item, width: int) -> list[LayoutRow]:
    if all(chosen in item.options for chosen in item.answer.selected):
        return []
    text = "The server also has an answer that is none of these options. It is kept."
    return [LayoutRow(BLANK), *(LayoutRow(line) for line in plain_lines([text], width))]


def _only_shown(
    item: Item, body: AttemptQuestionBody, form: AnswerForm, width: int, style: MathsStyle
) -> list[LayoutRow]:
    rows: list[LayoutRow] = []
    for option in body.answers:
        inner = layout(parse(option.text_html), max(8, width - 2), style)
        chosen = option.id in item.answer.selected
        rows += [
            LayoutRow(Line((Run(("> " if chosen else "- ") if not at else "  "), *line.runs), line.width + 2))
            for at, line in enumerate(inner)
        ]
    if rows:
        rows.append(LayoutRow(BLANK))
    if given := given_text(item):
        rows += [LayoutRow(line) for line in plain_lines(["Your answer:"], width, Mark.BOLD)]
        rows += [LayoutRow(line) for line in plain_lines(given, width, Mark.NONE)]
        rows.append(LayoutRow(BLANK))
    return rows + [LayoutRow(line) for line in plain_lines([why_read_only(item, form)], width, Mark.ITALIC | Mark.DIM)]


def match_prefix(number: int, matched: str, *, cursor: bool, glyphs: Glyphs) -> str:
    """`▸ 1 [C] `: cursor, number, and the letter of the matched right side. `?`: an unknown text."""
    return f"{glyphs.cursor if cursor else ' '}{number + 1:>2} [{matched or ' '}] "


def right_prefix(choice: int, *, used: bool, glyphs: Glyphs) -> str:
    """`C ● `: letter, and a sign if the right side is matched."""
    letter = LETTERS[choice] if choice < len(LETTERS) else "+"
    return f"{letter} {glyphs.answered if used else ' '} "


def prefix(number: int, *, kind: str, chosen: bool, struck: bool, cursor: bool, glyphs: Glyphs) -> str:
    """`▸ A (●) `: cursor, letter, and a sign for a chosen or struck out option."""
    letter = LETTERS[number] if number < len(LETTERS) else "+"
    signs = glyphs.box if kind == QuestionType.MULTIPLE else glyphs.radio
    sign = f" {glyphs.struck} " if struck and not chosen else signs[chosen]
    return f"{glyphs.cursor if cursor else ' '} {letter} {sign} "
