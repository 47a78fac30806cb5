"""Read the tables of Moodle's Word template (https://moodle.org/plugins/qformat_wordtable): one for each question.

The first row has the text and, in the last cell, the type. Rows with a grade are answers, others are settings.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from lms_tui.banks.collect import Collector
from lms_tui.banks.gift.build import category_path
from lms_tui.banks.model import NumericKey, Option, Pair, Question, Reading, TextKey
from lms_tui.banks.texts import GAP, literal, number, plain, share, title_or_text
from lms_tui.banks.unreadable import Unreadable
from lms_tui.banks.word.document import Block, Paragraph, Table, blocks_html
from lms_tui.common.cleaning import clean_line
from lms_tui.wire.question_types import QuestionType

_MARKS: Final = "default mark"
_TAGS: Final = "tags"
_ID: Final = "id number"
_GENERAL: Final = "general feedback"
_SETTINGS: Final = (
    "shuffle", "number the choices", "penalty", "show the number", "case sensitiv", "response format", "require text",
    "allow attachments", "require attachments", "input box size", "accepted file", "#", "show num", "maximum",
)  # fmt: skip
"""Settings and headings that are no part of the question."""
_UNKEPT: Final = {
    "for any correct": "general feedback to correct or incorrect answers",
    "for any partially": "general feedback to correct or incorrect answers",
    "for any incorrect": "general feedback to correct or incorrect answers",
    "correct feedback": "general feedback to correct or incorrect answers",
    "hint": "hints",
}


def is_moodle_table(table: Table) -> bool:
    """Return whether a table is a question of the template."""
    return len(table.rows) > 1 and (_type(table) in _READERS or _type(table) in _UNREADABLE)


def read_moodle_table(blocks: Sequence[Block], collector: Collector, title: str) -> Reading:
    """Read the document. A heading of level 1 is a category, and one of level 2 the name of the next question."""
    name = ""
    for block in blocks:
        if isinstance(block, Paragraph):
            words = clean_line(block.text)
            if block.heading == 1 and words:
                collector.end_passage()
                collector.subject = category_path(words)
            elif block.heading == 2:
                name = words
            elif words and block.role == "title":
                title = words
            elif words:
                collector.warn(f"The text “{words}” was left out.", block.line)
        elif is_moodle_table(block):
            _take(block, name, collector)
            name = ""
        else:
            words = clean_line(" ".join(line.text for line in block.paragraphs))
            collector.warn(f"A table that is no question was left out: “{words}”.", block.line)
    return collector.reading(title)


def _type(table: Table) -> str:
    return _words(table.rows[0][-1]).upper() if table.rows[0] else ""


def _words(cell: Sequence[Block]) -> str:
    return clean_line(" ".join(block.text for block in cell if isinstance(block, Paragraph)))


@dataclass(slots=True)
class _Parts:
    """The rows of a table by what they are."""

    answers: list[tuple[str, str, str]] = field(default_factory=list)
    """The HTML of the second and the third cell, and the text of the last."""
    settings: dict[str, str] = field(default_factory=dict)


def _take(table: Table, name: str, collector: Collector) -> None:
    parts = _parts(table, collector)
    kind = _type(table)
    if (told := parts.settings.pop("", "")) and kind not in _UNREADABLE:
        collector.warn(f"The text “{plain(told)}” of the table was left out.", table.line, collector.next_number)
    html = blocks_html(table.rows[0][0])
    if kind == "DE":
        collector.describe(html, table.line)
        return
    marks = number(parts.settings.get(_MARKS, ""))
    try:
        if kind in _UNREADABLE:
            raise Unreadable(f"The question type “{kind}” is not supported.")  # noqa: TRY301 - told as the others below
        fields = _READERS[kind](parts)
    except Unreadable as error:
        collector.error(f"The question “{title_or_text(name, html)}” was left out. {error}", table.line)
        return
    if kind in {"MW", "DDT"}:
        fields |= _gaps(html, parts)
    collector.add(
        Question(
            **{
                "html": html,
                "title": name,
                "explanation_html": parts.settings.get(_GENERAL, ""),
                "marks": marks,
                "identifier": plain(parts.settings.get(_ID, "")),
                "tags": tuple(filter(None, map(clean_line, plain(parts.settings.get(_TAGS, "")).split(",")))),
                "line": table.line,
                **fields,
            }  # type: ignore[arg-type] # the names are those of the fields
        )
    )


def _parts(table: Table, collector: Collector) -> _Parts:
    parts = _Parts()
    for row in filter(any, table.rows[1:]):
        words = [_words(cell) for cell in row]
        label = _label(words)
        if label:
            at, named = label
            value = next(filter(None, map(blocks_html, row[at + 1 :])), "")
            what = next((what for start, what in _UNKEPT.items() if named.startswith(start)), "")
            if not what:
                parts.settings[named] = value
            elif value:
                collector.left_out(what, line=table.line)
        elif len(row) >= 4:
            if any(words[1:]):
                parts.answers.append((blocks_html(row[1]), blocks_html(row[2]), words[-1]))
        elif any(words) and not words[0].lower().startswith(_SETTINGS):
            parts.settings[""] = parts.settings.get("", "") + " ".join(words)
    return parts


def _label(words: Sequence[str]) -> tuple[int, str] | None:
    """Return the place and the name of a setting in a row."""
    for at, written in enumerate(words[:2]):
        name = written.lower().rstrip(": ")
        if name.startswith((*_SETTINGS, *_UNKEPT, _MARKS, _TAGS, _ID, _GENERAL)):
            return at, name
    return None


def _weight(grade: str) -> Decimal:
    return share(grade) or Decimal(0)


def _choice(parts: _Parts, *, several: bool) -> dict[str, object]:
    options = []
    for html, feedback, grade in parts.answers:
        weight = _weight(grade)
        correct = weight > 0 if several else weight >= 1
        kept = weight if weight and not (correct and not several) else None
        options.append(Option(html, correct, kept, feedback))
    if not options:
        raise Unreadable("It has no answers to choose from.")
    return {"kind": QuestionType.MULTIPLE if several else QuestionType.SINGLE, "options": tuple(options)}


def _short(parts: _Parts) -> dict[str, object]:
    keys = tuple(TextKey(plain(html), 0, False, _weight(grade), told) for html, told, grade in parts.answers)
    if not keys:
        raise Unreadable("It has no answer.")
    return {"kind": QuestionType.SHORT, "texts": keys}


def _number(parts: _Parts) -> dict[str, object]:
    keys = []
    for html, told, grade in parts.answers:
        written, _, within = plain(html).partition(":")
        value, reach = number(written), number(within or "0")
        if value is None or reach is None:
            raise Unreadable(f"“{written[:40]}” is not a number.")
        keys.append(NumericKey(value - abs(reach), value + abs(reach), _weight(grade), told))
    if not keys:
        raise Unreadable("It has no answer.")
    return {"kind": QuestionType.NUMERIC, "numbers": tuple(keys)}


def _match(parts: _Parts) -> dict[str, object]:
    pairs = tuple(Pair(left, plain(right)) for left, right, _ in parts.answers if plain(right))
    if not any(pair.left_html for pair in pairs):
        raise Unreadable("It has no rows to match.")
    return {"kind": QuestionType.MATCH, "pairs": pairs}


def _gaps(html: str, parts: _Parts) -> dict[str, object]:
    """Return gaps `[[n]]`, where n is the number of the right choice."""
    choices = [(plain(text), group) for text, _, group in parts.answers]
    named = [int(found[1]) for found in GAP.finditer(html)]
    if not named or any(not 1 <= at <= len(choices) for at in named):
        return {"kind": QuestionType.ESSAY}
    counter = iter(range(1, len(named) + 1))
    return {
        "html": GAP.sub(lambda _found: f"[[{next(counter)}]]", html),
        "texts": tuple(TextKey(literal(choices[at - 1][0]), gap) for gap, at in enumerate(named, 1)),
        "gap_choices": tuple(tuple(text for text, group in choices if group == choices[at - 1][1]) for at in named),
    }


_READERS: Final[Mapping[str, Callable[[_Parts], dict[str, object]]]] = {
    "MC": lambda parts: _choice(parts, several=False),
    "TF": lambda parts: _choice(parts, several=False),
    "MA": lambda parts: _choice(parts, several=True),
    "MS": lambda parts: _choice(parts, several=True),
    "SA": _short,
    "NUM": _number,
    "ES": lambda _parts: {"kind": QuestionType.ESSAY},
    "MAT": _match,
    "MW": lambda _parts: {"kind": QuestionType.GAPS},
    "DDT": lambda _parts: {"kind": QuestionType.GAPS},
    "DE": lambda _parts: {},
}
_UNREADABLE: Final = frozenset({"CL", "DDI", "DDM", "STK", "CALC"})
