"""Read the lines of a document that this program wrote, or that has its styles: the style says what a line is."""

import re
from dataclasses import replace
from typing import Final, Protocol

from lms_tui.banks.texts import number
from lms_tui.banks.word.drafts import Answer, Draft
from lms_tui.banks.word.keys import Keys
from lms_tui.banks.word.lines import Line
from lms_tui.banks.word.patterns import EXPLANATION, POINTS
from lms_tui.banks.word.runs import Runs

BESIDE: Final = frozenset({"title", "subtitle", "quote"})
"""Styles of Word for texts that are no part of a question."""
ROLES: Final = BESIDE | {
    "question",
    "question text",
    "option",
    "points",
    "explanation",
    "section heading",
    "answer keys",
    "answer key",
}
_NUMBER: Final = re.compile(r"\s*(\d{1,5})\.\s*")
_LETTER: Final = re.compile(r"\s*[A-Z]\.\s*")
_TEXT: Final = "Answer (text):"


class Questions(Protocol):
    """The questions that are being read, and the one that the next line may belong to."""

    draft: Draft | None
    keys: Keys | None
    pending: list[Line]

    def begin(self, draft: Draft) -> None: ...
    def close(self) -> None: ...
    def close_draft(self) -> None: ...


def read_styled(questions: Questions, line: Line) -> None:
    """Read a line by its style."""
    draft, keys, runs = questions.draft, questions.keys, line.runs
    found = _NUMBER.match(runs.text)
    match line.role:
        case "question" if not line.follows or draft is None:
            stem = _behind(runs, found)
            begun = Draft(line.paragraph, int(found[1]) if found else 0, stem=[stem] if stem else [], styled=True)
            questions.begin(begun)
        case "answer keys":
            questions.close()
            questions.keys = Keys()
        case "answer key" if keys is not None and found:
            key = runs.text[found.end() :].strip()
            keys.add(int(found[1]), key.removeprefix(_TEXT).strip(), line.paragraph, key.startswith(_TEXT))
        case "explanation" if (explained := keys or draft) is not None:
            explained.explain(runs if line.follows else _behind(runs, EXPLANATION.match(runs.text)))
        case _ if draft is None or not _add_part(draft, line):
            questions.close_draft()
            questions.pending.append(replace(line, heading=line.role == "section heading"))


def _add_part(draft: Draft, line: Line) -> bool:
    """Add a line to a question. Return False if its style is not of a part of a question."""
    runs = line.runs
    match line.role:
        case "question" | "question text":
            draft.stem.append(runs)
        case "option" if line.follows and draft.options:
            draft.options[-1].lines.append(runs)
        case "option":
            draft.options.append(Answer([_behind(runs, _LETTER.match(runs.text))]))
        case "points" if points := POINTS.match(runs.text):
            draft.marks = number(points[1])
        case _:
            return False
    return True


def _behind(runs: Runs, found: re.Match[str] | None) -> Runs:
    """Return what follows a number or a word at the start of a line, or the line where there is none."""
    return runs.cut(found.end()) if found else runs
