"""Real exams that this project did not write: nothing is lost and no formula falls back to its source."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from lms_tui.content.cells import width
from lms_tui.content.html import parse
from lms_tui.content.layout import layout
from lms_tui.content.maths.render import tree_of
from lms_tui.content.model import Maths, MathsStyle

CASES = Path(__file__).parents[2] / "../shared/cases"
pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="the exams of others are not part of this repository")
_ESCAPED = re.compile(r"\\([~=#{}:\\])")


def gift_texts(name: str) -> list[str]:
    """Questions and options of a GIFT file, its escapes resolved; a reader of its own belongs to another room."""
    source = (CASES / "exams" / name).read_text(encoding="utf-8")
    parts = re.split(r"(?<!\\)::Q\d+::|(?<!\\)[{}]|\n\s*[~=]|####", source)
    return [_ESCAPED.sub(r"\1", part).strip() for part in parts if part.strip() and "$CATEGORY" not in part]


def xml_texts() -> list[str]:
    return [
        node.text
        for path in sorted((CASES / "moodlexml").glob("*.xml"))
        for node in ET.parse(path).getroot().iter("text")  # noqa: S314 - files of this machine's own case collection
        if node.text and node.text.strip()
    ]


def html_texts() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted((CASES / "html").glob("*.html"))]


def formulas(value: object) -> Iterator[Maths]:
    """Every formula of a document."""
    if isinstance(value, Maths):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from formulas(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from formulas(getattr(value, field.name))


def every_text() -> list[str]:
    tamil = (CASES / "exams/tamil-two-choice.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        *gift_texts("jee-main-2025-jan22-shift1.gift"),
        *gift_texts("numerical-literacy.gift"),
        *gift_texts("urdu-mixed.gift"),
        *(json.loads(line)["premise"] for line in tamil),
        *xml_texts(),
        *html_texts(),
    ]


def test_every_formula_of_the_cases_is_drawn() -> None:
    found = [formula for text in every_text() for formula in formulas(parse(text))]
    assert len(found) > 600
    assert [formula.source for formula in found if tree_of(formula) is None] == []


def test_every_macro_of_the_jee_paper_is_drawn() -> None:
    for text in gift_texts("jee-main-2025-jan22-shift1.gift"):
        shown = "\n".join(line.text for line in layout(parse(text.replace(r"\n", "\n")), 76))
        assert not re.search(r"\\[A-Za-z]+", shown), shown


@pytest.mark.parametrize("cells", [40, 60, 76])
@pytest.mark.parametrize("style", list(MathsStyle))
def test_lines_of_the_cases_are_as_wide_as_counted(cells: int, style: MathsStyle) -> None:
    for text in every_text():
        for line in layout(parse(text), cells, style):
            assert line.width == sum(width(run.text) for run in line.runs)


def test_every_word_of_the_cases_is_on_the_screen() -> None:
    for text in every_text():
        bare = re.sub(r"<(script|style|iframe).*?</\1>|<!--.*?-->|<[^>]*>", " ", text, flags=re.DOTALL)
        bare = re.sub(r"\\[(\[].*?\\[)\]]|\$[^$]*\$|\[\[\d+\]\]|&[a-z]+;", " ", bare, flags=re.DOTALL)
        shown = "".join(line.text for line in layout(parse(text), 76, bidi=False))
        squeezed = "".join(shown.split())
        for word in re.findall(r"[A-Za-z\u0600-\u06ff\u0b80-\u0bff]{3,}", bare):
            assert word in squeezed, (word, text)


def test_prices_of_the_brain_teasers_are_not_formulas() -> None:
    text = (CASES / "exams/brain-teasers.aiken.txt").read_text(encoding="utf-8")
    for question in text.split("\n\n"):
        assert list(formulas(parse(question))) == []
