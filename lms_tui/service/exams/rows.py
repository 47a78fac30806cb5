"""Rows of exams that the first lists read, as plain values without the ORM."""

from datetime import datetime, timedelta
from decimal import Decimal

from lms_tui.common.frozen import frozen
from lms_tui.service.core.exam_rules import answers_shown, has_sections, sections_lock


@frozen
class CourseRow:
    name: str


@frozen
class ExamSectionRow:
    id: int
    order: int
    name: str
    duration: timedelta | None
    cut_off: int
    instructions: str


@frozen
class ExamRow:
    """The columns of `Exam` that lists show."""

    id: int
    slug: str
    title: str
    description: str
    start_date: datetime
    end_date: datetime | None
    duration: timedelta | None
    number_of_questions: int
    negative_marks: Decimal
    mark_per_question: Decimal
    template_type: int
    allow_retake: bool
    max_retakes: int | None
    enable_ranks: bool
    rank_publishing_date: datetime | None
    allow_pdf: bool
    allow_question_pdf: bool
    created: datetime
    variable_mark_per_question: bool
    show_answers: bool
    answers_after_closing: bool
    allow_preemptive_section_ending: bool
    immediate_feedback: bool
    course: CourseRow
    sections: list[ExamSectionRow]

    def shows_answers(self, now: datetime) -> bool:
        return answers_shown(
            allowed=self.show_answers, only_closed=self.answers_after_closing, end=self.end_date, now=now
        )

    @property
    def named_sections(self) -> list[ExamSectionRow]:
        """The sections that students see."""
        return self.sections if has_sections([section.name for section in self.sections]) else []

    @property
    def locks_sections(self) -> bool:
        return sections_lock([section.duration for section in self.sections])


@frozen
class AccommodationRow:
    """The columns of `Accommodation` that change an exam."""

    factor: Decimal
    extra: timedelta
    closes_later: timedelta
    no_limit: bool
