"""Every visible character of real exams is on the screen, or went into a transformation that has a name here.

The source is read by the standard library's HTML parser, which shares nothing with the pipeline. The screen shows
formulas as their source and text in logical order, so that characters can be counted one against the other.
"""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from lms_tui.banks.model import NotAnExam, Question
from lms_tui.banks.reader import read_exam
from lms_tui.common.cleaning import clean
from lms_tui.content.cells import normalise
from lms_tui.content.html import parts_of
from lms_tui.content.layout import layout
from lms_tui.content.model import MathsStyle
from lms_tui.content.source import ANY_TAG, escape_stray_brackets

CASES = Path(__file__).parents[2] / "../shared/cases"
pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="the exams of others are not part of this repository")
_UNSEEN = frozenset({"script", "style", "template", "head", "title", "iframe", "object", "video", "audio"})
"""Dropped, or replaced by a notice: a browser does not show them as text either."""
_DELIMITERS = re.compile(r"\\[()\[\]]|\$|\\\\(?=[(\[])|\[\[\s*\d+\s*\]\]")
"""What marks a formula or a gap; the formula is shown without it, the gap as a field with its number."""
_HINTS = re.compile("[\u200b\u200c\u200d\u2060\ufeff\u200e\u200f\u061c\u00ad\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]")
"""Invisible hints of typesetters, and what terminals count differently (`normalise`)."""


class Visible(HTMLParser):
    """Collects the text that a reader of the page sees."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._unseen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNSEEN:
            self._unseen.append(tag)
        elif tag == "img":
            self.parts.append(dict(attrs).get("alt") or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _UNSEEN:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._unseen:
            del self._unseen[self._unseen.index(tag) :]

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.parts.append(data)


def seen(html: str) -> str:
    reader = Visible()
    reader.feed(escape_stray_brackets(html) if ANY_TAG.search(html) else html.replace("<", "&lt;"))
    reader.close()
    return "".join(reader.parts)


def characters(text: str) -> "Counter[str]":
    """Characters that leave ink; small print counts as what it is small of (x² is x2)."""
    bare = _DELIMITERS.sub("", normalise(clean(_HINTS.sub("", text))))
    return Counter("".join(unicodedata.normalize("NFKC", bare).split()))


def texts(question: Question) -> Iterator[str]:
    yield from (question.direction_html, question.html, question.explanation_html)
    yield from (option.html for option in question.options)
    yield from (option.feedback_html for option in question.options)
    yield from (pair.left_html for pair in question.pairs)


def strings(value: object) -> Iterator[str]:
    """Every string of a JSON tree that is not a name."""
    match value:
        case str():
            yield value
        case list():
            for item in value:
                yield from strings(item)
        case dict():
            for item in value.values():
                yield from strings(item)


def texts_of(path: Path) -> Iterator[str]:
    """The texts of a file as an exam reader finds them; of one that no reader knows, everything that is in it."""
    data = path.read_bytes()
    if path.suffix in {".json", ".jsonl"}:
        rows = data.decode().splitlines() if path.suffix == ".jsonl" else [data.decode()]
        for row in filter(str.strip, rows):
            yield from strings(json.loads(row))
        return
    if path.suffix not in {".html", ".md"}:
        try:
            questions = read_exam(data, path.name).exam.questions
        except NotAnExam:
            questions = ()
        if questions:
            for question in questions:
                yield from texts(question)
            return
    yield from data.decode().split("\n\n")


def case_files() -> list[Path]:
    return [path for path in sorted(CASES.rglob("*")) if path.is_file()] if CASES.is_dir() else []


@pytest.mark.parametrize("path", case_files(), ids=lambda path: path.name)
def test_every_visible_character_is_shown(path: Path) -> None:
    found = list(texts_of(path))
    assert found, "nothing was looked at"
    for text in found:
        lines = (line for part in parts_of(text) for line in layout(part, 76, MathsStyle.SOURCE, bidi=False))
        shown = " ".join(line.text for line in lines)
        missing = characters(seen(text)) - characters(shown)
        assert not missing, (missing, text[:2000])
