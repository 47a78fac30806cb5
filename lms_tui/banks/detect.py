"""Detect the exam format of a file from its content."""

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from lms_tui.banks.aiken import looks_like_aiken
from lms_tui.banks.gift.grammar import parse
from lms_tui.banks.gift.tree import Category, Entry, Essay, Problem
from lms_tui.banks.markdown import looks_like_markdown
from lms_tui.banks.sheets.reader import looks_like_csv
from lms_tui.banks.text2qti import looks_like_text2qti
from lms_tui.banks.yaml_exam import looks_like_yaml

_PROBE: Final = 200_000
_OWN_WORDS: Final = re.compile(r"^\s*(?:\$CATEGORY:|::[^\n]*::|\[(?:html|moodle|plain|markdown)\])", re.MULTILINE)
_OTHERS: Final = re.compile(r"\s*[<{\[](?!(?:html|moodle|plain|markdown)\])")


_ROOT: Final = re.compile(
    r"<(?:[A-Za-z_][\w.-]*:)?(quiz|question|questestinterop|assessmentItem|assessmentTest|assessmentSection"
    r"|qti-assessment-(?:item|test|section))(?=[\s>/])"
)


class Format(StrEnum):
    """Formats that can be read. `PACKAGE` is a zip file with any of the others inside."""

    GIFT = "GIFT"
    MOODLE_XML = "Moodle XML"
    QTI = "QTI"
    AIKEN = "Aiken"
    TEXT2QTI = "text2qti"
    YAML = "YAML"
    SHEET = "sheet"
    MARKDOWN = "Markdown"
    WORD = "Word"
    H5P = "H5P"
    EXAMVIEW = "ExamView"


def detect(text: str) -> Format | None:
    """Return the format of a text, or None if it is unknown."""
    head = _head(text)
    return next((form for form, looks_like in _SIGNS.items() if looks_like(head)), None)


def _head(text: str) -> str:
    """Return the beginning of a long text, cut between two blocks."""
    if len(text) <= _PROBE:
        return text
    end = text.rfind("\n\n", 0, _PROBE)
    return text[: end if end > 0 else _PROBE]


def _xml_root(text: str) -> str:
    """Return the name of the root element if it can hold questions."""
    if not text.lstrip().startswith("<"):
        return ""
    found = _ROOT.search(text)
    return found[1] if found else ""


def _looks_like_moodle_xml(text: str) -> bool:
    return _xml_root(text) in {"quiz", "question"} and re.search(r"<question\s", text) is not None


def _looks_like_qti(text: str) -> bool:
    return _xml_root(text) not in {"", "quiz", "question"}


def _looks_like_gift(text: str) -> bool:
    """Return whether the text has keywords of GIFT, or questions with answers and few problems."""
    answered = essays = problems = categories = 0
    for node in parse(text):
        match node:
            case Problem():
                problems += 1
            case Category():
                categories += 1
            case Entry(answers=Essay()):
                essays += 1
            case Entry(answers=answers) if answers is not None:
                answered += 1
            case _:
                pass
    if categories or _OWN_WORDS.search(text):
        return True
    if answered:
        return problems <= 3 * answered
    return essays > 0 and not problems and not _OTHERS.match(text)


def _looks_like_examview(text: str) -> bool:
    return text.lstrip().startswith("<") and re.search(r"<examview(?=[\s>])", text[:4000]) is not None


_SIGNS: Final[dict[Format, Callable[[str], bool]]] = {
    Format.EXAMVIEW: _looks_like_examview,
    Format.MOODLE_XML: _looks_like_moodle_xml,
    Format.QTI: _looks_like_qti,
    Format.YAML: looks_like_yaml,
    Format.SHEET: looks_like_csv,
    Format.MARKDOWN: looks_like_markdown,
    Format.AIKEN: looks_like_aiken,
    Format.TEXT2QTI: looks_like_text2qti,
    Format.GIFT: _looks_like_gift,
}
