"""Parses the lines that are typed during an exam (pure).

Letters choose options or the topic of an essay. `= words` writes an answer, which distinguishes it from a command.
Other lines are commands. A command is a full word, or its first letter if no option has that letter.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from lms_tui.common.frozen import frozen
from lms_tui.views.format import LETTERS
from lms_tui.wire.question_types import CHOICE_TYPES, GAP_TYPES, LINE_TYPES, QuestionType

LETTERED: Final = CHOICE_TYPES | {QuestionType.ESSAY}
"""Types that a single letter can answer."""


class Order(StrEnum):
    """Every command. Its value is the word to type."""

    NEXT = "next"
    PREVIOUS = "previous"
    GO = "go"
    READ = "read"
    OPTIONS = "options"
    UNANSWERED = "unanswered"
    MARK = "mark"
    CLEAR = "clear"
    UNDO = "undo"
    TIME = "time"
    SAVED = "saved"
    OVERVIEW = "overview"
    NOTE = "note"
    SCRATCH = "scratch"
    HIGHLIGHT = "highlight"
    SECTION = "section"
    FILE = "file"
    REMOVE = "remove"
    CALC = "calc"
    SHEET = "sheet"
    SIGN_IN = "sign in"
    END = "end"
    QUIT = "quit"
    HELP = "help"


MEANINGS: Final = {
    Order.NEXT: "the next question (also an empty line)",
    Order.PREVIOUS: "the question before",
    Order.GO: "a question by its number: go 12",
    Order.READ: "read the question again, with its passage",
    Order.OPTIONS: "read only the options, and what is chosen",
    Order.UNANSWERED: "the next question without an answer",
    Order.MARK: "mark the question for review, or remove the mark",
    Order.CLEAR: "clear the answer",
    Order.UNDO: "undo the last change",
    Order.TIME: "how much time is left, and your pace",
    Order.SAVED: "how many answers are saved and sent",
    Order.OVERVIEW: "the state of every question",
    Order.NOTE: "your note on the question; note TEXT adds a line, note = TEXT replaces it, note = removes it",
    Order.SCRATCH: "your scratchpad for the whole exam, written in the same way: scratch TEXT",
    Order.HIGHLIGHT: "highlight the words behind it, or remove their highlight; highlight alone lists the highlights",
    Order.SECTION: "end this section and start the next one",
    Order.FILE: "add a file to the answer by its path: file ~/report.pdf; file alone reads the files of the answer",
    Order.REMOVE: "remove a file from the answer by its number: remove 1",
    Order.CALC: "calculate: calc 2*3; calc answer puts the result into the answer; calc alone shows the last results",
    Order.SHEET: "read the reference sheet of the exam",
    Order.SIGN_IN: "sign in again when the sign-in has expired",
    Order.END: "end the exam",
    Order.QUIT: "leave and resume later",
    Order.HELP: "this list of commands",
}
_SHORT: Final = {
    "n": Order.NEXT, "p": Order.PREVIOUS, "g": Order.GO, "r": Order.READ, "o": Order.OPTIONS, "w": Order.UNANSWERED,
    "m": Order.MARK, "x": Order.CLEAR, "u": Order.UNDO, "t": Order.TIME, "s": Order.SAVED, "l": Order.OVERVIEW,
    "q": Order.QUIT, "?": Order.HELP, "": Order.NEXT,
}  # fmt: skip
SHORTER: Final = {order: letter for letter, order in _SHORT.items() if letter}
_SELECTION: Final = re.compile(r"[A-Za-z](?:[\s,]*[A-Za-z])*\Z")
_GAP: Final = re.compile(r"(\d{1,3})\s*=(.*)\Z", re.DOTALL)


@frozen
class Command:
    """`number`: of a question. `text`: what stands behind the word."""

    order: Order
    number: int = 0
    text: str = ""


@frozen
class Choice:
    """Places among the options, from 0, in the order in which they were typed."""

    places: tuple[int, ...]


@frozen
class Written:
    """`field` as `lms_tui.attempt.events.Wrote` has it."""

    field: str
    text: str


@frozen
class EssayBegun:
    """Lines of an essay follow, until a line with only a full stop."""


@frozen
class Jotting:
    """A note, or a line of the scratchpad. With `replaces`, the text stands in place of the earlier one."""

    order: Order
    text: str
    replaces: bool = False


@frozen
class UnknownLine:
    """A line that is no command and no answer. `why` names the error and what to type."""

    why: str


Meaning = Command | Choice | Written | Jotting | EssayBegun | UnknownLine


def understood(line: str, *, kind: str, options: int) -> Meaning:
    """Parse one line. `kind`: the type of the question. `options`: its number of options, topics or right sides."""
    text = line.strip()
    if (found := _command(text, options if kind in LETTERED else 0) or _jotting(text)) is not None:
        return found
    if kind in CHOICE_TYPES:
        return _chosen(text, kind, options)
    if (written := _written(text, kind)) is not None:
        return written
    if kind == QuestionType.ESSAY and len(text) == 1 and text.upper() in LETTERS[:options]:
        return Choice((LETTERS.index(text.upper()),))
    if text.isdigit():
        return UnknownLine(f"To go to question {text} type go {text}; to answer {text} type = {text}.")
    return UnknownLine(f"Unknown command “{text[:40]}”. {how_to_answer(kind, options)} Type ? for the commands.")


def _command(text: str, options: int) -> Command | None:
    word, _, rest = " ".join(text.casefold().split()).partition(" ")
    if text.casefold() == Order.SIGN_IN:
        return Command(Order.SIGN_IN)
    letter_of_option = len(word) == 1 and word.upper() in LETTERS[:options]
    order = None if letter_of_option else _SHORT.get(word)
    order = order or next((each for each in Order if each.value == word), None)
    if order in {Order.CALC, Order.HIGHLIGHT, Order.FILE}:
        return Command(order, text=text[len(order) :].strip())
    if order in {Order.GO, Order.REMOVE}:
        return Command(order, int(rest)) if rest.isdecimal() and len(rest) < 6 else None
    return Command(order) if order is not None and not rest else None


def _jotting(text: str) -> Jotting | None:
    word, _, rest = text.partition(" ")
    order = next((each for each in (Order.NOTE, Order.SCRATCH) if each.value == word.casefold()), None)
    rest = rest.strip()
    if order is None or not rest:
        return None
    return Jotting(order, rest.removeprefix("=").strip(), replaces=rest.startswith("="))


def _chosen(text: str, kind: str, options: int) -> Choice | UnknownLine:
    letters = [letter.upper() for letter in text if letter.isalpha()] if _SELECTION.match(text) else []
    known = LETTERS[:options]
    word = len(letters) > 1 and text.isalpha() and not set(letters) <= set(known)
    if not letters or word:
        return UnknownLine(f"Unknown command “{text[:40]}”. {how_to_answer(kind, options)} Type ? for the commands.")
    if strange := [letter for letter in letters if letter not in known]:
        return UnknownLine(f"There is no option {strange[0]}. {how_to_answer(kind, options)} Type ? for the commands.")
    if kind == QuestionType.SINGLE and len(letters) > 1:
        return UnknownLine("Only one option can be chosen here. Type its letter alone.")
    return Choice(tuple(known.index(letter) for letter in letters))


def _written(text: str, kind: str) -> Written | EssayBegun | None:
    if kind in GAP_TYPES and (found := _GAP.match(text)):
        return Written(str(int(found[1])), found[2].strip())
    if not text.startswith("="):
        return None
    if kind in LINE_TYPES:
        return Written("short_text", text[1:].strip())
    if kind == QuestionType.ESSAY:
        return EssayBegun() if text == "=" else Written("essay_text", text[1:].strip())
    return None


def how_to_answer(kind: str, options: int) -> str:  # noqa: PLR0911 - one return a type, read as a table
    """Explain how to answer a type of question."""
    last = LETTERS[min(options, len(LETTERS)) - 1] if options else "A"
    match kind:
        case QuestionType.SINGLE:
            return f"Type a letter from A to {last} to choose."
        case QuestionType.MULTIPLE:
            return f"Type letters from A to {last}, such as A {last}. A letter that is typed again is taken back."
        case QuestionType.SHORT | QuestionType.NUMERIC:
            return "Type = and your answer."
        case QuestionType.ESSAY if options:
            return (
                f"Type a letter from A to {last} for a topic, then = alone to write; a line with only a full stop ends."
            )
        case QuestionType.ESSAY:
            return "Type = alone to start writing, and a line with only a full stop to finish."
        case QuestionType.GAPS:
            return "Type the number of a gap, = and its text, such as 1 = text."
        case QuestionType.MATCH:
            return "Type a number, = and the letter of what belongs to it, such as 1 = B."
        case QuestionType.FILES:
            return "Type file and the path of a file to add it."
        case _:
            return "Questions of this type cannot be answered here. An earlier answer is kept."


def sent_for(text: str, choices: Sequence[str]) -> str:
    """Return the answer for a side of a match: the text behind a letter, or the typed words."""
    place = LETTERS[: len(choices)].find(text.upper()) if len(text) == 1 and text not in choices else -1
    return text if place < 0 else choices[place]
