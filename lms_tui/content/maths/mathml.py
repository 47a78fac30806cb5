"""Read MathML into the formula tree. Children of unknown elements are kept."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final
from xml.etree.ElementTree import Element

from selectolax.lexbor import LexborHTMLParser, LexborNode

from lms_tui.content.maths.latex import LONGEST
from lms_tui.content.maths.letters import decoded, named, space, written
from lms_tui.content.maths.rows import STROKE, row, scripted, stacked
from lms_tui.content.maths.symbols import BARS, role_of
from lms_tui.content.maths.tree import (
    EMPTY,
    Accent,
    Atom,
    Enclosed,
    Fence,
    Fraction,
    Grid,
    Node,
    Role,
    Root,
    Scripts,
    inline,
)

_DEEPEST: Final = 60
_DEEPEST_SOURCE: Final = 80
_SPACES: Final = {
    "\u2009": " ",
    "\u2006": " ",
    "\u2005": " ",
    "\u200a": "",
    "\u00a0": " ",
    "\u2003": "  ",
    "\u2002": " ",
}


class TooDeep(ValueError):
    """Raised for a formula that is nested too deeply."""


@lru_cache(maxsize=256)
def read_mathml(source: str) -> Node | None:
    """Return the tree of a `<math>` element, or None if it must be shown as its source."""
    if len(source) > 10 * LONGEST:
        return None
    node = LexborHTMLParser(source).css_first("math")
    try:
        return None if node is None else Reader().read(_element(node, 0))
    except TooDeep:
        return None


def _element(node: LexborNode, depth: int) -> Element:
    """Copy a node of the HTML parser to an XML element."""
    if depth > _DEEPEST_SOURCE:
        raise TooDeep
    element = Element(node.tag or "mrow", {key: value or "" for key, value in node.attributes.items()})
    child = node.first_child
    last: Element | None = None
    while child is not None:
        if child.is_text_node:
            text = child.text_content or ""
            if last is None:
                element.text = (element.text or "") + text
            else:
                last.tail = (last.tail or "") + text
        elif child.is_element_node:
            last = _element(child, depth + 1)
            element.append(last)
        child = child.next
    return element


class Reader:
    """Turns MathML elements into nodes."""

    def read(self, element: Element) -> Node:
        """Turn a `math` element into a tree. Raises TooDeep if it is nested too deeply."""
        return row(self._children(element, 0))

    def _children(self, element: Element, depth: int) -> list[Node]:
        if depth > _DEEPEST:
            raise TooDeep
        nodes = self._loose(element.text)
        for child in element:
            nodes.extend(self._node(child, depth + 1))
            nodes.extend(self._loose(child.tail))
        return nodes

    def _loose(self, text: str | None) -> list[Node]:
        """Return text outside of leaf elements, which is invalid but shown by browsers."""
        return list(_words(decoded(text.strip()))) if text and text.strip() else []

    def _node(self, element: Element, depth: int) -> tuple[Node, ...]:
        tag = _name(element)
        if tag in _IGNORED:
            return ()
        if tag in _LEAVES:
            return self._leaf(element, tag)
        build = _BUILDERS.get(tag)
        if build is not None:
            return (build(self, element, depth),)
        children = self._children(element, depth)
        if tag == "semantics":
            children = children[:1]
        if tag in _GROUPS:
            return inline(row(children))
        return tuple(children)

    def _leaf(self, element: Element, tag: str) -> tuple[Node, ...]:
        text = decoded("".join(element.itertext()))
        if tag == "mspace":
            return (space(element.get("width", "")),)
        if tag in {"mtext", "ms"}:
            return tuple(_words(text))
        text = written(text)
        if not text:
            return () if tag != "mo" else _edge(element, "")
        if tag == "mo" and element.get("fence") == "true":
            return _edge(element, text)
        if tag == "mn":
            return (Atom(text),)
        return (named(text),)

    def part(self, element: Element, at: int, depth: int) -> Node:
        """Return child `at` as one node, or an empty node."""
        children = list(element)
        if at >= len(children):
            return EMPTY
        if depth > _DEEPEST:
            raise TooDeep
        return row(self._node(children[at], depth + 1))

    def fraction(self, element: Element, depth: int) -> Node:
        thickness = element.get("linethickness", "1").strip()
        bar = thickness.rstrip("%abcdefghijklmnopqrstuvwxyz") not in {"0", "0.0"}
        return Fraction(self.part(element, 0, depth), self.part(element, 1, depth), bar)

    def square_root(self, element: Element, depth: int) -> Node:
        return Root(row(self._children(element, depth)))

    def root(self, element: Element, depth: int) -> Node:
        return Root(self.part(element, 0, depth), self.part(element, 1, depth))

    def scripts(self, element: Element, depth: int) -> Node:
        """Read `msub`, `msup` and `msubsup`. Some bases take limits instead of scripts."""
        tag = _name(element)
        first = max(
            1, len(element) - (2 if tag == "msubsup" else 1)
        )  # some converters omit the element around a matrix
        base = row(node for at in range(first) for node in inline(self.part(element, at, depth)))
        below = None if tag == "msup" else self.part(element, first, depth)
        above = None if tag == "msub" else self.part(element, first + (tag == "msubsup"), depth)
        return scripted(base, below, above)

    def stacked(self, element: Element, depth: int) -> Node:
        """Read `munder`, `mover` and `munderover` as an accent or as limits."""
        tag = _name(element)
        base = self.part(element, 0, depth)
        below = None if tag == "mover" else self.part(element, 1, depth)
        above = None if tag == "munder" else self.part(element, 1 if tag == "mover" else 2, depth)
        return stacked(base, below, above)

    def multiscripts(self, element: Element, depth: int) -> Node:
        parts = [None if _name(child) == "none" else self.part(element, at, depth) for at, child in enumerate(element)]
        split = next((at for at, child in enumerate(element) if _name(child) == "mprescripts"), len(parts))
        base, after, before = parts[0] if parts else EMPTY, parts[1:split], parts[split + 1 :]
        nodes: list[Node] = [_pair(EMPTY, before, at) for at in range(0, len(before), 2)]
        node: Node = EMPTY if base is None else base
        for at in range(0, len(after), 2):
            node = _pair(node, after, at)
        return row([*nodes, node])

    def table(self, element: Element, depth: int) -> Node:
        rows: list[tuple[Node, ...]] = []
        aligns: list[str] = []
        for line in element:
            if _name(line) not in {"mtr", "mlabeledtr"}:
                continue
            cells = [cell for cell in line if _name(cell) == "mtd"]
            rows.append(tuple(row(self._children(cell, depth + 1)) for cell in cells))
            for at, cell in enumerate(cells):
                align = (cell.get("columnalign") or element.get("columnalign", "").split(" ")[0] or "center")[0]
                if at == len(aligns):
                    aligns.append(align if align in "lcr" else "c")
        bars, rules = (_drawn_lines(element.get(name, "")) for name in ("columnlines", "rowlines"))
        spacing = element.get("columnspacing", "")
        return Grid(tuple(rows), "".join(aligns), bars, gap=0 if spacing.startswith("0") else 2, rules=rules)

    def fenced(self, element: Element, depth: int) -> Node:
        separators = decoded(element.get("separators", ",")).split()
        children: list[Node] = []
        for at in range(len(element)):
            if at and separators:
                children.append(Atom(separators[min(at - 1, len(separators) - 1)], Role.PUNCTUATION))
            children.append(self.part(element, at, depth))
        opening, closing = decoded(element.get("open", "(")), decoded(element.get("close", ")"))
        return Fence(opening.strip(), row(children), closing.strip())

    def enclosed(self, element: Element, depth: int) -> Node:
        body = row(self._children(element, depth))
        notation = element.get("notation", "")
        if "strike" in notation:
            return Enclosed(body, "strike")
        if "box" in notation:
            return Enclosed(body, "box")
        if notation in {"top", "bottom"}:
            return Accent(body, "¯" if notation == "top" else "_", over=notation == "top")
        return Root(body) if notation == "radical" else Enclosed(body, "box")

    def padded(self, element: Element, depth: int) -> Node:
        """Return one struck-out character if a stroke overlays a symbol, else the children."""
        children = self._children(element, depth)
        if element.get("width") == "0" and len(children) == 1 and children[0] == Atom("⧸", upright=True):
            return STROKE
        return row(children)


def _words(text: str) -> Iterable[Node]:
    """Read text between formulas."""
    words = "".join(_SPACES.get(char, char) for char in text)
    if words:
        yield Atom(words, upright=True)


def _drawn_lines(value: str) -> frozenset[int]:
    """Return the columns or rows with a line after them."""
    return frozenset(at for at, line in enumerate(value.split()) if line != "none")


_LEAVES: Final = frozenset({"mi", "mn", "mo", "mtext", "ms", "mspace"})
_GROUPS: Final = frozenset({"mrow", "mstyle", "merror", "maction", "semantics"})
_IGNORED: Final = frozenset({"annotation", "annotation-xml", "none", "mprescripts", "mphantom", ""})
_BUILDERS: Final[Mapping[str, Callable[[Reader, Element, int], Node]]] = {
    "mfrac": Reader.fraction,
    "msqrt": Reader.square_root,
    "mroot": Reader.root,
    "msub": Reader.scripts,
    "msup": Reader.scripts,
    "msubsup": Reader.scripts,
    "munder": Reader.stacked,
    "mover": Reader.stacked,
    "munderover": Reader.stacked,
    "mmultiscripts": Reader.multiscripts,
    "mtable": Reader.table,
    "mfenced": Reader.fenced,
    "menclose": Reader.enclosed,
    "mpadded": Reader.padded,
}


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2].lower()


def _pair(base: Node, scripts: Sequence[Node | None], at: int) -> Node:
    return Scripts(base, scripts[at], scripts[at + 1] if at + 1 < len(scripts) else None)


def _edge(element: Element, text: str) -> tuple[Node, ...]:
    """A delimiter of a pair, which may be empty."""
    form = element.get("form")
    if form == "prefix":
        return (Atom(text, Role.OPEN, upright=True),)
    if form == "postfix":
        return (Atom(text, Role.CLOSE, upright=True),)
    return (Atom(text, Role.RELATION if text in BARS else role_of(text)),) if text else ()
