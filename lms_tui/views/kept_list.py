"""The home screen as it was last seen, to show at the next start until the server has answered (pure).

It is kept as drawn rows, because the models of the API take longer to import than the first screen to paint. Rows fit
the width at which they were kept. A narrower window cuts them.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from lms_tui.common.cleaning import clean
from lms_tui.common.frozen import frozen
from lms_tui.content.lines import Mark
from lms_tui.views.rows import Row, Span

_MOST: Final = 200
_LONGEST: Final = 1_000
_VERSION: Final = 2


@frozen
class KeptEntry:
    """`key`: of the row in the list, "" for a heading. `slug`: of its exam, "" if it is not known."""

    key: str
    slug: str
    row: Row


@frozen
class KeptList:
    """`who`: the user and the server. `details`: of the first row. `extras`: the rows that arrive after the exams."""

    who: str
    entries: tuple[KeptEntry, ...]
    details: tuple[Row, ...] = ()
    extras: tuple[KeptEntry, ...] = ()

    @property
    def first(self) -> str:
        """The key of the first row, "" if there is none."""
        return next((entry.key for entry in self.entries if entry.key), "")

    def slug_of(self, key: str) -> str:
        return next((entry.slug for entry in self.entries if key and entry.key == key), "")


@frozen
class SeenList:
    """A kept list on the screen, with the cursor at `key`."""

    kept: KeptList
    key: str


def written(kept: KeptList) -> bytes:
    """Return a kept list as bytes that `read` takes."""
    parts = {"entries": kept.entries, "extras": kept.extras}
    rows = {
        name: [[entry.key, entry.slug, _plain(entry.row)] for entry in part[:_MOST]] for name, part in parts.items()
    }
    details = [_plain(row) for row in kept.details[:_MOST]]
    tree = {"version": _VERSION, "who": kept.who, "details": details, **rows}
    return json.dumps(tree, ensure_ascii=False).encode()


def read(data: bytes) -> KeptList | None:
    """Return a kept list with clean texts, None for anything else and for a list without exams."""
    try:
        tree = json.loads(data)
        if tree["version"] != _VERSION:
            return None
        details = tuple(_row(row) for row in tree["details"][:_MOST])
        kept = KeptList(_text(tree["who"]), _entries(tree["entries"]), details, _entries(tree["extras"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return kept if kept.first else None


def _entries(tree: Sequence[Any]) -> tuple[KeptEntry, ...]:
    return tuple(KeptEntry(_text(key), _text(slug), _row(row)) for key, slug, row in tree[:_MOST])


def _plain(row: Row) -> list[list[Any]]:
    return [[span.text, span.look, span.marks.value] for span in row]


def _row(spans: Iterable[Any]) -> Row:
    return tuple(Span(_text(text), _text(look), Mark(marks)) for text, look, marks in spans)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is expected")
    return clean(value).replace("\n", " ").replace("\t", " ")[:_LONGEST]
