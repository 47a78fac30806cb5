"""Parse GIFT into questions, descriptions, categories and problems with line numbers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Final

from lms_tui.banks.gift.blocks import Block, cut
from lms_tui.banks.gift.escapes import hide, show
from lms_tui.banks.gift.tree import (
    Answers,
    Category,
    Choice,
    Entry,
    Essay,
    Formatted,
    Matching,
    MatchPair,
    MultipleChoice,
    Node,
    Numerical,
    Problem,
    ShortAnswer,
    Span,
    TrueFalse,
)
from lms_tui.banks.markup import Markup

BLANK: Final = "_____"
_TITLE: Final = re.compile(r"\s*::(.*?)::", re.DOTALL)
_FORMAT: Final = re.compile(r"\s*\[(html|moodle|plain|markdown)\]", re.IGNORECASE)
_WEIGHT: Final = re.compile(r"\s*%\s*([+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+))\s*%")
_TRUTH: Final = re.compile(r"\s*(true|t|false|f)\s*(?=#|\Z)", re.IGNORECASE)
_FORMULA: Final = re.compile(r"(?:\\[A-Za-z]+|[_^$])\s*\Z")
"""The end of a text after which a brace belongs to a formula."""
_ONE_LINE: Final = re.compile(r"(?=.*\w)[^;\"<>\n]{1,100}")
_FEEDBACK_FOR_ALL: Final = re.compile("####")
_LOOKS_LIKE_ANSWERS: Final = re.compile(r"\s*(?:[=~#]|(?:true|t|false|f)\s*(?:#|\Z)|\Z)", re.IGNORECASE)
_WHITE: Final = " \t\n\r\f\v"
_FOLD: Final = re.compile(r"[ \t\n\r\f\v]+")
_ANY_NUMBER: Final = {"", "*"}
_KEEPS_LINES: Final = frozenset({Markup.HTML, Markup.MARKDOWN})


class _Unreadable(Exception):
    """`str(error)` is a sentence that says why a block is not a question."""


def parse(text: str) -> Iterator[Node]:
    """Yield the nodes of a file in order. A block that cannot be read becomes a `Problem`."""
    for block in cut(hide(text)):
        if block.is_category:
            yield Category(block.line, show(block.text.partition(":")[2]).strip())
            continue
        try:
            yield _Question(block).read()
        except _Unreadable as error:
            yield Problem(block.line, f"This question was left out. {error}")


@dataclass(slots=True)
class _Question:
    """Reads one block. `markup` is the format that answers inherit, and `notes` are findings."""

    block: Block
    markup: Markup = Markup.MOODLE
    notes: list[str] = field(default_factory=list)

    def read(self) -> Entry:
        title, rest = _titled(self.block.text)
        found = _FORMAT.match(rest)
        if found:
            self.markup, rest = Markup(found[1].lower()), rest[found.end() :]
        group = self._group(rest)
        if group is None:
            return self._entry(title, rest, None, None, embedded=False)
        start, end = group
        inside, general = _split_general(rest[start + 1 : end])
        before, after = rest[:start], rest[end + 1 :]
        stem = f"{before.rstrip()} {BLANK} {after.lstrip()}" if after.strip() else before
        answers = self._answers(inside)
        return self._entry(title, stem, answers, self._formatted(general), embedded=bool(after.strip()))

    def _entry(
        self, title: str, stem: str, answers: Answers | None, general: Formatted | None, *, embedded: bool
    ) -> Entry:
        text = self._formatted(stem) or Formatted("", self.markup)
        return Entry(
            self.block.line,
            text,
            answers,
            title,
            general,
            self.block.identifier,
            self.block.tags,
            embedded,
            tuple(self.notes),
        )

    def _group(self, text: str) -> tuple[int, int] | None:
        """Return the span of the braces around the answers. Other braces are text and are noted."""
        groups = _brace_groups(text)
        if not groups:
            return None
        likely = [(start, end) for start, end in groups if _LOOKS_LIKE_ANSWERS.match(text, start + 1, end)]
        if not likely and len(groups) == 1 and _is_short_answer(text[: groups[0][0]], text[slice(*groups[0])][1:]):
            return groups[0]
        if not likely:
            message = "There are no answers in its braces. Answers begin with = or ~, or are TRUE or FALSE."
            raise _Unreadable(message)
        filled = [group for group in likely if text[group[0] + 1 : group[1]].strip()]
        chosen = (filled or likely)[-1]
        if len(groups) > 1 or "{" in text[chosen[0] + 1 : chosen[1]]:
            self.notes.append(r"Braces without a backslash were read as text. Write \{ and \} in formulas.")
        return chosen

    def _answers(self, text: str) -> Answers:
        if not text.strip():
            return Essay()
        truth = _TRUTH.match(text)
        if truth:
            return self._true_false(truth[1], text[truth.end() :])
        if text.lstrip().startswith("#"):
            return self._numerical(text.lstrip()[1:])
        if "=" in text or "~" in text:
            return self._listed(text)
        return ShortAnswer((self._choice("=", text),), bare=True)

    def _true_false(self, word: str, feedback: str) -> TrueFalse:
        parts = [*feedback.split("#")[1:], "", ""]
        return TrueFalse(word[0] in "tT", self._formatted(parts[0]), self._formatted(parts[1]))

    def _listed(self, text: str) -> Answers:
        marked = _split_choices(text)
        if not marked:
            raise _Unreadable("Its answers do not begin with = or ~.")
        if any(mark == "~" for mark, _ in marked):
            return MultipleChoice(tuple(self._choice(mark, body) for mark, body in marked))
        if all("->" in body for _, body in marked):
            return Matching(tuple(self._pair(body) for _, body in marked))
        return ShortAnswer(tuple(self._choice(mark, body) for mark, body in marked))

    def _choice(self, mark: str, body: str) -> Choice:
        weight, rest = self._weight(body)
        text, _, feedback = rest.partition("#")
        return Choice(
            mark == "=",
            self._formatted(text) or Formatted("", self._markup_of(text)),
            weight,
            self._formatted(feedback),
        )

    def _pair(self, body: str) -> MatchPair:
        left, _, right = body.partition("->")
        return MatchPair(self._formatted(left) or Formatted("", self._markup_of(left)), " ".join(show(right).split()))

    def _numerical(self, text: str) -> Numerical:
        marked = _split_choices(text if text.lstrip().startswith(("=", "~")) or "~" not in text else f"={text}")
        if not marked:
            body, _, feedback = text.partition("#")
            return Numerical((_span(body, None, self._formatted(feedback)),))
        spans: list[Span] = []
        for mark, body in marked:
            weight, rest = self._weight(body)
            number, _, feedback = rest.partition("#")
            if number.strip() in _ANY_NUMBER and (mark == "~" or weight == 0):
                if feedback.strip():
                    self.notes.append("The feedback to all other numbers was left out. Exams cannot store it.")
                continue
            spans.append(
                _span(number, Decimal(0) if mark == "~" and weight is None else weight, self._formatted(feedback))
            )
        if not spans:
            raise _Unreadable("It asks for a number, but no number is marked as correct.")
        return Numerical(tuple(spans), listed=True)

    def _weight(self, body: str) -> tuple[Decimal | None, str]:
        found = _WEIGHT.match(body)
        if not found:
            if body.lstrip().startswith("%"):
                self.notes.append("An answer begins with % but has no weight such as %50%. It was read as text.")
            return None, body
        return Decimal(found[1].replace(",", ".")), body[found.end() :]

    def _markup_of(self, text: str) -> Markup:
        found = _FORMAT.match(text)
        return Markup(found[1].lower()) if found else self.markup

    def _formatted(self, text: str) -> Formatted | None:
        """Read a text in its own format or in the question's. Returns None if it is empty."""
        markup = self._markup_of(text)
        found = _FORMAT.match(text)
        written = (text[found.end() :] if found else text).strip(_WHITE)
        # In plain text, a line break of the file is a space. HTML and Markdown have their own rules.
        shown = show(written if markup in _KEEPS_LINES else _FOLD.sub(" ", written))
        return Formatted(shown, markup) if shown else None


def _is_short_answer(stem: str, inside: str) -> bool:
    """Return whether braces hold a short answer without its `=`, which Moodle reads. Code and formulas are none."""
    return bool(stem.strip()) and not _FORMULA.search(stem) and _ONE_LINE.fullmatch(inside) is not None


def _titled(text: str) -> tuple[str, str]:
    found = _TITLE.match(text)
    return (" ".join(show(found[1]).split()), text[found.end() :]) if found else ("", text)


def _brace_groups(text: str) -> list[tuple[int, int]]:
    """Yield the spans of outermost braces."""
    groups: list[tuple[int, int]] = []
    depth = start = 0
    for found in re.finditer("[{}]", text):
        if found[0] == "{":
            start = found.start() if depth == 0 else start
            depth += 1
        elif depth == 0:
            raise _Unreadable(r"There is a } without a { before it. Write \} if it is text.")
        else:
            depth -= 1
            if depth == 0:
                groups.append((start, found.start()))
    if depth:
        raise _Unreadable("The } after its answers is missing.")
    return groups


def _split_general(text: str) -> tuple[str, str]:
    found = _FEEDBACK_FOR_ALL.search(text)
    return (text[: found.start()], text[found.end() :]) if found else (text, "")


def _split_choices(text: str) -> Sequence[tuple[str, str]]:
    """Split at each `=` and `~` outside inner braces into pairs of sign and text. Text before the first is dropped."""
    cuts: list[int] = []
    depth = 0
    for found in re.finditer("[{}=~]", text):
        match found[0]:
            case "{":
                depth += 1
            case "}":
                depth -= 1
            case _ if depth == 0:
                cuts.append(found.start())
            case _:
                pass
    if cuts and text[: cuts[0]].strip():
        raise _Unreadable("There is text before the first = or ~ of its answers.")
    ends = [*cuts[1:], len(text)]
    return [(text[start], text[start + 1 : end]) for start, end in zip(cuts, ends, strict=False)]


def _span(text: str, weight: Decimal | None, feedback: Formatted | None) -> Span:
    low, dots, high = (part.strip() for part in text.partition(".."))
    if dots:
        ends = (_number(low), _number(high))
        return Span(min(ends), max(ends), weight=weight, feedback=feedback)
    written, colon, within = (part.strip() for part in text.partition(":"))
    value = _number(written)
    tolerance = _number(within) if colon else None
    reach = abs(tolerance or Decimal(0))
    return Span(value - reach, value + reach, value, tolerance, weight, feedback)


def _number(text: str) -> Decimal:
    try:
        number = Decimal(show(text).replace(",", ".")) if len(text) < 64 else None
    except InvalidOperation:
        number = None
    if number is None or not number.is_finite() or abs(number.adjusted()) > 400:
        shown = " ".join(show(text).split())[:40]
        raise _Unreadable(f"“{shown}” is not a number. Write 5, 5:0.1 or 1..3.")
    return number
