"""Find the questions among the paragraphs of a document."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lms_tui.banks.collect import Collector
from lms_tui.banks.model import Section
from lms_tui.banks.texts import number
from lms_tui.banks.word.document import Block, Paragraph, Table
from lms_tui.banks.word.drafts import Draft, answer_of
from lms_tui.banks.word.keys import Keys
from lms_tui.banks.word.lines import Line
from lms_tui.banks.word.numbering import Label
from lms_tui.banks.word.patterns import (
    ANSWER,
    ANSWER_INSIDE,
    BOX,
    EXPLANATION,
    KEYS,
    NUMBER,
    OPTION,
    PASSAGE,
    POINTS,
    SECTION,
    TRUE_OR_FALSE,
    options_inside,
    place_of,
)
from lms_tui.banks.word.runs import OBJECT, Run, Runs, lines_html
from lms_tui.banks.word.styled import read_styled
from lms_tui.banks.word.styles_of_keys import KeyStyles
from lms_tui.common.cleaning import clean_line

_LONG = 300
"""Letters of a text before the first question that is a passage, and not the description of the exam."""
_HEADING = 120


@dataclass(slots=True)
class Questions:
    """Reads paragraphs one by one."""

    collector: Collector
    drafts: list[Draft | list[Line]] = field(default_factory=list)
    """The questions, and the lines between them."""
    pending: list[Line] = field(default_factory=list)
    draft: Draft | None = None
    keys: Keys | None = None
    title: str = ""
    description: list[Runs] = field(default_factory=list)

    def read(self, blocks: Iterable[Block]) -> None:
        """Read a document to its end, and add its questions."""
        for block in blocks:
            if isinstance(block, Table):
                self._table(block)
            else:
                self._paragraph(block)
        self.close()
        if self.drafts and isinstance(last := self.drafts[-1], list):
            self.pending = last
            self.drafts.pop()
        questions = [draft for draft in self.drafts if isinstance(draft, Draft)]
        if self.keys is not None:
            self.keys.give(questions, self.collector)
        has_marks = any(line.has("bold") for draft in questions for line in draft.stem[1:])
        if not has_marks and not any(draft.is_question or draft.items for draft in questions):
            return
        self._finish(questions)
        self._tell_left_out()

    def _tell_left_out(self) -> None:
        for line in self.pending:
            if any(char.isalnum() for char in line.text):
                self.collector.warn(f"The text “{clean_line(line.text)}” was left out.", line.paragraph)

    def _finish(self, questions: Sequence[Draft]) -> None:
        """Add the questions, with the texts between them."""
        for draft in questions:
            draft.settle_options()
        styles = KeyStyles.of(draft.options for draft in questions if not (draft.answer or draft.inside))
        for each in self.drafts:
            if isinstance(each, Draft):
                each.finish(self.collector, styles)
            else:
                self._between(each)

    # --- blocks

    def _table(self, table: Table) -> None:
        """Read a table as a part of the question, or its cells one by one if they hold options or questions."""
        inside = [paragraph for paragraph in table.paragraphs if paragraph.runs]
        labelled = [each for each in inside if _is_labelled(each)]
        if self.keys is not None:
            self.keys.table([[_text(cell) for cell in row] for row in table.rows], table.line)
        elif len(labelled) >= 2 or (len(inside) == 1 and labelled):
            for paragraph in inside:
                self._paragraph(paragraph)
        elif inside or OBJECT in table.html:
            self._line(Line(table.line, Runs((Run(OBJECT, html=table.html),))))

    def _paragraph(self, paragraph: Paragraph) -> None:
        if not paragraph.runs:
            return
        runs, start, follows = paragraph.runs, 0, False
        label, heading = paragraph.label, paragraph.heading > 0
        if label is not None and label.kind == "bullet" and (OPTION.match(runs.text) or NUMBER.match(runs.text)):
            label = None
        for text in runs.text.split("\n"):
            piece = runs.cut(start, start + len(text))
            start += len(text) + 1
            if piece:
                line = Line(paragraph.line, piece, label, heading, paragraph.role, follows=follows)
                if line.role:
                    read_styled(self, line)
                else:
                    self._line(line)
                label, follows = None, True

    def _line(self, line: Line) -> None:
        text = line.text
        if KEYS.match(text) and self.draft is not None and not (self.draft.options and not self.draft.is_complete):
            self.close()
            self.keys = Keys()
            return
        if self.keys is not None:
            self.keys.line(line.runs, line.paragraph, line.label)
            return
        if self.draft is not None and (found := ANSWER.match(text)):
            self._answer(found["key"].strip(), is_text=bool(found["text"]))
            return
        if self.draft is not None and (found := EXPLANATION.match(text)):
            self.draft.explain(line.runs.cut(found.end()))
            return
        if self.draft is not None and (found := POINTS.match(text)):
            self.draft.marks = number(found[1])
            return
        if self._option(line) or self._question(line) or self._item(line):
            return
        self._text(line)

    # --- parts of a question

    def _answer(self, key: str, *, is_text: bool) -> None:
        draft = self.draft
        if draft is None:
            return
        if self.pending and draft.options:
            draft.options[-1].lines += [line.runs for line in self.pending]
            self.pending.clear()
        draft.answer, draft.is_text = clean_line(key), is_text

    def _option(self, line: Line) -> bool:
        """Read the options in a line, and return whether there are any."""
        if line.label is not None:
            return self._listed(line.label, line.runs)
        return self._lettered(line) or self._boxed(line)

    def _listed(self, label: Label, runs: Runs) -> bool:
        """Read an option to which Word gives the letter."""
        draft = self.draft
        if label.kind != "letter" and (not self._is_deeper(label) or (draft is not None and draft.answer)):
            return False
        again = draft is not None and label.value == 1 and len(draft.options) > 1 and bool(self.pending)
        if (draft is None or again) and not self._begin_from_pending():
            return False
        self._add(runs)
        return True

    def _lettered(self, line: Line) -> bool:
        """Read options with typed letters. Several can be in one line, also after the text of the question."""
        text, marks = line.runs.text, self._letters(line.runs.text)
        if not marks:
            return False
        if text[: marks[0][0]].strip():
            before = Line(line.paragraph, line.runs.cut(0, marks[0][0]))
            if not self._question(before):
                self._text(before)
        first = place_of(text[marks[0][0] : marks[0][1]].lstrip(" \t\u3000*+✓✔√([")[0]) == 0
        again = self.draft is None or (bool(self.draft.options) and bool(self.pending))
        if first and again and not self._begin_from_pending():
            return False
        ends = [start for start, _ in marks[1:]] + [len(text)]
        for (start, begin), end in zip(marks, ends, strict=True):
            self._add(line.runs.cut(begin, end), starred=any(sign in text[start:begin] for sign in "*+✓✔√"))
        return True

    def _letters(self, text: str) -> list[tuple[int, int]]:
        """Return the starts and the ends of the letters before options: the next ones, or those of another question."""
        first = len(self.draft.options) if self.draft else 0
        again = first > 1 and bool(self.pending)
        if several := options_inside(text, first) or (options_inside(text, 0) if again else []):
            return several
        found = OPTION.match(text)
        if found is None or (place_of(found["letter"]) not in {first, 0 if again else first} and (again or not first)):
            return []
        return [(0, found.end())]  # after another option, the letter may be wrong

    def _boxed(self, line: Line) -> bool:
        found = BOX.match(line.runs.text)
        if not found or self.draft is None:
            return False
        self._add(line.runs.cut(found.end()), starred=bool(found["on"]))
        return True

    def _add(self, runs: Runs, *, starred: bool = False) -> None:
        if self.draft is None:
            return
        if found := ANSWER_INSIDE.search(runs.text):
            self.draft.answer = clean_line(found[1])
            runs = runs.cut(0, found.start())
        self.draft.options.append(answer_of(runs, starred=starred))

    def _is_deeper(self, label: Label) -> bool:
        """Return whether a line is inside the list of its question."""
        own = self.draft.label if self.draft else None
        return own is not None and own.series == label.series and label.level > own.level

    def _item(self, line: Line) -> bool:
        """Keep a line of a list, or one with true or false."""
        draft = self.draft
        if draft is None or draft.options or draft.answer:
            return False
        if line.label is not None:
            draft.items.append((line.runs, line.label))
            return True
        found = NUMBER.match(line.runs.text)
        if found and found["bare"] and int(found["bare"]) == len(draft.items) + 1:
            draft.items.append((line.runs.cut(found.end()), f"{found['bare']}{found['sign'].strip()}"))
            return True
        if line.text.strip(" .").casefold() in TRUE_OR_FALSE and draft.stem:
            draft.items.append((line.runs, "•"))
            return True
        return False

    # --- questions

    def _question(self, line: Line) -> bool:
        """Begin a question if a line has its number."""
        draft, label = self.draft, line.label
        if label is not None:
            if label.kind not in {"number", "roman"} or not self._is_next(label):
                return False
            self.begin(Draft(line.paragraph, label.value, label, stem=[line.runs]))
            return True
        found = NUMBER.match(line.runs.text)
        if found is None:
            return False
        value = int(found["named"] or found["bare"])
        sign = (found["sign"] or "").strip()
        if draft is not None and found["bare"] and _is_inside(draft, value, sign):
            return False
        rest = line.runs.cut(found.end())
        self.begin(Draft(line.paragraph, value, sign=sign, stem=[rest] if rest else []))
        return True

    def _is_next(self, label: Label) -> bool:
        draft = self.draft
        if draft is None:
            return True
        if draft.items and not draft.options and not draft.answer:
            last = draft.items[-1][1]
            if isinstance(last, Label) and (last.series, last.level) == (label.series, label.level):
                return False
        if draft.label is not None and (draft.label.series, draft.label.level) == (label.series, label.level):
            return True
        return draft.is_complete

    def begin(self, draft: Draft) -> None:
        """Begin a question."""
        self.close()
        if draft.stem and (found := ANSWER_INSIDE.search(draft.stem[0].text)):
            draft.answer = clean_line(found[1])
            draft.stem = [draft.stem[0].cut(0, found.start())]
        self.draft = draft

    def _begin_from_pending(self) -> bool:
        """Begin a question without a number: the line above its first option is its text."""
        if not self.pending:
            return False
        stem = self.pending.pop()
        self.begin(Draft(stem.paragraph, stem=[stem.runs]))
        return True

    def close(self) -> None:
        """End the question and the text after it."""
        self.close_draft()
        if self.pending:
            self.drafts.append(self.pending)
            self.pending = []

    def close_draft(self) -> None:
        if self.draft is not None:
            self.drafts.append(self.draft)
            self.draft = None

    # --- other text

    def _heading(self, line: Line) -> None:
        if self.draft is not None and (self.draft.is_complete or line.heading):
            self.close()
        self.pending.append(Line(line.paragraph, line.runs, heading=True))

    def _text(self, line: Line) -> None:
        draft = self.draft
        if line.heading or (SECTION.match(line.text) and len(line.text) < _HEADING):
            self._heading(line)
        elif draft is None:
            self.pending.append(line)
        elif draft.explanation and not PASSAGE.match(line.text):
            draft.explain(line.runs)
        elif len(draft.options) == 1 or (draft.options and line.follows and not self.pending and not draft.answer):
            draft.options[-1].go_on(line.runs)
        elif draft.is_complete and (draft.options or draft.answer or not line.label):
            self.pending.append(line)
        else:
            draft.items_to_stem()
            draft.stem.append(line.runs)

    def _between(self, lines: Sequence[Line]) -> None:
        """Take the lines between two questions: headings begin sections, others are a passage."""
        for at, line in enumerate(lines):
            words = clean_line(line.text.replace(OBJECT, ""))
            is_title = line.role == "title" or (
                not at and not line.role and len(words) < _HEADING and not PASSAGE.match(words)
            )
            if words and is_title and not self.collector.questions and not self.title:
                self.title = words
            elif line.heading and words:
                self.collector.begin_section(Section(words, ()))
            elif (
                line.role == "quote" or self.collector.questions or (line.role != "subtitle" and _is_passage(line.text))
            ):
                if words or OBJECT in line.text:
                    self.collector.describe(lines_html([line.runs]), line.paragraph)
            else:
                self.description.append(line.runs)


def _is_inside(draft: Draft, value: int, sign: str) -> bool:
    """Return whether a typed number belongs to a line of this question, and does not begin the next question."""
    is_next, same_sign = value == draft.number + 1, sign == draft.sign
    if not draft.is_complete and (draft.label is not None or not is_next or (draft.sign and not same_sign)):
        return True
    if not draft.items or draft.options or draft.answer:
        return False
    continues = value == len(draft.items) + 1 and isinstance(draft.items[-1][1], str)
    return continues and not (is_next and same_sign)


def _is_passage(text: str) -> bool:
    """Return whether a text before the first question belongs to the questions, and not to the exam."""
    return OBJECT in text or len(text) > _LONG or PASSAGE.match(text) is not None


def _is_labelled(paragraph: Paragraph) -> bool:
    text = paragraph.text
    if paragraph.label is not None:
        return paragraph.label.kind in {"letter", "number"}
    found = OPTION.match(text) or NUMBER.match(text)
    return bool(options_inside(text, 0)) or (found is not None and found.end() < len(text))


def _text(blocks: Sequence[Block]) -> str:
    return " ".join(
        block.text if isinstance(block, Paragraph) else " ".join(each.text for each in block.paragraphs)
        for block in blocks
    ).strip()
