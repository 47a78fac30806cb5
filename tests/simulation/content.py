"""What one question holds, as the oracle reads it: from the wire, from the screen, from the server's own record.

The engine has its own values and its own comparison; nothing of them is used here.
"""

import functools
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

_NO_TEXTS: frozenset[tuple[str, str]] = frozenset()
TEXTS = ("short_text", "essay_text", "essay_topic")


@dataclass(frozen=True, slots=True)
class Content:
    """`texts`: pairs of a field, or of the place of a gap, and what stands in it; empty fields are left out."""

    chosen: frozenset[int] = frozenset()
    texts: frozenset[tuple[str, str]] = frozenset()
    marked: bool = False

    @property
    def empty(self) -> bool:
        return not (self.chosen or self.texts or self.marked)

    @property
    def counts(self) -> bool:
        """Whether it is a number in the light: a topic without a text is not."""
        return bool(self.chosen or self.marked or any(field != "essay_topic" for field, _ in self.texts))

    def text(self, field: str) -> str:
        return dict(self.texts).get(field, "")

    def written(self, field: str, text: str) -> "Content":
        others = frozenset(pair for pair in self.texts if pair[0] != field)
        return Content(self.chosen, others | {(field, text)} if text else others, self.marked)

    def __str__(self) -> str:
        parts = [f"options {sorted(self.chosen)}"] if self.chosen else []
        parts += [f"{field} {text[:20]!r} ({len(text)})" for field, text in sorted(self.texts)]
        return ", ".join([*parts, *(["marked"] if self.marked else [])]) or "nothing"


NOTHING = Content()


def content(chosen: Any, texts: Iterable[tuple[str, str | None]], gaps: Any, marked: Any) -> Content:
    if not gaps and not any(text for _, text in texts):
        return Content(frozenset(chosen), _NO_TEXTS, marked is True)
    pairs = [(field, text) for field, text in texts if text]
    pairs += [(f"gap {place}", text) for place, text in gaps if text]
    return Content(frozenset(chosen), frozenset(pairs), marked is True)


def as_sent(body: Any) -> Content:
    """The body of a request, or what a reply says about a question."""
    texts = [(field, getattr(body, field)) for field in TEXTS]
    gaps = [(gap.order, gap.answer) for gap in body.gap_fill_responses or ()]
    return content(body.selected_answers, texts, gaps, body.review)


as_echoed = as_sent


def as_shown(answer: Any) -> Content:
    """The answer of one question as the session gives it to the screen."""
    texts = (("short_text", answer.short_text), ("essay_text", answer.essay_text), ("essay_topic", answer.essay_topic))
    return content(answer.selected, texts, answer.gaps, answer.review)


@functools.lru_cache(maxsize=8)
def as_stored(state: str) -> Mapping[int, Content]:
    """Everything in the JSON text of the server's record. The same text is read once."""
    return {int(number): _stored(held) for number, held in json.loads(state).items()}


def _stored(held: Mapping[str, Any]) -> Content:
    gaps = [(gap["order"], gap["answer"]) for gap in held.get("gap_fill_responses") or ()]
    return content(held["selected_answers"], [(field, held.get(field)) for field in TEXTS], gaps, held["review"])
