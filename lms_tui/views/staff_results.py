"""The results and the statistics of an exam for staff (pure)."""

from html import escape
from typing import Final

from lms_tui.common.cleaning import clean, clean_line
from lms_tui.views import format as say
from lms_tui.views.listing import Column, Listing
from lms_tui.views.rows import EMPTY, Row, pairs, row, strong, title_rows, wrapped
from lms_tui.views.times import stem_of
from lms_tui.wire.grading import ExamResult, ExamStatistics, ItemStatistics

ENDINGS: Final = ("csv", "xlsx")
FILES: Final = ("CSV file, for every spreadsheet", "XLSX workbook, for Excel and LibreOffice")


def name_of(result: ExamResult) -> str:
    return clean_line(result.display_name or result.username)


RESULTS: Final[Listing[ExamResult]] = Listing(
    "Student",
    (
        Column("user name", 16, 96),
        Column("score", 11, 30, right=True),
        Column("%", 7, 44, right=True),
        Column("rank", 6, 52, right=True),
        Column("to mark", 7, 60, right=True),
        Column("time", 8, 78, right=True),
    ),
    lambda result: (
        name_of(result),
        result.username,
        "running" if result.ended is None else f"{say.number(result.score)}/{say.number(result.max_score)}",
        result.percentage,
        str(result.rank or ""),
        str(result.to_mark or ""),
        say.clock(result.time_taken) if result.time_taken else "",
    ),
    (
        lambda result: name_of(result).casefold(),
        lambda result: result.username.casefold(),
        lambda result: result.score,
        lambda result: result.score if result.max_score else None,
        lambda result: None if result.rank is None else -result.rank,
        lambda result: result.to_mark,
        lambda result: result.time_taken,
    ),
)


def result_details(result: ExamResult, room: int) -> list[Row]:
    facts = [
        ("user name", clean_line(result.username)),
        ("score", f"{say.number(result.score)} of {say.number(result.max_score)}" if result.ended else ""),
        ("rank", str(result.rank or "")),
        ("correct", str(result.correct_count) if result.ended else ""),
        ("incorrect", str(result.incorrect_count) if result.ended else ""),
        ("unanswered", str(result.unanswered_count) if result.ended else ""),
        ("started", say.day(result.date)),
        ("time used", say.clock(result.time_taken) if result.time_taken else ""),
    ]
    rows = [*title_rows(name_of(result), room), EMPTY, *pairs(facts, room)]
    waiting = [str(answer.question) for answer in result.answers if answer.outcome == "unscored"]
    if waiting:
        rows += [EMPTY, *wrapped(f"Waits to be marked: question {', '.join(waiting)}.", room, "warning")]
    marks = [(clean_line(subject.subject), say.number(subject.marks)) for subject in result.subjects]
    if marks:
        rows += [EMPTY, row(strong("Marks by subject")), *pairs(marks, room)]
    step = "Press enter to read the answers." if result.ended else "The exam is running. Its board shows how far it is."
    return [*rows, EMPTY, *wrapped(step, room, "accent")]


def _share(value: float | None) -> str:
    return "" if value is None else say.percent(round(100 * value))


STATISTICS: Final[Listing[ItemStatistics]] = Listing(
    "Question",
    (
        Column("correct", 8, 34, right=True),
        Column("discr.", 7, 44, right=True),
        Column("answered", 8, 56, right=True),
        Column("to mark", 7, 68, right=True),
        Column("check", 5, 26, right=True),
    ),
    lambda item: (
        f"{item.number}  {stem_of(escape(item.title))}",
        _share(item.facility),
        "" if item.discrimination is None else say.two_places(item.discrimination),
        str(item.answered),
        str(item.to_mark or ""),
        "!" if item.suspicions else "",
    ),
    (
        lambda item: -item.number,
        lambda item: item.facility,
        lambda item: item.discrimination,
        lambda item: item.answered,
        lambda item: item.to_mark,
        lambda item: len(item.suspicions),
    ),
    look=lambda item: "warning" if item.suspicions else "base",
)


def item_details(item: ItemStatistics, room: int) -> list[Row]:
    facts = [
        ("share of marks", _share(item.facility)),
        ("discrimination", "" if item.discrimination is None else say.two_places(item.discrimination)),
        ("answered", str(item.answered)),
        ("to mark", str(item.to_mark or "")),
        ("correction", clean_line(item.correction)),
    ]
    rows = [*title_rows(f"Question {item.number}", room), *wrapped(stem_of(escape(item.title)), room), EMPTY]
    for doubt in item.suspicions:
        text = clean_line(doubt)
        rows += wrapped(f"! {text[:1].upper()}{text[1:]}.", room, "warning")
    rows += [*([EMPTY] if item.suspicions else []), *pairs(facts, room)]
    if item.choices:
        rows += [EMPTY, row(strong("Options"))]
    for place, choice in enumerate(item.choices):
        sign = "✓" if choice.correct else " "
        head = f"{sign} {say.letter(place)}  {choice.count:>4}  {_share(choice.share):>5}  "
        rows += _hanging(head, clean(choice.option).replace("\n", " "), room, "good" if choice.correct else "base")
    if item.answers:
        rows += [EMPTY, row(strong("Frequent answers"))]
    for answer in item.answers:
        rows += _hanging(f"{answer.count:>4}  ", clean_line(answer.text), room, "base")
    return rows


def _hanging(head: str, text: str, room: int, look: str) -> list[Row]:
    lines = wrapped(text, max(8, room - len(head)), look) or [()]
    return [row((head if not place else " " * len(head), look), *line) for place, line in enumerate(lines)]


def summary(found: ExamStatistics) -> str:
    """Return the numbers of the whole exam in one line."""
    if not found.attempts:
        return "no attempt has ended"
    parts = [say.counted(found.attempts, "attempt"), f"mean {say.number(found.mean)}"]
    if found.reliability is not None:
        parts.append(f"reliability {say.two_places(found.reliability)}")
    suspects = sum(bool(item.suspicions) for item in found.questions)
    return " · ".join([*parts, f"{suspects} to check" if suspects else "nothing to check"])
