"""The sections of exams."""

from collections.abc import Iterable
from functools import cache

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from lms_tui.service.core.database.loading import PARENTS, load_lists
from lms_tui.service.core.database.tables import Exam, ExamSection


@cache
def _of_exams() -> Select[ExamSection]:
    return select(ExamSection).where(ExamSection.exam_id.in_(PARENTS)).order_by(ExamSection.order)


def load_sections(session: Session, exams: Iterable[Exam]) -> None:
    load_lists(session, exams, Exam.sections, _of_exams(), ExamSection.exam_id)
