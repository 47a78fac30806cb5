"""The subjects of an attempt as a tree, with bars and scores (pure)."""

from collections.abc import Iterator, Sequence
from typing import Final

from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.content.cells import width
from lms_tui.views import charts
from lms_tui.views import format as say
from lms_tui.views.rows import Row, Span, padded, row, strong
from lms_tui.wire.attempts import SubjectAnalytics

OPEN, CLOSED, LEAF = "▾", "▸", " "
_DEEPEST: Final = 6
_NUMBERS: Final = 28
"""Cells of the four columns of numbers."""


@frozen
class Branch:
    """One row of the tree. `sign`: OPEN, CLOSED or LEAF."""

    subject: SubjectAnalytics
    depth: int
    sign: str

    @property
    def label(self) -> str:
        return f"{'  ' * self.depth}{self.sign} {clean_line(self.subject.name) or 'no name'}"


def branches(subjects: Sequence[SubjectAnalytics], closed: frozenset[int] = frozenset()) -> list[Branch]:
    """The rows of the tree. A subject with an unknown or circular parent stands at the top."""
    below: dict[int | None, list[SubjectAnalytics]] = {}
    known = {subject.id for subject in subjects}
    for subject in subjects:
        below.setdefault(subject.parent if subject.parent in known else None, []).append(subject)
    seen: set[int] = set()

    def walk(parent: int | None, depth: int, *, shown: bool) -> Iterator[Branch]:
        for subject in below.get(parent, ()):
            if subject.id in seen:
                continue
            seen.add(subject.id)
            parts = bool(below.get(subject.id))
            if shown:
                yield Branch(subject, depth, LEAF if not parts else CLOSED if subject.id in closed else OPEN)
            yield from walk(subject.id, min(depth + 1, _DEEPEST), shown=shown and subject.id not in closed)

    found = list(walk(None, 0, shown=True))
    return found + [Branch(subject, 0, LEAF) for subject in subjects if subject.id not in seen]


def parents(subjects: Sequence[SubjectAnalytics]) -> frozenset[int]:
    """IDs of the subjects with parts."""
    return frozenset(subject.parent for subject in subjects if subject.parent is not None) & {s.id for s in subjects}


def without_parts(subjects: Sequence[SubjectAnalytics]) -> list[SubjectAnalytics]:
    above = parents(subjects)
    return [subject for subject in subjects if subject.id not in above]


@frozen
class Columns:
    """The widths of the name and of the bar. `full` is true if there is room for all columns of numbers."""

    name: int
    bar: int
    full: bool

    @classmethod
    def of(cls, shown: Sequence[Branch], room: int) -> "Columns":
        full = room >= 56
        tail = _NUMBERS if full else 13
        longest = max((width(branch.label) for branch in shown), default=0)
        name = min(longest, max(8, (room - tail) * 3 // 5))
        return cls(name, max(1, min(60, room - name - tail - 1)), full)


def heading(columns: Columns) -> Row:
    tail = f"{'✓':>6}{'✗':>7}{'·':>7}{'score':>8}" if columns.full else " correct score"
    return row((" " * (columns.name + columns.bar) + tail[-_tail(columns) - 1 :], "dim"))


def line(branch: Branch, columns: Columns) -> Row:
    subject = branch.subject
    name = padded(branch.label, columns.name)
    counts = [(subject.correct, "good"), (subject.incorrect, "bad"), (subject.unanswered, "dim")]
    bar = charts.stacked(counts, columns.bar) or row((" " * columns.bar, "dim"))
    score = say.number(subject.score)
    if columns.full:
        tail = f"{subject.correct:>6}{subject.incorrect:>7}{subject.unanswered:>7}{score:>8}"
    else:
        total = subject.total or subject.correct + subject.incorrect + subject.unanswered
        tail = f"{f'{subject.correct}/{total}':>7}{score:>6}"
    return (strong(name) if not branch.depth else Span(name), Span(" "), *bar, Span(tail))


def _tail(columns: Columns) -> int:
    return _NUMBERS if columns.full else 13
