"""Write HTML as well-formed XML, and turn embedded pictures into files."""

import base64
import binascii
import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from lms_tui.banks.texts import plain
from lms_tui.common.cleaning import UNSEEN

_LARGEST: Final = 256 * 1024
_DEEPEST: Final = 100
_DATA: Final = re.compile(r"data:image/([a-z0-9.+-]{1,20});base64,([A-Za-z0-9+/=]+)", re.IGNORECASE)
_ILLEGAL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")
_VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
_ENDINGS: Final = {"jpeg": "jpg", "svg+xml": "svg"}


def xhtml(markup: str) -> str:
    """Write HTML as XML. Broken HTML is read as in a browser, and comments are dropped."""
    text = _ILLEGAL.sub(UNSEEN, markup)
    if "<" not in text and "&" not in text:
        return html.escape(text, quote=False)
    uris: list[str] = []

    def aside(found: "re.Match[str]") -> str:
        uris.append(found[0])
        return f"data:{len(uris) - 1}:aside"

    light = _DATA.sub(aside, text)
    if len(light) > _LARGEST:
        return escape(plain(markup))
    body = LexborHTMLParser(f"<!doctype html><html><body>{light}</body></html>").body
    parts: list[str] = []
    if body is not None:
        _children(body, parts, 0)
    return re.sub(r"data:(\d+):aside", lambda found: _uri(uris, found), "".join(parts)).strip()


def _uri(uris: list[str], found: "re.Match[str]") -> str:
    at = int(found[1]) if len(found[1]) < 7 else len(uris)
    return uris[at] if at < len(uris) else found[0]


def escape(text: str) -> str:
    """Escape text or an attribute's value for XML."""
    return html.escape(_ILLEGAL.sub(UNSEEN, text))


def _children(node: LexborNode, parts: list[str], depth: int) -> None:
    child = node.first_child
    while child is not None:
        if child.is_text_node:
            parts.append(html.escape(_ILLEGAL.sub(UNSEEN, child.text_content or ""), quote=False))
        elif child.is_element_node:
            _element(child, parts, depth)
        child = child.next


def _element(node: LexborNode, parts: list[str], depth: int) -> None:
    name = node.tag or ""
    if depth > _DEEPEST or not _NAME.match(name):
        parts.append(html.escape(node.text() or "", quote=False))
        return
    attributes = "".join(
        f' {key}="{escape(value or "")}"' for key, value in node.attributes.items() if _NAME.match(key)
    )
    if name in _VOID:
        parts.append(f"<{name}{attributes}/>")
        return
    parts.append(f"<{name}{attributes}>")
    _children(node, parts, depth + 1)
    parts.append(f"</{name}>")


@dataclass(slots=True)
class Files:
    """Collects pictures from data URIs, each once, with generated file names."""

    names: dict[bytes, str] = field(default_factory=dict)

    def take_out(self, markup: str, refer: Callable[[str], str]) -> str:
        """Replace each data URI by `refer(name)`, where `name` is the picture's file name."""
        return _DATA.sub(lambda found: self._named(found, refer), markup) if "data:" in markup else markup

    def _named(self, found: "re.Match[str]", refer: Callable[[str], str]) -> str:
        try:
            data = base64.b64decode(found[2], validate=True)
        except (binascii.Error, ValueError):
            return found[0]
        kind = found[1].lower()
        name = self.names.setdefault(data, f"picture-{len(self.names) + 1}.{_ENDINGS.get(kind, kind)}")
        return refer(name)
