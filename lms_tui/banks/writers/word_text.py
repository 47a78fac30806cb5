"""Write HTML as paragraphs of a Word document."""

import html as entities
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from itertools import groupby
from typing import Final

from lms_tui.banks.writers.omml import equation
from lms_tui.banks.writers.xhtml import Files, escape, xhtml
from lms_tui.banks.xml_tree import Malformed, Node, outer_html, parse_xml
from lms_tui.content.delimiters import formulas
from lms_tui.content.maths.line import write
from lms_tui.content.maths.render import tree_of
from lms_tui.content.model import Maths

_STYLES: Final = {
    "b": "<w:b/>", "strong": "<w:b/>", "i": "<w:i/>", "em": "<w:i/>", "u": '<w:u w:val="single"/>',
    "sup": '<w:vertAlign w:val="superscript"/>', "sub": '<w:vertAlign w:val="subscript"/>',
}  # fmt: skip
_BLOCKS: Final = frozenset(
    {"p", "div", "li", "ul", "ol", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "dt", "dd"}
)
_SHOWN: Final = frozenset({"png", "jpg", "jpeg", "gif", "bmp"})
"""Formats of pictures that Word shows."""
_UNIT: Final = 9525
"""Units of Word in a pixel."""
_WIDEST: Final = 576
"""Pixels of the width of a page."""
_USUAL: Final = (300, 200)
_MATHML: Final = re.compile(r"<math\b.*?</math>", re.DOTALL)
_BREAK: Final = "<w:r><w:br/></w:r>"
_BORDER: Final = "".join(
    f'<w:{side} w:val="single" w:sz="4"/>' for side in ("top", "left", "bottom", "right", "insideH", "insideV")
)


@dataclass(slots=True)
class Texts:
    """Turns HTML into paragraphs, and collects the pictures in it."""

    files: Files = field(default_factory=Files)
    relations: list[tuple[str, str]] = field(default_factory=list)
    """The names of pictures in the document with their files."""

    @property
    def members(self) -> dict[str, bytes]:
        return {name: data for data, name in self.files.names.items() if _ending(name) in _SHOWN}

    def paragraphs(self, html: str, style: str, before: str = "", *, one: bool = False) -> Iterator[str]:
        """Yield the paragraphs and tables of a text. `one`: lines of one paragraph in place of several."""
        parts = groupby(self._parts(html), key=lambda part: part is None)
        lines = [[part for part in group if part is not None] for between, group in parts if not between]
        if before:
            lines = [[_run(before, ""), *(lines[0] if lines else ())], *lines[1:]]
        if one:
            lines = [[part for at, line in enumerate(lines) for part in ([_BREAK] if at else []) + line]]
        for at, line in enumerate(lines):
            if len(line) == 1 and line[0].startswith("<w:tbl>"):
                yield f"{line[0]}<w:p/>"
                continue
            named = "QuestionText" if at and style == "Question" else style
            yield f'<w:p><w:pPr><w:pStyle w:val="{named}"/></w:pPr>{"".join(line)}</w:p>'

    def _parts(self, html: str) -> Iterator[str | None]:
        """Yield runs and tables, and None between two paragraphs."""
        settled = xhtml(self.files.take_out(html, lambda name: name))
        if "<" not in settled:
            yield from _text(entities.unescape(settled), "")
            return
        try:
            root = parse_xml(f"<div>{settled}</div>")
        except Malformed:  # deeper than anybody writes
            yield _run(entities.unescape(settled), "")
            return
        yield from self._children(root, "")

    def _children(self, node: Node, style: str) -> Iterator[str | None]:
        for child in node.children:
            if isinstance(child, str):
                if text := " ".join(f"|{child}|".split())[1:-1]:
                    yield from _text(text, style)
            elif child.name == "math":
                tree = tree_of(Maths(outer_html(child), mathml=True))
                yield _run(child.text, style) if tree is None else equation(tree)
            elif child.name == "br":
                yield _BREAK
            elif child.name == "img":
                yield self._picture(child)
            elif child.name == "table":
                yield from (None, self._table(child), None)
            elif child.name in _BLOCKS:
                yield None
                yield from self._children(child, style)
                yield None
            else:
                yield from self._children(child, style + _STYLES.get(child.name, ""))

    def _table(self, node: Node) -> str:
        rows = ("".join(self._cell(cell) for cell in row.all("td", "th")) for row in node.walk("tr"))
        written = "".join(f"<w:tr>{row}</w:tr>" for row in rows)
        borders = f"<w:tblPr><w:tblBorders>{_BORDER}</w:tblBorders></w:tblPr>"
        return f"<w:tbl>{borders}<w:tblGrid/>{written}</w:tbl>"

    def _cell(self, node: Node) -> str:
        runs = "".join(_BREAK if part is None else part for part in self._children(node, "") if part != "")
        return f"<w:tc><w:p>{runs}</w:p></w:tc>"

    def _picture(self, node: Node) -> str:
        file = node.get("src")
        data = self.members.get(file)
        if data is None:
            return _run(f"[{node.get('alt') or 'picture'}]", "")
        name = f"rId{len(self.relations) + 2}"
        self.relations.append((name, file))
        width, height = _size(data)
        size = f'cx="{width * _UNIT}" cy="{height * _UNIT}"'
        described = f'id="{len(self.relations)}" name="{escape(file)}" descr="{escape(node.get("alt"))}"'
        return (
            f"<w:r><w:drawing><wp:inline><wp:extent {size}/><wp:docPr {described}/><a:graphic><a:graphicData"
            ' uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr>'
            f'<pic:cNvPr {described}/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="{name}"/>'
            f'<a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext {size}/>'
            '</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic>'
            "</wp:inline></w:drawing></w:r>"
        )


def line_of_text(text: str, style: str) -> str:
    """Return a paragraph of plain text. Dollar signs in it begin no formula."""
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>{_run(text, "")}</w:p>'


def with_lines(markup: str) -> str:
    """Return well-formed HTML with formulas as lines of text, because an equation of Word is no LaTeX."""
    settled = _MATHML.sub(lambda found: _line(Maths(found[0], mathml=True)) or found[0], xhtml(markup))
    parts, at = [], 0
    for found in formulas(settled):
        line = "" if found.literal else _line(Maths(entities.unescape(found.source), found.display))
        if line:
            parts += [settled[at : found.start], line]
            at = found.end
    return "".join([*parts, settled[at:]])


def _line(maths: Maths) -> str:
    tree = tree_of(maths)
    return "" if tree is None else f"⟦{escape(write(tree))}⟧"


def _text(text: str, style: str) -> Iterator[str]:
    """Yield runs of text, and equations in place of formulas."""
    at = 0
    for found in formulas(text):
        tree = None if found.literal else tree_of(Maths(found.source, found.display))
        if tree is not None:
            yield _run(text[at : found.start], style)
            yield equation(tree)
            at = found.end
    yield _run(text[at:], style)


def _run(text: str, style: str) -> str:
    if not text:
        return ""
    properties = f"<w:rPr>{style}</w:rPr>" if style else ""
    lines = escape(text).replace("\n", '</w:t><w:br/><w:t xml:space="preserve">')
    return f'<w:r>{properties}<w:t xml:space="preserve">{lines}</w:t></w:r>'


def _ending(name: str) -> str:
    return name.rpartition(".")[2].lower()


def _size(data: bytes) -> tuple[int, int]:
    """Return the width and the height of a picture on the page, in pixels."""
    from PIL import Image  # noqa: PLC0415 - its import takes 20 ms, and most exams have no picture

    try:
        with Image.open(BytesIO(data), formats=("PNG", "JPEG", "GIF", "BMP")) as image:
            width, height = image.size
    except Exception:  # noqa: BLE001 - Pillow raises many kinds of errors for broken files
        width, height = _USUAL
    scale = min(1.0, _WIDEST / max(1, width))
    return max(1, round(width * scale)), max(1, round(height * scale))
