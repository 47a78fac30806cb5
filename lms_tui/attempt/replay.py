"""The replay of an ended attempt, from its journal: visits of questions and changed answers (pure)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from lms_tui.attempt.journal.receipt import Paper, paper_of
from lms_tui.attempt.journal.undelivered import says_something
from lms_tui.attempt.journal_session import OTHER_DEVICE
from lms_tui.attempt.ports import Entry, JournalRecord, Kept
from lms_tui.attempt.values import Answer
from lms_tui.attempt.visits import PASSING
from lms_tui.common.frozen import frozen


@frozen
class Stay:
    """One visit of a question. `start` counts the seconds of all visits before it."""

    question_id: int
    start: float
    seconds: float


@frozen
class Change:
    """An answer that was given and then replaced, or taken back: `after` is then not given.

    `at` is a moment as `Stay.start` counts, or None if the journal does not tell it.
    """

    question_id: int
    before: Answer
    after: Answer
    at: float | None


@frozen
class Replay:
    """`timed` is false for a journal of an earlier version, which holds no visits.

    `breaks` are the moments, as `Stay.start` counts, at which the program was closed or the computer slept.
    """

    stays: tuple[Stay, ...]
    changes: tuple[Change, ...]
    breaks: tuple[float, ...]
    timed: bool
    other_device: bool
    paper: Paper

    @property
    def seconds(self) -> float:
        return sum(stay.seconds for stay in self.stays)

    @property
    def questions(self) -> tuple[int, ...]:
        """The questions in the order in which they were shown. Those that the paper does not have come last."""
        known = {int(question): place[0] for question, place in self.paper.items()}
        found = {*known, *(stay.question_id for stay in self.stays), *(change.question_id for change in self.changes)}
        return tuple(sorted(found, key=lambda question: (question not in known, known.get(question, 0), question)))

    def stays_at(self, question_id: int) -> tuple[Stay, ...]:
        return tuple(stay for stay in self.stays if stay.question_id == question_id)

    def changes_of(self, question_id: int) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if change.question_id == question_id)


def replay_of(journal: JournalRecord) -> Replay:
    """Return the replay of a journal."""
    spans = _without_passing(_spans(_moments(journal)), _first_visits(journal.history()))
    stays: list[Stay] = []
    breaks: list[float] = []
    at: dict[int, float] = {}
    total = 0.0
    for span in spans:
        if not span.run:
            continue
        if span.after_break and stays:
            breaks.append(total)
        if stays and stays[-1].question_id == span.question_id:
            stays[-1] = replace(stays[-1], seconds=stays[-1].seconds + span.seconds)
        else:
            stays.append(Stay(span.question_id, total, span.seconds))
        at |= {entry.sequence: total + entry.boot - span.start for entry in span.entries}
        total += span.seconds
    return Replay(
        tuple(stays),
        tuple(_changes(spans, at)),
        tuple(breaks),
        timed=bool(stays),
        other_device=bool(journal.recall(OTHER_DEVICE)),
        paper=paper_of(journal),
    )


@frozen
class _Moment:
    """A question was on the screen at this time. `entry`: the change that was made, None for a visit."""

    run: int
    boot: float
    question_id: int
    entry: Entry | None = None


@dataclass(slots=True)
class _Span:
    """A time without a break at one question. In run 0 the times are unknown."""

    run: int
    question_id: int
    start: float
    end: float
    after_break: bool
    entries: list[Entry] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        return max(0.0, self.end - self.start)


def _moments(journal: JournalRecord) -> list[_Moment]:
    """The moments of all runs in their order. Boot clocks are compared within a run only.

    Changes from before the first visit, as an earlier version wrote them, are in run 0.
    """
    runs = sorted({visit.run for visit in journal.visits()})
    moments = [_Moment(visit.run, visit.boot, visit.question_id) for visit in journal.visits()]
    for kept in journal.history():
        entry = kept.entry
        run = max((run for run in runs if run < entry.sequence), default=0)
        moments.append(_Moment(run, entry.boot if run else float(entry.sequence), entry.question_id, entry))
    return sorted(moments, key=lambda moment: (moment.run, moment.boot, moment.entry is not None))


def _spans(moments: Iterable[_Moment]) -> Iterator[_Span]:
    """The spans in their order. The last one of a run ends at the last known moment of the run."""
    span: _Span | None = None
    away = False
    for moment in moments:
        same_run = span is not None and span.run == moment.run
        if span is not None and same_run and not away:
            span.end = moment.boot
        if not moment.question_id:
            away = True
            continue
        if span is None or away or not same_run or span.question_id != moment.question_id:
            if span is not None:
                yield span
            span = _Span(moment.run, moment.question_id, moment.boot, moment.boot, away or not same_run)
            away = False
        if moment.entry is not None:
            span.entries.append(moment.entry)
    if span is not None:
        yield span


def _first_visits(history: Sequence[Kept]) -> frozenset[int]:
    """The numbers of the changes that only note that a question was opened."""
    first: dict[int, Entry] = {}
    for kept in history:
        first.setdefault(kept.entry.question_id, kept.entry)
    return frozenset(entry.sequence for entry in first.values() if not says_something(entry.answer))


def _without_passing(spans: Iterable[_Span], first_visits: frozenset[int]) -> list[_Span]:
    """Leave out the questions that were passed. Their time counts for the question that was reached."""
    found: list[_Span] = []
    passed: _Span | None = None
    for span in spans:
        if passed is not None and passed.run == span.run and not span.after_break:
            span.start, span.after_break = passed.start, passed.after_break
        passed = None
        if span.run and span.seconds < PASSING and all(entry.sequence in first_visits for entry in span.entries):
            passed = span
        elif found and _continues(found[-1], span):
            found[-1].end = span.end
            found[-1].entries += span.entries
        else:
            found.append(span)
    return found


def _continues(before: _Span, span: _Span) -> bool:
    return (before.run, before.question_id) == (span.run, span.question_id) and not span.after_break


def _changes(spans: Sequence[_Span], at: Mapping[int, float]) -> Iterator[Change]:
    """The changed answers, question by question.

    An answer counts when the question is left. One option that is replaced or taken back counts at once. A text and
    several options are put together in steps, which do not count.
    """
    visits: dict[int, list[list[Entry]]] = {}
    last = 0
    for span in spans:
        if span.question_id == last:
            visits[last][-1].extend(span.entries)
        else:
            visits.setdefault(span.question_id, []).append(list(span.entries))
        last = span.question_id
    for question_id, entries in visits.items():
        counted = [entry for visit in entries for entry in _counted(visit)]
        given = [entry for entry in counted if entry.answer.given]
        pairs = list(pairwise(given))
        if given and not counted[-1].answer.given:
            pairs.append((given[-1], counted[-1]))
        for before, after in pairs:
            if not _bare(before.answer).same_as(_bare(after.answer)):
                yield Change(question_id, before.answer, after.answer, at.get(after.sequence))


def _counted(visit: Sequence[Entry]) -> Iterator[Entry]:
    """The answers of one visit that count."""
    given = [entry for entry in visit if entry.answer.given]
    for entry, following in pairwise(given):
        if _is_one_option(entry.answer) and _is_one_option(following.answer):
            yield entry
    if given and not visit[-1].answer.given and _is_one_option(given[-1].answer):
        yield given[-1]
    if visit:
        yield visit[-1]


def _is_one_option(answer: Answer) -> bool:
    return len(answer.selected) == 1


def _bare(answer: Answer) -> Answer:
    """The answer without the mark for review."""
    return replace(answer, review=None)
