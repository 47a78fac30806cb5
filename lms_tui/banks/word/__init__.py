"""Read Word documents (docx) with numbered questions, or with the tables of Moodle's Word template."""

from lms_tui.banks.word.reader import read_document

__all__ = ["read_document"]
