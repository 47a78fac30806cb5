"""The import, settings, copies and removal of exams, for the administrator's commands."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from lms_tui.banks.file_options import AS_FOUND, FileOptions
from lms_tui.banks.lint import lint_times
from lms_tui.banks.model import Exam as BankExam
from lms_tui.banks.progress import Progress, untold
from lms_tui.banks.reader import LARGEST, read_exam
from lms_tui.banks.texts import counted
from lms_tui.common.frozen import frozen
from lms_tui.common.reading import read_file
from lms_tui.service.admin.administration import (
    AdminError,
    Row,
    exam_named,
    exam_row,
    refuse_bank,
    refuse_end_before_start,
    refuse_no_slug,
    translate_errors,
)
from lms_tui.service.core.audit import note, shell_user
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import Attempt, AttemptQuestion, Batch, Exam, Question, exam_batches
from lms_tui.service.exams.drawing import NotDrawable, with_banks
from lms_tui.service.exams.exporter import exam_of
from lms_tui.service.exams.importer import import_exam
from lms_tui.service.exams.upsert import HasAttempts, Outcome, SlugTaken, digest_of, upsert_exam

Imported = tuple[Row, list[str]]
"""The exam, and notes about its file and its times."""
_OF_IMPORT: Final = ("is_public", "is_published", "start_date", "end_date", "duration", "allow_pdf")
_DATES: Final = ("start_date", "end_date")
_MARKS: Final = ("mark_per_question", "negative_marks")
UNLIMITED: Final = -1
"""The number of retakes that stands for any number."""


class FaultyFile(AdminError):
    """An exam file with errors. `notes`: a line for each of them."""

    def __init__(self, message: str, advice: str, notes: Sequence[str]) -> None:
        super().__init__(message, advice)
        self.notes = tuple(notes)


def _without_progress(_name: str, _size: int) -> AbstractContextManager[Progress]:
    return nullcontext(untold)


@frozen
class Source:
    """An exam file and how it is read. `progress`: shows how much of a file is read.

    With `leave_out_errors`, the questions with errors are left out. Without it, a file with errors is refused.
    """

    file: Path
    options: FileOptions = AS_FOUND
    leave_out_errors: bool = False
    progress: Callable[[str, int], AbstractContextManager[Progress]] = _without_progress

    def read(self) -> tuple[BankExam, str, list[str]]:
        """Return the exam, the digest of the file, and what was left out. Raises FaultyFile and other AdvisedErrors."""
        name = self.file.name
        data = read_file(self.file, LARGEST)
        with self.progress(name, len(data)) as progress:
            reading = read_exam(data, name, self.options, progress)
        notes = [finding.in_words for finding in reading.errors]
        if notes and not self.leave_out_errors:
            raise FaultyFile(
                f"{name} has {counted(len(notes), 'error')}. Nothing was imported.",
                "Correct the file, or leave these questions out with --leave-out-errors.",
                notes,
            )
        exam = reading.exam.without({finding.question for finding in reading.errors})
        if not exam.questions and not exam.draws:
            raise AdminError(f"{name} has no usable question.", "Correct the file.")
        how = "".join((self.options.encoding, self.options.columns, *self.options.quizzes))
        return exam, digest_of(data + how.encode()), [f"Left out: {told}" for told in notes]


@frozen
class ExamAdministration:
    """Commands that change an exam as a whole, in one transaction each. Rows are printed by `--json`.

    Each raises AdminError, and leaves a line in the audit.
    """

    database: Database
    now: datetime
    who: str = field(default_factory=shell_user)

    def add(
        self,
        source: Source,
        changes: Row,
        *,
        course: str,
        batches: Sequence[str],
        slug: str = "",
        only_show: bool = False,
    ) -> Imported:
        """Import an exam file, or update the exam of an earlier version of the file. `changes`: see `apply_settings`.

        A new exam allows no retakes, and one that closes shows its answers after closing, unless the file or the
        changes say otherwise. With `only_show`, the database stays as it was.
        """
        if slug:
            refuse_no_slug(slug, "an exam")
        exam, digest, notes = source.read()
        with translate_errors(), _upsert_errors(slug), self.database.write() as session:
            if exam.draws:
                exam = with_banks(session, exam)
                digest = digest_of(f"{digest} {exam.sections}".encode())
            kept, outcome = upsert_exam(
                session,
                exam,
                digest,
                course=course,
                slug=slug,
                now=self.now,
                batches=batches,
                given={name: changes[name] for name in _OF_IMPORT if name in changes},
            )
            refuse_bank(kept)
            before = settings_row(session, kept)
            apply_settings(session, kept, (_defaults(exam, kept) if outcome is Outcome.CREATED else {}) | changes)
            if not changes.keys().isdisjoint(_DATES):
                refuse_end_before_start(kept)
            row = settings_row(session, kept)
            if outcome is Outcome.UNCHANGED and row != before:
                outcome = Outcome.UPDATED
            row = {"outcome": outcome.value, **row}
            if outcome is not Outcome.UNCHANGED:
                self._note(session, "exam.import", kept, None, {**row, "file": source.file.name})
            notes += _notes_on_times(exam, kept)
            if only_show:
                session.rollback()
        return row, notes

    def change(self, slug: str, changes: Row) -> tuple[Row, list[str]]:
        """Change settings of an exam, and return it with notes about its times. `changes`: see `apply_settings`."""
        with translate_errors(), self.database.write() as session:
            exam = exam_named(session, slug, lock=True)
            refuse_bank(exam)
            before = settings_row(session, exam)
            apply_settings(session, exam, changes)
            timed = not changes.keys().isdisjoint({*_DATES, "duration", "answers"})
            notes = _notes_on_times(exam_of(session, exam), exam) if timed else []
            return self._noted(session, "exam.set", exam, before), notes

    def copy(self, slug: str, new: str, title: str = "") -> Row:
        """Make an exam with the same questions, settings and batches, and without attempts. Students do not see it."""
        refuse_no_slug(new, "an exam")
        with translate_errors(), self.database.write() as session:
            exam = exam_named(session, slug)
            if session.scalar(select(Exam.id).where(Exam.slug == new)) is not None:
                raise AdminError(f"There is an exam {new} already.", "Choose another link name.")
            copied = replace(exam_of(session, exam), slug=new)
            batches = select(Batch.name).join(exam_batches).where(exam_batches.c.exam_id == exam.id)
            made = import_exam(
                session,
                replace(copied, title=title) if title else copied,
                course=exam.course.name,
                now=self.now,
                start_date=self.now,
                batches=session.scalars(batches).all(),
                is_published=False,
                is_public=exam.is_public,
                template_type=exam.template_type,
                allow_pdf=exam.allow_pdf,
            )
            row = session.get_one(Exam, made)
            for name in ("allow_question_pdf", "shuffle_questions", "shuffle_options", "access_code"):
                setattr(row, name, getattr(exam, name))
            session.flush()
            return self._noted(session, "exam.copy", row, {"copy of": slug})

    def archive(self, slug: str, *, archived: bool) -> Row:
        """Hide an exam from students and from the list, or take it back into the list. Attempts and results stay."""
        with self.database.write() as session:
            exam = exam_named(session, slug, lock=True)
            before = settings_row(session, exam)
            exam.is_archived = archived
            exam.is_published = exam.is_published and not archived
            session.flush()
            return self._noted(session, "exam.archive", exam, before)

    def contents(self, slug: str) -> Row:
        """Return how much would be deleted with an exam."""
        with self.database.read() as session:
            return _contents(session, exam_named(session, slug))

    def delete(self, slug: str) -> Row:
        """Delete an exam with its questions, attempts and answers."""
        with self.database.write() as session:
            exam = exam_named(session, slug, lock=True)
            gone = _contents(session, exam)
            self._note(session, "exam.delete", exam, gone, None)
            session.execute(delete(Exam).where(Exam.id == exam.id))
            return {"outcome": "deleted", **gone}

    def _noted(self, session: Session, what: str, exam: Exam, before: Row) -> Row:
        row = settings_row(session, exam)
        self._note(session, what, exam, before, row)
        return row

    def _note(self, session: Session, what: str, exam: Exam, before: Row | None, after: Row | None) -> None:
        note(session, at=self.now, who=self.who, what=what, about=f"exam {exam.slug}", before=before, after=after)


@contextmanager
def _upsert_errors(slug: str) -> Iterator[None]:
    """Turn the errors of `upsert_exam` into AdminError."""
    try:
        yield
    except HasAttempts as error:
        raise AdminError(
            f"{_started(error.students, error.slug)}, so its questions and time can no longer change.",
            "Give the new version another link name with --slug.",
        ) from None
    except NotDrawable as error:
        raise AdminError(str(error), "See `lms-tui exam list --banks`.") from None
    except SlugTaken:
        raise AdminError(
            f"Another course has an exam {slug}.", "Choose another link name with --slug, or that course."
        ) from None


def _notes_on_times(exam: BankExam, row: Exam) -> list[str]:
    """Return what is odd about the time limit of a file and the dates of its exam."""
    window = None if row.end_date is None else row.end_date - row.start_date
    notes = [finding.message for finding in lint_times(replace(exam, duration=row.duration), window)]
    if row.answers_after_closing and row.end_date is None:
        notes.append("The exam has no end, so students do not see the answers. Set one with `lms-tui exam set --end`.")
    return notes


def _defaults(exam: BankExam, row: Exam) -> Row:
    """Return the settings of a new exam where its file says nothing."""
    silent: Row = {}
    if not exam.says("allow_retake", "max_retakes"):
        silent["retakes"] = 0
    if not exam.says("show_answers", "answers_after_closing") and row.end_date is not None:
        silent["answers"] = "after-closing"
    return silent


def apply_settings(session: Session, exam: Exam, changes: Row) -> None:
    """Change columns of an exam, and `retakes`, `UNLIMITED` or a number, and `answers`. Raises AdminError.

    `answers`: always, after-closing or never. New marks apply to the questions that have the marks of the exam.
    """
    fields = dict(changes)
    if "retakes" in fields:
        retakes: int = fields.pop("retakes")
        fields |= {"allow_retake": retakes != 0, "max_retakes": retakes or None}
    if "answers" in fields:
        answers: str = fields.pop("answers")
        fields |= {"show_answers": answers != "never", "answers_after_closing": answers == "after-closing"}
    fields = {name: value for name, value in fields.items() if getattr(exam, name) != value}
    if not fields.keys().isdisjoint({"duration", *_MARKS}):
        _refuse_where_started(session, exam)
    for name in _MARKS:
        if name in fields:
            column = {"mark_per_question": Question.marks, "negative_marks": Question.negative_marks}[name]
            of_exam = (Question.exam_id == exam.id, column == getattr(exam, name))
            session.execute(update(Question).where(*of_exam).values({column: fields[name]}))
    for name, value in fields.items():
        setattr(exam, name, value)
    session.flush()
    marks = select(Question.marks, Question.negative_marks).where(Question.exam_id == exam.id).distinct()
    exam.variable_mark_per_question = len(session.execute(marks).all()) > 1
    if not fields.keys().isdisjoint(_DATES):
        refuse_end_before_start(exam)
    session.flush()


def settings_row(session: Session, exam: Exam) -> Row:
    """Return an exam with all settings that a command can change."""
    retakes = "none" if not exam.allow_retake else _retakes(exam.max_retakes)
    return {
        **exam_row(session, exam),
        "marks": str(exam.mark_per_question.normalize()),
        "negative_marks": str(exam.negative_marks.normalize()),
        "retakes": retakes,
        "answers": _answers(exam),
        "ranks": exam.enable_ranks,
        "calculator": exam.calculator,
        "shuffled": exam.shuffle_questions,
        "options_shuffled": exam.shuffle_options,
        "access_code": exam.access_code,
        "pdf": exam.allow_pdf,
        "archived": exam.is_archived,
    }


def _retakes(most: int | None) -> str:
    return "unlimited" if most is None or most < 0 else str(most)


def _answers(exam: Exam) -> str:
    if not exam.show_answers:
        return "never"
    return "after-closing" if exam.answers_after_closing else "always"


def _refuse_where_started(session: Session, exam: Exam) -> None:
    if students := _students(session, exam):
        raise AdminError(
            f"{_started(students, exam.slug)}, so its time and marks can no longer change.",
            "Copy it with `lms-tui exam copy`, and change the copy.",
        )


def _started(students: int, slug: str) -> str:
    return f"{counted(students, 'student')} {'has' if students == 1 else 'have'} started the exam {slug}"


def _contents(session: Session, exam: Exam) -> Row:
    attempts = select(Attempt.id).where(Attempt.exam_id == exam.id)
    return {
        "slug": exam.slug,
        "title": exam.title,
        "questions": exam.number_of_questions,
        "students": _students(session, exam),
        "attempts": _count(session, select(func.count()).where(Attempt.exam_id == exam.id)),
        "answers": _count(session, select(func.count()).where(AttemptQuestion.attempt_id.in_(attempts))),
    }


def _students(session: Session, exam: Exam) -> int:
    return _count(session, select(func.count(Attempt.user_id.distinct())).where(Attempt.exam_id == exam.id))


def _count(session: Session, statement: Any) -> int:
    return session.scalar(statement) or 0
