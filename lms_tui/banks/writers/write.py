"""Write an exam to a file in one format, and report what the format cannot keep."""

from dataclasses import replace
from enum import StrEnum
from typing import Final

from lms_tui.banks.file_options import AS_FOUND, FileOptions
from lms_tui.banks.model import Exam, Finding
from lms_tui.banks.progress import Progress, untold
from lms_tui.banks.reader import read_exam
from lms_tui.banks.writers.cartridge import write_cartridge
from lms_tui.banks.writers.gift import write_gift
from lms_tui.banks.writers.losses import losses
from lms_tui.banks.writers.markdown import write_markdown
from lms_tui.banks.writers.moodle_xml import write_moodle_xml
from lms_tui.banks.writers.qti import write_qti
from lms_tui.banks.writers.sheet import write_csv, write_xlsx
from lms_tui.banks.writers.word import write_word
from lms_tui.banks.writers.word_text import with_lines
from lms_tui.banks.writers.xhtml import xhtml
from lms_tui.banks.writers.yaml_exam import write_yaml
from lms_tui.common.frozen import frozen


class Target(StrEnum):
    """Formats that can be written, by their names on the command line."""

    GIFT = "gift"
    MOODLE_XML = "moodle-xml"
    QTI = "qti"
    YAML = "yaml"
    MARKDOWN = "markdown"
    CSV = "csv"
    XLSX = "xlsx"
    DOCX = "docx"
    IMSCC = "imscc"


ENDINGS: Final = {
    Target.GIFT: ".gift", Target.MOODLE_XML: ".xml", Target.QTI: ".zip", Target.YAML: ".yaml",
    Target.MARKDOWN: ".md", Target.CSV: ".csv", Target.XLSX: ".xlsx", Target.DOCX: ".docx",
    Target.IMSCC: ".imscc",
}  # fmt: skip
NAMES: Final = {
    Target.GIFT: "GIFT", Target.MOODLE_XML: "Moodle XML", Target.QTI: "QTI 2.1", Target.YAML: "YAML",
    Target.MARKDOWN: "Markdown", Target.CSV: "A CSV sheet", Target.XLSX: "A workbook", Target.DOCX: "A Word document",
    Target.IMSCC: "A Common Cartridge",
}  # fmt: skip


_PARTIAL: Final = {
    Target.GIFT: write_gift,
    Target.MARKDOWN: write_markdown,
    Target.CSV: write_csv,
    Target.XLSX: write_xlsx,
    Target.DOCX: write_word,
    Target.IMSCC: write_cartridge,
}
"""Formats that cannot hold every question."""
_WRITERS: Final = {Target.MOODLE_XML: write_moodle_xml, Target.QTI: write_qti, Target.YAML: write_yaml}


_WRITING, _READING = 0.3, 0.6
"""About the shares of the time after which an exam is written, and read back."""


@frozen
class Written:
    """A written file.

    `findings` say what the file lost, and with `convert` also what was found in the source file. `given` is the number
    of questions in the exam, `kept` the number in the file.
    """

    data: bytes
    findings: tuple[Finding, ...] = ()
    given: int = 0
    kept: int = 0


def write(exam: Exam, target: Target, progress: Progress = untold) -> Written:
    """Write the exam, then read it back to find differences."""
    progress("writing the questions", 0.0)
    left_out: tuple[int, ...] = ()
    if target in _PARTIAL:
        data, left_out = _PARTIAL[target](exam)
    else:
        data = _WRITERS[target](exam)
    given = len(exam.questions)
    again, ending = (write_csv(exam)[0], ".csv") if target is Target.XLSX else (data, ENDINGS[target])  # the same rows
    progress("reading them back", _WRITING)
    back = Exam("", ()) if len(left_out) == given else read_exam(again, f"exam{ending}").exam
    progress("comparing them", _READING)
    settled = with_lines if target is Target.DOCX else xhtml
    return Written(data, tuple(losses(exam, back, left_out, NAMES[target], settled)), given, len(back.questions))


def convert(
    data: bytes, name: str, target: Target, options: FileOptions = AS_FOUND, progress: Progress = untold
) -> Written:
    """Convert a file to another format. Raises NotAnExam."""
    reading = read_exam(data, name, options, progress)
    written = write(reading.exam, target, progress)
    return replace(written, findings=(*reading.findings, *written.findings))
