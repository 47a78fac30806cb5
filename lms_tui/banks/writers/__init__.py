"""An exam written in the formats of others; what a format does not keep is told."""

from lms_tui.banks.writers.write import NAMES, Target, Written, convert, write

__all__ = ["NAMES", "Target", "Written", "convert", "write"]
