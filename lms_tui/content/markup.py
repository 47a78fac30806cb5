"""What the names and attributes of HTML mean, and the small repairs its source needs before a parser reads it."""

import re
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit

from selectolax.lexbor import LexborNode

from lms_tui.common.cleaning import clean_line
from lms_tui.content.inline import Style
from lms_tui.content.model import Direction, Mark

_NAMES: Final = frozenset(
    {"a", "abbr", "acronym", "address", "applet", "area", "article", "aside", "audio", "b", "base", "basefont",
     "bdi", "bdo", "big", "blink", "blockquote", "body", "br", "button", "canvas", "caption", "center", "cite",
     "code", "col", "colgroup", "data", "datalist", "dd", "del", "details", "dfn", "dialog", "dir", "div", "dl",
     "dt", "em", "embed", "fieldset", "figcaption", "figure", "font", "footer", "form", "frame", "frameset", "h1",
     "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "i", "iframe", "img", "input", "ins",
     "kbd", "label", "legend", "li", "link", "main", "map", "mark", "marquee", "menu", "meta", "meter", "nav",
     "nobr", "noframes", "noscript", "object", "ol", "optgroup", "option", "output", "p", "param", "picture",
     "plaintext", "pre", "progress", "q", "rb", "rp", "rt", "rtc", "ruby", "s", "samp", "script", "section",
     "select", "slot", "small", "source", "span", "strike", "strong", "style", "sub", "summary", "sup", "svg",
     "table", "tbody", "td", "template", "textarea", "tfoot", "th", "thead", "time", "title", "tr", "track", "tt",
     "u", "ul", "var", "video", "wbr", "xmp", "math", "mi", "mn", "mo", "ms", "mtext", "mspace", "mrow", "mstyle",
     "merror", "mpadded", "mphantom", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup", "munder", "mover",
     "munderover", "mmultiscripts", "mtable", "mtr", "mlabeledtr", "mtd", "mfenced", "menclose", "semantics",
     "annotation", "annotation-xml", "maction", "none", "mprescripts", "g", "path", "circle", "rect", "line",
     "polyline", "polygon", "ellipse", "defs", "use", "symbol", "tspan", "lineargradient", "radialgradient", "stop",
     "clippath"}
)  # fmt: skip
"""Elements of HTML, MathML and the shapes of SVG; any other name after `<` is text."""
_TAG: Final = re.compile(r"<(?=[/!?]?[A-Za-z])/?([A-Za-z][\w.:-]*)?")
ANY_TAG: Final = re.compile(r"<(?:/?[A-Za-z][^<>]*|!--)", re.DOTALL)
_FORMULA: Final = re.compile(
    r"\\\((?:\\\\|(?!\\\().)*?\\\)|\\\[(?:\\\\|(?!\\\[).)*?\\\]|\$\$[^$]+\$\$|\$[^$\n]+\$", re.DOTALL
)
_LESS: Final = re.compile(r"<(?=[A-Za-z])(?!(?:br|span|sub|sup|em|i|b)\b[^<>$]*>)")
_LONG_SOURCE: Final = 1_000
_DATA_SOURCE: Final = re.compile(r"data:image/[A-Za-z0-9.+;=-]{1,100}?;base64,(?:[A-Za-z0-9+/=%]|[\r\n][ \t]*){800,}")
_HELD: Final = "held-picture:"
_IN_ADDRESS: Final = re.compile(r"data:image/svg[^\"'>]*(?:<[?!][^>]*>\s*)*\Z", re.IGNORECASE)
_LONGEST_LEAD: Final = 400
"""Characters in which a data URI of a drawing comes to the drawing."""
_SVG_EDGE: Final = re.compile(r"<(/?)svg(?=[\s/>])[^<>]*>", re.IGNORECASE)
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


def set_aside(html: str) -> tuple[str, list[str]]:
    """Take drawings and long data URIs out of a text: they are nothing for its parser, and no part of its length.

    The elements of a drawing, `<text>` and its kin, are none of the page. Returns the text and what was taken out.
    """
    held: list[str] = []

    def hold(found: str) -> str:
        held.append(found)
        return f"{_HELD}{len(held) - 1}"

    if "svg" in html or "SVG" in html:
        html = _drawings_set_aside(html, hold)
    if len(html) >= _LONG_SOURCE and "data:image" in html:
        html = _DATA_SOURCE.sub(lambda found: hold(found[0]), html)
    return html, held


def _drawings_set_aside(html: str, hold: Callable[[str], str]) -> str:
    kept: list[str] = []
    at = depth = start = 0
    for edge in _SVG_EDGE.finditer(html):
        if edge[0].endswith("/>"):
            continue
        depth += -1 if edge[1] else 1
        if depth == 1 and not edge[1]:
            start = edge.start()
            if _IN_ADDRESS.search(html, max(0, start - _LONGEST_LEAD), start):
                depth = 0
        elif depth == 0:
            kept += [html[at:start], f"<svg data-held='{hold(html[start : edge.end()])}'></svg>"]
            at = edge.end()
        depth = max(0, depth)
    return "".join([*kept, html[at:]])


def put_back(source: str, held: Sequence[str]) -> str:
    """What stands behind a place that `set_aside` has left, such as the source of a picture."""
    number = source.removeprefix(_HELD)
    return held[int(number)] if number != source and number.isdecimal() and int(number) < len(held) else source


def tamed(html: str) -> str:
    """Escape each `<` that begins no tag known to HTML or MathML, or that stands in a formula: 0<x, a<b."""
    html = _FORMULA.sub(lambda found: _LESS.sub("&lt;", found[0]), html)
    return _TAG.sub(_known_tag, html)


def _known_tag(found: "re.Match[str]") -> str:
    name = found[1]
    if name is None or name.lower() in _NAMES or ":" in name or "-" in name:
        return found[0]
    return "&lt;" + found[0][1:]


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
    """All the text below a node without recursion, breaks as newlines, scripts left out."""
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
    """Caption and rows in the order of reading: heads first, feet last."""
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


def host_of(address: str) -> str:
    try:
        return clean_line(urlsplit(address.strip()).hostname or "")[:80]
    except ValueError:
        return ""


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
