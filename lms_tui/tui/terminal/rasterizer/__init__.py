"""Draw SVG and typeset formulas, which Pillow cannot read, in a separate process.

The sources are untrusted. The process reads no files and no addresses and has limits on memory and time. A crash of
the process costs one picture, not the program. It needs the typesetter (`lms-tui[pictures]`).
"""

from lms_tui.tui.terminal.rasterizer.process import Rasterizer, is_installed, is_svg

__all__ = ["Rasterizer", "is_installed", "is_svg"]
