"""The replay of an ended attempt: time on each question, returns, and whether each changed answer helped (pure)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Final

from lms_tui.attempt.replay import Change, Replay, Stay
from lms_tui.attempt.values import Answer
from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.views import format as say
from lms_tui.views.files import in_words
from lms_tui.views.outcomes import LOOKS, SIGNS, Outcome, outcome, outcome_words
from lms_tui.views.rows import EMPTY, Row, Span, fitted, fitted_row, flowed, padded, row, strong, wrapped
from lms_tui.wire.attempts import GapFill, ReviewQuestion

NO_JOURNAL: Final = (
    "This computer holds no journal of this attempt, so there is no replay. The exam was taken on another device, or "
    "the journal was deleted."
)
_UNTIMED: Final = "The exam was taken with a version of the program that kept no times. Only changes are shown."
_ELSEWHERE: Final = "Another device worked on this attempt too. Its answers are not shown here."
_LONGEST_TEXT: Final = 40
_TIME: Final = 9
"""Cells of a time and the blanks after it."""
_VALUE: Final = {Outcome.CORRECT: 2, Outcome.PARTLY: 1, Outcome.INCORRECT: 0, Outcome.UNANSWERED: 0}


class Effect(Enum):
    """The effect of a change. The value is its sign in the timeline, its look, and its words."""

    HELPED = ("▲", "good", "change helped")
    HARMED = ("▼", "bad", "change harmed")
    NEITHER = ("●", "accent", "other change")

    @property
    def sign(self) -> str:
        return self.value[0]


_BREAK: Final = "┃"


@frozen
class JudgedChange:
    """A change with the outcome of both answers, None where the key is not known."""

    change: Change
    before: Outcome | None = None
    after: Outcome | None = None

    @property
    def known(self) -> bool:
        return self.before in _VALUE and self.after in _VALUE

    @property
    def effect(self) -> Effect:
        if self.before is None or self.after is None or not self.known:
            return Effect.NEITHER
        gained = _VALUE[self.after] - _VALUE[self.before]
        return Effect.HELPED if gained > 0 else Effect.HARMED if gained < 0 else Effect.NEITHER

    @property
    def words(self) -> str:
        """`from incorrect to correct`, or "" where the key is not known."""
        return f"from {self.before} to {self.after}" if self.known else ""


@frozen
class Line:
    """One question. `found`: its outcome in the end, None where it is not known. `told`: the outcome for people."""

    question_id: int
    number: int
    stays: tuple[Stay, ...]
    changes: tuple[JudgedChange, ...]
    options: tuple[int, ...] = ()
    found: Outcome | None = None
    told: str = ""

    @property
    def seconds(self) -> float:
        return sum(stay.seconds for stay in self.stays)


@frozen
class ReplayView:
    """`reason`: why the outcomes are not known, or ""."""

    lines: tuple[Line, ...]
    seconds: float
    breaks: tuple[float, ...] = ()
    timed: bool = True
    other_device: bool = False
    reason: str = ""

    @property
    def changes(self) -> list[JudgedChange]:
        return [change for line in self.lines for change in line.changes]


def replay_view(replay: Replay, review: Iterable[ReviewQuestion], reason: str = "") -> ReplayView:
    """Judge the changes of a replay by the keys of the review. Without them the times are shown alone."""
    keyed = {question.id: question for question in review}
    lines = []
    for place, question_id in enumerate(replay.questions, 1):
        question = keyed.get(question_id)
        shown = replay.paper.get(str(question_id), ())
        number = (question.order if question else 0) or (shown[0] if shown else 0) or place
        found = outcome(question) if question else None
        line = Line(
            question_id,
            number,
            replay.stays_at(question_id),
            tuple(_judged(change, question) for change in replay.changes_of(question_id)),
            tuple(shown[1:]),
            found,
            outcome_words(question) if question else "",
        )
        lines.append(line)
    lines.sort(key=lambda line: line.number)
    return ReplayView(tuple(lines), replay.seconds, replay.breaks, replay.timed, replay.other_device, reason)


def _judged(change: Change, question: ReviewQuestion | None) -> JudgedChange:
    if question is None:
        return JudgedChange(change)
    return JudgedChange(change, _outcome_of(question, change.before), _outcome_of(question, change.after))


def _outcome_of(question: ReviewQuestion, answer: Answer) -> Outcome:
    given = {
        "selected_answers": answer.selected,
        "short_text": answer.short_text,
        "essay_text": answer.essay_text,
        "gap_fill_responses": tuple(GapFill(order=order, answer=text) for order, text in answer.gaps),
    }
    return outcome(question.model_copy(update=given))


# Sentences.


def summary(view: ReplayView) -> str:
    """`You changed 6 answers: 3 from incorrect to correct, 1 from correct to incorrect.`"""
    changes = view.changes
    if not changes:
        return "You changed no answer."
    answers = len({change.change.question_id for change in changes})
    often = f" {len(changes)} times in all" if len(changes) > answers else ""
    told = f"You changed {say.counted(answers, 'answer')}{often}"
    if view.reason:
        return f"{told}."
    order = list(Effect)
    counts = Counter((order.index(change.effect), not change.known, change.words) for change in changes)
    parts = [f"{count} {words or 'that cannot be judged'}" for (*_, words), count in sorted(counts.items())]
    return f"{told}: {', '.join(parts)}."


def times_words(view: ReplayView) -> str:
    """`45 min on 20 questions. You returned to 3 of them.`"""
    if not view.timed:
        return _UNTIMED
    seen = [line for line in view.lines if line.stays]
    returned = sum(len(line.stays) > 1 for line in seen)
    back = f"You returned to {returned} of them." if returned else "You returned to none."
    return f"{say.seconds(view.seconds).capitalize()} on {say.counted(len(seen), 'question')}. {back}"


def words(view: ReplayView) -> list[str]:
    """The sentences above the table."""
    told = [summary(view), times_words(view)]
    if view.reason:
        told.append(f"Whether a change helped is not known: {view.reason}")
    if view.other_device:
        told.append(_ELSEWHERE)
    return told


def line_words(line: Line, *, timed: bool) -> str:
    """`Question 7: correct, 2 min 10 s, 3 visits, changed from B to C (from incorrect to correct).`"""
    parts = [line.told] if line.told else []
    parts += [say.seconds(line.seconds), say.counted(len(line.stays), "visit")] if line.stays and timed else []
    parts += ["not visited"] if timed and not line.stays else []
    parts += [f"changed {change_words(change, line)}" for change in line.changes]
    return f"Question {line.number}: {', '.join(parts) or 'no change'}."


def change_words(judged: JudgedChange, line: Line) -> str:
    """`from B to C (from incorrect to correct)`."""
    before, after = answer_words(judged.change.before, line), answer_words(judged.change.after, line)
    return f"from {before} to {after}" + (f" ({judged.words})" if judged.words else "")


def answer_words(answer: Answer, line: Line) -> str:
    """The letters of the options, or the beginning of a text."""
    letters = {option: say.letter(place) for place, option in enumerate(line.options)}
    chosen = ", ".join(letters.get(option, "another option") for option in answer.selected)
    gaps = ", ".join(f"{order}: {in_words(text)}" for order, text in answer.gaps if text)
    text = chosen or gaps or clean_line(answer.short_text or answer.essay_text or "")
    return fitted(clean_line(text), _LONGEST_TEXT) if text else "no answer"


# Rows.


def heading(room: int) -> Row:
    return fitted_row(row(("  question    time visits  changes", "dim")), room)


def list_row(line: Line, room: int) -> Row:
    """`✓      12    2:10      3  ✗ → ✓`: outcome, number, time, visits, outcomes of the changed answers."""
    sign, look = (SIGNS[line.found], LOOKS[line.found]) if line.found else (" ", "base")
    time = say.clock(round(line.seconds)) if line.stays else say.NOTHING
    cells = row((sign, look), f"{line.number:>9}{time:>8}{len(line.stays) or say.NOTHING:>7}  ")
    return fitted_row((*cells, *_signs(line.changes)), room)


def _signs(changes: Sequence[JudgedChange]) -> Row:
    if not changes or not all(change.known for change in changes):
        return row(say.counted(len(changes), "change")) if changes else EMPTY
    found = [changes[0].before, *(change.after for change in changes)]
    spans: list[Span] = []
    for each in found:
        if each is not None:
            spans += [*([Span(" → ", "dim")] if spans else []), Span(SIGNS[each], LOOKS[each])]
    return tuple(spans)


def head_rows(view: ReplayView, room: int) -> list[Row]:
    """The sentences, the first one strong."""
    first, *others = words(view)
    rows: list[Row] = [tuple(strong(span.text) for span in line) for line in wrapped(first, room)]
    for text in others:
        rows += wrapped(text, room)
    return rows


def timeline_rows(view: ReplayView, room: int, height: int, chosen: int = 0) -> list[Row]:
    """Time from left to right, visited questions from top to bottom. `chosen`: the one that stands out, 0 for all."""
    lines = [line for line in view.lines if line.stays]
    if not lines or not view.seconds:
        return []
    count = len(lines)
    levels = max(1, min(height, count))
    names = _row_names([line.number for line in lines], levels)
    label = max(map(len, names)) + 1
    columns = max(8, room - label)
    cells: list[list[tuple[str, str]]] = [[(" ", "base")] * columns for _ in range(levels)]

    def column(moment: float) -> int:
        return min(columns - 1, int(moment / view.seconds * columns))

    for place, line in sorted(enumerate(lines), key=lambda pair: pair[1].question_id == chosen):
        drawn = cells[place * levels // count]
        cell = ("█", "accent") if chosen in {0, line.question_id} else ("▓", "dim")
        for stay in line.stays:
            first, last = column(stay.start), column(max(stay.start, stay.start + stay.seconds - 1e-6))
            drawn[first : last + 1] = [cell] * (last + 1 - first)
    for place, line in enumerate(lines):
        for change in line.changes:
            if change.change.at is not None:
                sign, look, _ = change.effect.value
                cells[place * levels // count][column(change.change.at)] = (sign, look)
    rows: list[Row] = []
    for name, drawn in zip(names, cells, strict=True):
        rows.append((Span(f"{name:>{label - 1}} ", "dim"), *_joined(drawn)))
    axis = ["─"] * columns
    for moment in view.breaks:
        axis[column(moment)] = _BREAK
    end = say.clock(round(view.seconds))
    ends = padded(f"{'':{label}}0:00", label + columns - len(end)) + end
    return [*rows, row((" " * label + "".join(axis), "border")), row((ends, "dim")), *_legend(view, room)]


def _row_names(numbers: Sequence[int], levels: int) -> list[str]:
    """Return the question of each row of the timeline, or the first and the last one: `5` or `5-7`."""
    names = []
    for level in range(levels):
        first, behind = (-(-each * len(numbers) // levels) for each in (level, level + 1))
        names.append(str(numbers[first]) if behind - first == 1 else f"{numbers[first]}-{numbers[behind - 1]}")
    return names


def _joined(cells: Iterable[tuple[str, str]]) -> list[Span]:
    """Neighbours of one look as one span."""
    spans: list[Span] = []
    for text, look in cells:
        if spans and spans[-1].look == look:
            spans[-1] = Span(spans[-1].text + text, look)
        else:
            spans.append(Span(text, look))
    return spans


def _legend(view: ReplayView, room: int) -> list[Row]:
    effects = {change.effect for change in view.changes if change.change.at is not None}
    entries = [Span(f"{effect.sign} {effect.value[2]}   ", effect.value[1]) for effect in Effect if effect in effects]
    entries += [Span(f"{_BREAK} program closed or asleep", "dim")] if view.breaks else []
    return flowed(entries, room) if entries else []


def detail_rows(line: Line, room: int, *, timed: bool) -> list[Row]:
    """One question: its visits and its changes in the order of time."""
    found = (f"   {SIGNS[line.found]} {line.told}", LOOKS[line.found]) if line.found else ""
    rows = [fitted_row(row(strong(f"Question {line.number}", "title"), found), room)]
    events = [
        (stay.start, f"{say.clock(stay.start):>7}  visited for {say.seconds(stay.seconds)}") for stay in line.stays
    ]
    for change in line.changes:
        at = change.change.at
        text = f"{say.clock(at):>7}  changed {change_words(change, line)}"
        events.append((float("inf") if at is None else at, text))
    for _, text in sorted(events, key=lambda event: event[0]):
        rows += _wrapped_under(text, room)
    if timed and not line.stays:
        rows += wrapped("This question was not visited.", room, "dim")
    return rows


def _wrapped_under(text: str, room: int) -> list[Row]:
    """Wrap a text whose first cells are a time. The other rows begin below the words."""
    lines = wrapped(text[_TIME:], max(8, room - _TIME))
    return [row((padded(text[:_TIME] if not n else "", _TIME), "dim"), *line) for n, line in enumerate(lines)]
