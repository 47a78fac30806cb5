"""Read Markdown: questions with task lists (`- [x] right`), below headings or numbers, after a front matter in YAML."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from lms_tui.banks.collect import Collector
from lms_tui.banks.markup import Markup, plain_to_html, to_html
from lms_tui.banks.model import Exam, Option, Question, Reading, Section
from lms_tui.banks.texts import SPACE, plain
from lms_tui.banks.unreadable import Unreadable
from lms_tui.common.frozen import frozen
from lms_tui.wire.question_types import QuestionType

_BOX: Final = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX])\](?:[ \t]+|$)")
_ITEM: Final = rf"{SPACE}*(?:[-*+]|\d{{1,9}}[.)]){SPACE}+"
_BOXES: Final = re.compile(rf"^{_ITEM}\[[ xX]\]{SPACE}+\S", re.MULTILINE)
_MARKS: Final = re.compile(rf"^{_ITEM}(?:\[[ xX]\]{SPACE})?", re.MULTILINE)
_FRONT: Final = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.MULTILINE | re.DOTALL)
_NUMBERED: Final = re.compile(r"\d{1,9}[.)][ \t]+(?=\S)")
_ANSWER: Final = re.compile(r"\s*\*{0,2}Answer( \(text\))?:\*{0,2}[ \t]*(.*)", re.IGNORECASE)
_ANSWERS: Final = re.compile(r"^[ \t]+Answer(?: \(text\))?:[ \t]*\S", re.MULTILINE)
_QUOTE: Final = re.compile(r"\s*>[ \t]?")
_OF_QUESTIONS: Final = frozenset({"sections", "picks"})
"""The fields of an exam that the front matter does not have."""


def looks_like_markdown(text: str) -> bool:
    """Return whether the text has a task list, or a front matter and numbered questions with answers."""
    return _BOXES.search(text) is not None or (_FRONT.match(text) is not None and _ANSWERS.search(text) is not None)


def read_markdown(text: str, title: str) -> Reading:
    """Read a Markdown text into an exam. `title` is used if the text has none."""
    collector = Collector()
    text = _MARKS.sub(lambda found: found[0].replace("\xa0", " "), text)
    front = _FRONT.match(text)
    settings = _settings(front[1], collector) if front else {}
    first = text.count("\n", 0, front.end()) if front else 0
    entries = list(_entries(text[front.end() :] if front else text, first))
    named = settings.pop("title", "")
    for at, entry in enumerate(entries):
        if isinstance(entry, _Heading):
            below = list(_below(entries, at))
            if not named and at == 0 and (entry.level == 1 and not _is_title(below)):
                named = entry.text
            elif not _is_title(below):
                collector.begin_section(Section(entry.text, ()))
            else:
                below[0].heading = entry
        elif entry.is_question:
            _add(entry, collector)
        elif entry.numbered:
            collector.error("The question was left out. It has no answer.", entry.line)
        else:
            collector.describe(to_html(entry.stem, Markup.MARKDOWN), entry.line)
    return collector.reading(named or title, **settings)


def _settings(front: str, collector: Collector) -> dict[str, Any]:
    """Return the fields of the exam that a front matter gives. Its findings are one line further down in the file."""
    from lms_tui.banks.yaml_exam import read_yaml  # noqa: PLC0415 - few files have a front matter

    head = read_yaml(front, "")
    collector.findings += [replace(found, line=found.line + 1) for found in head.findings if found.line]
    return {each.name: getattr(head.exam, each.name) for each in fields(Exam) if each.name not in _OF_QUESTIONS}


@frozen
class _Heading:
    text: str
    level: int
    line: int


@dataclass(slots=True)
class _Draft:
    """A question that is being read, or a text between questions."""

    line: int
    numbered: bool = False
    lines: list[str] = field(default_factory=list)
    options: list[tuple[str, bool]] = field(default_factory=list)
    answer: str | None = None
    is_text: bool = False
    explanation: list[str] = field(default_factory=list)
    heading: _Heading | None = None

    @property
    def is_question(self) -> bool:
        return bool(self.options) or self.answer is not None

    @property
    def stem(self) -> str:
        return _dedented(self.lines)

    def __bool__(self) -> bool:
        return bool(self.lines) or self.is_question

    def is_over_at(self, line: str, *, in_code: bool) -> bool:
        """Return whether a line at the margin, which is no answer and no explanation, follows a question."""
        belongs = _QUOTE.match(line) or (not in_code and _ANSWER.match(line))
        return self.is_question and bool(line.strip()) and not belongs and not line[0].isspace()

    def take_box(self, lines: Sequence[str]) -> None:
        """Add an item of a task list, which is an option."""
        if box := _BOX.match(lines[0]):
            self.options.append((_dedented([lines[0][box.end() :], *lines[1:]]), box[1] != " "))

    def take(self, line: str, number: int, *, in_code: bool) -> None:
        """Add any other line, with its number in the file."""
        answer, quote = (None, None) if in_code else (_ANSWER.match(line), _QUOTE.match(line))
        if answer and self.lines:
            self.answer, self.is_text = answer[2], bool(answer[1])
        elif quote and self.is_question:
            self.explanation.append(line[quote.end() :])
        elif line.strip() or self.lines:
            self.line = self.line if self.lines else number
            self.lines.append(line)


def _dedented(lines: Sequence[str]) -> str:
    """Return lines as text, the lines after the first without their common indentation."""
    rest = textwrap.dedent("\n".join(lines[1:]))
    return f"{lines[0]}\n{rest}".strip() if lines else ""


def _below(entries: "Sequence[_Heading | _Draft]", at: int) -> "Iterator[_Draft]":
    """Yield what is between a heading and the next one."""
    for place in range(at + 1, len(entries)):
        entry = entries[place]
        if isinstance(entry, _Heading):
            return
        yield entry


def _is_title(below: Sequence[_Draft]) -> bool:
    """Return whether a heading belongs to the one question below it."""
    first = below[0] if below else None
    alone = sum(draft.is_question for draft in below) == 1
    return alone and first is not None and first.is_question and not first.numbered


def _add(draft: _Draft, collector: Collector) -> None:
    stem, title = draft.stem, draft.heading.text if draft.heading else ""
    try:
        parts = _parts(draft)
    except Unreadable as error:
        collector.error(f"The question was left out. {error}", draft.line)
        return
    if title and stem and all(_QUOTE.match(line) for line in stem.splitlines()):
        collector.left_out("hints", line=draft.line)
        stem = ""
    if not stem and not title:
        collector.error("The question was left out. It has no text.", draft.line)
        return
    collector.add(
        Question(
            html=to_html(stem, Markup.MARKDOWN) if stem else plain_to_html(title),
            title=title if stem else "",
            explanation_html=to_html("\n".join(draft.explanation), Markup.MARKDOWN),
            line=draft.heading.line if draft.heading else draft.line,
            **parts,
        )
    )


def _parts(draft: _Draft) -> dict[str, Any]:
    if draft.options:
        several = sum(right for _, right in draft.options) > 1
        options = tuple(Option(to_html(text, Markup.MARKDOWN), right) for text, right in draft.options)
        return {"kind": QuestionType.MULTIPLE if several else QuestionType.SINGLE, "options": options}
    from lms_tui.banks.sheets.rows import answered  # noqa: PLC0415 - brings YAML, and most files are only looked at

    key = (draft.answer or "").strip()
    if draft.is_text:
        return answered(key, QuestionType.SHORT)
    return answered(key, QuestionType.ESSAY if key.casefold() == "essay" else None)


def _entries(text: str, first: int) -> Iterator[_Heading | _Draft]:
    """Cut a text into headings, questions and texts between them. `first` is the number of lines before it."""
    lines = text.split("\n")
    boxes, headings, code = _marks(text, lines)
    draft = _Draft(first + 1)
    at = 0
    while at < len(lines):
        line, end, number, in_code = lines[at], boxes.get(at, at + 1), first + at + 1, at in code
        begins = None if in_code or at in boxes else _NUMBERED.match(line)
        if at in headings or begins or (at not in boxes and draft.is_over_at(line, in_code=in_code)):
            if draft:
                yield draft
            draft = _Draft(number, bool(begins))
        if heading := headings.get(at):
            yield replace(heading, line=number)
            draft = _Draft(number + 1)
        elif at in boxes:
            draft.take_box(lines[at:end])
        else:
            draft.take(line[begins.end() :] if begins else line, number, in_code=in_code)
        at = end
    if draft:
        yield draft


def _marks(text: str, lines: Sequence[str]) -> tuple[dict[int, int], dict[int, _Heading], set[int]]:
    """Return the lines of task list items with their ends, the headings, and the lines of code."""
    boxes: dict[int, int] = {}
    headings: dict[int, _Heading] = {}
    code: set[int] = set()
    from markdown_it import MarkdownIt  # noqa: PLC0415 - most files are only looked at

    tokens = MarkdownIt("commonmark").disable("inline").parse(text)  # the blocks are enough here
    for at, token in enumerate(tokens):
        if token.map is None:
            continue
        start, end = token.map
        if token.type == "list_item_open" and _BOX.match(lines[start]):
            while end > start + 1 and (not lines[end - 1].strip() or _QUOTE.match(lines[end - 1])):
                end -= 1
            boxes[start] = end
        elif token.type == "heading_open" and not token.level:
            headings[start] = _Heading(
                plain(to_html(tokens[at + 1].content, Markup.MARKDOWN)), int(token.tag[1:]), start
            )
        elif token.type in {"fence", "code_block"}:
            code.update(range(start, end))
    return boxes, headings, code
