"""A question laid out in rows of cells: passage, text, options, and what is only shown (pure)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from lms_tui.attempt.values import Item
from lms_tui.cleaning import clean
from lms_tui.content.cells import cut, settle
from lms_tui.content.cells import width as cells
from lms_tui.content.html import parse
from lms_tui.content.layout import layout
from lms_tui.content.model import Document, Line, Mark, MathsStyle, Run
from lms_tui.tui.presenters.glyphs import Glyphs
from lms_tui.tui.presenters.runner import ANSWERABLE, LETTERS, given_text, read_only
from lms_tui.wire.attempts import AttemptQuestionBody


class Passage(Enum):
    """Where the passage of a question is: in a box of its own, or above the question, whole or in one line."""

    BESIDE = "beside"
    FOLDED = "folded"
    UNFOLDED = "unfolded"


LONGEST_LINE = 96
"""Cells of a line of text at most: longer ones are hard to read back from."""
PREFIX = 8
"""Cells before the text of an option: `▸ A (●) `."""
BLANK = Line((), 0)


@dataclass(frozen=True, slots=True)
class Row:
    """`option`: which option this row belongs to, -1 for none; `labelled`: the row that has its letter and sign."""

    line: Line
    option: int = -1
    labelled: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """All rows of one question for one width. `widest`: cells of the widest row, for scrolling sideways.

    `passage`: how many rows at the top belong to the passage. `drawn`: finished rows of the widget that shows it.
    """

    question_id: int
    rows: tuple[Row, ...]
    options: tuple[range, ...]
    widest: int
    kind: str = "R"
    passage: int = 0
    drawn: dict[object, object] = field(default_factory=dict, compare=False, repr=False)


def plain_lines(texts: Sequence[str], width: int, marks: Mark = Mark.DIM) -> list[Line]:
    """Our own words, wrapped."""
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
    """The text that a question is about, when there is one."""
    if not body.direction or not body.direction.strip():
        return None
    document = parse(body.direction)
    return document if document.blocks else None


def document_rows(document: Document, width: int, style: MathsStyle) -> list[Row]:
    return [Row(line) for line in layout(document, width, style)]


def sheet(item: Item, body: AttemptQuestionBody, width: int, height: int, style: MathsStyle, passage: Passage) -> Sheet:
    """Lay a question out. `height`: rows of the window, where options stand apart when there is room for it."""
    width = min(width, LONGEST_LINE)
    text = document_rows(parse(body.question_html), width, style)
    head = _head(body, width, height - len(text) - len(body.answers), style, passage)
    rows = [*head, *text]
    options: list[range] = []
    if item.kind in ANSWERABLE:
        texts = [layout(parse(option.text_html), max(8, width - PREFIX), style) or (BLANK,) for option in body.answers]
        needed = len(rows) + sum(map(len, texts))
        apart = needed + len(texts) <= height
        if apart or needed > height or needed + 1 <= height:
            rows.append(Row(BLANK))
        for number, lines in enumerate(texts):
            if number and apart:
                rows.append(Row(BLANK))
            options.append(range(len(rows), len(rows) + len(lines)))
            label = next((at for at, line in enumerate(lines) if line.base), 0)
            rows += [Row(line, number, labelled=at == label) for at, line in enumerate(lines)]
        rows += _unknown_choice(item, width)
    else:
        rows += [Row(BLANK), *_only_shown(item, body, width, style)]
    widest = max((row.line.width + (PREFIX if row.option >= 0 else 0) for row in rows), default=0)
    return Sheet(item.question_id, tuple(rows), tuple(options), widest, item.kind, len(head))


def source_sheet(item: Item, body: AttemptQuestionBody, width: int) -> Sheet:
    """A question as it was sent, for one that cannot be laid out; it is answered like any other."""
    notice = "This question could not be laid out and is shown as it was sent."
    rows = [Row(line) for line in plain_lines([notice], width)]
    rows += [
        Row(line) for line in plain_lines([clean(body.direction or ""), clean(body.question_html)], width, Mark.NONE)
    ]
    options: list[range] = []
    if item.kind in ANSWERABLE:
        for number, option in enumerate(body.answers):
            lines = plain_lines([clean(option.text_html)], max(8, width - PREFIX), Mark.NONE)
            options.append(range(len(rows), len(rows) + len(lines)))
            rows += [Row(line, number, labelled=not at) for at, line in enumerate(lines)]
    return Sheet(item.question_id, tuple(rows), tuple(options), width, item.kind)


def _head(body: AttemptQuestionBody, width: int, room: int, style: MathsStyle, passage: Passage) -> list[Row]:
    """The rows above the question: its passage, or where it is folded up a line that says so."""
    if passage is Passage.BESIDE or (found := passage_of(body)) is None:
        return []
    rows = document_rows(found, width, style)
    rule = Row(Line((Run("─" * width, Mark.DIM),), width))
    if passage is Passage.UNFOLDED or len(rows) + 2 <= room:
        return [*rows, rule]
    start = cut(f"{settle(' '.join(row.line.text.strip() for row in rows[:3]))}", max(1, width - 22))[0]
    words = f"[r] Passage: {start.rstrip()}…"
    return [Row(Line((Run(words, Mark.LINK),), cells(words))), rule]


def _unknown_choice(item: Item, width: int) -> list[Row]:
    """What the server holds beside the options it sent is said and kept."""
    if all(chosen in item.options for chosen in item.answer.selected):
        return []
    text = "The server also holds a choice that is none of these options; it is kept."
    return [Row(BLANK), *(Row(line) for line in plain_lines([text], width))]


def _only_shown(item: Item, body: AttemptQuestionBody, width: int, style: MathsStyle) -> list[Row]:
    rows: list[Row] = []
    for option in body.answers:
        inner = layout(parse(option.text_html), max(8, width - 2), style)
        chosen = option.id in item.answer.selected
        rows += [
            Row(Line((Run(("> " if chosen else "- ") if not at else "  "), *line.runs), line.width + 2))
            for at, line in enumerate(inner)
        ]
    if rows:
        rows.append(Row(BLANK))
    if given := given_text(item):
        rows += [Row(line) for line in plain_lines(["Given answer:"], width, Mark.BOLD)]
        rows += [Row(line) for line in plain_lines(given, width, Mark.NONE)]
        rows.append(Row(BLANK))
    return rows + [Row(line) for line in plain_lines([read_only(item)], width, Mark.ITALIC | Mark.DIM)]


def prefix(number: int, *, kind: str, chosen: bool, struck: bool, cursor: bool, glyphs: Glyphs) -> str:
    """`▸ A (●) `: cursor, letter, and whether it is chosen or struck out, so that colour is never alone."""
    letter = LETTERS[number] if number < len(LETTERS) else "+"
    signs = glyphs.box if kind == "C" else glyphs.radio
    sign = f" {glyphs.struck} " if struck and not chosen else signs[chosen]
    return f"{glyphs.cursor if cursor else ' '} {letter} {sign} "
