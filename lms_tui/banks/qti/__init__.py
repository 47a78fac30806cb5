"""IMS QTI 1.2, 2.x and 3.0: single items, assessments and zip packages."""

from lms_tui.banks.qti.reader import read_qti

__all__ = ["read_qti"]
