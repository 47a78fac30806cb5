"""Maths in cells: LaTeX and MathML to 2-D Unicode, one line, source or words."""

from lms_tui.content.maths.picture import Picture
from lms_tui.content.maths.render import pieces, render_maths

__all__ = ["Picture", "pieces", "render_maths"]
