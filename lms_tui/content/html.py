"""Read untrusted exam HTML into the document tree. Broken markup is read as a browser reads it.

The parser decodes entities before the text is cleaned, because an entity can hide a dangerous character. Scripts,
styles, templates, comments and hidden elements are dropped. A notice replaces an element that cannot be shown. Text
without any tag keeps its newlines.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from lms_tui.common.cleaning import clean, clean_line
from lms_tui.content.attributes import (
    bullet,
    css,
    direction_of,
    elements,
    hidden,
    integer,
    label,
    list_kind,
    pixels,
    plain_text,
    styled,
    table_rows,
)
from lms_tui.content.drawings import drawing
from lms_tui.content.inline import PLAIN, InlineCollector, Style
from lms_tui.content.lines import Mark
from lms_tui.content.long import is_long, parts
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
    Maths,
    Notice,
    Paragraph,
    Preformatted,
    Quote,
    Rule,
    Table,
    Text,
)
from lms_tui.content.source import ANY_TAG, escape_stray_brackets, extract_pictures, restore_picture, with_plain_mathml
from lms_tui.content.text import readable_text, safe_line, safe_text

_DEEPEST: Final = 60
_MORE: Final = "This text is very long, and this is its beginning. z opens all of it."
_DROPPED: Final = frozenset(
    {"style", "template", "head", "title", "meta", "link", "base", "noframes", "source", "track", "param", "area",
     "map", "datalist", "colgroup", "col", "rp", "dialog"}
)  # fmt: skip
_BLOCKS: Final = frozenset(
    {"address", "article", "aside", "body", "center", "dd", "details", "dir", "div", "dl", "dt", "fieldset",
     "figcaption", "footer", "form", "header", "hgroup", "html", "legend", "main", "menu", "nav", "p", "section",
     "summary", "noscript", "option", "optgroup", "li"}
)  # fmt: skip
_UNSEEN_OPERATORS: Final = dict.fromkeys(range(0x2061, 0x2065))
"""Signs of MathML for what is not written, such as the application of a function."""
_FOREIGN: Final[Mapping[str, str]] = {
    "iframe": "A frame", "frame": "A frame", "video": "A video", "audio": "A sound", "object": "An embedded object",
    "embed": "An embedded object", "applet": "An applet", "canvas": "A drawing", "marquee": "",
}  # fmt: skip


def parse(html: str) -> Document:
    """Read one field of an exam: HTML, or plain text with newlines. Never raises.

    Only the first part of a very long text is read. `parts_of` returns all parts.
    """
    html, held = extract_pictures(html)
    if not is_long(html):
        return _read(html, held)
    document = _read(next(parts(html)), held)
    return Document((*document.blocks, Notice(_MORE)))


def parts_of(html: str) -> Iterator[Document]:
    """Read a text of any length in parts."""
    html, held = extract_pictures(html)
    for part in parts(html) if is_long(html) else (html,):
        yield _read(part, held)


def _read(html: str, held: Sequence[str]) -> Document:
    html = with_plain_mathml(html).replace("\x00", "\ufffd").replace("\r\n", "\n").replace("\r", "\n")
    if not ANY_TAG.search(html):
        reader = _Reader(InlineCollector(keep_lines=True))
        for part in re.split(r"\n[ \t]*\n", _entities(html)):
            reader.inline.text(readable_text(part), PLAIN)
            reader.end_paragraph()
    else:
        reader = _Reader(InlineCollector(), held=held)
        body = LexborHTMLParser(escape_stray_brackets(html)).body
        if body is not None:
            reader.children(body, PLAIN, 0)
        reader.end_paragraph()
    return Document(tuple(reader.blocks))


def _entities(text: str) -> str:
    """Decode entities the way the HTML parser does."""
    if "&" not in text:
        return text
    body = LexborHTMLParser("<pre>\n" + text.replace("<", "&lt;")).body
    return text if body is None else (body.text() or "").removeprefix("\n")


@dataclass(slots=True)
class _Reader:
    """Walks the tree of the parser and collects `blocks`."""

    inline: InlineCollector
    blocks: list[Block] = field(default_factory=list)
    direction: Direction = Direction.AUTO
    level: int = 0
    gaps: int = 0
    links: int = 0
    held: Sequence[str] = ()
    """Pictures that `extract_pictures` took out of the text."""

    def end_paragraph(self) -> None:
        """Turn the running text into a paragraph, unless it is blank."""
        children = self.inline.take()
        if children and not all(isinstance(child, Text) and not child.text.strip() for child in children):
            self.blocks.append(Paragraph(children, self.level, self.direction))

    def children(self, node: LexborNode, style: Style, depth: int) -> None:
        if depth > _DEEPEST:
            self.inline.text(readable_text(plain_text(node)), style)
            return
        child = node.first_child
        while child is not None:
            self.node(child, style, depth + 1)
            child = child.next

    def node(self, node: LexborNode, style: Style, depth: int) -> None:
        if node.is_text_node:
            self.inline.text(readable_text(node.text_content or ""), style)
            return
        tag = node.tag or ""
        if tag in _DROPPED or not node.is_element_node or hidden(node):
            return
        build = _BUILDERS.get(tag)
        if build is not None:
            build(self, node, style, depth)
        elif tag in _FOREIGN:
            self.foreign(node, tag)
        elif tag in _BLOCKS:
            self.block(node, style, depth)
        else:
            self.children(node, styled(node, tag, style), depth)

    def inner(self, node: LexborNode, style: Style, depth: int) -> tuple[Block, ...]:
        """Read the children of a node as separate blocks."""
        above, self.blocks = self.blocks, []
        inline, self.inline = self.inline, InlineCollector()
        level, self.level = self.level, 0
        outer, self.direction = self.direction, direction_of(node, self.direction)
        self.children(node, style, depth)
        self.end_paragraph()
        blocks, self.blocks = self.blocks, above
        self.inline, self.level, self.direction = inline, level, outer
        return tuple(blocks)

    def block(self, node: LexborNode, style: Style, depth: int) -> None:
        self.end_paragraph()
        outer, self.direction = self.direction, direction_of(node, self.direction)
        self.children(node, styled(node, "", style), depth)
        self.end_paragraph()
        self.direction = outer

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
        number = integer(node.attributes.get("start"), 1)
        kind = list_kind(node)
        child = node.first_child
        while child is not None:
            if child.tag == "li" and not hidden(child):
                number = integer(child.attributes.get("value"), number)
                blocks = self.inner(child, style, depth + 1)
                if blocks:
                    items.append(Item(label(number, kind) if ordered else bullet(kind), blocks))
                number += 1
            elif blocks := _Reader(InlineCollector(), direction=self.direction, held=self.held).alone(
                child, style, depth + 1
            ):
                if items:
                    items[-1] = Item(items[-1].label, (*items[-1].blocks, *blocks))
                else:
                    items.append(Item("", blocks))
            child = child.next
        if items:
            self.blocks.append(Listing(tuple(items)))

    def alone(self, node: LexborNode, style: Style, depth: int) -> tuple[Block, ...]:
        """Read one node and return its blocks."""
        self.node(node, style, depth)
        self.end_paragraph()
        return tuple(self.blocks)

    def definitions(self, node: LexborNode, style: Style, depth: int) -> None:
        """Read a `dl`: terms are bold, descriptions are indented below them."""
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
        text = safe_text(plain_text(node)).strip("\n").expandtabs(4)
        if text.strip():
            self.blocks.append(Preformatted(tuple(line.rstrip() for line in text.split("\n"))))

    def table(self, node: LexborNode, style: Style, depth: int) -> None:
        self.end_paragraph()
        rows: list[tuple[Cell, ...]] = []
        caption: list[Block] = []
        for line in table_rows(node):
            if line.tag == "caption":
                caption.extend(self.inner(line, style, depth + 1))
                continue
            cells = [self.cell(cell, style, depth + 2) for cell in elements(line) if cell.tag in {"td", "th"}]
            if cells:
                rows.append(tuple(cells))
        title = " ".join(_words(block) for block in caption)
        if len(rows) == 1 and len(rows[0]) == 1 and not title:
            self.blocks.extend(rows[0][0].blocks)
        elif any(cell.blocks for line in rows for cell in line):
            self.blocks.append(Table(tuple(rows), title, direction_of(node, self.direction)))

    def cell(self, node: LexborNode, style: Style, depth: int) -> Cell:
        header = node.tag == "th"
        inner = replace(style, marks=style.marks | Mark.BOLD) if header else style
        align = (node.attributes.get("align") or "").lower() or css(node, "text-align")
        return Cell(
            self.inner(node, inner, depth),
            header=header,
            columns=max(1, min(100, integer(node.attributes.get("colspan"), 1))),
            rows=max(1, min(1000, integer(node.attributes.get("rowspan"), 1))),
            align=align if align in {"left", "center", "right"} else "",
        )

    def figure(self, node: LexborNode, style: Style, depth: int) -> None:
        self.end_paragraph()
        captions = [child for child in elements(node) if child.tag == "figcaption"]
        caption: tuple[Inline, ...] = ()
        if captions:
            outer, self.inline = self.inline, InlineCollector()
            self.children(captions[0], style, depth + 1)
            caption = self.inline.take()
            self.inline = outer
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
                clean(restore_picture(source.strip(), self.held)),
                safe_line(alt),
                pixels(attributes.get("width") or css(node, "width")),
                pixels(attributes.get("height") or css(node, "height")),
            ),
            style,
        )

    def drawing(self, node: LexborNode, style: Style, _depth: int) -> None:
        """Read an SVG as a picture. Its title and the words in it are the alternative text."""
        source = restore_picture(node.attributes.get("data-held") or "", self.held)
        drawn = LexborHTMLParser(source).css_first("svg") if source else None
        self.inline.put(drawing(node if drawn is None else drawn), style)

    def link(self, node: LexborNode, style: Style, depth: int) -> None:
        href = (node.attributes.get("href") or "").strip()
        if not href or href.startswith("#"):
            self.children(node, style, depth)
            return
        self.links += 1
        self.children(node, Style(style.marks | Mark.LINK, clean(href)[:2000], self.links), depth)

    def maths(self, node: LexborNode, style: Style, _depth: int) -> None:
        display = (node.attributes.get("display") or node.attributes.get("mode")) == "block"
        self.inline.put(Maths(clean((node.html or "").translate(_UNSEEN_OPERATORS)), display, mathml=True), style)

    def script(self, node: LexborNode, style: Style, _depth: int) -> None:
        """Read the formula in a MathJax script. Other scripts are dropped."""
        kind = (node.attributes.get("type") or "").replace(" ", "").lower()
        source = clean(plain_text(node).strip())
        if kind.startswith("math/tex") and source:
            self.inline.put(Maths(source, display="mode=display" in kind), style)

    def ruby_text(self, node: LexborNode, style: Style, depth: int) -> None:
        self.inline.text("(", style)
        self.children(node, style, depth)
        self.inline.text(")", style)

    def field(self, node: LexborNode, style: Style, depth: int) -> None:
        """Read a text field as a gap, and show tick boxes, radio buttons and buttons as text."""
        kind = (node.attributes.get("type") or "text").lower()
        if kind in {"checkbox", "radio"}:
            self.inline.text("[ ] " if kind == "checkbox" else "( ) ", style)
        elif kind in {"button", "submit", "reset", "image"}:
            self.inline.text(readable_text(node.attributes.get("value") or ""), style)
        elif kind != "hidden":
            self.gaps += 1
            self.inline.put(Gap(self.gaps), style)
        if node.tag == "select":
            choices = [safe_line(option.text() or "") for option in node.css("option")]
            shown = " / ".join(choice for choice in choices if choice)
            if shown:
                self.inline.text(f" ({shown})", style)
        elif node.tag == "textarea":
            self.children(node, style, depth)

    def foreign(self, node: LexborNode, tag: str) -> None:
        """Add a notice for an element that cannot be shown, with its title and host."""
        self.end_paragraph()
        attributes = node.attributes
        source = attributes.get("src") or attributes.get("data") or attributes.get("code") or ""
        if not source:
            source = next((child.attributes.get("src") or "" for child in elements(node)), "")
        title = safe_line(attributes.get("title") or "")
        what = _FOREIGN[tag] + (f" “{title}”" if title else "")
        origin = _host_of(source)
        self.blocks.append(Notice(f"{what}{f' from {origin}' if origin else ''} cannot be shown here."))


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


def _host_of(address: str) -> str:
    try:
        return clean_line(urlsplit(address.strip()).hostname or "")[:80]
    except ValueError:
        return ""


def _words(block: Block) -> str:
    if not isinstance(block, Paragraph):
        return ""
    return " ".join(child.text for child in block.children if isinstance(child, Text)).strip()
