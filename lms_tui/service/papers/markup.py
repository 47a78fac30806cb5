"""Typst markup for documents of exam HTML."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from lms_tui.common.frozen import frozen
from lms_tui.content.lines import Mark
from lms_tui.content.maths.render import render_maths, tree_of
from lms_tui.content.maths.strings import quoted
from lms_tui.content.maths.typeset import formula
from lms_tui.content.model import (
    Block,
    Break,
    Cell,
    Document,
    Figure,
    Gap,
    Image,
    Inline,
    Link,
    Listing,
    Maths,
    MathsStyle,
    Notice,
    Paragraph,
    Preformatted,
    Quote,
    Rule,
    Table,
    Text,
)

_MARKS: Final = (
    (Mark.BOLD, "strong"),
    (Mark.ITALIC, "emph"),
    (Mark.UNDERLINE, "underline"),
    (Mark.STRIKE, "strike"),
    (Mark.SUB, "sub"),
    (Mark.SUP, "super"),
    (Mark.HIGHLIGHT, "highlight"),
)
_PIXEL: Final = 0.75
"""Points in a CSS pixel."""
_WIDEST: Final = 400
_LINE: Final = 500

Pictures = Callable[[str], str | None]
"""Returns the file name for the address of a picture, None where there is no file."""


@frozen
class Writer:
    """Writes Typst. `plain_maths`: formulas as a line of text, for those that Typst rejects."""

    pictures: Pictures
    plain_maths: bool = False

    def document(self, document: Document) -> str:
        return self._blocks(document.blocks)

    def _blocks(self, blocks: Sequence[Block]) -> str:
        return "\n".join(self._block(block) for block in blocks)

    def _block(self, block: Block) -> str:  # noqa: PLR0911  # one return for each type of block
        match block:
            case Paragraph():
                inner = self._inline(block.children)
                return f"#block[{f'#strong[{inner}]' if block.level else inner}]"
            case Preformatted():
                lines = "#linebreak();".join(f"#raw({quoted(line)});" for line in block.lines)
                return f"#block[{lines}]"
            case Listing():
                items = ", ".join(
                    f"[#{quoted(item.label or '–')};], [{self._blocks(item.blocks)}]" for item in block.items
                )
                return f"#grid(columns: (auto, 1fr), column-gutter: 0.6em, row-gutter: 0.6em, {items});"
            case Quote():
                return f"#block(inset: (left: 0.8em), stroke: (left: 1pt + luma(170)))[{self._blocks(block.blocks)}]"
            case Table():
                return self._table(block)
            case Figure():
                return f"{self._blocks(block.blocks)}\n#block[#emph[{self._inline(block.caption)}]]"
            case Rule():
                return "#line(length: 100%, stroke: 0.5pt + luma(170));"
            case Notice():
                return f"#block[#emph[#{quoted(block.text)};]]"

    def _table(self, block: Table) -> str:
        cells = list(_placed(block.rows))
        if not cells:
            return ""
        columns = max(x + cell.columns for x, _, cell in cells)
        written = ", ".join(
            f"table.cell(x: {x}, y: {y}, colspan: {cell.columns}, rowspan: {cell.rows}"
            f"{f', align: {cell.align}' if cell.align in {'left', 'center', 'right'} else ''})"
            f"[{f'#strong[{self._blocks(cell.blocks)}]' if cell.header else self._blocks(cell.blocks)}]"
            for x, y, cell in cells
        )
        caption = f"\n#block[#emph[#{quoted(block.caption)};]]" if block.caption else ""
        return f"#table(columns: {columns}, stroke: 0.5pt + luma(150), {written});{caption}"

    def _inline(self, children: Iterable[Inline]) -> str:
        return "".join(self._piece(child) for child in children)

    def _piece(self, child: Inline) -> str:
        match child:
            case Text():
                return _marked(child)
            case Maths():
                return self._maths(child)
            case Image():
                return self._image(child)
            case Link():
                return self._inline(child.children)
            case Break():
                return "#linebreak();"
            case Gap():
                return f"#box(stroke: (bottom: 0.5pt), inset: (x: 1.2em, bottom: 2pt))[#{quoted(str(child.number))};]"

    def _maths(self, maths: Maths) -> str:
        tree = None if self.plain_maths else tree_of(maths)
        if tree is not None:
            return formula(tree, display=maths.display)
        rows = render_maths(maths, MathsStyle.LINE, _LINE).rows
        return "#linebreak();".join(f"#{quoted(row.strip())};" for row in rows)

    def _image(self, image: Image) -> str:
        name = self.pictures(image.source)
        if name is None:
            words = image.alt or "picture"
            return f"#emph[#{quoted(f'[{words}]')};]"
        width = f", width: {min(image.width * _PIXEL, _WIDEST):.1f}pt" if image.width else ""
        return f"#box(image({quoted(name)}{width}, alt: {quoted(image.alt)}));"


def _marked(text: Text) -> str:
    written = f"#raw({quoted(text.text)});" if Mark.CODE in text.marks else f"#{quoted(text.text)};"
    for mark, function in _MARKS:
        if mark in text.marks:
            written = f"#{function}[{written}]"
    return f"{written};" if written.endswith("]") else written


def _placed(rows: Sequence[Sequence[Cell]]) -> Iterable[tuple[int, int, Cell]]:
    """Yield each cell with its column and row. Cells that span rows push others to the right."""
    taken: set[tuple[int, int]] = set()
    for y, row in enumerate(rows):
        x = 0
        for cell in row:
            while (x, y) in taken:
                x += 1
            area = {(x + dx, y + dy) for dx in range(cell.columns) for dy in range(cell.rows)}
            if not area & taken:
                taken |= area
                yield x, y, cell
            x += cell.columns
