"""Drawings that stand in a page, `<svg>`, as the pictures that they are; nothing here draws them."""

import re
from base64 import b64encode
from typing import Final

from selectolax.lexbor import LexborNode

from lms_tui.common.cleaning import clean_line
from lms_tui.content.cells import settle
from lms_tui.content.markup import elements, pixels
from lms_tui.content.model import Image

_XMLNS: Final = "http://www.w3.org/2000/svg"
_XLINK: Final = "http://www.w3.org/1999/xlink"
_LONGEST_WORDS: Final = 400
_UNSEEN: Final = frozenset({"title", "desc", "style", "script", "metadata"})


def drawing(node: LexborNode) -> Image:
    """Make a picture of an `svg` element; one without any shape has no source, so that its words stand for it."""
    wide, tall = _size(node)
    return Image(_source(node, wide, tall), _words(node), wide, tall)


def _size(node: LexborNode) -> tuple[int, int]:
    """Width and height in pixels: what is not written follows from the box, as in a browser; 0 unknown."""
    attributes = node.attributes
    wide, tall = pixels(attributes.get("width")), pixels(attributes.get("height"))
    box = [pixels(part) for part in re.split(r"[\s,]+", (attributes.get("viewBox") or "").strip())]
    if len(box) == 4 and box[2] and box[3]:
        if wide:
            return wide, tall or max(1, round(wide * box[3] / box[2]))
        return (max(1, round(tall * box[2] / box[3])), tall) if tall else (box[2], box[3])
    return wide, tall


def _words(node: LexborNode) -> str:
    """What it is called, and what is written in it."""
    titles = (child.text() or "" for child in elements(node) if child.tag in {"title", "desc"})
    name = next((title for title in titles if title.strip()), "") or node.attributes.get("aria-label") or "drawing"
    written = [text.text() or "" for text in node.css("text")] or [_loose(node)]
    words = ", ".join(line for text in written if (line := " ".join(text.split())))[:_LONGEST_WORDS]
    return settle(clean_line(f"{name}: {words}" if words else name))


def _loose(node: LexborNode) -> str:
    """Text that is no part of the drawing: of one that is broken off, or written wrongly."""
    parts = (part for part in node.traverse(include_text=True) if part.is_text_node)
    return " ".join(part.text_content or "" for part in parts if not part.parent or part.parent.tag not in _UNSEEN)


def _source(node: LexborNode, wide: int, tall: int) -> str:
    """The address of the drawing: a data URI of itself, as a file of its own would be written."""
    text = node.html or ""
    if not elements(node) or not text.startswith("<svg"):
        return ""
    attributes = node.attributes
    added = "" if "xmlns" in attributes else f' xmlns="{_XMLNS}"'
    if "xlink:" in text and "xmlns:xlink" not in attributes:
        added += f' xmlns:xlink="{_XLINK}"'
    for name, side in (("width", wide), ("height", tall)):
        if side and name not in attributes:
            added += f' {name}="{side}"'
    text = f"<svg{added}{text[4:]}".replace("&nbsp;", "&#160;")  # the one entity here that XML does not know
    return "data:image/svg+xml;base64," + b64encode(text.encode("utf-8", "replace")).decode()
