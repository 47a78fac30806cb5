"""Turn the text formats of question banks into HTML and leave formulas unchanged.

The HTML is well-formed but not safe. `lms_tui.content` cleans it before it is shown.
"""

import html
import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


class Markup(StrEnum):
    """Text formats. `MOODLE` is text with a few HTML tags in which line breaks are kept."""

    HTML = "html"
    MOODLE = "moodle"
    PLAIN = "plain"
    MARKDOWN = "markdown"


_MATHS: Final = re.compile(
    # Bounded, to keep linear time for a file of nothing but openers.
    r"\$\$.{1,4000}?\$\$|(?<![\\$])\$(?![\s$])[^$]{0,4000}?[^\s$\\]\$(?!\d)"
    r"|\\\(.{1,4000}?\\\)|\\\[.{1,4000}?\\\]",
    re.DOTALL,
)
_TAGS: Final = (
    "a abbr b big blockquote br caption center cite code col colgroup dd del dfn div dl dt em figcaption figure font "
    "h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark math ol p pre q ruby s samp script small span strike strong style sub "
    "sup svg table tbody td tfoot th thead tr tt u ul var video audio iframe object"
).replace(" ", "|")
_SPECIAL: Final = re.compile(r"[<&$\\\n]")
_SVG: Final = re.compile(r"<svg(?=[\s>])", re.IGNORECASE)
_SVG_END: Final = re.compile(r"</svg\s*>", re.IGNORECASE)
_NOT_A_TAG: Final = re.compile(rf"<(?!(?:/?(?:{_TAGS})(?:\s[^<>]*|\s*/)?>)|!--)", re.IGNORECASE)
_NOT_AN_ENTITY: Final = re.compile(r"&(?!(?:[A-Za-z][A-Za-z0-9]{1,31}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});)")
_LONE_PARAGRAPH: Final = re.compile(r"<p>((?:(?!</?p>).)*)</p>", re.DOTALL)


def to_html(text: str, markup: Markup) -> str:
    """Turn a text of a bank into HTML."""
    match markup:
        case Markup.HTML:
            return text
        case Markup.PLAIN:
            return _escape(text).replace("\n", "<br>")
        case Markup.MOODLE if not _SPECIAL.search(text):
            return text
        case Markup.MOODLE:
            return "".join(part if drawn else _around_maths(part, _moodle) for part, drawn in _drawings(text))
        case Markup.MARKDOWN:
            return _markdown(text)


def plain_to_html(text: str) -> str:
    return to_html(text, Markup.PLAIN)


def _escape(text: str) -> str:
    return html.escape(text, quote=False)


def _moodle(text: str) -> str:
    return _NOT_A_TAG.sub("&lt;", _NOT_AN_ENTITY.sub("&amp;", text)).replace("\n", "<br>")


def _drawings(text: str) -> Iterator[tuple[str, bool]]:
    """Cut a text into drawings (`<svg>` elements) and the texts between them."""
    at = 0
    while (opener := _SVG.search(text, at)) and (closer := _SVG_END.search(text, opener.end())):
        yield text[at : opener.start()], False
        yield text[opener.start() : closer.end()], True
        at = closer.end()
    yield text[at:], False


def _around_maths(text: str, convert: Callable[[str], str]) -> str:
    parts: list[str] = []
    end = 0
    for found in _MATHS.finditer(text):
        parts += (convert(text[end : found.start()]), _escape(found[0]))
        end = found.end()
    return "".join([*parts, convert(text[end:])])


def _markdown(text: str) -> str:
    """Render Markdown with formulas held apart, because escapes and emphasis would change them."""
    formulas: list[str] = []

    def put_aside(found: re.Match[str]) -> str:
        formulas.append(_escape(html.unescape(found[0])))
        return f"\ufdef{len(formulas) - 1}\ufdee"

    rendered = _renderer().render(_MATHS.sub(put_aside, text.replace("\ufdef", "\ufffd"))).strip()
    lone = None if text.lstrip().startswith("<p>") else _LONE_PARAGRAPH.fullmatch(rendered)
    return re.sub("\ufdef(\\d+)\ufdee", lambda found: formulas[int(found[1])], lone[1] if lone else rendered)


@cache
def _renderer() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # noqa: PLC0415 - most files have no Markdown

    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
