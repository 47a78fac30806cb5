"""The review of an attempt as a PDF, with the answers of the student, the key and the explanations."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from lms_tui.banks.scoring import MarkedQuestion, Outcome
from lms_tui.banks.texts import letter, span
from lms_tui.common.frozen import frozen
from lms_tui.content.html import parse
from lms_tui.content.maths.strings import quoted
from lms_tui.service.attempts.ending import key_of
from lms_tui.service.attempts.matching import ordered
from lms_tui.service.attempts.scoring import CutOff, section_results
from lms_tui.service.attempts.shares import percentage
from lms_tui.service.core.answer_words import gaps_in_words
from lms_tui.service.core.database.tables import Attempt, AttemptQuestion, Correction, Exam, Option, Question
from lms_tui.service.papers.markup import Writer
from lms_tui.wire.question_types import GAP_TYPES, LINE_TYPES, QuestionType

_OUTCOMES: Final = {
    "correct": "Correct",
    "partial": "Partly correct",
    "incorrect": "Incorrect",
    "unanswered": "Unanswered",
    "unscored": "Marked by hand",
}
_CORRECTED: Final[Mapping[str, str]] = {
    Correction.KEY: "{} (key corrected after the exam)",
    Correction.VOID: " Does not count",
    Correction.FULL_MARKS: "{} (full marks for everyone)",
}
_HEAD: Final = """
#set page(paper: "a4", margin: 2cm, numbering: "1 / 1")
#set text(size: 10.5pt, font: ("Libertinus Serif", "Noto Sans Devanagari", "Noto Sans Tamil"))
#show raw: set text(size: 1.05em)
#set block(spacing: 0.8em)
#set par(leading: 0.6em)
"""


_WITH_KEYS: Final = (
    joinedload(AttemptQuestion.question).selectinload(Question.options),
    joinedload(AttemptQuestion.question).selectinload(Question.numbers),
    joinedload(AttemptQuestion.question).selectinload(Question.texts),
    joinedload(AttemptQuestion.question).selectinload(Question.pairs),
    joinedload(AttemptQuestion.question).joinedload(Question.passage),
)


@frozen
class ReviewPaper:
    """`rows`: in the order of the exam, with questions and keys loaded."""

    attempt: Attempt
    rows: Sequence[AttemptQuestion]

    def source(self, writer: Writer) -> str:
        """Return the whole review as Typst markup."""
        parts = [_HEAD, *self._head(), *(part for row in self.rows for part in _question(row, writer))]
        return "\n".join(parts)

    def _head(self) -> Iterator[str]:
        attempt = self.attempt
        yield f"#set document(title: {quoted(attempt.exam.title)});"
        yield f"#block[#text(size: 16pt)[#strong[#{quoted(attempt.exam.title)};]]]"
        yield _line(f"{attempt.user.display_name} · {attempt.date:%d %B %Y, %H:%M} UTC")
        share = percentage(attempt.score, attempt.max_score)
        yield _line(
            f"Score {attempt.score:.2f} of {attempt.max_score:.2f} ({share} %) · {attempt.correct_count} correct, "
            f"{attempt.incorrect_count} incorrect, {attempt.unanswered_count} unanswered · "
            f"time taken {str(attempt.time_taken).split('.')[0]}"
        )
        yield from map(_line, self._sections())

    def _sections(self) -> Iterator[str]:
        """Yield the score of each named section, and whether its cut-off was reached."""
        sections = self.attempt.exam.named_sections
        marked = [
            MarkedQuestion(row.question_id, Outcome(row.outcome), row.marks, section=row.question.section_id)
            for row in self.rows
            if row.outcome is not None and row.marks is not None
        ]
        cut_offs = [CutOff(section.id, Decimal(section.cut_off)) for section in sections]
        for section, result in zip(sections, section_results(marked, cut_offs), strict=True):
            line = f"{section.name}: score {result.score:.2f}"
            if section.cut_off:
                line += f", cut-off {section.cut_off} {'reached' if result.reached else 'not reached'}"
            yield line


def _question(row: AttemptQuestion, writer: Writer) -> Iterator[str]:
    question = row.question
    marks = Decimal(0) if row.marks is None else row.marks
    outcome = f" {_OUTCOMES.get(row.outcome or '', 'Unanswered')}, {marks:.2f} of {question.marks:.2f}"
    outcome = _CORRECTED.get(question.correction, "{}").format(outcome)
    yield "#line(length: 100%, stroke: 0.5pt + luma(170));"
    yield f"#block(sticky: true)[#strong[#{quoted(f'Question {row.order}')};]; #{quoted(outcome)};]"
    if question.passage is not None:
        yield _shaded(writer.document(parse(question.passage.html)))
    yield writer.document(parse(question.html))
    if question.options:
        yield _options(ordered(question, row.option_order), frozenset(row.selected_answers), writer)
    yield from _written(row, question)
    if question.explanation_html:
        yield _shaded(f"#strong[Explanation]; {writer.document(parse(question.explanation_html))}")


def _shaded(content: str) -> str:
    return f"#block(width: 100%, inset: 0.6em, fill: luma(245))[{content}]"


def _options(options: Sequence[Option], chosen: frozenset[int], writer: Writer) -> str:
    cells = []
    for index, option in enumerate(options):
        words = [word for word, true in (("✓ correct", option.is_correct), ("● yours", option.id in chosen)) if true]
        cells.append(f"[#{quoted(f'{letter(index)}.')};]")
        cells.append(f"[{writer.document(parse(option.html))}]")
        cells.append(f"[#{quoted(', '.join(words))};]")
    return f"#grid(columns: (auto, 1fr, auto), column-gutter: 0.8em, row-gutter: 0.8em, {', '.join(cells)});"


def _written(row: AttemptQuestion, question: Question) -> Iterator[str]:
    """Yield the written answer and the key."""
    given = [(gap["order"], gap["answer"]) for gap in row.gap_fill_responses]
    if question.kind in LINE_TYPES:
        yield _line(f"Your answer: {row.short_text or '–'}")
    elif question.kind == QuestionType.ESSAY:
        yield _line(f"Your topic: {row.essay_topic or '–'}")
        for line in (row.essay_text or "–").splitlines():
            yield _line(line)
    elif question.kind == QuestionType.FILES:
        yield _line(f"Your files: {gaps_in_words(given, ', ') or '–'}")
    elif question.kind in GAP_TYPES:
        yield _line(f"Your answers: {_numbered(given)}")
    correct = _correct(question)
    if correct:
        yield _line(f"Correct answer: {correct}")


def _correct(question: Question) -> str:
    key = key_of(question)
    found = [(number.gap, span(number.low, number.high)) for number in key.numbers]
    found += [(text.gap, text.text.replace(r"\*", "*")) for text in key.texts]
    if question.kind in LINE_TYPES:
        return ", ".join(shown for _, shown in found)
    return _numbered((str(gap), shown) for gap, shown in sorted(found)) if found else ""


def _numbered(answers: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{order}. {answer}" for order, answer in answers) or "–"


def _line(text: str) -> str:
    return f"#block[#{quoted(text)};]"


def attempt_to_print(session: Session, attempt_id: int) -> Attempt | None:
    return session.scalar(
        select(Attempt)
        .where(Attempt.id == attempt_id)
        .options(joinedload(Attempt.user), joinedload(Attempt.exam).selectinload(Exam.sections))
    )


def paper_of(session: Session, attempt: Attempt) -> ReviewPaper:
    """Return the review of an ended attempt."""
    rows = session.scalars(
        select(AttemptQuestion)
        .where(AttemptQuestion.attempt_id == attempt.id)
        .order_by(AttemptQuestion.order)
        .options(*_WITH_KEYS)
    )
    return ReviewPaper(attempt, rows.all())
