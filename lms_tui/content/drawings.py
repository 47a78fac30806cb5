"""Turn `<svg>` elements of a page into images. `lms_tui.tui.terminal.rasterizer` draws them."""

import re
from base64 import b64encode
from typing import Final

from selectolax.lexbor import LexborNode

from lms_tui.content.attributes import elements, pixels
from lms_tui.content.model import Image
from lms_tui.content.text import safe_line

_XMLNS: Final = "http://www.w3.org/2000/svg"
_XLINK: Final = "http://www.w3.org/1999/xlink"
_LONGEST_WORDS: Final = 400
_UNSEEN: Final = frozenset({"title", "desc", "style", "script", "metadata"})


def drawing(node: LexborNode) -> Image:
    """Return the image of an `svg` element. An element without shapes has no source and shows its words."""
    wide, tall = _size(node)
    return Image(_source(node, wide, tall), _words(node), wide, tall)


def _size(node: LexborNode) -> tuple[int, int]:
    """Return width and height in pixels, taken from the `viewBox` where they are missing. 0 is unknown."""
    attributes = node.attributes
    wide, tall = pixels(attributes.get("width")), pixels(attributes.get("height"))
    box = [pixels(part) for part in re.split(r"[\s,]+", (attributes.get("viewBox") or "").strip())]
    if len(box) == 4 and box[2] and box[3]:
        if wide:
            return wide, tall or max(1, round(wide * box[3] / box[2]))
        return (max(1, round(tall * box[2] / box[3])), tall) if tall else (box[2], box[3])
    return wide, tall


def _words(node: LexborNode) -> str:
    """Return the title and the text of a drawing."""
    titles = (child.text() or "" for child in elements(node) if child.tag in {"title", "desc"})
    name = next((title for title in titles if title.strip()), "") or node.attributes.get("aria-label") or "drawing"
    written = [text.text() or "" for text in node.css("text")] or [_loose(node)]
    words = ", ".join(line for text in written if (line := " ".join(text.split())))[:_LONGEST_WORDS]
    return safe_line(f"{name}: {words}" if words else name)


def _loose(node: LexborNode) -> str:
    """Return text outside of `text` elements, as in a truncated drawing."""
    parts = (part for part in node.traverse(include_text=True) if part.is_text_node)
    return " ".join(part.text_content or "" for part in parts if not part.parent or part.parent.tag not in _UNSEEN)


def _source(node: LexborNode, wide: int, tall: int) -> str:
    """Return the drawing as a data URI of a standalone SVG file."""
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
    text = f"<svg{added}{text[4:]}".replace("&nbsp;", "&#160;")  # XML does not define &nbsp;
    return "data:image/svg+xml;base64," + b64encode(text.encode("utf-8", "replace")).decode()
