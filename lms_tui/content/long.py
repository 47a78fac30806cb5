"""Cut texts that are too long to lay out at once into parts between their blocks.

The source is cut in one pass, so a text of many megabytes costs only the parts that are shown. Each part reopens the
elements that the part before it left open: a table with its heading, a list with its next number.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 64 * 1024
"""Most characters of a text that is shown whole, without pictures. Nested markup takes quadratic time."""
PART: Final = 16 * 1024
"""Characters after which a part ends at the next block."""
_MOST_OPEN: Final = 40
_LONGEST_TAG: Final = 200
_LONGEST_HEADING: Final = 4_000
_TAG: Final = re.compile(r"<(?P<end>/?)(?P<name>[a-zA-Z][a-zA-Z0-9]{0,10})(?=[\s/>])[^<>]{0,2000}>|<!--")
_VOID: Final = frozenset({"hr", "br", "img", "input", "wbr", "col", "area", "source", "track", "embed", "param"})
_WHOLE: Final = frozenset({"script", "style", "math", "svg", "template", "select", "textarea"})
_BEFORE: Final = frozenset(
    {"tr", "p", "div", "li", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "blockquote", "dt", "section"}
)
"""Tags before which a part may end."""
_KNOWN: Final = _BEFORE | {
    "tbody", "thead", "tfoot", "td", "th", "pre", "dl", "dd", "article", "aside", "center", "figure", "b", "i", "u",
    "s", "strong", "em", "code", "sub", "sup", "span", "small", "a", "font", "bdo", "bdi",
}  # fmt: skip
_ENDED: Final = {
    "tr": ({"tr"}, {"table"}), "td": ({"td", "th"}, {"tr", "table"}), "th": ({"td", "th"}, {"tr", "table"}),
    "li": ({"li"}, {"ul", "ol"}), "p": ({"p"}, {"td", "th", "li", "div", "blockquote", "dd"}),
    "dt": ({"dt", "dd"}, {"dl"}), "dd": ({"dt", "dd"}, {"dl"}),
}  # fmt: skip
"""Tags that a start tag closes, and the tags that stop the search for them."""
_START: Final = re.compile(r"\bstart\s*=\s*[\"']?(-?\d{1,6})", re.IGNORECASE)


def is_long(html: str) -> bool:
    return len(html) > LONGEST


def parts(html: str) -> Iterator[str]:
    """Cut a text into parts of about PART characters."""
    tags = _Open()
    lead = ""
    start = at = 0
    while True:
        match = _TAG.search(html, at)
        end = match.start() if match else len(html)
        while end - start > 2 * PART:
            cut = max(at, _between_words(html, start + PART, start + 2 * PART))
            yield lead + html[start:cut]
            lead, start = tags.again(), cut
            at = max(at, cut)
        if match is None:
            yield lead + html[start:]
            return
        name = (match["name"] or "").lower()
        at = match.end()
        if not name or (name in _WHOLE and not match["end"]):
            at = _past(html, name, at)
        elif match["end"]:
            tags.close(name, html, end)
        elif name not in _VOID:
            tags.implied(name, html, end)
            if name in _BEFORE and end - start >= PART:
                yield lead + html[start:end]
                lead, start = tags.again(), end
            tags.open(name, match[0], end)


def _between_words(html: str, first: int, last: int) -> int:
    """Return where to cut running text: before a line or a word, and never inside an entity."""
    for blank in "\n ":
        if (found := html.rfind(blank, first, last)) > 0:
            return found
    entity = html.rfind("&", last - 12, last)
    return entity if entity > 0 and ";" not in html[entity:last] else last


def _past(html: str, name: str, at: int) -> int:
    """Return the end of a comment or of an element that is never cut."""
    if not name:
        found = html.find("-->", at)
        return found + 3 if found >= 0 else len(html)
    end = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(html, at)
    return end.end() if end else len(html)


@dataclass(slots=True)
class _Tag:
    """An open tag. `heading` is the first row of a table. `items` counts the items of a list."""

    name: str
    source: str
    at: int
    heading: str = ""
    rows: int = 0
    items: int = 0

    def again(self) -> str:
        if self.name == "ol":
            found = _START.search(self.source)
            number = (int(found[1]) if found else 1) + self.items
            return f'<ol start="{number}"{self.source[3:]}'
        return self.source + self.heading


class _Open:
    """The open tags at a position of the source."""

    def __init__(self) -> None:
        self._tags: list[_Tag] = []

    def again(self) -> str:
        return "".join(tag.again() for tag in self._tags)

    def open(self, name: str, source: str, at: int) -> None:
        if name not in _KNOWN or len(self._tags) >= _MOST_OPEN:
            return
        if name == "li" and (holder := self._last("ol", "ul")) is not None:
            holder.items += 1
        self._tags.append(_Tag(name, source if len(source) < _LONGEST_TAG else f"<{name}>", at))

    def implied(self, name: str, html: str, at: int) -> None:
        """Close the tags that a start tag closes implicitly."""
        ended, fences = _ENDED.get(name, (frozenset(), frozenset()))
        for place in range(len(self._tags) - 1, -1, -1):
            if self._tags[place].name in ended:
                self._drop(place, html, at)
                return
            if self._tags[place].name in fences:
                return

    def close(self, name: str, html: str, at: int) -> None:
        place = next((n for n in range(len(self._tags) - 1, -1, -1) if self._tags[n].name == name), -1)
        if place >= 0:
            self._drop(place, html, at)

    def _drop(self, place: int, html: str, at: int) -> None:
        tag = self._tags[place]
        del self._tags[place:]
        if tag.name == "tr" and (table := self._last("table")) is not None:
            table.rows += 1
            row = html[tag.at : at] if at - tag.at < _LONGEST_HEADING else ""
            if table.rows == 1 and "<th" in row.lower():
                table.heading = f"{row}</tr>"

    def _last(self, *names: str) -> _Tag | None:
        return next((tag for tag in reversed(self._tags) if tag.name in names), None)
