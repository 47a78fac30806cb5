"""Read a table of questions: a row of headings, then one question in each row, as in a sheet."""

import html
from collections.abc import Sequence

from lms_tui.banks.collect import Collector
from lms_tui.banks.sheets.headings import Columns, columns_of
from lms_tui.banks.sheets.rows import Rows
from lms_tui.banks.word.document import Block, Table, blocks_html
from lms_tui.common.cleaning import clean_line


def read_sheet(blocks: Sequence[Block], collector: Collector) -> bool:
    """Read the tables of a document whose first rows have headings of questions. Return whether there is one."""
    headed = {id(block): columns for block in blocks if isinstance(block, Table) and (columns := _columns(block))}
    if not headed:
        return False
    for block in blocks:
        if isinstance(block, Table) and (columns := headed.get(id(block))):
            rows = [(_line(row, block.line), [_cell(cell) for cell in row]) for row in block.rows[1:]]
            Rows(columns, collector).read(rows, block.line)
            continue
        for line in block.paragraphs if isinstance(block, Table) else (block,):
            if any(char.isalnum() for char in line.text):
                collector.warn(f"The text “{clean_line(line.text)}” was left out.", line.line)
    return True


def _columns(table: Table) -> Columns | None:
    if len(table.rows) < 2:
        return None
    columns = columns_of([_plain(cell) for cell in table.rows[0]])
    return columns if columns and not columns.unsure else None


def _line(row: Sequence[Sequence[Block]], usual: int) -> int:
    return next((block.line for cell in row for block in cell), usual)


def _plain(cell: Sequence[Block]) -> str:
    lines = [line for block in cell for line in (block.paragraphs if isinstance(block, Table) else (block,))]
    return "\n".join(line.text for line in lines if line.text)


def _cell(cell: Sequence[Block]) -> str:
    """Return a cell as text, or as HTML with a paragraph if it has pictures, equations or styles."""
    written = blocks_html(tuple(cell))
    plain = _plain(cell)
    if html.unescape(written) == plain or ("\n" in plain and "<img" not in written and "<math" not in written):
        return plain
    return written if written.startswith(("<p>", "<table>")) else f"<p>{written}</p>"
