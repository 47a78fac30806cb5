"""The words of passages and questions that a student highlighted, kept as text on the desk of an attempt (pure).

The name on the desk has a digest of the words. A text that the server changed has another name, and no highlights.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from lms_tui.attempt.desk import highlights_of
from lms_tui.common.frozen import frozen
from lms_tui.content.html import parse
from lms_tui.content.lines import Mark
from lms_tui.content.words import Span, digest_of, words_in

_RANGE: Final = re.compile(r"(\d{1,6})-(\d{1,6})")
_OUTER: Final = re.compile(r"^\W+|\W+$")

Range = tuple[int, int]
"""The number of the first word, and of the word behind the last one."""


@frozen
class WordText:
    """The words of a question, or of a passage, whose `question_id` is 0. `first`: the number of its first word."""

    words: tuple[str, ...]
    first: int
    question_id: int
    name: str
    """The name of its highlights on the desk."""

    @property
    def stop(self) -> int:
        return self.first + len(self.words)

    def ranges(self, kept: str) -> tuple[Range, ...]:
        """Return the highlights from the text on the desk. A range that does not fit is left out."""
        found = ((int(start), int(stop)) for start, stop in _RANGE.findall(kept))
        return tuple(
            (self.first + start, self.first + stop) for start, stop in found if start < stop <= len(self.words)
        )

    def part(self, chosen: Range) -> Range | None:
        """Return those of the words that belong to this text."""
        start, stop = max(chosen[0], self.first), min(chosen[1], self.stop)
        return (start, stop) if start < stop else None

    def covers(self, kept: str, chosen: Range) -> bool:
        """Return whether all of these words are highlighted."""
        return any(start <= chosen[0] and chosen[1] <= stop for start, stop in self.ranges(kept))

    def toggled(self, kept: str, chosen: Sequence[Range]) -> str:
        """Highlight words, or remove their highlights if all of them have one. Return the new text for the desk."""
        wanted = {number for start, stop in chosen for number in range(start, stop)}
        lit = {number for start, stop in self.ranges(kept) for number in range(start, stop)}
        lit = lit - wanted if wanted <= lit else lit | wanted
        starts = sorted(number for number in lit if number - 1 not in lit)
        stops = sorted(number + 1 for number in lit if number + 1 not in lit)
        return " ".join(f"{start - self.first}-{stop - self.first}" for start, stop in zip(starts, stops, strict=True))

    def phrase(self, chosen: Range) -> str:
        return " ".join(self.words[chosen[0] - self.first : chosen[1] - self.first])

    def places_of(self, phrase: str) -> list[Range]:
        """Return where these words stand. Case, and signs around a word, do not matter."""
        wanted, words = list(map(_bare, phrase.split())), list(map(_bare, self.words))
        size = len(wanted)
        starts = [at for at in range(len(words) - size + 1) if words[at : at + size] == wanted] if any(wanted) else []
        return [(self.first + at, self.first + at + size) for at in starts]


@lru_cache(256)
def words_of(html: str) -> tuple[str, ...]:
    return words_in(parse(html))


@lru_cache(256)
def texts_of(question_id: int, passage_html: str | None, question_html: str) -> tuple[WordText, ...]:
    """Return the passage of a question, if it has one, and its text. A passage is shared by its questions."""
    passage, stem = words_of(passage_html or ""), words_of(question_html)
    texts = (passage, 0, 0), (stem, len(passage), question_id)
    return tuple(
        WordText(words, first, owner, highlights_of(digest_of(words), owner)) for words, first, owner in texts if words
    )


def spans_of(texts: Sequence[WordText], read: Callable[[str], str]) -> tuple[Span, ...]:
    """Return the marks of the highlighted words. `read` returns a text of the desk by its name."""
    return tuple((*chosen, Mark.MARKER) for text in texts for chosen in text.ranges(read(text.name)))


def _bare(word: str) -> str:
    return _OUTER.sub("", word).casefold() or word.casefold()
