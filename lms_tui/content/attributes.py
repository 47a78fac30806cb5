"""Read marks, sizes, directions and labels from the names and attributes of HTML elements."""

import re
import string
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from selectolax.lexbor import LexborNode

from lms_tui.content.inline import Style
from lms_tui.content.lines import Mark
from lms_tui.content.model import Direction

_HIDDEN: Final = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_MARKS: Final[Mapping[str, Mark]] = {
    "b": Mark.BOLD, "strong": Mark.BOLD, "i": Mark.ITALIC, "em": Mark.ITALIC, "var": Mark.ITALIC, "cite": Mark.ITALIC,
    "dfn": Mark.ITALIC, "u": Mark.UNDERLINE, "ins": Mark.UNDERLINE, "s": Mark.STRIKE, "strike": Mark.STRIKE,
    "del": Mark.STRIKE, "sub": Mark.SUB, "sup": Mark.SUP, "code": Mark.CODE, "kbd": Mark.CODE, "samp": Mark.CODE,
    "tt": Mark.CODE, "mark": Mark.HIGHLIGHT, "small": Mark.DIM,
}  # fmt: skip
_STYLED: Final = (
    (re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.IGNORECASE), Mark.BOLD),
    (re.compile(r"font-style\s*:\s*(?:italic|oblique)", re.IGNORECASE), Mark.ITALIC),
    (re.compile(r"text-decoration[^;]*underline", re.IGNORECASE), Mark.UNDERLINE),
    (re.compile(r"text-decoration[^;]*line-through", re.IGNORECASE), Mark.STRIKE),
    (re.compile(r"vertical-align\s*:\s*super", re.IGNORECASE), Mark.SUP),
    (re.compile(r"vertical-align\s*:\s*sub", re.IGNORECASE), Mark.SUB),
)


def hidden(node: LexborNode) -> bool:
    attributes = node.attributes
    if not attributes:
        return False
    if "hidden" in attributes or _HIDDEN.search(attributes.get("style") or ""):
        return True
    names = (attributes.get("class") or "").split()
    return "katex-html" in names or "MathJax_Preview" in names or "MathJax" in names or "MJX_Assistive_MathML" in names


def styled(node: LexborNode, tag: str, style: Style) -> Style:
    marks = style.marks | _MARKS.get(tag, Mark.NONE)
    css = node.attributes.get("style") if node.attributes else None
    if css:
        for pattern, mark in _STYLED:
            if pattern.search(css):
                marks |= mark
    return style if marks == style.marks else replace(style, marks=marks)


def direction_of(node: LexborNode, outer: Direction) -> Direction:
    value = (node.attributes.get("dir") or "").lower() or css(node, "direction")
    return Direction(value) if value in {"ltr", "rtl", "auto"} else outer


def css(node: LexborNode, name: str) -> str:
    css = node.attributes.get("style") or ""
    for rule in css.split(";"):
        key, _, value = rule.partition(":")
        if key.strip().lower() == name:
            return value.strip().lower()
    return ""


def plain_text(node: LexborNode) -> str:
    """Return all text in a node without recursion. Each `br` is a newline, and scripts are left out."""
    if node.tag in {"script", "style"}:
        return node.text() or ""
    parts: list[str] = []
    for child in node.traverse(include_text=True):
        if child.is_text_node and (child.parent is None or child.parent.tag not in {"script", "style"}):
            parts.append(child.text_content or "")
        elif child.tag == "br":
            parts.append("\n")
    return "".join(parts)


def elements(node: LexborNode) -> list[LexborNode]:
    return [child for child in node.iter(include_text=False) if child.is_element_node]


def table_rows(node: LexborNode) -> list[LexborNode]:
    """Return caption and rows in reading order: heads first, feet last."""
    groups: dict[str, list[LexborNode]] = {"caption": [], "thead": [], "tbody": [], "tfoot": []}
    for child in elements(node):
        if child.tag == "caption":
            groups["caption"].append(child)
        elif child.tag == "tr":
            groups["tbody"].append(child)
        elif child.tag in groups:
            groups[child.tag].extend(line for line in elements(child) if line.tag == "tr")
    return [line for group in groups.values() for line in group]


def integer(value: str | None, default: int) -> int:
    found = re.match(r"\s*(-?\d{1,6})", value or "")
    return int(found[1]) if found else default


def pixels(value: str | None) -> int:
    found = re.match(r"\s*(\d{1,5})(?:\.\d*)?\s*(?:px)?\s*\Z", value or "")
    return int(found[1]) if found else 0


def list_kind(node: LexborNode) -> str:
    kind = node.attributes.get("type") or ""
    style = css(node, "list-style-type") or css(node, "list-style")
    names = {"lower-alpha": "a", "lower-latin": "a", "upper-alpha": "A", "upper-latin": "A", "lower-roman": "i",
             "upper-roman": "I", "decimal": "1", "none": "none"}  # fmt: skip
    return names.get(style, kind)


def bullet(kind: str) -> str:
    return {"none": "", "circle": "◦", "square": "▪"}.get(kind, "•")


def label(number: int, kind: str) -> str:
    if kind == "none":
        return ""
    if kind in {"a", "A"} and number > 0:
        letters = ""
        while number:
            number, at = divmod(number - 1, 26)
            letters = string.ascii_lowercase[at] + letters
        return f"({letters})" if kind == "a" else f"{letters.upper()}."
    if kind in {"i", "I"} and 0 < number < 4000:
        roman = _roman(number)
        return f"({roman.lower()})" if kind == "i" else f"{roman}."
    return f"{number}."


def _roman(number: int) -> str:
    result = ""
    for value, sign in ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
                        (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):  # fmt: skip
        while number >= value:
            result += sign
            number -= value
    return result
