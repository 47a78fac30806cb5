"""Drawing what Pillow does not read, SVG and typeset formulas, in a process of its own.

What is drawn was written by strangers: the process reads no file and no address, has limits of memory and time, and
costs a picture, not the program, where it dies. It needs the typesetter (`lms-tui[pictures]`).
"""

from lms_tui.tui.terminal.rasterizer.process import Easel, is_installed, is_svg

__all__ = ["Easel", "is_installed", "is_svg"]
