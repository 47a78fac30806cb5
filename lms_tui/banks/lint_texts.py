"""Check how a terminal will show the texts of an exam: pictures, formulas, tables and sizes."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from lms_tui.banks.model import Exam, Finding, Question, Severity
from lms_tui.banks.pictures import shown
from lms_tui.banks.progress import Progress, untold
from lms_tui.common.cleaning import clean_line
from lms_tui.content.html import parts_of
from lms_tui.content.layout import layout
from lms_tui.content.lines import Mark
from lms_tui.content.maths.line import write
from lms_tui.content.maths.render import tree_of
from lms_tui.content.model import (
    Block,
    Document,
    Figure,
    Image,
    Link,
    Listing,
    Maths,
    Notice,
    Paragraph,
    Quote,
    Table,
    Text,
)

WIDEST: Final = 80
"""Cells of the narrowest terminal that an exam should fit."""
_DATA: Final = re.compile(r"data:[a-z]+/[a-z0-9.+-]+;base64,[A-Za-z0-9+/=]+", re.IGNORECASE)
_ELSEWHERE: Final = re.compile(r"(?:https?:)?//|(?:mailto|tel):", re.IGNORECASE)
_MARKED: Final = re.compile(r"[<\\$]")
_LONE_DOLLAR: Final = re.compile(r"(?<![\w$])\$(?:\\[A-Za-z]|[A-Za-z](?![A-Za-z]))\S{0,20}")
"""A dollar sign that begins a formula. A sum of money begins with a digit, and a currency has more letters."""
_SHOWN_FORMULA: Final = 40
_LONGEST_SHAPE: Final = 400
_MACRO: Final = re.compile(r"\\(?:[A-Za-z]+|.)", re.DOTALL)
_VARIES: Final = re.compile(r"(\\(?:[A-Za-z]+|.))|[0-9]+|[A-Za-z]", re.DOTALL)
_PLAIN_NAMES: Final = (
    "frac dfrac tfrac sqrt sum prod int lim infty cdot times div pm mp le ge leq geq ne neq approx equiv to "
    "rightarrow left right text mathrm mathbf sin cos tan log ln exp vec hat bar overline partial nabla circ "
    "degree quad alpha beta gamma delta epsilon theta lambda mu nu pi rho sigma tau phi omega Delta Omega Sigma "
    ", ; : ! { } %"
)
_PLAIN: Final = frozenset(f"\\{name}" for name in _PLAIN_NAMES.split())
"""Macros that are drawn the same whatever letter or digit is beside them."""


def lint_texts(exam: Exam, progress: Progress = untold) -> Iterator[Finding]:
    """Check every text of the exam. A shared passage is checked once."""
    for message in dict.fromkeys(_of_text(exam.reference_html)):
        yield Finding(Severity.WARNING, f"Reference sheet: {message}")
    passages: set[str] = set()
    whole = len(exam.questions)
    for number, question in enumerate(exam.questions, 1):
        progress("checking texts", number / whole)
        for part in texts_of(question):
            if part is question.direction_html:
                if part in passages:
                    continue
                passages.add(part)
            for message in dict.fromkeys(_of_text(part)):
                yield Finding(Severity.WARNING, message, question.line, number)


def texts_of(question: Question) -> Iterator[str]:
    """Yield every text of a question that is shown as HTML."""
    yield question.html
    yield question.direction_html
    yield question.explanation_html
    for option in question.options:
        yield option.html
        yield option.feedback_html
    yield from (key.feedback_html for key in question.numbers)
    yield from (key.feedback_html for key in question.texts)
    for pair in question.pairs:
        yield pair.left_html


def _of_text(html: str) -> Iterator[str]:
    if _MARKED.search(html):
        for document in parts_of(_DATA.sub("data:,", html)):
            yield from _of_blocks(document.blocks)


def _of_blocks(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        match block:
            case Paragraph():
                yield from _of_inline(block.children)
            case Listing():
                for item in block.items:
                    yield from _of_blocks(item.blocks)
            case Quote() | Figure():
                yield from _of_blocks(block.blocks)
            case Table():
                yield from _of_table(block)
            case Notice():
                yield block.text
            case _:
                pass


def _of_table(table: Table) -> Iterator[str]:
    widest = max((line.width for line in layout(Document((table,)), WIDEST)), default=0)
    if widest > WIDEST:
        yield f"A table is {widest} cells wide, wider than a terminal of {WIDEST}."
    for row in table.rows:
        for cell in row:
            yield from _of_blocks(cell.blocks)


def _of_inline(children: Iterable[object]) -> Iterator[str]:
    for child in children:
        match child:
            case Maths() if not _drawn(child):
                source = " ".join(child.source.split())
                cut = source if len(source) <= _SHOWN_FORMULA else f"{source[: _SHOWN_FORMULA - 1]}…"
                yield f"The formula “{cut}” cannot be drawn. Its source is shown instead."
            case Text() if (found := _LONE_DOLLAR.search(child.text)) and Mark.CODE not in child.marks:
                yield f"The formula “{found[0]}” has no second $. Write $ before and after each formula."
            case Link():
                yield from _of_link(child.href)
                yield from _of_inline(child.children)
            case Image():
                yield from _of_image(child)
            case _:
                pass


def _drawn(maths: Maths) -> bool:
    """Return whether a formula can be drawn. Cached, because large banks repeat a few kinds of formulas."""
    if maths.mathml:
        return tree_of(maths) is not None
    source = maths.source
    if len(source) <= _LONGEST_SHAPE and _PLAIN.issuperset(_MACRO.findall(source)):
        return _shape_drawn(replace(maths, source=_VARIES.sub(_canonical, source)))
    return _understood(maths)


def _canonical(found: "re.Match[str]") -> str:
    return found[1] or ("0" if found[0][0].isdigit() else "x")


@lru_cache(4096)
def _shape_drawn(maths: Maths) -> bool:
    return _understood(maths)


def _understood(maths: Maths) -> bool:
    """Return whether a formula can be parsed and has no unknown macro, which is drawn with its backslash."""
    tree = tree_of(maths)
    return tree is not None and ("\\" not in write(tree) or "backslash" in maths.source)


def _of_link(href: str) -> Iterator[str]:
    """Yield a message if the link leads to a file that the exam does not hold."""
    if not _ELSEWHERE.match(href):
        what = "inside the text" if href[:5].lower() == "data:" else f"“{shown(href)}”"
        yield f"The linked file {what} was left out. Students cannot open it."


def _of_image(image: Image) -> Iterator[str]:
    source = image.source
    if not source or source.startswith("data:"):
        return
    try:
        parts = urlsplit(source)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme in {"http", "https"} or source.startswith("//"):
        yield f"A picture is on another computer ({clean_line(parts.netloc)[:60]}) and is not fetched."
    else:
        yield f"The picture “{shown(source)}” is not in the file."
