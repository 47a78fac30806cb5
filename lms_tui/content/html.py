"""Exam HTML, as untrusted as it comes, to the document tree. Broken markup is read as a browser reads it.

Entities are decoded by the parser and the text is cleaned afterwards, so nothing dangerous can hide in an entity.
Scripts, styles, templates, comments and what the page itself hides are dropped; what cannot be shown here leaves a
notice. Text without any tag keeps its newlines.
"""

import re
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from lms_tui.cleaning import clean, clean_line
from lms_tui.content.cells import settle
from lms_tui.content.inline import PLAIN, Gatherer, Style
from lms_tui.content.model import (
    Block,
    Break,
    Cell,
    Direction,
    Document,
    Figure,
    Gap,
    Image,
    Inline,
    Item,
    Listing,
    Mark,
    Maths,
    Notice,
    Paragraph,
    Preformatted,
    Quote,
    Rule,
    Table,
    Text,
)

LARGEST: Final = 64 * 1024
"""Characters of one field that are read; the parser takes quadratic time on nested markup."""
_DEEPEST: Final = 60
_CUT: Final = "This text is longer than can be shown; the rest was left out."
_HTML_NAMES: Final = frozenset(
    "a abbr acronym address applet area article aside audio b base basefont bdi bdo big blink blockquote body br button "
    "canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed "
    "fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe "
    "img input ins kbd label legend li link main map mark marquee menu meta meter nav nobr noframes noscript object ol "
    "optgroup option output p param picture plaintext pre progress q rb rp rt rtc ruby s samp script section select "
    "slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead "
    "time title tr track tt u ul var video wbr xmp math mi mn mo ms mtext mspace mrow mstyle merror mpadded mphantom "
    "mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts mtable mtr mlabeledtr mtd mfenced "
    "menclose semantics annotation annotation-xml maction none mprescripts g path circle rect line polyline polygon "
    "ellipse defs use symbol tspan lineargradient radialgradient stop clippath".split()
)
_TAG: Final = re.compile(r"<(?=[/!?]?[A-Za-z])/?([A-Za-z][\w.:-]*)?")
_ANY_TAG: Final = re.compile(r"<(?:/?[A-Za-z][^<>]*|!--)", re.DOTALL)
_FORMULA: Final = re.compile(r"\\\(.*?\\\)|\\\[.*?\\\]|\$\$[^$]+\$\$|\$[^$\n]+\$", re.DOTALL)
_LESS: Final = re.compile(r"<(?=[A-Za-z])(?!(?:br|span|sub|sup|em|i|b)\b[^<>$]*>)")
_HINTS: Final = re.compile("[\u200b\u2060\ufeff\u200e\u200f\u061c]")
"""Typesetters' hints that no reader sees: break here, do not break, this runs to the left."""
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
_DROPPED: Final = frozenset(
    "style template head title meta link base noframes source track param area map datalist colgroup col rp "
    "-comment dialog".split()
)
_BLOCKS: Final = frozenset(
    "address article aside body center dd details dialog dir div dl dt fieldset figcaption footer form header hgroup "
    "html legend main menu nav p section summary noscript option optgroup li".split()
)
_FOREIGN: Final[Mapping[str, str]] = {
    "iframe": "A frame", "frame": "A frame", "video": "A video", "audio": "A sound", "object": "An embedded object",
    "embed": "An embedded object", "applet": "An applet", "canvas": "A drawing", "marquee": "",
}  # fmt: skip


def parse(html: str) -> Document:
    """Read one field of an exam: HTML, or plain text with newlines; never raises."""
    cut = len(html) > LARGEST
    html = html[:LARGEST].replace("\x00", "\ufffd").replace("\r\n", "\n").replace("\r", "\n")
    if not _ANY_TAG.search(html):
        reader = _Reader(Gatherer(keep_lines=True))
        for part in re.split(r"\n[ \t]*\n", _entities(html)):
            reader.inline.text(_readable(part), PLAIN)
            reader.end_paragraph()
    else:
        reader = _Reader(Gatherer())
        body = LexborHTMLParser(_tamed(html)).body
        if body is not None:
            reader.children(body, PLAIN, 0)
        reader.end_paragraph()
    if cut:
        reader.blocks.append(Notice(_CUT))
    return Document(tuple(reader.blocks))


def _entities(text: str) -> str:
    """Decode entities the way the HTML parser does."""
    if "&" not in text:
        return text
    body = LexborHTMLParser("<pre>\n" + text.replace("<", "&lt;")).body
    return text if body is None else (body.text() or "").removeprefix("\n")


def _tamed(html: str) -> str:
    """Escape each `<` that begins no tag known to HTML or MathML, or that stands in a formula: 0<x, a<b."""
    html = _FORMULA.sub(lambda found: _LESS.sub("&lt;", found[0]), html)
    return _TAG.sub(_known_tag, html)


def _known_tag(found: "re.Match[str]") -> str:
    name = found[1]
    if name is None or name.lower() in _HTML_NAMES or ":" in name or "-" in name:
        return found[0]
    return "&lt;" + found[0][1:]


def _readable(text: str) -> str:
    """Clean text for reading; invisible hints, which pasted text is full of, go as if they had been obeyed."""
    if text.isascii():
        return clean(text)
    return settle(clean(_HINTS.sub("", text)))


@dataclass(slots=True)
class _Reader:
    """Walks the tree of the parser; `blocks` grows as blocks end."""

    inline: Gatherer
    blocks: list[Block] = field(default_factory=list)
    direction: Direction = Direction.AUTO
    level: int = 0
    gaps: int = 0
    links: int = 0

    def end_paragraph(self) -> None:
        """Make a paragraph of the running text, unless it is blank."""
        children = self.inline.take()
        if children and not all(isinstance(child, Text) and not child.text.strip() for child in children):
            self.blocks.append(Paragraph(children, self.level, self.direction))

    def children(self, node: LexborNode, style: Style, depth: int) -> None:
        if depth > _DEEPEST:
            self.inline.text(_readable(_plain_text(node)), style)
            return
        child = node.first_child
        while child is not None:
            self.node(child, style, depth + 1)
            child = child.next

    def node(self, node: LexborNode, style: Style, depth: int) -> None:
        if node.is_text_node:
            self.inline.text(_readable(node.text_content or ""), style)
            return
        tag = node.tag or ""
        if tag in _DROPPED or not node.is_element_node or _hidden(node):
            return
        build = _BUILDERS.get(tag)
        if build is not None:
            build(self, node, style, depth)
        elif tag in _FOREIGN:
            self.foreign(node, tag)
        elif tag in _BLOCKS:
            self.block(node, style, depth)
        else:
            self.children(node, _styled(node, tag, style), depth)

    def inner(self, node: LexborNode, style: Style, depth: int) -> tuple[Block, ...]:
        """Read the children of a node as blocks of their own."""
        outer, self.blocks = self.blocks, []
        inline, self.inline = self.inline, Gatherer()
        level, self.level = self.level, 0
        direction, self.direction = self.direction, _direction(node, self.direction)
        self.children(node, style, depth)
        self.end_paragraph()
        blocks, self.blocks = self.blocks, outer
        self.inline, self.level, self.direction = inline, level, direction
        return tuple(blocks)

    def block(self, node: LexborNode, style: Style, depth: int) -> None:
        self.end_paragraph()
        direction, self.direction = self.direction, _direction(node, self.direction)
        self.children(node, _styled(node, "", style), depth)
        self.end_paragraph()
        self.direction = direction

    def heading(self, node: LexborNode, style: Style, depth: int) -> None:
        self.end_paragraph()
        level, self.level = self.level, int((node.tag or "h1")[1])
        self.block(node, style, depth)
        self.level = level

    def line_break(self, _node: LexborNode, style: Style, _depth: int) -> None:
        self.inline.put(Break(), style)

    def rule(self, _node: LexborNode, _style: Style, _depth: int) -> None:
        self.end_paragraph()
        self.blocks.append(Rule())

    def quote(self, node: LexborNode, style: Style, depth: int) -> None:
        self.end_paragraph()
        if blocks := self.inner(node, style, depth):
            self.blocks.append(Quote(blocks))

    def quotation(self, node: LexborNode, style: Style, depth: int) -> None:
        self.inline.text("“", style)
        self.children(node, style, depth)
        self.inline.text("”", style)

    def listing(self, node: LexborNode, style: Style, depth: int) -> None:
        self.end_paragraph()
        items: list[Item] = []
        ordered = node.tag == "ol"
        number = _integer(node.attributes.get("start"), 1)
        kind = _list_kind(node)
        child = node.first_child
        while child is not None:
            if child.tag == "li" and not _hidden(child):
                number = _integer(child.attributes.get("value"), number)
                blocks = self.inner(child, style, depth + 1)
                if blocks:
                    items.append(Item(_label(number, kind) if ordered else _bullet(kind), blocks))
                number += 1
            elif child.is_element_node:
                blocks = _Reader(Gatherer(), direction=self.direction).alone(child, style, depth + 1)
                if blocks and items:
                    items[-1] = Item(items[-1].label, (*items[-1].blocks, *blocks))
                elif blocks:
                    items.append(Item("", blocks))
            elif child.is_text_node and (text := (child.text_content or "").strip()):
                items.append(Item("", (Paragraph((Text(_readable(text)),)),)))
            child = child.next
        if items:
            self.blocks.append(Listing(tuple(items)))

    def alone(self, node: LexborNode, style: Style, depth: int) -> tuple[Block, ...]:
        """Read one node by itself."""
        self.node(node, style, depth)
        self.end_paragraph()
        return tuple(self.blocks)

    def definitions(self, node: LexborNode, style: Style, depth: int) -> None:
        """A dl: terms bold, their descriptions indented under them."""
        self.end_paragraph()
        child = node.first_child
        while child is not None:
            if child.tag == "dt":
                self.block(child, replace(style, marks=style.marks | Mark.BOLD), depth)
            elif child.tag == "dd" and (blocks := self.inner(child, style, depth + 1)):
                self.blocks.append(Listing((Item("", blocks),)))
            elif child.is_element_node and child.tag not in {"dt", "dd"}:
                self.node(child, style, depth + 1)
            child = child.next

    def pre(self, node: LexborNode, _style: Style, _depth: int) -> None:
        self.end_paragraph()
        text = settle(clean(_plain_text(node))).strip("\n").expandtabs(4)
        if text.strip():
            self.blocks.append(Preformatted(tuple(line.rstrip() for line in text.split("\n"))))

    def table(self, node: LexborNode, style: Style, depth: int) -> None:
        self.end_paragraph()
        rows: list[tuple[Cell, ...]] = []
        caption: list[Block] = []
        for line in _table_rows(node):
            if line.tag == "caption":
                caption.extend(self.inner(line, style, depth + 1))
                continue
            cells = [self.cell(cell, style, depth + 2) for cell in _elements(line) if cell.tag in {"td", "th"}]
            if cells:
                rows.append(tuple(cells))
        title = " ".join(_words(block) for block in caption)
        if len(rows) == 1 and len(rows[0]) == 1 and not title:
            self.blocks.extend(rows[0][0].blocks)
        elif any(cell.blocks for line in rows for cell in line):
            self.blocks.append(Table(tuple(rows), title))

    def cell(self, node: LexborNode, style: Style, depth: int) -> Cell:
        header = node.tag == "th"
        inner = replace(style, marks=style.marks | Mark.BOLD) if header else style
        align = (node.attributes.get("align") or "").lower() or _css(node, "text-align")
        return Cell(
            self.inner(node, inner, depth),
            header=header,
            columns=max(1, min(100, _integer(node.attributes.get("colspan"), 1))),
            rows=max(1, min(1000, _integer(node.attributes.get("rowspan"), 1))),
            align=align if align in {"left", "center", "right"} else "",
        )

    def figure(self, node: LexborNode, style: Style, depth: int) -> None:
        self.end_paragraph()
        captions = [child for child in _elements(node) if child.tag == "figcaption"]
        caption: tuple[Inline, ...] = ()
        if captions:
            gatherer, self.inline = self.inline, Gatherer()
            self.children(captions[0], style, depth + 1)
            caption = self.inline.take()
            self.inline = gatherer
            captions[0].remove()
        blocks = self.inner(node, style, depth)
        if blocks or caption:
            self.blocks.append(Figure(blocks, caption))

    def image(self, node: LexborNode, style: Style, _depth: int) -> None:
        attributes = node.attributes
        alt = attributes.get("alt") or attributes.get("title") or ""
        source = attributes.get("src") or attributes.get("data-src") or ""
        self.inline.put(
            Image(
                clean(source.strip()),
                settle(clean_line(alt)),
                _pixels(attributes.get("width") or _css(node, "width")),
                _pixels(attributes.get("height") or _css(node, "height")),
            ),
            style,
        )

    def drawing(self, node: LexborNode, style: Style, _depth: int) -> None:
        """An SVG in the page: its title or label stands for it."""
        title = next((child.text() or "" for child in _elements(node) if child.tag in {"title", "desc"}), "")
        alt = title or node.attributes.get("aria-label") or "drawing"
        size = _pixels(node.attributes.get("width")), _pixels(node.attributes.get("height"))
        self.inline.put(Image("", settle(clean_line(alt)), *size), style)

    def link(self, node: LexborNode, style: Style, depth: int) -> None:
        href = (node.attributes.get("href") or "").strip()
        if not href or href.startswith("#"):
            self.children(node, style, depth)
            return
        self.links += 1
        self.children(node, Style(style.marks | Mark.LINK, clean(href)[:2000], self.links), depth)

    def maths(self, node: LexborNode, style: Style, _depth: int) -> None:
        display = (node.attributes.get("display") or node.attributes.get("mode")) == "block"
        self.inline.put(Maths(clean(node.html or ""), display=display, mathml=True), style)

    def script(self, node: LexborNode, style: Style, _depth: int) -> None:
        """A script is dropped, but for the ones in which MathJax keeps its formulas."""
        kind = (node.attributes.get("type") or "").replace(" ", "").lower()
        source = clean(_plain_text(node).strip())
        if kind.startswith("math/tex") and source:
            self.inline.put(Maths(source, display="mode=display" in kind), style)

    def ruby_text(self, node: LexborNode, style: Style, depth: int) -> None:
        self.inline.text("(", style)
        self.children(node, style, depth)
        self.inline.text(")", style)

    def field(self, node: LexborNode, style: Style, depth: int) -> None:
        """A field of a form is a gap; a tick box and its kin are shown as what they are."""
        kind = (node.attributes.get("type") or "text").lower()
        if kind in {"checkbox", "radio"}:
            self.inline.text("[ ] " if kind == "checkbox" else "( ) ", style)
        elif kind in {"button", "submit", "reset", "image"}:
            self.inline.text(_readable(node.attributes.get("value") or ""), style)
        elif kind != "hidden":
            self.gaps += 1
            self.inline.put(Gap(self.gaps), style)
        if node.tag == "select":
            choices = [clean_line(option.text() or "") for option in node.css("option")]
            shown = " / ".join(choice for choice in choices if choice)
            if shown:
                self.inline.text(f" ({settle(shown)})", style)
        elif node.tag == "textarea":
            self.children(node, style, depth)

    def foreign(self, node: LexborNode, tag: str) -> None:
        """A notice for what cannot be shown, with its title and the host it would come from."""
        self.end_paragraph()
        attributes = node.attributes
        source = attributes.get("src") or attributes.get("data") or attributes.get("code") or ""
        if not source:
            source = next((child.attributes.get("src") or "" for child in _elements(node)), "")
        title = clean_line(attributes.get("title") or "")
        what = _FOREIGN[tag] + (f" “{settle(title)}”" if title else "")
        host = _host(source)
        self.blocks.append(Notice(f"{what}{f' from {host}' if host else ''} cannot be shown here."))


_Build = Callable[[_Reader, LexborNode, Style, int], None]
_BUILDERS: Final[Mapping[str, _Build]] = {
    "br": _Reader.line_break, "hr": _Reader.rule, "blockquote": _Reader.quote, "q": _Reader.quotation,
    "ul": _Reader.listing, "ol": _Reader.listing, "menu": _Reader.listing, "dir": _Reader.listing,
    "dl": _Reader.definitions, "pre": _Reader.pre, "xmp": _Reader.pre, "plaintext": _Reader.pre,
    "table": _Reader.table, "figure": _Reader.figure, "img": _Reader.image, "image": _Reader.image,
    "svg": _Reader.drawing, "a": _Reader.link, "math": _Reader.maths, "script": _Reader.script,
    "rt": _Reader.ruby_text, "input": _Reader.field, "select": _Reader.field, "textarea": _Reader.field,
    **{f"h{level}": _Reader.heading for level in range(1, 7)},
}  # fmt: skip


def _hidden(node: LexborNode) -> bool:
    attributes = node.attributes
    if not attributes:
        return False
    if "hidden" in attributes or _HIDDEN.search(attributes.get("style") or ""):
        return True
    names = (attributes.get("class") or "").split()
    return "katex-html" in names or "MathJax_Preview" in names or "MathJax" in names or "MJX_Assistive_MathML" in names


def _styled(node: LexborNode, tag: str, style: Style) -> Style:
    marks = style.marks | _MARKS.get(tag, Mark.NONE)
    css = node.attributes.get("style") if node.attributes else None
    if css:
        for pattern, mark in _STYLED:
            if pattern.search(css):
                marks |= mark
    return style if marks == style.marks else replace(style, marks=marks)


def _direction(node: LexborNode, outer: Direction) -> Direction:
    value = (node.attributes.get("dir") or "").lower() or _css(node, "direction")
    return Direction(value) if value in {"ltr", "rtl", "auto"} else outer


def _css(node: LexborNode, name: str) -> str:
    css = node.attributes.get("style") or ""
    for rule in css.split(";"):
        key, _, value = rule.partition(":")
        if key.strip().lower() == name:
            return value.strip().lower()
    return ""


def _plain_text(node: LexborNode) -> str:
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


def _elements(node: LexborNode) -> list[LexborNode]:
    return [child for child in node.iter(include_text=False) if child.is_element_node]


def _table_rows(node: LexborNode) -> list[LexborNode]:
    """Caption and rows in the order of reading: heads first, feet last."""
    groups: dict[str, list[LexborNode]] = {"caption": [], "thead": [], "tbody": [], "tfoot": []}
    for child in _elements(node):
        if child.tag == "caption":
            groups["caption"].append(child)
        elif child.tag == "tr":
            groups["tbody"].append(child)
        elif child.tag in groups:
            groups[child.tag].extend(line for line in _elements(child) if line.tag == "tr")
    return [line for group in groups.values() for line in group]


def _words(block: Block) -> str:
    if not isinstance(block, Paragraph):
        return ""
    return " ".join(child.text for child in block.children if isinstance(child, Text)).strip()


def _integer(value: str | None, default: int) -> int:
    found = re.match(r"\s*(-?\d{1,6})", value or "")
    return int(found[1]) if found else default


def _pixels(value: str | None) -> int:
    found = re.match(r"\s*(\d{1,5})(?:\.\d*)?\s*(?:px)?\s*\Z", value or "")
    return int(found[1]) if found else 0


def _host(address: str) -> str:
    try:
        return clean_line(urlsplit(address.strip()).hostname or "")[:80]
    except ValueError:
        return ""


def _list_kind(node: LexborNode) -> str:
    kind = node.attributes.get("type") or ""
    style = _css(node, "list-style-type") or _css(node, "list-style")
    names = {"lower-alpha": "a", "lower-latin": "a", "upper-alpha": "A", "upper-latin": "A", "lower-roman": "i",
             "upper-roman": "I", "decimal": "1", "none": "none"}  # fmt: skip
    return names.get(style, kind)


def _bullet(kind: str) -> str:
    return {"none": "", "circle": "◦", "square": "▪"}.get(kind, "•")


def _label(number: int, kind: str) -> str:
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
