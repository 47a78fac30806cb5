"""Read the lines of a document that this program wrote, or that has its styles: the style says what a line is."""

import re
from dataclasses import replace
from typing import Final, Protocol

from lms_tui.banks.texts import number
from lms_tui.banks.word.drafts import Answer, Draft
from lms_tui.banks.word.keys import Keys
from lms_tui.banks.word.lines import Line
from lms_tui.banks.word.patterns import EXPLANATION, POINTS

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


def read_styled(questions: Questions, line: Line) -> None:  # noqa: C901 - one branch for each style
    """Read a line by its style."""
    draft, runs = questions.draft, line.runs
    found = _NUMBER.match(runs.text)
    match line.role:
        case "question" if not line.follows or draft is None:
            rest = runs.cut(found.end()) if found else runs
            questions.begin(
                Draft(line.paragraph, int(found[1]) if found else 0, stem=[rest] if rest else [], styled=True)
            )
        case "question" | "question text" if draft is not None:
            draft.stem.append(runs)
        case "option" if draft is not None and line.follows and draft.options:
            draft.options[-1].lines.append(runs)
        case "option" if draft is not None:
            letter = _LETTER.match(runs.text)
            draft.options.append(Answer([runs.cut(letter.end()) if letter else runs]))
        case "points" if draft is not None and (points := POINTS.match(runs.text)):
            draft.marks = number(points[1])
        case "answer keys":
            questions.close()
            questions.keys = Keys()
        case "answer key" if questions.keys is not None and found:
            key = runs.text[found.end() :].strip()
            questions.keys.add(int(found[1]), key.removeprefix(_TEXT).strip(), line.paragraph, key.startswith(_TEXT))
        case "explanation" if questions.keys is not None or draft is not None:
            named = None if line.follows else EXPLANATION.match(runs.text)
            told = runs.cut(named.end()) if named else runs
            if questions.keys is not None:
                questions.keys.explain(told)
            elif draft is not None:
                draft.explanation.append(told)
        case _:
            questions.close_draft()
            questions.pending.append(replace(line, heading=line.role == "section heading"))
