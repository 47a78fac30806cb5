"""From a formula of the document to what is drawn, at any rung of the ladder."""

from functools import lru_cache

from lms_tui.content.maths.latex import read_latex
from lms_tui.content.maths.line import write
from lms_tui.content.maths.picture import Picture, line_of
from lms_tui.content.maths.tree import Node
from lms_tui.content.model import Maths, MathsStyle


def tree_of(maths: Maths) -> Node | None:
    """Return the tree of a formula, None where it can only be shown as its source."""
    return read_latex(maths.source)


@lru_cache(maxsize=1024)
def pieces(maths: Maths, style: MathsStyle) -> tuple[Picture, ...]:
    """Draw a formula as pieces that may stand on different lines, broken after relations and signs."""
    tree = None if style is MathsStyle.SOURCE else tree_of(maths)
    if tree is None:
        return (line_of(" ".join(maths.source.split())),)
    return (line_of(write(tree)),)


def render_maths(maths: Maths, style: MathsStyle, width: int) -> Picture:
    """Draw a formula as one picture, broken at relations where it is wider than `width` cells."""
    return pieces(maths, style)[0]
