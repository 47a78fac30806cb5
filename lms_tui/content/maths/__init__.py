"""Draw LaTeX and MathML in cells: in two dimensions, on one line, as source or in words."""

from lms_tui.content.maths.picture import Picture
from lms_tui.content.maths.render import pieces, render_maths

__all__ = ["Picture", "pieces", "render_maths"]
