"""Formulas that MathML tells apart have distinct lines and distinct words, over all formulas of the cases."""

import re
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from latex2mathml.converter import convert

from lms_tui.banks.lint_texts import texts_of
from lms_tui.banks.reader import read_exam
from lms_tui.content.html import parts_of
from lms_tui.content.maths.render import render_maths
from lms_tui.content.model import Block, Figure, Link, Listing, Maths, MathsStyle, Paragraph, Quote, Table
from tests.banks.test_bank_cases import CASES, EXPECTED

COMMON = (Path(__file__).parent / "formulas.txt").read_text(encoding="utf-8").splitlines()


def in_line(children: Iterable[object]) -> Iterator[Maths]:
    for child in children:
        if isinstance(child, Maths):
            yield child
        elif isinstance(child, Link):
            yield from in_line(child.children)


def in_blocks(blocks: Iterable[Block]) -> Iterator[Maths]:
    for block in blocks:
        match block:
            case Paragraph(children):
                yield from in_line(children)
            case Listing(items):
                for item in items:
                    yield from in_blocks(item.blocks)
            case Quote(inner) | Figure(inner):
                yield from in_blocks(inner)
            case Table(rows):
                for row in rows:
                    for cell in row:
                        yield from in_blocks(cell.blocks)
            case _:
                pass


@cache
def formulas() -> frozenset[Maths]:
    found = {Maths(source) for source in COMMON}
    for name in EXPECTED if CASES.is_dir() else ():
        for question in read_exam((CASES / name).read_bytes(), name).exam.questions:
            for text in texts_of(question):
                for document in parts_of(text):
                    found.update(Maths(maths.source, mathml=maths.mathml) for maths in in_blocks(document.blocks))
    return frozenset(found)


def canonical(node: ET.Element) -> str:
    """MathML without what nobody sees: spaces, rows of one, attributes."""
    name = node.tag.rpartition("}")[2]
    children = [text for text in map(canonical, node) if text]
    if name in {"mspace", "mphantom"}:
        return ""
    if name in {"math", "mrow", "mstyle", "mpadded", "semantics"}:
        return " ".join(children)
    if not children:
        return " ".join((node.text or "").split())
    return f"<{name} {'|'.join(children)}>"


def told_apart(maths: Maths) -> str:
    """What an independent reader makes of a formula, or an empty string if it fails."""
    if "@" in maths.source:  # it reads the columns of `array` as text
        return ""
    try:
        return canonical(ET.fromstring(maths.source if maths.mathml else convert(maths.source)))  # noqa: S314  # ours
    except Exception:  # noqa: BLE001  # it raises errors of many kinds for source that it does not know
        return ""


@pytest.mark.parametrize("style", [MathsStyle.LINE, MathsStyle.WORDS])
def test_formulas_that_mathml_tells_apart_are_told_apart(style: MathsStyle) -> None:
    meanings: dict[str, dict[str, str]] = defaultdict(dict)
    for maths in formulas():
        if meaning := told_apart(maths):
            shown = " ".join(render_maths(maths, style, 10_000).rows)
            meanings[re.sub(r"\s+", " ", shown)].setdefault(meaning, maths.source)
    assert [list(found.values()) for found in meanings.values() if len(found) > 1] == []
    assert len(meanings) > len(COMMON) // 2
