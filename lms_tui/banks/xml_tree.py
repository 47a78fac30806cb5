"""Parse untrusted XML into a small tree with line numbers.

Entities are not expanded, nothing is fetched, and sizes are limited.
"""

import codecs
import html
import io
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeVar
from xml.parsers import expat

from lms_tui.banks.decoding import Decoded, decode
from lms_tui.banks.progress import Progress, untold
from lms_tui.common.cleaning import UNSEEN
from lms_tui.common.frozen import frozen

Found = TypeVar("Found")
DEEPEST: Final = 200
_MOST_ELEMENTS: Final = 1_500_000
_PART: Final = 256 * 1024
"""Characters that are parsed at once."""
_VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
     "mspace"}
)  # fmt: skip
_DECLARED: Final = re.compile(r"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
_KNOWN_ENCODING: Final = re.compile(
    r"(?:utf-?8|us-ascii|ascii|iso-?8859-?\d+|latin-?\d+|windows-?\d+|cp\d+|koi8-[rtu]|gb\w+|big5|shift_?jis|euc-\w+|mac\w*)",
    re.IGNORECASE,
)
_ILLEGAL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_KEPT_OR_AMPERSAND: Final = re.compile(
    r"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|&#(?:x([0-9A-Fa-f]{1,6})|([0-9]{1,7}));|&(?![A-Za-z_:][\w.:-]{0,60};)",
    re.DOTALL,
)


class Malformed(Exception):
    """`str(error)` is a sentence about the problem at `line`."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


class Unsafe(Malformed):
    """The document declares entities, which can expand to gigabytes or read other files."""


@dataclass(slots=True)
class Node:
    """An element with local names. `line` is the line of its start, from 1."""

    name: str
    attributes: dict[str, str]
    line: int
    children: "list[Node | str]" = field(default_factory=list)
    number: int = 0
    """Its place among the elements that `outline` empties, from 1."""

    def __iter__(self) -> "Iterator[Node]":
        return (child for child in self.children if isinstance(child, Node))

    def get(self, name: str, default: str = "") -> str:
        return self.attributes.get(name, default)

    def find(self, *path: str) -> "Node | None":
        """Return the first child with that name, then its first child with the next name, and so on."""
        node = self
        for name in path:
            for child in node.children:
                if isinstance(child, Node) and child.name == name:
                    node = child
                    break
            else:
                return None
        return node

    def all(self, *names: str) -> "list[Node]":
        return [child for child in self if child.name in names]

    def walk(self, *names: str) -> "Iterator[Node]":
        """Yield descendants in document order, only those with these names if names are given."""
        waiting = [child for child in reversed(self.children) if isinstance(child, Node)]
        while waiting:
            node = waiting.pop()
            if not names or node.name in names:
                yield node
            waiting += [child for child in reversed(node.children) if isinstance(child, Node)]

    def first(self, *names: str) -> "Node | None":
        return next(self.walk(*names), None)

    @property
    def text(self) -> str:
        """All text in the element."""
        return "".join([child if isinstance(child, str) else child.text for child in self.children])

    def text_of(self, *path: str) -> str:
        """Return the stripped text of a child, or an empty string."""
        node = self.find(*path)
        return node.text.strip() if node else ""


@frozen
class Encoded:
    """A text in UTF-8 that is decoded part by part, so that memory never holds it twice."""

    data: bytes
    progress: Progress = untold

    def parts(self, words: str) -> Iterator[str]:
        """Yield the parts, and tell as `words` what they are read for."""
        decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder("utf-8-sig")(), translate=True)
        for at in range(0, len(self.data), _PART):
            self.progress(words, at / len(self.data))
            yield decoder.decode(self.data[at : at + _PART])
        yield decoder.decode(b"", final=True)

    def __str__(self) -> str:
        return "".join(self.parts("decoding"))


XmlText = str | Encoded


def _parts(text: XmlText, words: str) -> Iterator[str]:
    if isinstance(text, Encoded):
        return text.parts(words)
    return (text[at : at + _PART] for at in range(0, len(text), _PART))


def decode_xml(data: bytes) -> Decoded:
    """Decode by byte order mark, then by the XML declaration, then by a guess."""
    declared = _DECLARED.search(data[:400].decode("latin-1"))
    marked = data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_BE, codecs.BOM_UTF16_LE))
    if declared and not marked and _KNOWN_ENCODING.fullmatch(declared[1]):
        try:
            text = data.decode(declared[1]).replace("\r\n", "\n").replace("\r", "\n")
            return Decoded(text, is_utf8=codecs.lookup(declared[1]).name == "utf-8")
        except (UnicodeDecodeError, LookupError):
            told = f"The file is not in the encoding that it declares ({declared[1]})."
            return Decoded(decode(data).text, told)
    return decode(data)


def parse_xml(text: str, first_line: int = 1) -> Node:
    """Parse a document and repair bare `&` and control characters. Raises Malformed or Unsafe."""
    return _read(text, lambda source: _Builder(first_line).build(source))[1]


def outline(text: XmlText, name: str, seen: Callable[[Node], None]) -> tuple[XmlText, Node]:
    """Return a well-formed text, repaired as `parse_xml` does, and its tree without the contents of some elements.

    These are the elements called `name`. `seen` takes each of them whole, and the tree keeps its place and number.
    Raises Malformed or Unsafe.
    """

    def emptied(node: Node) -> bool:
        seen(node)
        node.children, node.attributes = [], {}
        return True

    return _read(text, lambda source: _Builder(1, name, emptied).build(source))


def elements(text: XmlText, name: str) -> Iterator[Node]:
    """Yield the elements with a name from a text that `outline` returned, one by one. Raises Malformed."""
    whole: list[Node] = []

    def taken(node: Node) -> bool:
        whole.append(node)
        return False

    for _ in _Builder(1, name, taken).parsed(_parts(text, "reading questions")):
        yield from whole
        whole.clear()


def _read(text: XmlText, read: Callable[[XmlText], Found]) -> tuple[XmlText, Found]:
    """Read a text, or its repaired form if it is malformed. Return the text that was read, and the result."""
    try:
        return text, read(text)
    except Unsafe:
        raise
    except Malformed:
        whole = str(text)
        repaired = repair(whole)
        if repaired == whole:
            raise
        return repaired, read(repaired)


def _parser(first_line: int) -> "expat.XMLParserType":
    """Return a parser that refuses entities and loads nothing."""
    parser = expat.ParserCreate("utf-8")  # the text is already decoded, so its declaration does not matter
    parser.buffer_text = True
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    parser.UseForeignDTD(True)  # reports &nbsp; to us and does not load anything

    def declared(name: str, *_: object) -> None:
        line = parser.CurrentLineNumber + first_line - 1
        raise Unsafe(f"The file declares an entity (“{name[:40]}”), which is not allowed here.", line)

    parser.EntityDeclHandler = declared
    return parser


def _parse(parser: "expat.XMLParserType", part: str, first_line: int, *, is_last: bool) -> None:
    try:
        parser.Parse(part.encode("utf-8", "replace"), is_last)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, "not well-formed")
        raise Malformed(f"The XML is broken here: {reason}.", error.lineno + first_line - 1) from None


def repair(text: str) -> str:
    """Escape bare ampersands and replace characters that XML forbids."""
    return _KEPT_OR_AMPERSAND.sub(_mended, _ILLEGAL.sub(UNSEEN, text))


def _mended(found: "re.Match[str]") -> str:
    whole = found[0]
    if whole == "&":
        return "&amp;"
    if not whole.startswith("&#"):
        return whole
    code = int(found[1], 16) if found[1] else int(found[2])
    allowed = code in {9, 10, 13} or 0x20 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code < 0x110000
    return whole if allowed else UNSEEN


@dataclass(slots=True)
class _Builder:
    """`take` gets each complete element that is called `taken`, and tells whether its parent keeps it."""

    first_line: int
    taken: str = ""
    take: Callable[[Node], bool] | None = None
    count: int = 0
    stack: list[Node] = field(default_factory=list)
    root: Node | None = None
    elements: int = 0

    def build(self, text: XmlText) -> Node:
        for _ in self.parsed(_parts(text, "checking the XML")):
            pass
        if self.root is None:
            raise Malformed("The XML is empty.", self.first_line)
        return self.root

    def parsed(self, parts: Iterable[str]) -> Iterator[None]:
        """Parse a document part by part."""
        parser = _parser(self.first_line)

        def start(name: str, attributes: dict[str, str]) -> None:
            self.start(name, attributes, parser.CurrentLineNumber + self.first_line - 1)

        parser.StartElementHandler = start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters
        parser.SkippedEntityHandler = self.entity
        try:
            for part in parts:
                _parse(parser, part, self.first_line, is_last=False)
                yield
            _parse(parser, "", self.first_line, is_last=True)
        finally:
            # The parser and its functions refer to each other. They would keep the tree until the next collection.
            parser.StartElementHandler = parser.EndElementHandler = None
            parser.CharacterDataHandler = parser.SkippedEntityHandler = parser.EntityDeclHandler = None

    def end(self, _name: str) -> None:
        node = self.stack.pop()
        if self.take is not None and node.name == self.taken:
            self.count += 1
            node.number, self.elements = self.count, 0
            if not self.take(node) and self.stack:
                self.stack[-1].children.pop()

    def start(self, name: str, attributes: dict[str, str], line: int) -> None:
        self.elements += 1
        if self.elements > _MOST_ELEMENTS:
            raise Malformed("The XML has too many elements.", line)
        if len(self.stack) >= DEEPEST:
            raise Malformed(f"The XML is nested deeper than {DEEPEST} levels.", line)
        node = Node(_local(name), _local_names(attributes), line)
        if self.stack:
            self.stack[-1].children.append(node)
        else:
            self.root = node
        self.stack.append(node)

    def characters(self, text: str) -> None:
        if self.stack:
            self.stack[-1].children.append(text)

    def entity(self, name: str, is_parameter: bool) -> None:
        if not is_parameter:
            self.characters(html.unescape(f"&{name};"))


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _local_names(attributes: dict[str, str]) -> dict[str, str]:
    if not attributes:
        return attributes
    if not any(":" in name or name.startswith("xmlns") for name in attributes):
        return attributes
    named = {name: value for name, value in attributes.items() if ":" not in name and not name.startswith("xmlns")}
    for name, value in attributes.items():
        prefix, colon, local = name.partition(":")
        if colon and prefix not in {"xsi", "xmlns"}:
            named.setdefault(local, value)
    return named


# --- salvage --------------------------------------------------------------------------------------------------------


@frozen
class Piece:
    """The source of one element of a broken file. `text` is empty if the element is never closed."""

    text: str
    line: int


def pieces(text: str, *names: str) -> Iterator[Piece]:
    """Yield the elements with these names from a broken file, to read each of them alone."""
    opener = re.compile(rf"<({'|'.join(names)})(?=[\s>/])")
    starts = [(found.start(), found[1]) for found in opener.finditer(text)]
    line, counted = 1, 0
    for at, (start, name) in enumerate(starts):
        line += text.count("\n", counted, start)
        counted = start
        follower = starts[at + 1][0] if at + 1 < len(starts) else len(text)
        closer = f"</{name}>"
        end = text.find(closer, start, follower)
        yield Piece(text[start : end + len(closer)] if end >= 0 else "", line)


# --- back to markup -------------------------------------------------------------------------------------------------


Rewrite = Callable[[Node], str | None]
"""Returns the HTML of an element, or None to keep the element."""


def inner_html(node: Node, rewrite: Rewrite | None = None) -> str:
    """Return the content of an element as HTML."""
    parts: list[str] = []
    _write(node.children, parts, rewrite)
    return "".join(parts).strip()


def outer_html(node: Node, rewrite: Rewrite | None = None) -> str:
    parts: list[str] = []
    _write([node], parts, rewrite)
    return "".join(parts)


def _write(children: "list[Node | str]", parts: list[str], rewrite: Rewrite | None) -> None:
    for child in children:
        if isinstance(child, str):
            parts.append(html.escape(child, quote=False))
            continue
        instead = rewrite(child) if rewrite else None
        if instead is not None:
            parts.append(instead)
            continue
        attributes = "".join(f' {name}="{html.escape(value)}"' for name, value in child.attributes.items())
        parts.append(f"<{child.name}{attributes}>")
        if child.name not in _VOID:
            _write(child.children, parts, rewrite)
            parts.append(f"</{child.name}>")
