"""Read a Word document into an exam."""

from collections.abc import Callable

from lms_tui.banks.archive import Archive, BadArchive
from lms_tui.banks.collect import Collector
from lms_tui.banks.model import NotAnExam, Reading
from lms_tui.banks.pictures import Missing, Pictures
from lms_tui.banks.word.document import Block, Document, Table
from lms_tui.banks.word.moodle_table import is_moodle_table, read_moodle_table
from lms_tui.banks.word.questions import Questions
from lms_tui.banks.word.runs import Runs, lines_html
from lms_tui.banks.word.tables import read_sheet
from lms_tui.banks.xml_tree import Malformed
from lms_tui.common.cleaning import clean_line

_ADVICE = (
    "Number the questions (1.), letter the options (A.) and write “Answer: B” below each question, or a key at the end."
)

ReadText = Callable[[bytes, str, str], Reading]
"""Reads a text of another format from data, name and title. Raises NotAnExam."""


def read_document(data: bytes, shown: str, title: str, read_text: ReadText) -> Reading:
    """Read a docx file. Paragraphs count as lines. Raises NotAnExam."""
    collector = Collector()
    try:
        archive = Archive.open(data)
        document = Document(archive, collector, Pictures(archive.read))
        blocks = document.blocks()
    except BadArchive as error:
        raise NotAnExam(f"{shown} {error}.", "Save the document again as docx.") from None
    except Malformed as error:
        raise NotAnExam(f"{shown} was not read. {error}", "Save the document again as docx.") from None
    except Missing as error:
        raise NotAnExam(f"{shown} {error}.", "Save the document again as docx.") from None
    reading = _read(blocks, collector, title)
    if not reading.exam.questions and not reading.errors:
        text = "\n".join(line.text for block in blocks for line in _lines(block))
        try:
            other = read_text(text.encode("utf-8", "replace"), shown, title)
        except NotAnExam:
            raise NotAnExam(f"{shown} has no questions in a known form.", _ADVICE) from None
        return Reading(other.exam, (*collector.findings, *other.findings))
    return reading


def _lines(block: Block) -> list[Runs]:
    if isinstance(block, Table):
        return [paragraph.runs for paragraph in block.paragraphs]
    return [block.runs]


def _read(blocks: list[Block], collector: Collector, title: str) -> Reading:
    """Read tables with a question each, sheets of questions, or numbered paragraphs."""
    tables = [block for block in blocks if isinstance(block, Table)]
    if any(is_moodle_table(table) for table in tables):
        return read_moodle_table(blocks, collector, title)
    if read_sheet(blocks, collector):
        return collector.reading(title)
    questions = Questions(collector)
    questions.read(blocks)
    description = lines_html(questions.description)
    return collector.reading(clean_line(questions.title) or title, description_html=description)
