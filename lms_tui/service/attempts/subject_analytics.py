"""Analytics of an attempt by subject, as pure functions."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from lms_tui.banks.scoring import MarkedQuestion, Outcome
from lms_tui.common.frozen import frozen


@frozen
class SubjectNode:
    id: int
    name: str
    parent: int | None = None


@frozen
class SubjectLine:
    """The numbers of a subject, which include those of its children."""

    id: int
    name: str
    total: int
    correct: int
    unanswered: int
    incorrect: int
    parent: int | None
    leaf: bool
    score: Decimal


def analyse_subjects(subjects: Sequence[SubjectNode], marked: Iterable[MarkedQuestion]) -> tuple[SubjectLine, ...]:
    """Add up an attempt by subject, parents before their children, without subjects that have no questions.

    A subject whose parent is missing becomes a root.
    """
    known = {subject.id: subject for subject in subjects}
    tallies: dict[int, _Tally] = defaultdict(_Tally)
    for one in marked:
        for ancestor in _lineage(one.subject, known):
            tallies[ancestor] = tallies[ancestor].plus(one)
    children: dict[int | None, list[SubjectNode]] = defaultdict(list)
    for subject in subjects:
        if subject.id in tallies:
            children[_parent(subject, known)].append(subject)
    return tuple(
        tallies[subject.id].line(subject, _parent(subject, known), leaf=not children.get(subject.id))
        for subject in _walk(children, None)
    )


@frozen
class _Tally:
    total: int = 0
    correct: int = 0
    unanswered: int = 0
    incorrect: int = 0
    score: Decimal = Decimal(0)

    def plus(self, one: MarkedQuestion) -> "_Tally":
        return _Tally(
            self.total + 1,
            self.correct + (one.outcome is Outcome.CORRECT),
            self.unanswered + (one.outcome is Outcome.UNANSWERED),
            self.incorrect + (one.outcome in {Outcome.PARTIAL, Outcome.INCORRECT}),
            self.score + one.score,
        )

    def line(self, subject: SubjectNode, parent: int | None, *, leaf: bool) -> SubjectLine:
        return SubjectLine(
            subject.id,
            subject.name,
            self.total,
            self.correct,
            self.unanswered,
            self.incorrect,
            parent,
            leaf,
            self.score,
        )


def _parent(subject: SubjectNode, known: Mapping[int, SubjectNode]) -> int | None:
    return subject.parent if subject.parent in known else None


def _lineage(subject: int | None, known: Mapping[int, SubjectNode]) -> list[int]:
    """Return a subject and all its ancestors."""
    line: list[int] = []
    while subject is not None and subject in known and subject not in line:
        line.append(subject)
        subject = known[subject].parent
    return line


def _walk(children: Mapping[int | None, Sequence[SubjectNode]], parent: int | None) -> Iterable[SubjectNode]:
    for subject in children.get(parent, ()):
        yield subject
        yield from _walk(children, subject.id)
