"""Decode pictures in data URIs and draw them as half blocks."""

from lms_tui.content.images.bitmap import (
    EMBEDDED,
    Formula,
    Pictures,
    decode,
    embedded,
    following,
    now_shown,
    payload_of,
    show_from,
    showing,
)
from lms_tui.content.images.blocks import half_blocks, size_in_cells
from lms_tui.content.lines import Bitmap

__all__ = [
    "EMBEDDED",
    "Bitmap",
    "Formula",
    "Pictures",
    "decode",
    "embedded",
    "following",
    "half_blocks",
    "now_shown",
    "payload_of",
    "show_from",
    "showing",
    "size_in_cells",
]
