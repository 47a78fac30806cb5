"""Conversion of a stored exam to the exam model of `banks`."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from lms_tui.banks import model
from lms_tui.banks.choices import html_without_choices
from lms_tui.common.calculator import Scope
from lms_tui.service.core.database import tables
from lms_tui.wire.question_types import QuestionType

_SAID: Final = frozenset(
    {
        "duration", "mark_per_question", "negative_marks", "allow_retake", "max_retakes", "show_answers",
        "answers_after_closing", "enable_ranks", "calculator",
    }
)  # fmt: skip
"""The settings of a stored exam, all of which a written file gives."""


def exam_of(session: Session, row: tables.Exam) -> model.Exam:
    """Return the exam as it was imported. A question has marks only where they differ from the exam."""
    statement = (
        select(tables.Question)
        .where(tables.Question.exam_id == row.id)
        .order_by(tables.Question.order)
        .options(
            selectinload(tables.Question.passage),
            selectinload(tables.Question.options),
            selectinload(tables.Question.numbers),
            selectinload(tables.Question.texts),
            selectinload(tables.Question.pairs),
        )
    )
    rows = session.scalars(statement).all()
    paths = subject_paths(session, {question.subject_id for question in rows})
    defaults = row.mark_per_question, row.negative_marks
    questions = [(question.section_id, _question(question, paths, defaults)) for question in rows]
    return model.Exam(
        title=row.title,
        sections=tuple(_section(section, questions) for section in row.sections),
        slug=row.slug,
        description_html=row.description,
        duration=row.duration,
        mark_per_question=_plain(row.mark_per_question),
        negative_marks=_plain(row.negative_marks),
        allow_retake=row.allow_retake,
        max_retakes=-1 if row.allow_retake and row.max_retakes is None else row.max_retakes,
        show_answers=row.show_answers,
        answers_after_closing=row.answers_after_closing,
        enable_ranks=row.enable_ranks,
        immediate_feedback=row.immediate_feedback,
        allow_preemptive_section_ending=row.allow_preemptive_section_ending,
        language=row.language,
        calculator=Scope(row.calculator),
        reference_html=row.reference_sheet,
        picks=tuple(row.picks),
        said=_SAID,
    )


def _section(row: tables.ExamSection, questions: Sequence[tuple[int, model.Question]]) -> model.Section:
    return model.Section(
        name=row.name,
        questions=tuple(question for section, question in questions if section == row.id),
        duration=row.duration,
        cut_off=row.cut_off,
        instructions_html=row.instructions,
    )


def _question(
    row: tables.Question, paths: dict[int, tuple[str, ...]], defaults: tuple[Decimal, Decimal]
) -> model.Question:
    choices = tuple(tuple(offered) for offered in row.gap_choices)
    return model.Question(
        kind=QuestionType(row.kind),
        html=html_without_choices(row.html, choices),
        options=tuple(
            model.Option(option.html, option.is_correct, _some(option.weight), option.feedback_html, option.is_fixed)
            for option in row.options
        ),
        numbers=tuple(
            model.NumericKey(key.low, key.high, _plain(key.weight), key.feedback_html, key.gap) for key in row.numbers
        ),
        texts=tuple(
            model.TextKey(key.text, key.gap, key.case_sensitive, _plain(key.weight), key.feedback_html)
            for key in row.texts
        ),
        pairs=tuple(model.Pair(pair.left_html, pair.right) for pair in row.pairs),
        essay_topics=tuple(row.essay_topics),
        gap_choices=choices,
        title=row.title,
        direction_html=row.passage.html if row.passage else "",
        explanation_html=row.explanation_html,
        subject=paths.get(row.subject_id or 0, ()),
        marks=None if row.marks == defaults[0] else _plain(row.marks),
        negative_marks=None if row.negative_marks == defaults[1] else _plain(row.negative_marks),
        language=row.language,
        identifier=row.identifier,
        tags=tuple(row.tags),
        rubric=tuple(model.Criterion(each["criterion"], Decimal(each["points"])) for each in row.rubric),
        file_types=tuple(row.file_types),
        most_files=row.most_files,
        pool=row.pool,
    )


def subject_paths(session: Session, wanted: Iterable[int | None]) -> dict[int, tuple[str, ...]]:
    """Return the path from the root of the subject tree, by subject."""
    rows: dict[int, tables.Subject] = {}
    level = {subject for subject in wanted if subject is not None}
    while level:
        found = session.scalars(select(tables.Subject).where(tables.Subject.id.in_(level))).all()
        rows |= {row.id: row for row in found}
        level = {row.parent_id for row in found if row.parent_id is not None} - rows.keys()

    def path(number: int) -> tuple[str, ...]:
        row = rows[number]
        return (*(path(row.parent_id) if row.parent_id is not None else ()), row.name)

    return {number: path(number) for number in rows}


def _plain(number: Decimal) -> Decimal:
    """Remove trailing zeros, which come from columns with four places."""
    return number.normalize() + 0


def _some(number: Decimal | None) -> Decimal | None:
    return None if number is None else _plain(number)
