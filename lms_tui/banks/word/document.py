"""The paragraphs and tables of a Word document, in their order."""

import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from lms_tui.banks.archive import Archive
from lms_tui.banks.collect import Collector
from lms_tui.banks.pictures import Missing, Pictures
from lms_tui.banks.word.content import Content
from lms_tui.banks.word.numbering import Label, Numbering
from lms_tui.banks.word.runs import Runs, lines_html
from lms_tui.banks.word.styled import ROLES
from lms_tui.banks.xml_tree import Malformed, Node, Unsafe, decode_xml, parse_xml
from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen

_MAIN: Final = "word/document.xml"
_TRANSPARENT: Final = frozenset({"sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag", "AlternateContent"})
_BESIDE: Final = ("header", "footer")


@frozen
class Paragraph:
    """A paragraph. `line` is its number in the document, from 1. `heading` is its level as a heading, or 0."""

    line: int
    runs: Runs
    label: Label | None = None
    heading: int = 0
    role: str = ""
    """The style, if it says what the paragraph is."""

    @property
    def text(self) -> str:
        return self.runs.text.strip()


@frozen
class Table:
    """A table of cells, each with its paragraphs and tables."""

    line: int
    rows: "tuple[tuple[tuple[Paragraph | Table, ...], ...], ...]"

    @property
    def paragraphs(self) -> "Iterator[Paragraph]":
        for row in self.rows:
            for cell in row:
                for block in cell:
                    yield from block.paragraphs if isinstance(block, Table) else (block,)

    @property
    def html(self) -> str:
        rows = ("".join(f"<td>{blocks_html(cell)}</td>" for cell in row) for row in self.rows)
        return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


Block = Paragraph | Table


def blocks_html(blocks: "tuple[Block, ...]") -> str:
    """Return the paragraphs and tables of a cell as HTML."""
    lines = [block for block in blocks if isinstance(block, Paragraph)]
    if len(lines) == len(blocks):
        return lines_html([labelled(line) for line in lines])
    return "".join(
        block.html if isinstance(block, Table) else f"<p>{labelled(block).html}</p>"
        for block in blocks
        if isinstance(block, Table) or block.runs
    )


def labelled(line: Paragraph) -> Runs:
    """Return the runs of a paragraph with what Word writes before them."""
    label = line.label
    if label is None or not line.runs:
        return line.runs
    letter = chr(ord("a") + (label.value - 1) % 26)
    written = {"bullet": "•", "letter": f"{letter}.", "roman": f"{label.value}."}.get(label.kind, f"{label.value}.")
    return Content.plain(f"{written} ") + line.runs


@dataclass(slots=True)
class Document:
    """Reads the blocks of a document. It reports to `collector` the parts that an exam cannot hold."""

    archive: Archive
    collector: Collector
    pictures: Pictures
    numbering: Numbering = field(default_factory=Numbering)
    styles: dict[str, Node] = field(default_factory=dict)
    lines: int = 0

    def blocks(self) -> list[Block]:
        """Return the blocks of the document. Raises Malformed or Missing."""
        root = self._part(_MAIN)
        if root is None:
            raise Missing("has no text")
        for node in (self._part("word/styles.xml") or Node("", {}, 0)).walk("style"):
            self.styles[node.get("styleId")] = node
        numbering = self._part("word/numbering.xml")
        self.numbering = Numbering.of(numbering) if numbering else self.numbering
        content = Content(self.collector, self.pictures, self._links(), self._notes())
        body = root.find("body")
        blocks = list(self._blocks(body, content)) if body else []
        self._tell_beside()
        return blocks

    def _part(self, path: str) -> Node | None:
        if path not in self.archive.names:
            return None
        return parse_xml(decode_xml(self.archive.read(path)).text)

    def _links(self) -> dict[str, str]:
        """Return the files in the document by the names of their relations."""
        root = self._part("word/_rels/document.xml.rels")
        targets: dict[str, str] = {}
        for node in root.all("Relationship") if root else ():
            outside = node.get("TargetMode") == "External"
            target = node.get("Target")
            targets[node.get("Id")] = (
                target if outside else posixpath.normpath(posixpath.join("word", target)).lstrip("/")
            )
        return targets

    def _notes(self) -> dict[tuple[str, str], str]:
        """Return the texts of footnotes and endnotes."""
        notes: dict[tuple[str, str], str] = {}
        for sort in ("footnote", "endnote"):
            root = self._optional(f"word/{sort}s.xml")
            for node in root.all(sort) if root else ():
                if text := clean_line(words(node)):
                    notes[sort, node.get("id")] = text
        return notes

    def _optional(self, path: str) -> Node | None:
        """Return a part that is not needed. Report a broken one."""
        try:
            return self._part(path)
        except Unsafe:
            raise
        except (Malformed, Missing) as error:
            self.collector.warn(f"{posixpath.basename(path)} was left out. {error}")
            return None

    def _tell_beside(self) -> None:
        """Tell the texts that are not in the body: headers, footers and comments."""
        told = dict.fromkeys(
            text
            for path in sorted(self.archive.names)
            if posixpath.basename(path).startswith(_BESIDE) and path.endswith(".xml")
            if (root := self._optional(path)) is not None and (text := clean_line(words(root)))
        )
        for text in told:
            self.collector.warn(f"The text “{text}” at the edge of the pages was left out.")
        comments = self._optional("word/comments.xml")
        for node in comments.all("comment") if comments else ():
            self.collector.warn(f"The comment “{clean_line(words(node))}” was left out.")

    # --- blocks

    def _blocks(self, parent: Node, content: Content) -> Iterator[Block]:
        for node in parent:
            match node.name:
                case "p":
                    yield from self._paragraph(node, content)
                case "tbl":
                    yield self._table(node, content)
                case name if name in _TRANSPARENT:
                    yield from self._blocks(_chosen(node), content)
                case "altChunk":
                    self.collector.warn("An inserted document was left out.", self.lines)
                case "del" | "moveFrom":
                    content.tell_deleted(node, self.lines)
                case _:
                    pass

    def _paragraph(self, node: Node, content: Content) -> Iterator[Block]:
        self.lines += 1
        line = self.lines
        properties = node.find("pPr")
        runs, boxes = content.runs(node, line, self._is_bold(properties))
        label = self._label(properties) if runs else None
        yield Paragraph(line, runs, label, self._heading(properties), self._role(properties))
        for box in boxes:
            yield from self._blocks(box, content)

    def _table(self, node: Node, content: Content) -> Table:
        line = self.lines + 1
        rows = tuple(
            tuple(tuple(self._blocks(cell, content)) for cell in _inside(row, "tc")) for row in _inside(node, "tr")
        )
        return Table(line, rows)

    # --- styles

    def _style(self, properties: Node | None) -> Iterator[Node]:
        """Yield the style of a paragraph and those that it is based on."""
        found = properties.find("pStyle") if properties else None
        name, seen = (found.get("val") if found else ""), set[str]()
        while name and name not in seen and name in self.styles:
            seen.add(name)
            yield self.styles[name]
            based = self.styles[name].find("basedOn")
            name = based.get("val") if based else ""

    def _role(self, properties: Node | None) -> str:
        style = next(self._style(properties), None)
        found = style.find("name") if style else None
        name = found.get("val").lower() if found else ""
        return name if name in ROLES else ""

    def _is_bold(self, properties: Node | None) -> bool:
        for style in self._style(properties):
            if (bold := style.find("rPr", "b")) is not None:
                return bold.get("val", "1") not in {"0", "false", "off"}
        return False

    def _heading(self, properties: Node | None) -> int:
        levels = [properties.find("outlineLvl") if properties else None]
        levels += [style.find("pPr", "outlineLvl") for style in self._style(properties)]
        value = next((level.get("val") for level in levels if level is not None), "")
        return int(value) + 1 if value.isdecimal() and len(value) == 1 and int(value) < 9 else 0

    def _label(self, properties: Node | None) -> Label | None:
        number = properties.find("numPr") if properties else None
        sources = [number, *(style.find("pPr", "numPr") for style in self._style(properties))]
        name, level = (
            next((node.get("val") for node in _children(sources, called) if node.get("val")), "")
            for called in ("numId", "ilvl")
        )
        if not name or name == "0":
            return None
        return self.numbering.next(name, int(level) if level.isdecimal() and len(level) == 1 else 0)


def words(node: Node) -> str:
    """Return the text of an element, without the instructions of fields."""
    return "".join(each.text if each.name == "t" else " " for each in node.walk("p", "t", "tab"))


def _chosen(node: Node) -> Node:
    """Return the first of several ways to write the same."""
    if node.name == "AlternateContent":
        return next(iter(node), node)
    return node


def _inside(node: Node, name: str) -> Iterator[Node]:
    """Yield the rows of a table or the cells of a row, also from content controls."""
    for child in node:
        if child.name == name:
            yield child
        elif child.name in _TRANSPARENT:
            yield from _inside(child, name)


def _children(nodes: Iterable[Node | None], name: str) -> Iterator[Node]:
    """Yield the first child with this name of each node."""
    for node in nodes:
        if node is not None and (child := node.find(name)) is not None:
            yield child
