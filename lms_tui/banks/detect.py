"""Detect the exam format of a file from its content. The libraries that read Markdown and YAML are not imported."""

import re
from collections import Counter
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from lms_tui.banks.aiken import looks_like_aiken
from lms_tui.banks.gift.grammar import parse
from lms_tui.banks.gift.tree import Category, Entry, Essay, Node, Problem, ShortAnswer
from lms_tui.banks.markdown import looks_like_markdown
from lms_tui.banks.sheets.reader import looks_like_csv
from lms_tui.banks.text2qti import looks_like_text2qti

_PROBE: Final = 200_000
_OWN_WORDS: Final = re.compile(r"^\s*(?:\$CATEGORY:|::[^\n]*::|\[(?:html|moodle|plain|markdown)\])", re.MULTILINE)
_OTHERS: Final = re.compile(r"\s*[<{\[](?!(?:html|moodle|plain|markdown)\])")

_FUNCTION: Final = re.compile(r"\w\([^()\n]*(?:\)\s*(?:_____|$)|,\s*_____)")
_OTHERS_FOR_EACH: Final = 3
"""The other blocks that a text may have for each question in it, if it is an exam."""
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


def _looks_like_yaml(text: str) -> bool:
    """Return whether a line at the left edge starts a list of questions or sections."""
    found = re.search(r"^(?:questions|sections)\s*:\s*(?:#.*|\[.*)?$", text, re.MULTILINE)
    return found is not None and not text.lstrip().startswith("<")


def _looks_like_gift(text: str) -> bool:
    """Return whether the text has keywords of GIFT, or questions with answers and few problems.

    Braces that are empty or hold a bare text may be code in a text. They make an exam only among few others.
    """
    seen = Counter(_sign(node) for node in parse(text))
    if seen["category"] or _OWN_WORDS.search(text):
        return True
    if seen["answered"]:
        return seen["problem"] <= _OTHERS_FOR_EACH * (seen["answered"] + seen["bare"])
    bare, others = seen["bare"] + seen["essay"], seen["text"] + seen["problem"]
    if not bare or others > _OTHERS_FOR_EACH * bare:
        return False
    return seen["bare"] > 0 or not (seen["problem"] or _OTHERS.match(text))


def _sign(node: Node) -> str:
    """Return what a node tells about the format."""
    match node:
        case Problem():
            return "problem"
        case Category():
            return "category"
        case Entry(answers=None):
            return "text"
        case Entry(answers=Essay()):
            return "problem" if _is_code(node.stem.text) else "essay"
        case Entry(answers=ShortAnswer(choices, bare=True)):
            return "problem" if _is_code(node.stem.text) or choices[0].text.text.startswith("$") else "bare"
        case _:
            return "answered"


def _is_code(stem: str) -> bool:
    """Return whether braces follow a function or stand among its arguments, or the text before them has no letters."""
    return _FUNCTION.search(stem) is not None or not re.search(r"[^\W\d_]", stem)


def _looks_like_examview(text: str) -> bool:
    return text.lstrip().startswith("<") and re.search(r"<examview(?=[\s>])", text[:4000]) is not None


_SIGNS: Final[dict[Format, Callable[[str], bool]]] = {
    Format.EXAMVIEW: _looks_like_examview,
    Format.MOODLE_XML: _looks_like_moodle_xml,
    Format.QTI: _looks_like_qti,
    Format.YAML: _looks_like_yaml,
    Format.SHEET: looks_like_csv,
    Format.MARKDOWN: looks_like_markdown,
    Format.AIKEN: looks_like_aiken,
    Format.TEXT2QTI: looks_like_text2qti,
    Format.GIFT: _looks_like_gift,
}
