"""Read an exam file of any format into one exam.

The readers of XML, YAML, zip packages, Word and H5P are imported when such a file is read.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from lms_tui.banks import limits
from lms_tui.banks.aiken import read_aiken
from lms_tui.banks.decoding import Decoded, decode, recoded
from lms_tui.banks.detect import Format, detect
from lms_tui.banks.file_options import AS_FOUND, FileOptions
from lms_tui.banks.gift import read_gift
from lms_tui.banks.lint import lint_keys
from lms_tui.banks.markdown import read_markdown
from lms_tui.banks.model import Finding, NotAnExam, Reading, Severity
from lms_tui.banks.progress import Progress, untold
from lms_tui.banks.sheets.reader import read_csv, read_workbook
from lms_tui.banks.text2qti import read_text2qti
from lms_tui.banks.xml_tree import Encoded, Unsafe, XmlText, decode_xml
from lms_tui.banks.zip_kinds import OLD_OFFICE, ZIP, ZipKind, zip_kind
from lms_tui.common.cleaning import HINTS, clean_line

LARGEST: Final = limits.LARGEST

_MAGIC: Final = (
    (ZIP, "a zip package inside another"),
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"SQLite format 3\0", "a database"),
    (b"\x7fELF", "a program"),
    (OLD_OFFICE, "an old office document"),
)
_ADVICE: Final = (
    "Export the questions as GIFT, Moodle XML, QTI, Aiken, YAML, Word or CSV. `lms-tui help exam-files` explains how."
)
_FOREIGN: Final = {
    "pool": "Blackboard before version 7", "problem": "Open edX", "moodle_backup": "a Moodle backup",
}  # fmt: skip
_FOREIGN_ROOT: Final = re.compile(rf"<({'|'.join(_FOREIGN)})(?=[\s>])", re.IGNORECASE)
_XML: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*<")
_XML_FORMATS: Final = frozenset({Format.EXAMVIEW, Format.MOODLE_XML, Format.QTI})
_READERS: Final[dict[Format, Callable[[str, str], Reading]]] = {
    Format.GIFT: read_gift,
    Format.SHEET: read_csv,
    Format.MARKDOWN: read_markdown,
    Format.AIKEN: read_aiken,
    Format.TEXT2QTI: read_text2qti,
}


def read_exam(data: bytes, name: str, options: FileOptions = AS_FOUND, progress: Progress = untold) -> Reading:
    """Read a file into an exam with its findings. Raises NotAnExam.

    The exam's default title and slug come from the file's `name`. The format is detected from the content alone.
    """
    shown, title = clean_line(PurePath(name).name) or "The file", title_from(name)
    data, columns = recoded(data, options.encoding), options.columns
    kind = zip_kind(data)
    if options.quizzes and kind is not ZipKind.PACKAGE:
        raise NotAnExam(f"{shown} is no package of quizzes.", "Leave out --quiz to read the whole file.")
    _refuse_what_is_too_large(data, shown)
    if kind is None:
        reading = read_text(data, shown, title, columns, progress)
    else:
        reading = _read_zip(kind, data, shown, title, options)
    exam = reading.exam if reading.exam.slug else replace(reading.exam, slug=slug_from(name))
    return Reading(exam, (*reading.findings, *lint_keys(exam)))


def _read_zip(kind: ZipKind, data: bytes, shown: str, title: str, options: FileOptions) -> Reading:
    match kind:
        case ZipKind.WORKBOOK:
            return read_workbook(data, shown, title, options.columns)
        case ZipKind.DOCUMENT:
            from lms_tui.banks.word import read_document

            return read_document(data, shown, title, read_text)
        case ZipKind.H5P:
            from lms_tui.banks.h5p import read_h5p

            return read_h5p(data, shown, title)
        case ZipKind.PACKAGE:
            from lms_tui.banks.package import read_package

            return read_package(data, shown, title, read_text, options.quizzes)


def read_text(data: bytes, shown: str, title: str, columns: str = "", progress: Progress = untold) -> Reading:
    """Read a text file of any format. Raises NotAnExam."""
    _refuse_what_is_no_text(data, shown)
    decoded = decode_xml(data) if _XML.match(data) else _without_hints(decode(data))
    found = Format.SHEET if columns else detect(decoded.text)
    if found is None:
        program = _program(decoded.text)
        trouble = f"is a file of {program}, which cannot be read" if program else "has no questions in a known format"
        raise NotAnExam(f"{shown} {trouble}.", _ADVICE)
    told = decoded.warning
    findings = [Finding(Severity.WARNING if decoded.known else Severity.ERROR, told)] if told else []
    text = Encoded(data, progress) if decoded.is_utf8 and found in _XML_FORMATS else decoded.text
    del decoded  # a large text and its exam are not in memory at once
    try:
        reading = _read(found, text, title, columns)
    except Unsafe as error:
        raise NotAnExam(
            f"{shown} was not read. {error}", "Remove the DOCTYPE and its entities from the file."
        ) from None
    return Reading(reading.exam, (*findings, *reading.findings))


def _without_hints(decoded: Decoded) -> Decoded:
    """Remove invisible characters. Pasted text is full of them, and they would hide the letter of a key."""
    return decoded if decoded.text.isascii() else replace(decoded, text=HINTS.sub("", decoded.text))


def _read(found: Format, text: XmlText, title: str, columns: str) -> Reading:
    if found in _XML_FORMATS:
        return _xml_reader(found)(text, title)
    if columns:
        return read_csv(str(text), title, columns)
    if found is Format.YAML:
        from lms_tui.banks.yaml_exam import read_yaml

        return read_yaml(str(text), title)
    return _READERS[found](str(text), title)


def _xml_reader(found: Format) -> Callable[[XmlText, str], Reading]:
    if found is Format.EXAMVIEW:
        from lms_tui.banks.examview import read_examview

        return read_examview
    if found is Format.MOODLE_XML:
        from lms_tui.banks.moodle_xml import read_moodle_xml

        return read_moodle_xml
    from lms_tui.banks.qti import read_qti

    return read_qti


def _program(text: str) -> str:
    """Return the program whose own XML a text is, or an empty string."""
    found = _FOREIGN_ROOT.search(text[:4000])
    return _FOREIGN[found[1].lower()] if found else ""


def _refuse_what_is_no_text(data: bytes, shown: str) -> None:
    if not data.strip():
        raise NotAnExam(f"{shown} is empty.", _ADVICE)
    _refuse_what_is_too_large(data, shown)
    for magic, what in _MAGIC:
        if data.startswith(magic):
            raise NotAnExam(f"{shown} is {what}, not a text file with questions.", _ADVICE)


def _refuse_what_is_too_large(data: bytes, shown: str) -> None:
    if len(data) > LARGEST:
        raise NotAnExam(f"{shown} is larger than {LARGEST >> 20} MiB.", "Split it into several files.")


def title_from(name: str) -> str:
    """Return a file's name as a title: `unit-3_motion.gift` becomes `Unit 3 motion`."""
    words = clean_line(re.sub(r"[-_]+", " ", PurePath(name).stem))
    return words[:1].upper() + words[1:] if words else "Exam"


def slug_from(name: str) -> str:
    """Return a file's name as a slug of lower-case letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", PurePath(name).stem.lower()).strip("-")[:80] or "exam"
