"""Cards for other programs: plain texts, or safe HTML with formulas for MathJax and pictures as files (pure)."""

import hashlib
import html
from collections.abc import Callable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final

from lms_tui.common.cleaning import clean
from lms_tui.content.delimiters import formulas
from lms_tui.content.images import payload_of
from lms_tui.practice.cards import Card, plain_words
from lms_tui.views.format import letter

FIELDS: Final = ("Question", "Options", "Answer", "Explanation", "Subject", "Exam")
FindPicture = Callable[[str], bytes | None]
"""Returns the bytes of a picture by its address, if this computer has it."""
_TAGS: Final = frozenset(
    (
        *("p", "div", "span", "br", "hr", "b", "strong", "i", "em", "u", "s", "sub", "sup", "small", "code", "pre"),
        *("blockquote", "ul", "ol", "li", "dl", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6"),
        *("table", "caption", "thead", "tbody", "tr", "th", "td"),
    )
)
_EMPTY: Final = frozenset({"br", "hr"})
_HIDDEN: Final = frozenset({"script", "style", "template", "iframe", "object", "title"})
_SIGNS: Final = ((b"\x89PNG", "png"), (b"\xff\xd8", "jpg"), (b"GIF8", "gif"), (b"BM", "bmp"), (b"RIFF", "webp"))


@dataclass
class Exported:
    """`notes`: the fields of each card in the order of FIELDS. `digests`: one for each. `files`: pictures by name."""

    notes: list[tuple[str, ...]] = field(default_factory=list)
    digests: list[str] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)

    def add(self, card: Card, find: FindPicture) -> None:
        """Add a card as safe HTML. A server's scripts, styles, links and attributes are left out."""

        def safe(text: str) -> str:
            writer = _Writer(find, self.files)
            writer.feed(text)
            writer.close()
            return writer.text

        asked = card.asked
        passage = f"{safe(asked.direction)}<hr>" if (asked.direction or "").strip() and asked.direction else ""
        options = "".join(f"<li>{safe(option.text_html)}</li>" for option in asked.answers)
        self.notes.append(
            (
                passage + safe(asked.question_html),
                f'<ol type="A">{options}</ol>' if options else "",
                "<br>".join(f"{lead}{safe(text)}" for lead, text in correct(card)),
                safe(card.explanation_html),
                html.escape(card.subject),
                html.escape(card.exam),
            )
        )
        self.digests.append(card.digest)


def correct(card: Card) -> list[tuple[str, str]]:
    """Return the letter and the HTML of each correct option, or the keys of a written answer."""
    letters = {option.id: f"{letter(place)}: " for place, option in enumerate(card.asked.answers)}
    if not card.options:
        letters = {}
    return [(letters.get(option.id, ""), option.text_html) for option in card.shown if option.is_correct]


def texts_of(card: Card) -> tuple[str, ...]:
    """Return the fields of a card as plain text."""
    return (
        card.words,
        "; ".join(
            f"{letter(place)}: {plain_words(option.text_html)}" for place, option in enumerate(card.asked.answers)
        ),
        "; ".join(f"{lead}{plain_words(text)}" for lead, text in correct(card)),
        plain_words(card.explanation_html),
        card.subject,
        card.exam,
    )


class _Writer(HTMLParser):
    """Writes the allowed tags without attributes, and pictures that are known."""

    def __init__(self, find: FindPicture, files: dict[str, bytes]) -> None:
        super().__init__(convert_charrefs=True)
        self._find = find
        self._files = files
        self._parts: list[str] = []
        self._open: list[str] = []
        self._hidden = 0

    @property
    def text(self) -> str:
        return "".join(self._parts) + "".join(f"</{tag}>" for tag in reversed(self._open))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _HIDDEN:
            self._hidden += 1
        elif self._hidden:
            return
        elif tag == "img":
            given = {name: value or "" for name, value in attrs}
            self._parts.append(self._picture(given.get("src", ""), given.get("alt", "")))
        elif tag in _TAGS:
            self._parts.append(f"<{tag}>")
            if tag not in _EMPTY:
                self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif not self._hidden and tag in self._open:
            while self._open:
                last = self._open.pop()
                self._parts.append(f"</{last}>")
                if last == tag:
                    break

    def handle_data(self, data: str) -> None:
        if self._hidden:
            return
        text, at = clean(data), 0
        for found in formulas(text):
            self._parts.append(html.escape(text[at : found.start], quote=False))
            source = html.escape(found.source, quote=False)
            drawn = f"\\[{source}\\]" if found.display else f"\\({source}\\)"
            self._parts.append(drawn if found.source else html.escape(found.literal, quote=False))
            at = found.end
        self._parts.append(html.escape(text[at:], quote=False))

    def _picture(self, source: str, alternative: str) -> str:
        data = payload_of(source) if source.startswith("data:") else self._find(source)
        kind = next((kind for sign, kind in _SIGNS if data and data.startswith(sign)), "")
        if not data or not kind:
            return html.escape(f"[{clean(alternative) or 'picture'}]")
        name = f"lms-tui-{hashlib.sha256(data).hexdigest()[:16]}.{kind}"
        self._files[name] = data
        return f'<img src="{name}" alt="{html.escape(clean(alternative))}">'
