"""The given and the correct answer next to each other, for every type of question (pure)."""

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from lms_tui.common.cleaning import clean_line
from lms_tui.views.files import in_words
from lms_tui.views.format import counted
from lms_tui.views.outcomes import (
    LOOKS,
    SIGNS,
    Outcome,
    gap_answers,
    gap_is_correct,
    gap_keys,
    key_texts,
    outcome,
)
from lms_tui.views.rows import EMPTY, Row, Span, cells, filled_row, padded, row, strong, wrapped
from lms_tui.wire.attempts import ReviewQuestion
from lms_tui.wire.question_types import GAP_TYPES, LINE_TYPES, QuestionType

SIDE_BY_SIDE: Final = 64
"""Least cells for two answers next to each other."""
_BETWEEN: Final = " │ "
Fill = Callable[[int], Sequence[Row]]


class Whose(NamedTuple):
    """The words for the student whose answer it is. `time`: a label of at most seven cells."""

    answer: str = "your answer"
    nobody: str = "You gave no answer."
    time: str = "you"

    @property
    def title(self) -> str:
        return self.answer[0].upper() + self.answer[1:]


OWN: Final = Whose()
OF_STUDENT: Final = Whose("student's answer", "The student gave no answer.", "student")
"""For staff, who read the review of a student."""


def beside(left_title: str, left: Fill, right_title: str, right: Fill, room: int) -> list[Row]:
    """Two blocks next to each other, or one below the other in a narrow room."""
    if room < SIDE_BY_SIDE:
        return [(strong(left_title, "title"),), *left(room), EMPTY, (strong(right_title, "title"),), *right(room)]
    half = (room - len(_BETWEEN)) // 2
    one: list[Row] = [(strong(left_title, "title"),), *left(half)]
    two: list[Row] = [(strong(right_title, "title"),), *right(half)]
    height = max(len(one), len(two))
    one += [EMPTY] * (height - len(one))
    two += [EMPTY] * (height - len(two))
    return [(*filled_row(a, half), Span(_BETWEEN, "border"), *b) for a, b in zip(one, two, strict=True)]


def written_rows(question: ReviewQuestion, room: int, whose: Whose = OWN) -> list[Row]:
    """Rows of a written answer: text, number, essay or gaps. Empty for a question with options."""
    body, found = question.question, outcome(question)
    if body.type in GAP_TYPES and (question.gap_fill_responses or gap_keys(question)):
        return [EMPTY, *gap_rows(question, room, whose)]
    if body.type == QuestionType.FILES:
        return _file_rows(question, room, whose)
    own = question.short_text or question.essay_text or ""
    keys = key_texts(question) if not question.selected_answers and body.type in LINE_TYPES else ()
    if not own:
        return [EMPTY, *_correct(keys, room)] if keys else []
    topic = clean_line(question.essay_topic or "")
    head: list[Row] = [EMPTY, *([row(("Topic  ", "dim"), topic), EMPTY] if topic else [])]

    def mine(width: int) -> list[Row]:
        return wrapped(_cleaned(own), width, LOOKS[found] if keys else "base")

    if not keys:
        rows = [*head, row(strong(whose.title, "title")), *mine(room)]
        if body.type == QuestionType.ESSAY:
            words = counted(len(own.split()), "word")
            rows += [EMPTY, *wrapped(f"{words}. Essays are marked by hand.", room, "dim")]
        return rows
    return [*head, *beside(whose.title, mine, "Correct answer", lambda width: _key_row(keys, width), room)]


def _file_rows(question: ReviewQuestion, room: int, whose: Whose) -> list[Row]:
    files = [clean_line(in_words(gap.answer)) for gap in question.gap_fill_responses]
    if not files:
        return []
    return [EMPTY, row(strong(whose.title, "title")), *(line for file in files for line in wrapped(file, room, "base"))]


def _correct(keys: Sequence[str], room: int) -> list[Row]:
    return [row(strong("Correct answer", "title")), *_key_row(keys, room)]


def _key_row(keys: Sequence[str], room: int) -> list[Row]:
    return wrapped(" or ".join(dict.fromkeys(clean_line(key) for key in keys)), room, "good")


def gap_rows(question: ReviewQuestion, room: int, whose: Whose = OWN) -> list[Row]:
    """One row for each gap: its number, the given answer, and the key if the server sends it."""
    own, keys = gap_answers(question), gap_keys(question)
    gaps = sorted({*own, *keys}, key=lambda gap: (len(gap), gap))
    title = "Pair" if question.question.type == QuestionType.MATCH else "Gap"
    label = max([len(title) + 1, *(len(gap) + 3 for gap in gaps)])
    half = max(6, (room - label) // 2 if keys else room - label)
    heading = "Correct answer" if room - label - half >= len("Correct answer") else "Correct"
    rows: list[Row] = [
        (strong(padded(title, label), "title"), strong(padded(whose.title, half), "title"),
         *([strong(heading, "title")] if keys else []))
    ]  # fmt: skip
    for gap in gaps:
        mine, correct = own.get(gap, ""), keys.get(gap, ())
        found = _gap_outcome(mine, correct)
        left = wrapped(clean_line(mine) or "–", half - 2, LOOKS[found])
        told = wrapped(" or ".join(clean_line(text) for text in correct), max(4, room - label - half), "good")
        for number, (mine_row, key_row) in enumerate(zip_longest(left, told if keys else (), fillvalue=EMPTY)):
            head = Span(padded(f"{SIGNS[found]} {gap}" if not number else "", label), LOOKS[found])
            rows.append((head, *filled_row(mine_row, half), *key_row))
    return rows


def _gap_outcome(answer: str, keys: tuple[str, ...]) -> Outcome:
    if not answer:
        return Outcome.UNANSWERED
    if not keys:
        return Outcome.ANSWERED
    return Outcome.CORRECT if gap_is_correct(answer, keys) else Outcome.INCORRECT


def _cleaned(text: str) -> str:
    return "\n".join(clean_line(line) for line in text.split("\n"))


def chosen_rows(
    question: ReviewQuestion, option: Callable[[int, int], Sequence[Row]], room: int, whose: Whose = OWN
) -> list[Row]:
    """The chosen and the correct options next to each other if they differ. `option(place, room)` returns rows."""
    found = outcome(question)
    if room < SIDE_BY_SIDE or found not in {Outcome.INCORRECT, Outcome.PARTLY} or not question.selected_answers:
        return []
    answers = question.question.answers
    own = [n for n, each in enumerate(answers) if each.id in question.selected_answers]
    correct = [n for n, each in enumerate(answers) if each.is_correct]

    def block(places: Sequence[int]) -> Fill:
        return lambda width: [line for place in places for line in option(place, width)]

    rows = beside(whose.title, block(own), "Correct answer", block(correct), room)
    return [EMPTY, *rows] if all(cells(line) <= room for line in rows) else []
