"""One question of a review: its text, answer, key, times and explanation (pure)."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from lms_tui.attempt.desk import note_of
from lms_tui.common.cleaning import clean, clean_line
from lms_tui.content.html import parse
from lms_tui.content.layout import layout
from lms_tui.content.lines import Mark
from lms_tui.content.model import Document, MathsStyle
from lms_tui.content.words import Span as WordSpan
from lms_tui.content.words import marked, numbered
from lms_tui.views import charts
from lms_tui.views import format as say
from lms_tui.views.compare import OWN, Whose, chosen_rows, written_rows
from lms_tui.views.highlights import spans_of, texts_of, words_of
from lms_tui.views.outcomes import (
    LOOKS,
    SIGNS,
    Outcome,
    best_seconds,
    decision,
    is_slow,
    marked_by_hand,
    outcome,
    outcome_words,
    own_seconds,
    share_correct,
)
from lms_tui.views.rows import EMPTY, Row, Span, cells, flowed, padded, row, spans, strong, wrapped
from lms_tui.wire.attempts import ReviewOption, ReviewQuestion
from lms_tui.wire.question_types import CHOICE_TYPES, QuestionType, label_of

_WITHOUT_OPTIONS: Final = frozenset(QuestionType) - CHOICE_TYPES

_LEAST_SUBJECT: Final = 6
"""Least cells for the name of a subject in the list."""


def list_row(question: ReviewQuestion, room: int) -> Row:
    """`✗ 37 ◆ Physics      1:20`: outcome, number, mark, subject, time."""
    found = outcome(question)
    mark = "◆" if question.review else " "
    own = own_seconds(question)
    time = "" if own is None else say.clock(round(own))
    tail = f"{time:>6}" + (" !" if is_slow(question) else "  ")
    head = f" {question.order:>3} {mark} "
    subject_room = room - 1 - len(head) - len(tail)
    if subject_room < _LEAST_SUBJECT:
        return row((SIGNS[found], LOOKS[found]), head, (tail, "warning" if is_slow(question) else "dim"))
    subject = padded(clean_line(question.question.subject), subject_room)
    return row((SIGNS[found], LOOKS[found]), head, (subject, "dim"), (tail, "warning" if is_slow(question) else "dim"))


def title_of(question: ReviewQuestion, total: int) -> str:
    subject = clean_line(question.question.subject)
    return f"Question {question.order} of {total}" + (f" · {subject}" if subject else "")


def marks_of(question: ReviewQuestion) -> str:
    if question.question.marks is None:
        return ""
    minus = question.question.negative_marks
    return f"{say.signed(question.question.marks)} {say.signed(-abs(minus)) if minus else ''}".strip()


def question_rows(
    question: ReviewQuestion,
    room: int,
    style: MathsStyle = MathsStyle.TWO_DIMENSIONAL,
    desk: Callable[[str], str] = lambda _: "",
    whose: Whose = OWN,
) -> list[Row]:
    """Return all rows of a question. `desk` returns a text of the student's own by its name."""
    found = outcome(question)
    body = question.question
    kind = _kind(question)
    head = [Span(f"{SIGNS[found]} {outcome_words(question)}", LOOKS[found], Mark.BOLD)]
    head += [Span(f"   {kind}", "dim")] if kind else []
    head += [Span("   ◆ marked", "warning")] if question.review else []
    rows: list[Row] = [*flowed(head, room), EMPTY]
    texts = texts_of(question.id, body.direction, body.question_html)
    rows += _asked(question, room, style, spans_of(texts, desk))
    if has_options(question):
        for place, option in enumerate(body.answers):
            rows += _option(place, option, question, room, style, whose)

        def alone(place: int, width: int) -> list[Row]:
            return _lettered(place, body.answers[place], width, style)

        rows += chosen_rows(question, alone, room, whose)
    rows += _answers(question, room, whose)
    told = decision(question)
    rows += [EMPTY, *(line for sentence in told for line in wrapped(sentence, room, "accent"))] if told else []
    rows += _times(question, room, whose)
    if body.explanation_html.strip():
        rows += [EMPTY, (strong("Explanation", "title"),), *html_rows(body.explanation_html, room, style)]
    note = desk(note_of(question.id))
    return [*rows, EMPTY, (strong("Your note", "title"),), *wrapped(clean(note), room)] if note else rows


def covered_rows(question: ReviewQuestion, chosen: frozenset[int], room: int, style: MathsStyle) -> list[Row]:
    """The question for practice, without its key and its earlier answer."""
    kind = _kind(question)
    rows: list[Row] = [row(Span("practice", "accent", Mark.BOLD), (f"   {kind}" if kind else "", "dim")), EMPTY]
    rows += _asked(question, room, style)
    if has_options(question):
        for place, option in enumerate(question.question.answers):
            sign, look = ("●", "accent") if option.id in chosen else (" ", "base")
            rows += _lead(f" {sign} {say.letter(place)}  ", look, option, room, style)
    return rows


def has_options(question: ReviewQuestion) -> bool:
    """Whether the question has options. For written answers the server sends the key in place of options."""
    return bool(question.selected_answers) or question.question.type not in _WITHOUT_OPTIONS


def _kind(question: ReviewQuestion) -> str:
    name = question.question.type
    return label_of(name) or (f"type {clean_line(name)}" if name else "")


def _asked(question: ReviewQuestion, room: int, style: MathsStyle, marks: Sequence[WordSpan] = ()) -> list[Row]:
    """Passage and text of the question with marks on its words. A blank row follows before options."""
    body = question.question
    rows: list[Row] = []
    first = 0
    if body.direction and body.direction.strip():
        passage = _marked(parse(body.direction), room, style, marks)
        rows += [*passage, EMPTY, row(("─" * min(room, 24), "border")), EMPTY]
        first = len(words_of(body.direction)) if marks else 0
    rows += _marked(parse(body.question_html), room, style, marks, first)
    return [*rows, EMPTY] if has_options(question) else rows


def _marked(document: Document, room: int, style: MathsStyle, marks: Sequence[WordSpan], first: int = 0) -> list[Row]:
    lines = layout(numbered(document, first) if marks else document, room, style)
    return [spans(marked(line, marks).runs) for line in lines]


def html_rows(text: str, room: int, style: MathsStyle, look: str = "base") -> list[Row]:
    lines = layout(parse(text), room, style)
    return [spans(line.runs, look) for line in lines]


def _option(
    place: int, option: ReviewOption, question: ReviewQuestion, room: int, style: MathsStyle, whose: Whose
) -> list[Row]:
    """One option with a sign and words, because colour alone is not enough."""
    chosen = option.id in question.selected_answers
    known = any(each.is_correct for each in question.question.answers)
    sign, look, words = " ", "base", ""
    if option.is_correct:
        sign, look, words = "✓", "good", f"correct, {whose.answer}" if chosen else "correct answer"
    elif chosen and known:
        sign, look, words = "✗", "bad", whose.answer
    elif chosen:
        sign, look, words = "●", "accent", whose.answer
    lead = f" {sign} {say.letter(place)}  "
    rows = _lead(lead, look, option, room, style)
    if words:
        note = f"  ◂ {words}"
        if cells(rows[0]) + len(note) <= room:
            rows[0] = (*rows[0], Span(note, look))
        else:
            under = wrapped(note.strip(), room - len(lead), look)
            rows += [(Span(" " * len(lead)), *line) for line in under]
    return rows


def _lettered(place: int, option: ReviewOption, room: int, style: MathsStyle) -> list[Row]:
    sign, look = ("✓", "good") if option.is_correct else ("✗", "bad")
    return _lead(f"{sign} {say.letter(place)}  ", look, option, room, style)


def _lead(lead: str, look: str, option: ReviewOption, room: int, style: MathsStyle) -> list[Row]:
    """The rows of an option after `lead`, its sign and letter."""
    lines = html_rows(option.text_html, max(8, room - len(lead)), style) or [EMPTY]
    return [(Span(lead if not n else " " * len(lead), look, Mark.BOLD), *line) for n, line in enumerate(lines)]


def _answers(question: ReviewQuestion, room: int, whose: Whose) -> list[Row]:
    rows = written_rows(question, room, whose)
    if outcome(question) is Outcome.UNANSWERED:
        rows += [EMPTY, row((whose.nobody, "dim"))]
    return rows


def _times(question: ReviewQuestion, room: int, whose: Whose) -> list[Row]:
    own = own_seconds(question)
    known: list[tuple[str, float | None, str]] = [
        (whose.time, own, "warning" if is_slow(question) else "accent"),
        ("average", question.average_duration, "dim"),
        ("best", best_seconds(question), "dim"),
    ]
    entries = [(label, value, look) for label, value, look in known if value is not None]
    most = max((value for _, value, _ in entries), default=0.0) or 1.0
    rows: list[Row] = [EMPTY, (strong("Time", "title"),)] if entries else []
    for label, value, look in entries:
        rows.append(charts.labelled_bar(label, value, most, say.seconds(value), room, look))
    if (share := share_correct(question)) is not None:
        text = f"{say.percent(round(share))} correct"
        rows.append(charts.labelled_bar("others", share, 100, text, room, "good"))
    return rows


def summary(questions: Sequence[ReviewQuestion], total: int) -> str:
    """`52 correct · 12 incorrect · 1 partly correct · 10 unanswered`, counted over the loaded questions."""
    found = Counter(outcome(question) for question in questions)
    waiting = sum(outcome(question) is Outcome.ANSWERED and marked_by_hand(question) for question in questions)
    rare = (
        (found[Outcome.PARTLY], Outcome.PARTLY.value),
        (waiting, "not marked"),
        (found[Outcome.ANSWERED] - waiting, Outcome.ANSWERED.value),
    )
    parts = [
        f"{found[Outcome.CORRECT]} correct",
        f"{found[Outcome.INCORRECT]} incorrect",
        *(f"{count} {word}" for count, word in rare if count),
        f"{found[Outcome.UNANSWERED]} unanswered",
    ]
    if len(questions) < total:
        parts.append(f"{len(questions)} of {total} loaded")
    return " · ".join(parts)
