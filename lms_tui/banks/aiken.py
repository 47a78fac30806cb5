"""Read Aiken (https://docs.moodle.org/en/Aiken_format) and the trivia dialect with `#Q` and `^`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from lms_tui.banks.collect import Collector
from lms_tui.banks.markup import plain_to_html
from lms_tui.banks.model import Option, Question, Reading
from lms_tui.banks.texts import SPACE
from lms_tui.wire.question_types import QuestionType

_OPTION: Final = re.compile(r"\s*([A-Za-z])[.)]\s+(.*\S)\s*\Z")
_EMPTY_OPTION: Final = re.compile(r"\s*([A-Z])[.)]\s*\Z")
_ANSWER: Final = re.compile(r"\s*ANSWER\s*[:=]\s*(.*?)\s*\Z", re.IGNORECASE)
_LETTERS: Final = re.compile(r"[A-Za-z](?:\s*[,;&]\s*[A-Za-z])*\.?\Z")
_TRIVIA_OPTION: Final = re.compile(r"([A-Z])\s+(.*\S)\s*\Z")


def looks_like_aiken(text: str) -> bool:
    if re.search(r"^#Q\s", text, re.MULTILINE) and re.search(r"^\^\s", text, re.MULTILINE):
        return True
    answers = re.search(
        rf"^[ \t]*ANSWER[ \t]*[:=]{SPACE}*[A-Za-z](?:{SPACE}*[,;&.]|{SPACE}*$)", text, re.MULTILINE | re.IGNORECASE
    )
    return answers is not None and re.search(rf"^[ \t]*[A-Za-z][.)]{SPACE}+\S", text, re.MULTILINE) is not None


def read_aiken(text: str, title: str) -> Reading:
    """Read an Aiken text into an exam named `title`. A question without a usable ANSWER is reported and left out."""
    collector = Collector()
    lines = text.split("\n")
    trivia = re.search(r"^#Q\s", text, re.MULTILINE) is not None
    for draft in _trivia(lines) if trivia else _aiken(lines, collector):
        draft.finish(collector)
    return collector.reading(title)


@dataclass(slots=True)
class _Draft:
    line: int
    stem: list[str] = field(default_factory=list)
    options: list[tuple[str, str]] = field(default_factory=list)
    answer: str = ""

    def finish(self, collector: Collector) -> None:
        stem = "\n".join(self.stem).strip()
        named = f"The question “{' '.join(stem.split())[:50]}”"
        if not self.options:
            collector.error(f"{named} was left out. It has no answers to choose from.", self.line)
            return
        if not self.answer:
            collector.error(f"{named} was left out. No line says which answer is right.", self.line)
            return
        right = self._right()
        if not right:
            collector.error(
                f"{named} was left out. Its correct answer “{self.answer[:40]}” is not one of its answers.", self.line
            )
            return
        letters = [letter for letter, _ in self.options]
        if len(set(letters)) < len(letters):
            collector.warn("Two answers have the same letter.", self.line, collector.next_number)
        options = tuple(
            Option(plain_to_html(text), correct=at in right) for at, (_letter, text) in enumerate(self.options)
        )
        kind = QuestionType.SINGLE if len(right) == 1 else QuestionType.MULTIPLE
        collector.add(Question(kind, plain_to_html(stem), options, line=self.line))

    def _right(self) -> set[int]:
        """Return the indices of the correct answers, which are named by letter or by text."""
        by_text = [at for at, (_, text) in enumerate(self.options) if text.casefold() == self.answer.casefold()]
        if by_text:
            return {by_text[0]}
        if not _LETTERS.match(self.answer):
            return set()
        named = {letter.upper() for letter in re.findall("[A-Za-z]", self.answer)}
        letters = [letter for letter, _ in self.options]
        return {letters.index(letter) for letter in named} if named <= set(letters) else set()


def _aiken(lines: list[str], collector: Collector) -> Iterator[_Draft]:
    draft: _Draft | None = None
    blank = False
    for at, line in enumerate(lines, 1):
        answer, option = _ANSWER.match(line), _OPTION.match(line)
        if not line.strip():
            blank = True
            continue
        if answer and draft and (draft.options or _LETTERS.match(_letter_of(answer[1]))):
            draft.answer = _letter_of(answer[1])
            yield draft
            draft = None
        elif option and draft and _follows(draft, option[1].upper()):
            draft.options.append((option[1].upper(), option[2]))
        elif _EMPTY_OPTION.match(line) and draft and draft.options:
            collector.warn("An answer has no text and was left out.", at)
        elif draft and draft.options and not blank:
            letter, text = draft.options[-1]
            draft.options[-1] = (letter, f"{text}\n{line.strip()}")
        else:
            if draft and draft.options:
                yield draft
                draft = None
            draft = draft or _Draft(at)
            draft.stem.append(line.strip())
        blank = False
    if draft:
        yield draft


def _letter_of(answer: str) -> str:
    """Return the letter in an answer such as `B. Berlin` or `b)`."""
    found = re.match(r"([A-Za-z])(?:[.)]\s|[.)]?\Z)", answer)
    return found[1] if found else answer


def _follows(draft: _Draft, letter: str) -> bool:
    """Return whether a line is the next option and not text such as `I. Newton`.

    The first option is A, and letters never go back.
    """
    if not draft.options:
        return letter == "A"
    return letter >= draft.options[-1][0]


def _trivia(lines: list[str]) -> Iterator[_Draft]:
    draft: _Draft | None = None
    for at, line in enumerate(lines, 1):
        option = _TRIVIA_OPTION.match(line)
        if line.startswith("#Q"):
            if draft:
                yield draft
            draft = _Draft(at, [line[2:].strip()])
        elif draft is None or not line.strip():
            continue
        elif line.startswith("^"):
            draft.answer = " ".join(line[1:].split())
        elif option and draft.answer:
            draft.options.append((option[1], " ".join(option[2].split())))
        elif draft.options:
            letter, text = draft.options[-1]
            draft.options[-1] = (letter, f"{text} {line.strip()}")
        else:
            draft.stem.append(line.strip())
    if draft:
        yield draft
