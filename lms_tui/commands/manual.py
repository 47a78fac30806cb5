"""The pages of `docs/`, which the wheel carries, and their sections by name (standard library only)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from lms_tui.common.frozen import frozen

_PLACES: Final = (Path(__file__).parents[1] / "pages", Path(__file__).parents[2] / "docs")
"""In a wheel, and in a checkout."""
_HEADING: Final = re.compile(r"(#{1,6}) (.+)")
_FENCE: Final = "```"
_LEAST_LETTERS: Final = 3


@frozen
class Heading:
    """`line`: where it is in its page, counted from 0. `level`: 1 for the title."""

    line: int
    level: int
    text: str


@dataclass(frozen=True)
class Page:
    """`name`: the topic. `text`: Markdown."""

    name: str
    text: str

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        return tuple(_headings(self.text))

    @property
    def title(self) -> str:
        return self.headings[0].text.replace("`", "") if self.headings else self.name

    def section(self, name: str) -> str:
        """Return the Markdown below the first heading of this name, with the heading. Empty if there is none."""
        lines = self.text.splitlines()
        for number, heading in enumerate(self.headings):
            if _same(heading.text, name):
                later = (other.line for other in self.headings[number + 1 :] if other.level <= heading.level)
                return "\n".join(lines[heading.line : next(later, len(lines))])
        return ""


def _headings(text: str) -> Iterator[Heading]:
    in_code = False
    for number, line in enumerate(text.splitlines()):
        if line.lstrip().startswith(_FENCE):
            in_code = not in_code
        elif not in_code and (found := _HEADING.fullmatch(line)):
            yield Heading(number, len(found[1]), found[2])


def _same(heading: str, name: str) -> bool:
    return heading.replace("`", "").casefold() == name.casefold()


def pages() -> tuple[Page, ...]:
    """Return every page, by name. Empty if neither a wheel nor a checkout has them."""
    folder = next((place for place in _PLACES if place.is_dir()), None)
    found = sorted(folder.glob("*.md")) if folder else []
    return tuple(Page(path.stem, path.read_text(encoding="utf-8")) for path in found)


def text_of(topic: str, known: Sequence[Page]) -> str:
    """Return the Markdown of the page or the section with this name. Empty if there is none, or several sections."""
    for page in known:
        if page.name == topic.casefold():
            return page.text
    sections = [text for page in known if (text := page.section(topic))]
    return sections[0] if len(sections) == 1 else ""


def near(topic: str, known: Sequence[Page]) -> list[str]:
    """Return the names of pages with a similar name, then of those that have the word in a heading or in the text."""
    from difflib import get_close_matches

    word = topic.casefold()
    names = get_close_matches(word, [page.name for page in known], 3)
    if len(word) >= _LEAST_LETTERS:
        in_headings = [page.name for page in known if any(word in each.text.casefold() for each in page.headings)]
        in_texts = [page.name for page in known if word in page.text.casefold()]
        names += in_headings or in_texts
    return list(dict.fromkeys(names))[:4]
