"""Question banks of the institute: their questions become the pools of the exams that draw from them."""

from collections.abc import Iterator
from dataclasses import replace

from sqlalchemy import select
from sqlalchemy.orm import Session

from lms_tui.banks import model
from lms_tui.service.core.database import tables
from lms_tui.service.exams.exam_rows import content_digest
from lms_tui.service.exams.exporter import exam_of


class NotDrawable(Exception):
    """A bank does not exist, or has fewer questions of a kind than an exam draws. The message is a sentence."""


def with_banks(session: Session, exam: model.Exam) -> model.Exam:
    """Return the exam with the questions of its banks as pools. Raises NotDrawable.

    A question belongs to the first pick of the exam that it fits, so no attempt has it twice.
    """
    banks = {draw.bank: _questions(session, draw.bank) for draw in exam.draws}
    picks = list(exam.picks)
    taken: set[str] = set()
    sections = []
    for section in exam.sections:
        questions = list(section.questions)
        for draw in section.draws:
            found = {digest: each for digest, each in banks[draw.bank].items() if draw.fits(each)}
            free = [each for digest, each in found.items() if digest not in taken]
            if len(free) < draw.count:
                raise NotDrawable(
                    f"The bank {_in_words(draw)} has {len(free)} questions to draw, and the exam wants {draw.count}."
                )
            taken |= found.keys()
            picks.append(draw.count)
            # With equal marks, because each student must be able to reach the same total.
            questions += [replace(each, pool=len(picks), marks=draw.marks, negative_marks=None) for each in free]
        sections.append(replace(section, questions=tuple(questions), draws=()))
    return replace(exam, sections=tuple(sections), picks=tuple(picks))


def _questions(session: Session, slug: str) -> dict[str, model.Question]:
    row = session.scalar(select(tables.Exam).where(tables.Exam.slug == slug, tables.Exam.is_bank))
    if row is None:
        raise NotDrawable(f"There is no question bank {slug}.")
    return {content_digest(question): question for question in exam_of(session, row).questions}


def _in_words(draw: model.BankDraw) -> str:
    def parts() -> Iterator[str]:
        if draw.subject:
            yield " / ".join(draw.subject)
        yield from draw.tags

    given = ", ".join(parts())
    return f"{draw.bank} ({given})" if given else draw.bank
