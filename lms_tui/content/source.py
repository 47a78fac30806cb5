"""Prepare the source of a text for the HTML parser. Pictures are taken out, and each `<` that is text is escaped."""

import re
from collections.abc import Callable, Sequence
from typing import Final

_NAMES: Final = frozenset(
    {"a", "abbr", "acronym", "address", "applet", "area", "article", "aside", "audio", "b", "base", "basefont",
     "bdi", "bdo", "big", "blink", "blockquote", "body", "br", "button", "canvas", "caption", "center", "cite",
     "code", "col", "colgroup", "data", "datalist", "dd", "del", "details", "dfn", "dialog", "dir", "div", "dl",
     "dt", "em", "embed", "fieldset", "figcaption", "figure", "font", "footer", "form", "frame", "frameset", "h1",
     "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "i", "iframe", "img", "input", "ins",
     "kbd", "label", "legend", "li", "link", "main", "map", "mark", "marquee", "menu", "meta", "meter", "nav",
     "nobr", "noframes", "noscript", "object", "ol", "optgroup", "option", "output", "p", "param", "picture",
     "plaintext", "pre", "progress", "q", "rb", "rp", "rt", "rtc", "ruby", "s", "samp", "script", "section",
     "select", "slot", "small", "source", "span", "strike", "strong", "style", "sub", "summary", "sup", "svg",
     "table", "tbody", "td", "template", "textarea", "tfoot", "th", "thead", "time", "title", "tr", "track", "tt",
     "u", "ul", "var", "video", "wbr", "xmp", "math", "mi", "mn", "mo", "ms", "mtext", "mspace", "mrow", "mstyle",
     "merror", "mpadded", "mphantom", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup", "munder", "mover",
     "munderover", "mmultiscripts", "mtable", "mtr", "mlabeledtr", "mtd", "mfenced", "menclose", "semantics",
     "annotation", "annotation-xml", "maction", "none", "mprescripts", "g", "path", "circle", "rect", "line",
     "polyline", "polygon", "ellipse", "defs", "use", "symbol", "tspan", "lineargradient", "radialgradient", "stop",
     "clippath"}
)  # fmt: skip
"""Elements of HTML, MathML and SVG. A `<` before any other name is text."""
_TAG: Final = re.compile(r"<(?=[/!?]?[A-Za-z])/?([A-Za-z][\w.:-]*)?")
ANY_TAG: Final = re.compile(r"<(?:/?[A-Za-z][^<>]*|!--)", re.DOTALL)
_FORMULA: Final = re.compile(
    r"\\\((?:\\\\|(?!\\\().)*?\\\)|\\\[(?:\\\\|(?!\\\[).)*?\\\]|\$\$[^$]+\$\$|\$[^$\n]+\$", re.DOTALL
)
_LESS: Final = re.compile(r"<(?=[A-Za-z])(?!(?:br|span|sub|sup|em|i|b)\b[^<>$]*>)")
_LONG_SOURCE: Final = 1_000
_DATA_SOURCE: Final = re.compile(r"data:image/[A-Za-z0-9.+;=-]{1,100}?;base64,(?:[A-Za-z0-9+/=%]|[\r\n][ \t]*){800,}")
_HELD: Final = "held-picture:"
_IN_ADDRESS: Final = re.compile(r"data:image/svg[^\"'>]*(?:<[?!][^>]*>\s*)*\Z", re.IGNORECASE)
_LONGEST_LEAD: Final = 400
"""Characters of a data URI before the SVG in it."""
_WIRIS: Final = re.compile(r"«math\b[^«]*»(?:(?!«/?math\b).)*«/math»", re.DOTALL)
_WIRIS_SIGNS: Final = str.maketrans({"«": "<", "»": ">", "¨": '"', "§": "&"})
_SVG_EDGE: Final = re.compile(r"<(/?)svg(?=[\s/>])[^<>]*>", re.IGNORECASE)


def with_plain_mathml(html: str) -> str:
    """Write MathML in the signs that WIRIS uses inside other markup (`«mi»x«/mi»`) with those of XML."""
    if "«math" not in html:
        return html
    return _WIRIS.sub(lambda found: found[0].translate(_WIRIS_SIGNS), html)


def extract_pictures(html: str) -> tuple[str, list[str]]:
    """Replace SVG drawings and long data URIs by references. Return the text and the list of pictures.

    Pictures do not count towards the length of a text. The HTML parser must not see the elements inside a drawing.
    """
    held: list[str] = []

    def hold(found: str) -> str:
        held.append(found)
        return f"{_HELD}{len(held) - 1}"

    if "svg" in html or "SVG" in html:
        html = _hold_drawings(html, hold)
    if len(html) >= _LONG_SOURCE and "data:image" in html:
        html = _DATA_SOURCE.sub(lambda found: hold(found[0]), html)
    return html, held


def _hold_drawings(html: str, hold: Callable[[str], str]) -> str:
    kept: list[str] = []
    at = depth = start = 0
    for edge in _SVG_EDGE.finditer(html):
        if edge[0].endswith("/>"):
            continue
        depth += -1 if edge[1] else 1
        if depth == 1 and not edge[1]:
            start = edge.start()
            if _IN_ADDRESS.search(html, max(0, start - _LONGEST_LEAD), start):
                depth = 0
        elif depth == 0:
            kept += [html[at:start], f"<svg data-held='{hold(html[start : edge.end()])}'></svg>"]
            at = edge.end()
        depth = max(0, depth)
    return "".join([*kept, html[at:]])


def restore_picture(source: str, held: Sequence[str]) -> str:
    """Return the picture that a reference from `extract_pictures` stands for, or `source` if it is no reference."""
    number = source.removeprefix(_HELD)
    return held[int(number)] if number != source and number.isdecimal() and int(number) < len(held) else source


def escape_stray_brackets(html: str) -> str:
    """Escape each `<` that begins no known tag, or that is part of a formula such as 0<x."""
    html = _FORMULA.sub(lambda found: _LESS.sub("&lt;", found[0]), html)
    return _TAG.sub(_known_tag, html)


def _known_tag(found: "re.Match[str]") -> str:
    name = found[1]
    if name is None or name.lower() in _NAMES or ":" in name or "-" in name:
        return found[0]
    return "&lt;" + found[0][1:]
