"""MathML, from a page or from latex2mathml, to the formula tree. Unknown elements keep their children."""

import html
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final
from xml.etree.ElementTree import Element

from lms_tui.cleaning import clean
from lms_tui.content.cells import settle
from lms_tui.content.maths.symbols import BARS, LIMIT_NAMES, role_of
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
    Row,
    Scripts,
    Space,
    inline,
    role,
)

_DEEPEST: Final = 60
_ACCENTS: Final = frozenset("^ˆ~˜∼¯―‾_˙¨⃛⃜˘ˇ´`˚→⟶⃗←↔⏞⏟⎴⎵⏜⏝⏠⏡̲⏠⇀↼")
_RENAMED: Final = {"-": "−", "˳": "˚", "∗": "*", "~": "∼", "⧵": "∖", "⟂": "⊥", "◻": "□",
                  "\u2009": " ", "\u2006": " "}  # fmt: skip
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
    """A formula nested deeper than any on paper."""


@dataclass(frozen=True, slots=True)
class Reader:
    """`islands`: trees that stand for placeholder characters put into the source before it was converted."""

    islands: Mapping[str, Node]

    def read(self, element: Element) -> Node:
        """Turn a `math` element into a tree; TooDeep where it is nested beyond reason."""
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
        """Text outside of any leaf, which MathML has no place for and browsers show."""
        return list(self._words(_decoded(text.strip()))) if text and text.strip() else []

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

    def _leaf(self, element: Element, tag: str) -> tuple[Node, ...]:  # noqa: PLR0911 - one return for each kind of leaf
        text = _decoded("".join(element.itertext()))
        if tag == "mspace":
            return (_space(element.get("width", "")),)
        if tag in {"mtext", "ms"}:
            return tuple(self._words(text))
        text = "".join(_RENAMED.get(char) or _plain_letter(char) for char in " ".join(text.split()))
        if not text:
            return () if tag != "mo" else _edge(element, "")
        if text in self.islands:
            return (self.islands[text],)
        if tag == "mo" and element.get("fence") == "true":
            return _edge(element, text)
        if tag == "mn":
            return (Atom(text),)
        if len(text) > 1 and (text.replace(" ", "").isalpha() or text[0] == "\\"):
            return (Atom(text, Role.FUNCTION, upright=True),)
        return (Atom(text, role_of(text)),)

    def _words(self, text: str) -> Iterable[Node]:
        """Text between formulas, with what stands for something else put back."""
        words = ""
        for char in text:
            if char in self.islands:
                if words:
                    yield Atom(words, upright=True)
                yield from inline(self.islands[char])
                words = ""
            else:
                words += _SPACES.get(char, char)
        if words:
            yield Atom(words, upright=True)

    def part(self, element: Element, at: int, depth: int) -> Node:
        """Return child `at` as one node; nothing where there is none."""
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
        """Msub, msup, msubsup: limits where the base wants them under and over it."""
        tag = _name(element)
        first = max(1, len(element) - (2 if tag == "msubsup" else 1))  # the converter leaves a matrix unwrapped
        base = row(node for at in range(first) for node in inline(self.part(element, at, depth)))
        below = None if tag == "msup" else self.part(element, first, depth)
        above = None if tag == "msub" else self.part(element, first + (tag == "msubsup"), depth)
        return Scripts(base, below, above, limits=_wants_limits(base))

    def stacked(self, element: Element, depth: int) -> Node:
        """Munder, mover, munderover: an accent, or limits."""
        tag = _name(element)
        base = self.part(element, 0, depth)
        below = None if tag == "mover" else self.part(element, 1, depth)
        above = None if tag == "munder" else self.part(element, 1 if tag == "mover" else 2, depth)
        if below is None and (mark := _accent(above)):
            return Accent(base, mark)
        if above is None and (mark := _accent(below)):
            return Accent(base, mark, over=False)
        return Scripts(base, below, above, limits=True)

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
        separators = _decoded(element.get("separators", ",")).split()
        children: list[Node] = []
        for at in range(len(element)):
            if at and separators:
                children.append(Atom(separators[min(at - 1, len(separators) - 1)], Role.PUNCTUATION))
            children.append(self.part(element, at, depth))
        opening, closing = _decoded(element.get("open", "(")), _decoded(element.get("close", ")"))
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
        """A stroke laid over the next symbol becomes one character with it, elsewhere the children."""
        children = self._children(element, depth)
        if element.get("width") == "0" and len(children) == 1 and children[0] == Atom("⧸", upright=True):
            return Atom("⧸", Role.PUNCTUATION)
        return row(children)


def _drawn_lines(value: str) -> frozenset[int]:
    """Which columns or rows have a line after them."""
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


def _plain_letter(char: str) -> str:
    """Letters of mathematics that terminals rarely have, sans-serif, typewriter and italic, as plain ones."""
    if not "\U0001d434" <= char <= "\U0001d7ff" or "\U0001d49c" <= char <= "\U0001d56b":
        return "" if char in "\u2061\u2062\u2063\u2064" else char
    return char if "\U0001d7ce" <= char <= "\U0001d7d7" else unicodedata.normalize("NFKC", char)


def _pair(base: Node, scripts: Sequence[Node | None], at: int) -> Node:
    return Scripts(base, scripts[at], scripts[at + 1] if at + 1 < len(scripts) else None)


@lru_cache(maxsize=2048)
def _decoded(text: str) -> str:
    """Decode what the converter left as entities, then clean: what is dangerous may hide in an entity."""
    return settle(clean(html.unescape(text).replace("\n", " ").replace("\t", " ")))


def _space(width: str) -> Node:
    try:
        size = float(width.removesuffix("em").removesuffix("ex").removesuffix("pt").removesuffix("px"))
    except ValueError:
        return Space(1)
    if width.endswith(("pt", "px")):
        size /= 10
    return Space(min(4, max(1, round(size * 2))) if size >= 0.15 else 0)


def _edge(element: Element, text: str) -> tuple[Node, ...]:
    """Either delimiter of a pair that the source says belongs together; it may be empty."""
    form = element.get("form")
    if form == "prefix":
        return (Atom(text, Role.OPEN, upright=True),)
    if form == "postfix":
        return (Atom(text, Role.CLOSE, upright=True),)
    return (Atom(text, Role.RELATION if text in BARS else role_of(text)),) if text else ()


def _accent(node: Node | None) -> str:
    return node.text if isinstance(node, Atom) and node.text in _ACCENTS else ""


def _wants_limits(base: Node) -> bool:
    if isinstance(base, Atom):
        return base.role is Role.FUNCTION and base.text in LIMIT_NAMES
    return isinstance(base, Accent) and base.mark in "⏞⏟"


def row(nodes: Iterable[Node]) -> Node:
    """Make one node of several: delimiters matched, strokes laid over what follows, groups of one unwrapped."""
    children = [child for node in nodes for child in inline(node)]
    if len(children) > 1:
        children = _fenced(_struck(children))
    if children and isinstance(last := children[-1], Scripts) and last.base == EMPTY:
        children[-1] = replace(last, base=Atom(""))  # nothing follows: they belong to the text before, N$_3^-$
    return children[0] if len(children) == 1 else Row(tuple(children))


def _struck(nodes: list[Node]) -> list[Node]:
    result: list[Node] = []
    strike = False
    for node in nodes:
        if node == Atom("⧸", Role.PUNCTUATION):
            strike = True
        elif strike and isinstance(node, Atom):
            result.append(Atom(unicodedata.normalize("NFC", node.text + "\u0338"), node.role))
            strike = False
        else:
            result.append(node)
    return result


def _fenced(nodes: list[Node]) -> list[Node]:
    """Pair opening delimiters with closing ones, `[0, 1)` included; then bars with bars."""
    stack: list[tuple[Atom, list[Node]]] = [(Atom(""), [])]
    for node in nodes:
        sign = _sign(node)
        if sign is None or sign.role not in {Role.OPEN, Role.CLOSE} or sign.text == "!":
            stack[-1][1].append(node)
        elif sign.role is Role.OPEN:
            stack.append((sign, []))
        elif sign.text == "⟩" and stack[-1][0].text != "⟨" and (bar := _last_bar(stack[-1][1])) is not None:
            held = stack[-1][1]
            ket = _closed(Atom("|"), held[bar + 1 :], node)
            held[bar:] = [ket]
        elif len(stack) == 1:
            stack[-1][1].append(node)
        else:
            opening, held = stack.pop()
            stack[-1][1].append(_closed(opening, held, node))
    while len(stack) > 1:
        opening, held = stack.pop()
        if held and isinstance(held[0], Grid):  # cases have no closing brace
            stack[-1][1].extend([Fence(opening.text, held[0], ""), *held[1:]])
        else:
            stack[-1][1].extend([opening, *held])
    return _barred(stack[0][1])


def _last_bar(nodes: list[Node]) -> int | None:
    """The place of the bar that opens a ket."""
    return next((at for at in range(len(nodes) - 1, -1, -1) if _is_bar(nodes[at])), None)


def _sign(node: Node) -> Atom | None:
    """The delimiter of a node: itself, or a closing one that carries a power, as in (x + 1)²."""
    if isinstance(node, Scripts) and isinstance(node.base, Atom) and node.base.role in {Role.CLOSE, Role.BAR}:
        return node.base
    return node if isinstance(node, Atom) else None


def _closed(opening: Atom, held: list[Node], closing: Node) -> Node:
    sign = _sign(closing)
    fence = Fence(opening.text, row(held), "" if sign is None else sign.text)
    return replace(closing, base=fence) if isinstance(closing, Scripts) else fence


def _barred(nodes: list[Node]) -> list[Node]:
    """Pair the bars of one group: |x|, ‖v‖; a bar that has no partner is a relation, as in {x | x > 0} and P(A|B)."""
    bars = [at for at, node in enumerate(nodes) if _is_bar(node)]
    if not bars:
        return nodes
    lone = -1 if len(bars) % 2 == 0 else (bars[0] or bars[-1])
    stack: list[tuple[Atom, list[Node]]] = [(Atom(""), [])]
    for at, node in enumerate(nodes):
        held = stack[-1][1]
        sign = _sign(node)
        if sign is None or sign.role is not Role.BAR:
            held.append(node)
        elif at == lone:
            held.append(Atom(sign.text, Role.RELATION) if isinstance(node, Atom) else node)
        elif sign.text == stack[-1][0].text and held and role(held[-1]) not in _WANTING:
            opening, held = stack.pop()
            stack[-1][1].append(_closed(opening, held, node))
        elif isinstance(node, Scripts):
            held.append(node)
        else:
            stack.append((sign, []))
    while len(stack) > 1:
        opening, held = stack.pop()
        stack[-1][1].extend([Atom(opening.text, Role.RELATION), *held])
    return stack[0][1]


def _is_bar(node: Node) -> bool:
    sign = _sign(node)
    return sign is not None and sign.role is Role.BAR


_WANTING: Final = frozenset({Role.BINARY, Role.RELATION, Role.PUNCTUATION, Role.FUNCTION, Role.LARGE})
