"""The chart of the time for each question: own time as columns, average and best as marks (pure)."""

from collections.abc import Sequence
from typing import Final

from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.content.cells import width
from lms_tui.content.html import parse
from lms_tui.content.layout import layout
from lms_tui.content.lines import Mark
from lms_tui.content.model import MathsStyle
from lms_tui.views import charts
from lms_tui.views import format as say
from lms_tui.views.outcomes import LOOKS, SIGNS, Outcome, best_seconds, is_slow, outcome, outcome_words, own_seconds
from lms_tui.views.rows import EMPTY, Row, Span, cells, fitted, padded, pairs, plain, row, wrapped
from lms_tui.wire.attempts import ReviewQuestion

AVERAGE: Final = "─"
BEST: Final = "•"
_OVER: Final = {"good": "bar-good", "warning": "bar-warning", "bad": "bar-bad"}
"""Looks of a mark on a column, by the look of the column."""
_WIDEST: Final = 8
_BROAD: Final = 130
"""Least cells of a chart of twice the height."""
_TALLEST: Final = 3.0
"""The chart ends at this many times the 90th percentile. Longer columns are cut and marked."""


@frozen
class Times:
    """The questions of a review. `most` is the number of seconds of the full height.

    `on_screen`: the student's own times are those that the questions were on the screen of this computer.
    """

    questions: tuple[ReviewQuestion, ...]
    most: float
    on_screen: bool = False

    @classmethod
    def of(cls, questions: Sequence[ReviewQuestion], *, on_screen: bool = False) -> "Times":
        longest = sorted(max(own_seconds(q) or 0.0, q.average_duration or 0.0) for q in questions)
        usual = longest[int(len(longest) * 0.9)] if longest else 0.0
        most = min(longest[-1], _TALLEST * usual) if usual else max(longest, default=0.0)
        return cls(tuple(questions), most, on_screen)

    @property
    def known(self) -> bool:
        return any(own_seconds(question) is not None for question in self.questions)


@frozen
class Frame:
    """The places of the columns. `label` counts the cells before the first. `pitch` is the distance of two columns."""

    label: int
    pitch: int
    first: int
    shown: int

    @classmethod
    def of(cls, count: int, cursor: int, room: int) -> "Frame":
        label = 6 if room >= 40 else 0
        area = max(1, room - label)
        pitch = max(1, min(_WIDEST, area // max(1, count)))
        shown = min(count, area // pitch)
        first = max(0, min(cursor - shown // 2, count - shown))
        return cls(label, pitch, first, shown)

    @property
    def wide(self) -> int:
        return max(1, self.pitch - 1)

    def place_at(self, x: int) -> int:
        """Index of the question at a cell, -1 for none."""
        place = (x - self.label) // self.pitch
        return self.first + place if x >= self.label and place < self.shown else -1


def levels(room: int) -> int:
    """Return the number of rows of the columns. The row of their numbers is below."""
    return 7 if room < _BROAD else 14


def chart_rows(times: Times, cursor: int, room: int) -> list[Row]:
    """The chart, the question at the cursor and a summary. The number of rows does not depend on the cursor."""
    if not times.known:
        return [row(("The server sends no times.", "dim"))]
    height = levels(room)
    frame = Frame.of(len(times.questions), cursor, room)
    drawn = [_level_row(times, frame, cursor, level, height) for level in range(height - 1, -1, -1)]
    return [*drawn, _axis(times, frame, cursor), *_legend(times, room), EMPTY, *chosen_rows(times, cursor, room), EMPTY,
            *words_rows(times, room)]  # fmt: skip


def _level_row(times: Times, frame: Frame, cursor: int, level: int, height: int) -> Row:
    told = {height - 1: times.most, height // 2: times.most * (height // 2 + 1) / height}
    label = f"{_short(told[level]) if level in told else '':>{max(0, frame.label - 1)}} " if frame.label else ""
    spans = [Span(label, "dim")] if label else []
    gap = frame.pitch - frame.wide
    for place in range(frame.first, frame.first + frame.shown):
        text, look = _cell(times.questions[place], level, height, times.most)
        if text == " " and place == cursor:
            look = "cursor"
        spans += [Span(text * frame.wide, look), *([Span(" " * gap)] if gap else [])]
    return tuple(spans)


def _cell(question: ReviewQuestion, level: int, height: int, most: float) -> tuple[str, str]:
    found = outcome(question)
    own = own_seconds(question) or 0.0
    look = LOOKS[found]
    reach = own / most * height if most else 0.0
    covered = reach >= level + 0.5
    for mark, value in ((AVERAGE, question.average_duration), (BEST, question.best_duration)):
        if value and int(min(value / most, 0.999) * height) == level:
            mark_look = "warning" if mark == AVERAGE else "accent"
            return mark, _OVER.get(look, "bar-plain") if covered else mark_look
    if level == height - 1 and reach > height:
        return "▲", look
    if covered:
        return _fill(found), look
    if not level:
        return (charts.LEVELS[max(0, min(7, round(reach * 8) - 1))], look) if own else (charts.LEVELS[0], "border")
    return " ", "base"


def _fill(found: Outcome) -> str:
    """The filling shows the outcome, because colour alone is not enough."""
    correct, incorrect, left, unmarked_fill = charts.FILLS
    return {
        Outcome.CORRECT: correct,
        Outcome.PARTLY: charts.PARTLY,
        Outcome.INCORRECT: incorrect,
        Outcome.UNANSWERED: left,
        Outcome.ANSWERED: unmarked_fill,
    }[found]


def _axis(times: Times, frame: Frame, cursor: int) -> Row:
    """The question numbers at both ends and at the cursor."""
    room = frame.shown * frame.pitch
    drawn = [" "] * room
    here = str(number_of(times, cursor))
    last = str(number_of(times, frame.first + frame.shown - 1))
    for text, at in ((str(number_of(times, frame.first)), 0), (last, max(0, room - len(last) - frame.pitch + 1))):
        if text != here:
            drawn[at : at + len(text)] = text
    line = "".join(drawn)[:room]
    here = f"▲{here}"
    at = min((cursor - frame.first) * frame.pitch + (frame.wide - 1) // 2, max(0, room - len(here)))
    before, after = line[:at], line[at + len(here) :]
    if before and before[-1].isdigit():
        before = before.rstrip("0123456789").ljust(at)
    if after and after[0].isdigit():
        after = after.lstrip("0123456789")
    return row(" " * frame.label, (before, "dim"), Span(here, "accent", Mark.BOLD), (after, "dim"))


def number_of(times: Times, place: int) -> int:
    return times.questions[place].order or place + 1


def _legend(times: Times, room: int) -> list[Row]:
    correct, incorrect, left, unmarked_fill = charts.FILLS
    found = {outcome(question) for question in times.questions}
    unmarked = {outcome_words(each) for each in times.questions if outcome(each) is Outcome.ANSWERED}
    entries = [
        (f"{correct} correct", "good"),
        *([(f"{charts.PARTLY} {Outcome.PARTLY}", LOOKS[Outcome.PARTLY])] if Outcome.PARTLY in found else []),
        (f"{incorrect} incorrect", "bad"),
        (f"{left} unanswered", "dim"),
        *((f"{unmarked_fill} {words}", LOOKS[Outcome.ANSWERED]) for words in sorted(unmarked)),
        (f"{AVERAGE} average", "warning"),
        (f"{BEST} best", "accent"),
    ]
    rows: list[Row] = []
    line: Row = ()
    for text, look in entries:
        if line and cells(line) + 2 + width(text) > room:
            rows, line = [*rows, line], ()
        line = (*line, *row("  " if line else "", (text, look)))
    return [*rows, line]


def chosen_rows(times: Times, cursor: int, room: int) -> list[Row]:
    """Return five rows about the question at the cursor. The number never changes, so the page does not jump."""
    question = times.questions[cursor]
    found = outcome(question)
    subject = clean_line(question.question.subject)
    title = f"Question {number_of(times, cursor)} of {len(times.questions)}"
    told = f"{SIGNS[found]} {outcome_words(question)}"
    if width(title) + 2 + width(told) > room:
        told = SIGNS[found]
    left = room - 2 - width(told)
    head = fitted(f"{title} · {subject}" if subject and left > width(title) + 6 else title, max(1, left))
    entries = [
        ("you", own_seconds(question), "warning" if is_slow(question) else "accent"),
        ("average", question.average_duration, "dim"),
        ("best", best_seconds(question), "dim"),
    ]
    most = max((value or 0.0 for _, value, _ in entries), default=0.0) or 1.0
    return [
        row(Span(head, "title", Mark.BOLD), "  ", Span(told, LOOKS[found], Mark.BOLD)),
        row((fitted(stem_of(question.question.question_html), room), "dim")),
        *(_bar(label, value, most, room, look) for label, value, look in entries),
    ]


def stem_of(question_html: str) -> str:
    """The first line of a question."""
    lines = layout(parse(question_html), 400, MathsStyle.LINE)
    return next((text for line in lines if (text := line.text.strip())), "")


def _bar(label: str, value: float | None, most: float, room: int, look: str) -> Row:
    told = say.NOTHING if value is None else say.seconds(value)
    drawn = charts.bar(value or 0.0, most, max(4, min(40, room - 22)), look=look)
    return (Span(padded(label, 9), "dim"), *drawn, Span(fitted(f"  {told}", max(4, room - 9 - len(plain(drawn))))))


def _per_question(seconds: Sequence[float]) -> str:
    return f"{say.seconds(sum(seconds) / len(seconds))} per question" if seconds else ""


def words_rows(times: Times, room: int) -> list[Row]:
    timed = [(q, own) for q in times.questions if (own := own_seconds(q)) is not None]
    averages = [q.average_duration for q, _ in timed if q.average_duration is not None]
    best = [seconds for q, _ in timed if (seconds := best_seconds(q)) is not None]
    slowest, most = max(timed, key=lambda pair: pair[1])
    whole = sum(own for _, own in timed)
    lost = sum(own for q, own in timed if outcome(q) is Outcome.INCORRECT)
    slow = sum(is_slow(q) for q, _ in timed)
    told = [
        ("you", _per_question([own for _, own in timed])),
        ("average", _per_question(averages)),
        ("best", _per_question(best)),
        ("longest", f"question {slowest.order}, {say.seconds(most)}"),
        ("slow", f"{say.counted(slow, 'question')} took 1.5 times the average or more" if slow else ""),
        (
            "incorrect answers",
            f"took {say.seconds(lost)}, {say.percent(round(100 * lost / whole))} of your time"
            if lost and whole
            else "",
        ),
    ]
    source = "Your times: how long each question was on your screen. The server counts average and best by answers."
    return [*pairs(told, room), *(wrapped(source, room, "dim") if times.on_screen else [])]


def _short(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 3600}h{whole % 3600 // 60:02}" if whole >= 3600 else f"{whole // 60}:{whole % 60:02}"
