"""Pictures in cells: data URIs to half blocks; what cannot be shown stays its alternative text."""

from lms_tui.content.images.bitmap import Bitmap, decode, embedded
from lms_tui.content.images.blocks import half_blocks, size_in_cells

__all__ = ["Bitmap", "decode", "embedded", "half_blocks", "size_in_cells"]
