"""Read text2qti Markdown (https://github.com/gpoore/text2qti). Code in a file is never run."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Final

from lms_tui.banks.collect import Collector
from lms_tui.banks.markup import Markup, to_html
from lms_tui.banks.model import NumericKey, Option, Question, Reading, TextKey
from lms_tui.banks.texts import SPACE, literal, number, plain
from lms_tui.banks.unreadable import Unreadable
from lms_tui.common.cleaning import clean_line
from lms_tui.wire.question_types import QuestionType


def _label(words: str) -> re.Pattern[str]:
    """Return the pattern of a label with a colon, and of the text behind it."""
    return re.compile(rf"(?:{words})\s*:{SPACE}*(.*)", re.IGNORECASE)


def _sign(sign: str) -> re.Pattern[str]:
    """Return the pattern of a sign with blanks, and of the text behind it."""
    return re.compile(rf"{sign}{SPACE}+(.*)")


def _alone(sign: str) -> re.Pattern[str]:
    """Return the pattern of a sign that is alone in its line."""
    return re.compile(rf"({sign}){SPACE}*$")


_MARKS: Final = (
    ("quiz", _label("(quiz (?:title|description)|shuffle answers|show correct answers|one question at a time"
                    "|can't go back|feedback is solution|solutions? sample groups|solutions? randomize groups)")),
    ("text title", _label("text title")),
    ("text", _label("text")),
    ("title", _label("title")),
    ("points", _label("points")),
    ("group", _alone("GROUP")),
    ("end group", _alone("END_GROUP")),
    ("pick", _label("pick|solutions? pick")),
    ("group points", _label("points per question")),
    ("question", _sign(r"\d{1,6}\.")),
    ("right", _sign(r"\*[A-Za-z]\)")),
    ("wrong", _sign(r"[A-Za-z]\)")),
    ("right of several", _sign(r"\[\*\]")),
    ("wrong of several", _sign(rf"\[{SPACE}?\]")),
    ("number", _sign("=")),
    ("short", _sign(r"\*")),
    ("essay", _alone("____+")),
    ("files", _alone(r"\^\^\^\^+")),
    ("feedback", _sign(r"\.\.\.")),
    ("right feedback", _sign(r"\+")),
    ("wrong feedback", _sign("-")),
    ("solution", _sign("!")),
)  # fmt: skip
_ANSWERS: Final = frozenset(
    {
        "right", "wrong", "right of several", "wrong of several", "number", "short", "essay", "files", "feedback",
        "right feedback", "wrong feedback", "solution",
    }
)  # fmt: skip
_CODE: Final = re.compile(rf"(```+){SPACE}*" r"\{[^}]*\brun\b[^}]*\}")
_AROUND: Final = re.compile(r"(\S+)\s*\+-\s*(\S+?)(%?)\Z")
_BETWEEN: Final = re.compile(r"\[\s*([^\s,]+)\s*,\s*([^\s,]+)\s*\]\Z")
_LIKELY: Final = re.compile(
    rf"^(?:\d{{1,6}}\.{SPACE}+\S.*)(?:\n(?:(?![0-9]+\.{SPACE}).*))*?"
    rf"\n(?:\*[A-Za-z]\){SPACE}|\[[* ]\]{SPACE}|={SPACE}+[\d\[+-]|\*{SPACE}+\S|____|\^\^\^\^)",
    re.MULTILINE,
)


def looks_like_text2qti(text: str) -> bool:
    """Return whether the text has a numbered question and an answer below it at the left edge."""
    return _LIKELY.search(text) is not None and re.search(r"^ANSWER\s*:", text, re.MULTILINE) is None


def read_text2qti(text: str, title: str) -> Reading:
    """Read a text2qti text into an exam. `title` is used if the text has none."""
    reader = _Reader()
    for entry in _entries(_without_comments(text, reader.collector)):
        reader.take(entry)
    reader.finish()
    reader.end_group()
    return reader.collector.reading(reader.title or title, description_html=reader.description, **reader.settings)


@dataclass(slots=True)
class _Entry:
    mark: str
    text: str
    line: int


def _without_comments(text: str, collector: Collector) -> str:
    """Remove comments and executable code, but keep line numbers."""
    lines = text.split("\n")
    last = {line.rstrip(): at for at, line in enumerate(lines) if line.startswith(("END_COMMENT", "```"))}
    until = ""
    for at, line in enumerate(lines):
        plain_line = line.rstrip()
        if until:
            lines[at] = ""
            until = "" if plain_line == until else until
            continue
        code = _CODE.match(line)
        end = last.get(code[1] if code else "END_COMMENT", -1)
        if (code or plain_line == "COMMENT") and end > at:
            until = code[1] if code else "END_COMMENT"
        if code:
            collector.error("Code that generates questions is never run. Its questions were left out.", at + 1)
        if until or code or line.startswith("%"):
            lines[at] = ""
    return "\n".join(lines)


def _mark_of(line: str) -> tuple[str, re.Match[str]] | None:
    """Return the mark at the start of a line, or None for an indented line and one without a mark."""
    if line[:1] in {"", " ", "\t"}:
        return None
    return next(((mark, match) for mark, pattern in _MARKS if (match := pattern.match(line))), None)


def _entries(text: str) -> Iterator[_Entry]:
    """Cut the text into marked entries. Indented lines belong to the entry before them."""
    entry: _Entry | None = None
    for at, line in enumerate(text.split("\n"), 1):
        if found := _mark_of(line):
            if entry:
                yield entry
            mark, match = found
            entry = _Entry(mark if mark != "quiz" else match[1].lower(), match[match.lastindex or 1], at)
        elif entry and (not line.strip() or line[:1] in " \t" or entry.mark == "stray"):
            entry.text += f"\n{line}"
        elif line.strip():
            if entry:
                yield entry
            entry = _Entry("stray", line, at)
    if entry:
        yield entry


@dataclass(slots=True)
class _Draft:
    """A question that is being read."""

    entry: _Entry
    title: str = ""
    marks: Decimal | None = None
    answers: list[tuple[_Entry, str]] = field(default_factory=list)
    explanation: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Reader:
    collector: Collector = field(default_factory=Collector)
    title: str = ""
    description: str = ""
    settings: dict[str, bool] = field(default_factory=dict)
    draft: _Draft | None = None
    next_title: str = ""
    next_marks: Decimal | None = None
    group_marks: Decimal | None = None
    group_start: int = 0
    picked: _Entry | None = None
    """How many questions of the group each attempt asks."""

    def take(self, entry: _Entry) -> None:
        match entry.mark:
            case "quiz title" | "quiz description" | "show correct answers":
                self._of_quiz(entry)
            case "title" | "points" | "text title":
                self._of_next(entry)
            case "text":
                self.finish()
                self.collector.describe(_html(entry.text), entry.line)
            case "question":
                self.finish()
                self.draft = _Draft(entry, self.next_title, self.next_marks or self.group_marks)
                self.next_title, self.next_marks = "", None
            case "group" | "end group" | "pick" | "group points":
                self._of_group(entry)
            case "stray":
                self.collector.error(
                    f"“{clean_line(entry.text)[:50]}” was left out. It belongs to no question.", entry.line
                )
            case mark if mark in _ANSWERS:
                self._of_question(entry)
            case "one question at a time" | "can't go back" if entry.text.strip().lower() == "true":
                self.collector.warn(f"The setting “{entry.mark}” was left out. Students can go back.", entry.line)
            case _:
                pass  # the order of questions and answers, which an exam does not promise

    def _of_quiz(self, entry: _Entry) -> None:
        if entry.mark == "quiz title":
            self.title = clean_line(entry.text)
        elif entry.mark == "quiz description":
            self.description = _html(entry.text)
        elif entry.text.strip().lower() == "false":
            self.settings["show_answers"] = False

    def _of_next(self, entry: _Entry) -> None:
        """Read the title or the points of the next question."""
        self.finish()
        if entry.mark == "points":
            self.next_marks = number(entry.text)
            if self.next_marks is None:
                self.collector.warn(f"“{clean_line(entry.text)[:40]}” is not a number of points.", entry.line)
        elif entry.mark == "title":
            self.next_title = clean_line(entry.text)
        else:
            self.collector.warn(f"The title “{clean_line(entry.text)[:60]}” of a text was left out.", entry.line)

    def _of_group(self, entry: _Entry) -> None:
        self.finish()
        match entry.mark:
            case "pick":
                self.picked = self.picked or entry
            case "group points":
                self.group_marks = number(entry.text)
            case _:
                self.end_group()

    def end_group(self) -> None:
        """Draw what the group before this line picks."""
        if self.picked is not None:
            count = number(self.picked.text)
            self.collector.pick(int(count or 0), self.collector.since(self.group_start), self.picked.line)
        self.group_marks, self.picked, self.group_start = None, None, len(self.collector.questions)

    def _of_question(self, entry: _Entry) -> None:
        draft = self.draft
        if draft is None:
            self.collector.error("An answer or feedback before the first question was left out.", entry.line)
        elif entry.mark == "feedback" and draft.answers:
            answer, told = draft.answers[-1]
            draft.answers[-1] = (answer, told + _html(entry.text))
        elif entry.mark in {"feedback", "solution"}:
            draft.explanation.append(_html(entry.text))
        elif entry.mark in {"right feedback", "wrong feedback"}:
            self.collector.left_out("general feedback to correct or incorrect answers", line=entry.line)
        else:
            draft.answers.append((entry, ""))

    def finish(self) -> None:
        """Build the question from its entries."""
        draft, self.draft = self.draft, None
        if draft is None:
            return
        try:
            question = _question(draft)
        except Unreadable as error:
            self.collector.error(f"A question was left out. {error}", draft.entry.line)
            return
        self.collector.add(question)


def _question(draft: _Draft) -> Question:
    marks = {answer.mark for answer, _ in draft.answers}
    if not marks:
        raise Unreadable("It has no answers.")
    base = Question(
        QuestionType.ESSAY,
        _html(draft.entry.text),
        title=draft.title,
        marks=draft.marks,
        explanation_html="".join(draft.explanation),
        line=draft.entry.line,
    )
    if marks <= {"right", "wrong"}:
        return replace(base, kind=QuestionType.SINGLE, options=_options(draft))
    if marks <= {"right of several", "wrong of several"}:
        return replace(base, kind=QuestionType.MULTIPLE, options=_options(draft))
    if marks == {"short"}:
        keys = tuple(TextKey(literal(plain(_html(each.text))), feedback_html=told) for each, told in draft.answers)
        return replace(base, kind=QuestionType.SHORT, texts=keys)
    if marks == {"number"}:
        keys_ = tuple(replace(_number(answer.text), feedback_html=told) for answer, told in draft.answers)
        return replace(base, kind=QuestionType.NUMERIC, numbers=keys_)
    if marks in ({"essay"}, {"files"}):
        told = "".join(told for _, told in draft.answers)
        kind = QuestionType.ESSAY if "essay" in marks else QuestionType.FILES
        return replace(base, kind=kind, explanation_html=base.explanation_html + told)
    raise Unreadable("It has several kinds of answers.")


def _options(draft: _Draft) -> tuple[Option, ...]:
    return tuple(
        Option(_html(answer.text), answer.mark.startswith("right"), None, told) for answer, told in draft.answers
    )


def _number(text: str) -> NumericKey:
    written = text.strip()
    if found := _AROUND.match(written):
        value, reach = number(found[1]), number(found[2])
        if value is not None and reach is not None:
            reach = abs(value * reach / 100 if found[3] else reach)
            return NumericKey(value - reach, value + reach)
    elif found := _BETWEEN.match(written):
        low, high = number(found[1]), number(found[2])
        if low is not None and high is not None:
            return NumericKey(min(low, high), max(low, high))
    elif (alone := number(written)) is not None:
        return NumericKey(alone, alone)
    raise Unreadable(f"“{clean_line(written)[:40]}” is not a number. Write 5, 5 +- 0.1, 5 +- 1% or [1, 3].")


def _html(text: str) -> str:
    """Return Markdown without the indentation of its further lines."""
    first, *rest = text.rstrip().split("\n")
    indents = [len(line) - len(line.lstrip()) for line in rest if line.strip()]
    cut = min(indents, default=0)
    return to_html("\n".join([first.strip(), *(line[cut:] for line in rest)]), Markup.MARKDOWN)
