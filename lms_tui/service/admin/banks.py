"""Question banks: exam files whose questions other exams draw, for the administrator's commands."""

from collections.abc import Sequence
from dataclasses import field, replace
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from lms_tui.banks import model
from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.service.admin.administration import AdminError, refuse_no_slug, translate_errors
from lms_tui.service.admin.exams import Imported, Source
from lms_tui.service.core.audit import note, shell_user
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import Exam
from lms_tui.service.exams.exporter import exam_of
from lms_tui.service.exams.importer import import_exam, update_exam
from lms_tui.service.exams.upsert import Outcome, empty_exam


@frozen
class BankAdministration:
    """Fills question banks."""

    database: Database
    now: datetime
    who: str = field(default_factory=shell_user)

    def add(
        self, source: Source, bank: str, *, course: str, tags: Sequence[str] = (), only_show: bool = False
    ) -> Imported:
        """Put the questions of a file into a bank, which is created if its name is new. Raises AdminError.

        They replace those that came from a file of the same name. `tags`: each question gets them. With `only_show`,
        the database stays as it was.
        """
        refuse_no_slug(bank, "a bank")
        read, _, notes = source.read()
        if read.draws:
            raise AdminError(f"{source.file.name} draws from a bank itself.", "Import it as an exam.")
        own = tuple(
            replace(each, pool=0, tags=tuple(dict.fromkeys([*each.tags, *tags])), line=0) for each in read.questions
        )
        section = model.Section(clean_line(source.file.name), own)
        with translate_errors(), self.database.write() as session:
            row = _bank(session, bank)
            before = () if row is None else exam_of(session, row).sections
            files = {each.name: each for each in before} | {section.name: section}
            exam = model.Exam(bank, tuple(files.values()), slug=bank)
            if row is None:
                made = import_exam(session, exam, course=course, now=self.now, start_date=self.now, is_published=False)
                row, outcome = session.get_one(Exam, made), Outcome.CREATED
                row.is_bank = True
            else:
                empty_exam(session, row)
                update_exam(session, exam, row)
                same = before == exam_of(session, row).sections
                outcome = Outcome.UNCHANGED if same else Outcome.UPDATED
            result = {
                "outcome": outcome.value,
                "bank": bank,
                "course": row.course.name,
                "file": section.name,
                "questions": len(own),
                "questions_of_bank": row.number_of_questions,
            }
            if outcome is not Outcome.UNCHANGED:
                note(session, at=self.now, who=self.who, what="bank.import", about=f"bank {bank}", after=result)
            if only_show or outcome is Outcome.UNCHANGED:
                session.rollback()
        return result, notes


def _bank(session: Session, slug: str) -> Exam | None:
    row = session.scalar(select(Exam).where(Exam.slug == slug).with_for_update())
    if row is not None and not row.is_bank:
        raise AdminError(f"{slug} is an exam, and not a question bank.", "Choose another name for the bank.")
    return row
