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
from lms_tui.banks.word.styles_of_keys import STYLES, KeyStyles, styled, sure
from lms_tui.wire.question_types import QuestionType

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

    def touches(self, style: str) -> bool:
        """Return whether any letter has a style."""
        return any(line.touches(style) for line in self.lines)

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

    def finish(self, collector: Collector, styles: KeyStyles) -> None:
        """Add the question, or the error why it is none. Its options are settled before."""
        stem = lines_html(self.stem)
        shown = " ".join(" ".join(line.text for line in self.stem).split())[:60]
        try:
            if not stem:
                raise Unreadable("It has no text.")  # noqa: TRY301 - told as the others below
            parts = self._parts(styles)
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

    def settle_options(self) -> None:
        """Find the options among the lines without letters."""
        if self.options or self.styled:
            self.items_to_stem()
            return
        if len(self.items) >= _FEWEST:
            self.options = [answer_of(runs) for runs, _ in self.items]
            self.items.clear()
            return
        self.items_to_stem()
        asking = [at for at, line in enumerate(self.stem) if line.text.strip().endswith(("?", "？", ":"))]
        after = 1 + max(asking, default=0)
        tail = [answer_of(line) for line in self.stem[after:] if line]
        if len(tail) < _FEWEST:
            return
        texts = [answer.text for answer in tail]
        truth = all(text.strip(" .").casefold() in TRUE_OR_FALSE for text in texts)
        named = self.answer and (options_by_text(self.answer, texts) or _LETTER.fullmatch(self.answer))
        if truth or named or _has_signs(tail):
            self.stem, self.options = self.stem[:after], tail

    @property
    def inside(self) -> list[tuple[str, str, str]]:
        """The letters of right options inside the text, if they stand there once."""
        found = BLANK_WITH_KEY.findall(plain(lines_html(self.stem)))
        return found if len(found) == 1 else []

    def _parts(self, styles: KeyStyles) -> dict[str, Any]:
        if not self.options:
            return self._written()
        html = ""
        right = self._right(styles)
        if right is None:
            inside = self.inside
            if not inside:
                raise Unreadable(styles.doubt(self.options) or "No option is marked as right.")
            right = _right_places(inside[0][1], self.options)
            html = BLANK_WITH_KEY.sub(r"\1 \3", lines_html(self.stem))
        if not self.answer and right == [len(self.options) - 1]:
            self._check_last()
        kind = QuestionType.MULTIPLE if len(right) > 1 else QuestionType.SINGLE
        options = tuple(Option(_html(each), at in right) for at, each in enumerate(self.options))
        return {"kind": kind, "options": options, **({"html": html} if html else {})}

    def _check_last(self) -> None:
        """Raise Unreadable if the last option is the letter of another one: it may be the key, and no option."""
        *others, last = (option.text.strip(" .") for option in self.options)
        if re.fullmatch("[A-J]", last) and place_of(last) < len(others) and all(len(text) > 1 for text in others):
            raise Unreadable(f"Its right option is only the letter “{last}”. Write “Answer: {last}” instead.")

    def _right(self, styles: KeyStyles) -> list[int] | None:
        """Return the places of the right options, or None if nothing says which they are."""
        if self.answer:
            return _right_places(self.answer, self.options)
        return styles.right(self.options)

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


def _has_signs(options: Sequence[Answer]) -> bool:
    """Return whether a sign marks some of the lines, so that they are options."""
    return sure(options) is not None or any(styled(options, style) is not None for style in STYLES)


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
