"""A question of a document that is being read, and what it becomes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from lms_tui.banks.collect import Collector
from lms_tui.banks.model import Option, Question
from lms_tui.banks.sheets.rows import answered, options_by_place, options_by_text
from lms_tui.banks.texts import plain
from lms_tui.banks.unreadable import Unreadable
from lms_tui.banks.word.numbering import Label
from lms_tui.banks.word.patterns import BLANK_WITH_KEY, STAR, TRUE_OR_FALSE, place_of
from lms_tui.banks.word.runs import Run, Runs, lines_html
from lms_tui.wire.question_types import QuestionType

_SIGNS: Final = ("starred", "marked", "bold", "underlined", "coloured")
"""The signs of a right option, the surest first."""
_LETTER: Final = re.compile(r"[(\[]?([A-Ja-jА-Жа-ж])\s*(?:[)\].:–—-]+\s*(?P<text>.*))?\Z", re.DOTALL)
_FEWEST: Final = 2
_STARS: Final = 3
"""Stars of an answer that is nothing else, with the sign that it is right."""


@dataclass(slots=True)
class Answer:
    """An option that is being read."""

    lines: list[Runs]
    starred: bool = False

    def has(self, sign: str) -> bool:
        if sign == "starred":
            return self.starred
        words = [line for line in self.lines if line]
        return bool(words) and all(line.has(sign) for line in words)

    @property
    def text(self) -> str:
        return " ".join(line.text.strip() for line in self.lines)

    def go_on(self, runs: Runs) -> None:
        """Add a line."""
        more = answer_of(runs)
        self.lines += more.lines
        self.starred |= more.starred


def answer_of(runs: Runs, *, starred: bool = False) -> Answer:
    """Return an option without the sign that it is right."""
    text = runs.text.strip()
    if len(text) >= _STARS and not text.strip("*"):
        return Answer([runs.cut(0, len(runs.text.rstrip()) - 1)], starred=True)
    found = STAR.search(runs.text)
    if found and found.end() - found.start() < len(runs.text):
        before, after = runs.cut(0, found.start()), runs.cut(found.end())
        return Answer([before or after], starred=True)
    return Answer([runs], starred=starred)


@dataclass(slots=True)
class Draft:
    """A question that is being read. `items` may be options or a list of its text."""

    line: int
    number: int = 0
    label: Label | None = None
    sign: str = ""
    stem: list[Runs] = field(default_factory=list)
    options: list[Answer] = field(default_factory=list)
    items: list[tuple[Runs, Label | str]] = field(default_factory=list)
    answer: str = ""
    is_text: bool = False
    explanation: list[Runs] = field(default_factory=list)
    marks: Decimal | None = None
    styled: bool = False
    """Whether the styles of its paragraphs say which are options."""

    @property
    def is_complete(self) -> bool:
        """Whether another numbered line begins another question."""
        return len(self.options) >= _FEWEST or len(self.items) >= _FEWEST or bool(self.answer)

    @property
    def is_question(self) -> bool:
        """Whether the draft has something to answer, so that the document is an exam."""
        return bool(self.options or self.answer)

    def explain(self, runs: Runs) -> None:
        self.explanation.append(runs)

    def items_to_stem(self) -> None:
        """Make a list before the options a part of the text."""
        for runs, label in self.items:
            before = label if isinstance(label, str) else "•" if label.kind == "bullet" else f"{label.value}."
            self.stem.append(Runs((Run(f"{before} "),)) + runs)
        self.items.clear()

    def finish(self, collector: Collector) -> None:
        """Add the question, or the error why it is none."""
        self._settle_options()
        stem = lines_html(self.stem)
        shown = " ".join(" ".join(line.text for line in self.stem).split())[:60]
        try:
            if not stem:
                raise Unreadable("It has no text.")  # noqa: TRY301 - told as the others below
            parts = self._parts()
        except Unreadable as error:
            collector.error(f"The question “{shown}” was left out. {error}", self.line)
            return
        stem = parts.pop("html", stem)
        question = Question(
            html=stem,
            explanation_html=lines_html(self.explanation),
            marks=self.marks,
            line=self.line,
            **parts,
        )
        collector.add(question)

    def _settle_options(self) -> None:
        """Find the options among the lines without letters."""
        if self.options or self.styled:
            self.items_to_stem()
            return
        if len(self.items) >= _FEWEST:
            self.options = [answer_of(runs) for runs, _ in self.items]
            self.items.clear()
            return
        self.items_to_stem()
        after = 1 + max(
            (at for at, line in enumerate(self.stem) if line.text.strip().endswith(("?", "？", ":"))), default=0
        )
        tail = [answer_of(line) for line in self.stem[after:] if line]
        if len(tail) < _FEWEST:
            return
        texts = [answer.text for answer in tail]
        truth = all(text.strip(" .").casefold() in TRUE_OR_FALSE for text in texts)
        if (
            truth
            or _signed(tail)
            or (self.answer and (options_by_text(self.answer, texts) or _LETTER.fullmatch(self.answer)))
        ):
            self.stem, self.options = self.stem[:after], tail

    def _parts(self) -> dict[str, Any]:
        if not self.options:
            return self._written()
        html = ""
        right = self._right()
        if right is None:
            stem = lines_html(self.stem)
            inside = BLANK_WITH_KEY.findall(plain(stem))
            if len(inside) != 1:
                raise Unreadable("No option is marked as right.")
            right = _right_places(inside[0][1], self.options)
            html = BLANK_WITH_KEY.sub(r"\1 \3", stem)
        kind = QuestionType.MULTIPLE if len(right) > 1 else QuestionType.SINGLE
        options = tuple(Option(_html(each), at in right) for at, each in enumerate(self.options))
        return {"kind": kind, "options": options, **({"html": html} if html else {})}

    def _right(self) -> list[int] | None:
        """Return the places of the right options, or None if nothing says which they are."""
        if self.answer:
            return _right_places(self.answer, self.options)
        return _signed(self.options)

    def _written(self) -> dict[str, Any]:
        """Return the key of a question without options."""
        if not self.answer:
            raise Unreadable("It has no options and no answer. For an essay, write “Answer: essay” below it.")
        if self.is_text:
            return answered(self.answer, QuestionType.SHORT)
        if self.answer.casefold() == "essay":
            return answered(self.answer, QuestionType.ESSAY)
        if re.fullmatch(r"[(\[]?[A-J][)\].]?", self.answer) and self.answer.strip("()[].") not in {"T", "F"}:
            raise Unreadable(f"Its answer “{self.answer}” is a letter, but it has no options.")
        return answered(self.answer, None)


def _html(answer: Answer) -> str:
    return lines_html(answer.lines)


def _signed(options: Sequence[Answer]) -> list[int] | None:
    """Return the places of the options that one sign marks, if it does not mark all."""
    for sign in _SIGNS:
        having = [at for at, option in enumerate(options) if option.has(sign)]
        if 0 < len(having) < len(options):
            return having
    return None


def _right_places(key: str, options: Sequence[Answer]) -> list[int]:
    """Return the places that a key means: letters, or the text of options. Raises Unreadable."""
    written = key.strip().rstrip(".;。")
    texts = [option.text for option in options]
    if found := options_by_text(written, texts):
        return found
    if (alone := _LETTER.fullmatch(written)) and place_of(alone[1]) < len(options):
        return [place_of(alone[1])]
    if found := options_by_place(written, len(options)):
        return found
    bare = re.sub(r"[()\[\]]", "", written)
    if found := options_by_place(bare, len(options)) or options_by_text(bare, texts):
        return found
    raise Unreadable(f"Its answer “{written[:40]}” is none of its options.")
