"""Write exams in several formats, and report what a format cannot keep."""

from lms_tui.banks.writers.write import NAMES, Target, Written, convert, write

__all__ = ["NAMES", "Target", "Written", "convert", "write"]
