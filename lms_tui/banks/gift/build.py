"""From what a GIFT file says to an exam: kinds, keys, sections, and findings about both."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from lms_tui.banks.gift.grammar import parse
from lms_tui.banks.gift.tree import (
    Category,
    Choice,
    Entry,
    Essay,
    Formatted,
    Matching,
    MultipleChoice,
    Node,
    Numerical,
    Problem,
    ShortAnswer,
    Span,
    TrueFalse,
)
from lms_tui.banks.markup import to_html
from lms_tui.banks.model import (
    Exam,
    Finding,
    Kind,
    NumericKey,
    Option,
    Pair,
    Question,
    Reading,
    Section,
    Severity,
    TextKey,
)
from lms_tui.cleaning import clean_line

_HUNDRED: Final = Decimal(100)
_CONTEXTS: Final = re.compile(r"\$(?:course|module|system|cat\d+|[a-z]+)\$", re.IGNORECASE)
_UNSORTED: Final = "General"


def read_gift(text: str, title: str) -> Reading:
    """Read a GIFT text into an exam named `title`.

    A `$CATEGORY` path is the subject of the questions after it; more than one broadest category makes sections. A
    description is the passage of the questions after it, up to the next description or category; several in a row are
    one passage.
    """
    reader = _Reader()
    for node in parse(text):
        reader.take(node)
    return reader.reading(title)


@dataclass(slots=True)
class _Reader:
    questions: list[Question] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    subject: tuple[str, ...] = ()
    passage: list[Entry] = field(default_factory=list)
    passage_used: bool = False

    def take(self, node: Node) -> None:
        match node:
            case Category():
                self._end_passage()
                self.subject = category_path(node.name)
            case Problem():
                self.findings.append(Finding(Severity.ERROR, node.message, node.line))
            case Entry(answers=None):
                if self.passage_used:
                    self._end_passage()
                self.passage.append(node)
            case Entry():
                self._question(node)

    def _question(self, entry: Entry) -> None:
        self.passage_used = bool(self.passage)
        question = question_of(entry, self.subject, self._direction())
        self.questions.append(question)
        number = len(self.questions)
        self.findings += [Finding(Severity.WARNING, note, entry.line, number) for note in entry.notes]
        self.findings += [
            Finding(severity, message, entry.line, number) for severity, message in doubts(entry, question)
        ]

    def _end_passage(self) -> None:
        if self.passage and not self.passage_used:
            message = "A description has no question after it and was left out."
            self.findings += [Finding(Severity.WARNING, message, entry.line) for entry in self.passage]
        self.passage, self.passage_used = [], False

    def _direction(self) -> str:
        texts = [html_of(entry.stem) for entry in self.passage]
        return texts[0] if len(texts) == 1 else "".join(f"<div>{text}</div>" for text in texts)

    def reading(self, title: str) -> Reading:
        self._end_passage()
        if not self.questions:
            self.findings.append(Finding(Severity.WARNING, "The file holds no question that can be answered."))
        self._repeated_identifiers()
        return Reading(Exam(title, sections_of(self.questions)), tuple(self.findings))

    def _repeated_identifiers(self) -> None:
        seen: set[str] = set()
        for number, question in enumerate(self.questions, 1):
            if question.identifier in seen:
                message = f"The id “{clean_line(question.identifier)}” is used by an earlier question too."
                self.findings.append(Finding(Severity.WARNING, message, question.line, number))
            seen.update({question.identifier} - {""})


def category_path(name: str) -> tuple[str, ...]:
    """Split `$course$/top/Physics/Optics` into subjects; Moodle's contexts and its `top` are none, `//` is a slash."""
    parts = [clean_line(part.replace("\0", "/")) for part in name.replace("//", "\0").split("/")]
    named = [part for part in parts if part and not _CONTEXTS.fullmatch(part)]
    return tuple(named[1:] if named[:1] == ["top"] else named)


def sections_of(questions: Sequence[Question]) -> tuple[Section, ...]:
    """Group by broadest subject where there is more than one, in the order in which they first appear."""
    groups: dict[str, list[Question]] = defaultdict(list)
    for question in questions:
        groups[question.subject[0] if question.subject else _UNSORTED].append(question)
    if len(groups) > 1:
        return tuple(Section(name, tuple(group)) for name, group in groups.items())
    return (Section("", tuple(questions)),) if questions else ()


def html_of(text: Formatted | None) -> str:
    return to_html(text.text, text.markup) if text else ""


def question_of(entry: Entry, subject: tuple[str, ...], direction: str) -> Question:
    kind, options, numbers, texts, pairs = _keys(entry)
    return Question(
        kind,
        html_of(entry.stem),
        options=options,
        numbers=numbers,
        texts=texts,
        pairs=pairs,
        title=clean_line(entry.title),
        direction_html=direction,
        explanation_html=html_of(entry.general_feedback),
        subject=subject,
        identifier=entry.identifier,
        tags=entry.tags,
        line=entry.line,
    )


_Keys = tuple[Kind, tuple[Option, ...], tuple[NumericKey, ...], tuple[TextKey, ...], tuple[Pair, ...]]


def _keys(entry: Entry) -> _Keys:
    match entry.answers:
        case MultipleChoice(choices):
            # As in Moodle: one = makes it a question with one answer, whatever the weights say.
            single = any(choice.right for choice in choices)
            kind = Kind.SINGLE if single else Kind.MULTIPLE
            return kind, tuple(_option(choice, single) for choice in choices), (), (), ()
        case TrueFalse(is_true, true_feedback, false_feedback):
            options = (
                Option("True", is_true, feedback_html=html_of(true_feedback)),
                Option("False", not is_true, feedback_html=html_of(false_feedback)),
            )
            return Kind.SINGLE, options, (), (), ()
        case ShortAnswer(choices):
            return Kind.SHORT, (), (), tuple(_text_key(choice) for choice in choices), ()
        case Numerical(spans):
            return Kind.NUMERIC, (), tuple(_numeric_key(span) for span in spans), (), ()
        case Matching(found):
            return Kind.MATCH, (), (), (), tuple(Pair(html_of(pair.left), pair.right) for pair in found)
        case Essay() | None:
            return Kind.ESSAY, (), (), (), ()


def _share(weight: Decimal | None) -> Decimal | None:
    return None if weight is None else weight / _HUNDRED


def _option(choice: Choice, single: bool) -> Option:
    weight = choice.weight
    whole = weight is not None and weight >= _HUNDRED
    correct = choice.right or whole if single else weight is not None and weight > 0
    return Option(html_of(choice.text), correct, _share(weight), html_of(choice.feedback))


def _text_key(choice: Choice) -> TextKey:
    weight = _share(choice.weight)
    return TextKey(
        choice.text.text, weight=Decimal(1) if weight is None else weight, feedback_html=html_of(choice.feedback)
    )


def _numeric_key(span: Span) -> NumericKey:
    weight = _share(span.weight)
    return NumericKey(span.low, span.high, Decimal(1) if weight is None else weight, html_of(span.feedback))


_Doubt = tuple[Severity, str]


def doubts(entry: Entry, question: Question) -> Iterator[_Doubt]:
    """Say what is odd about a question that could be read."""
    if not entry.stem.text:
        yield Severity.WARNING, "The question has no text."
    match entry.answers:
        case MultipleChoice(choices):
            yield from _doubts_of_choices(choices, question)
        case ShortAnswer(choices) if not any(key.weight > 0 for key in question.texts):
            yield Severity.ERROR, "No answer is marked as right."
        case Numerical() if not any(key.weight > 0 for key in question.numbers):
            yield Severity.ERROR, "No answer is marked as right."
        case Matching(pairs) if len({pair.right for pair in pairs}) < 2:
            yield Severity.WARNING, "There is nothing to choose from: every right side is the same."
        case _:
            pass


def _doubts_of_choices(choices: Sequence[Choice], question: Question) -> Iterator[_Doubt]:
    right = [option for option in question.options if option.correct]
    if not right:
        yield Severity.ERROR, "No answer is marked as right."
    if question.kind is Kind.SINGLE and len(right) > 1:
        yield Severity.WARNING, "Several answers are marked as right where one can be chosen; any of them is accepted."
    if len(question.options) == 1:
        yield Severity.WARNING, "There is only one answer to choose."
    if any(not choice.text.text for choice in choices):
        yield Severity.WARNING, "An answer has no text."
    if _repeats(option.html for option in question.options):
        yield Severity.WARNING, "Two answers are the same."
    if question.kind is Kind.MULTIPLE and right:
        total = sum((option.weight or Decimal(0) for option in right), Decimal(0))
        if abs(total - 1) > Decimal("0.01"):
            yield Severity.WARNING, f"The weights of the right answers add up to {_plain(total * 100)} %, not to 100 %."


def _plain(number: Decimal) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _repeats(texts: Iterable[str]) -> bool:
    seen = [" ".join(text.split()) for text in texts]
    return len(set(seen)) < len(seen)
