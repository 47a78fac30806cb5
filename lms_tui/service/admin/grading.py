"""Marks by hand and corrections, for the administrator's commands. Each call is one transaction."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from sqlalchemy import select

from lms_tui.banks.progress import Progress, untold
from lms_tui.service.admin.administration import AdminError, Administration, exam_named, translate_errors
from lms_tui.service.attempts.files import content_of, find_file
from lms_tui.service.core.audit import note
from lms_tui.service.core.database.tables import AttemptQuestion, Correction, Question
from lms_tui.service.grading import marking
from lms_tui.service.grading.correction import Moved, correct, described
from lms_tui.service.grading.marking import Mark, Paper
from lms_tui.wire.files import FileReference

__all__ = [
    "Mark",
    "correct_question",
    "files_of_answer",
    "give_marks",
    "papers",
    "release_marks",
    "rubric_of",
    "set_rubric",
    "text_of",
]

Row = dict[str, Any]


def papers(
    admin: Administration, slug: str, *, question: int = 0, username: str = "", marked: bool = False
) -> list[Paper]:
    """Return the answers that wait for marks. See `marking.papers`."""
    with admin.database.read() as session:
        return marking.papers(session, exam_named(session, slug), question=question, username=username, marked=marked)


def text_of(admin: Administration, answer_id: int) -> tuple[str, str]:
    """Return the HTML of the question of an answer, and the answer."""
    with admin.database.read() as session:
        row = marking.answers_of(session, [answer_id])[answer_id]
        question, text = row.question, marking.text_of(row)
        return question.html, text


def files_of_answer(admin: Administration, answer_id: int) -> Iterator[tuple[FileReference, bytes | None]]:
    """Yield the files of an answer in their order, with their content, or None where it has not arrived."""
    with admin.database.read() as session:
        row = session.get_one(AttemptQuestion, answer_id)
        gaps = sorted(row.gap_fill_responses, key=lambda gap: int(gap["order"]))
        named = [file for gap in gaps if (file := FileReference.read(gap["answer"]))]
        stored = [(file, find_file(session, row.attempt_id, file.digest)) for file in named]
    for file, found in stored:
        is_whole = found is not None and found.received == found.size
        yield file, b"".join(content_of(admin.database, found.id)) if found is not None and is_whole else None


def give_marks(admin: Administration, slug: str, marks: Sequence[Mark], marker: str = "") -> list[Paper]:
    """Keep marks for answers, all or none. Raises AdminError.

    `marker`: who gives them, if several people share one account of the shell.
    """
    by = f"{admin.who} for {marker}" if marker else admin.who
    with translate_errors(), admin.database.write() as session:
        exam = exam_named(session, slug, lock=True)
        return [marking.give(session, exam, mark, by=by, now=admin.now) for mark in marks]


def set_rubric(admin: Administration, slug: str, question: int, rubric: Sequence[tuple[str, Decimal]]) -> list[Row]:
    """Give a question criteria with points. Raises AdminError."""
    with translate_errors(), admin.database.write() as session:
        exam = exam_named(session, slug, lock=True)
        return [*marking.set_rubric(session, exam, question, rubric, by=admin.who, now=admin.now)]


def rubric_of(admin: Administration, slug: str, question: int) -> list[Row]:
    with admin.database.read() as session:
        exam = exam_named(session, slug)
        found = select(Question.rubric).where(Question.exam_id == exam.id, Question.order == question)
        rows = session.scalars(found).all()
        if not rows:
            raise AdminError(f"The exam {slug} has no question {question}.", f"See `lms-tui exam show {slug}`.")
        return [*(rows[0] or ())]


def release_marks(admin: Administration, slug: str, differ_by: Decimal | None = None) -> Row:
    """Let all marks by hand count, and show them to students. See `marking.release`."""
    with translate_errors(), admin.database.write() as session:
        exam = exam_named(session, slug, lock=True)
        released, waiting = marking.release(session, exam, by=admin.who, now=admin.now, differ_by=differ_by)
        return {"slug": slug, "released": released, "to_mark": waiting}


def correct_question(
    admin: Administration,
    slug: str,
    number: int,
    kind: Correction,
    key: Sequence[str] = (),
    *,
    apply: bool,
    progress: Progress = untold,
) -> list[Row]:
    """Correct a question, or only show the change. Return a row for each attempt whose score or rank changes."""
    with translate_errors(), admin.database.write() as session:
        exam = exam_named(session, slug, lock=True)
        question = session.scalar(select(Question).where(Question.exam_id == exam.id, Question.order == number))
        if question is None:
            raise AdminError(f"The exam {slug} has no question {number}.", f"See `lms-tui exam show {slug}`.")
        before = described(question)
        moved = correct(session, exam, question, kind, key, admin.now, progress)
        after = described(question) | {"changed": len(moved)}
        about = f"exam {slug}, question {number}"
        note(session, at=admin.now, who=admin.who, what="question.correct", about=about, before=before, after=after)
        if not apply:
            session.rollback()
    return [_row(one) for one in moved]


def _row(moved: Moved) -> Row:
    return {
        "name": moved.after.name,
        "username": moved.after.username,
        "score": float(moved.before.score),
        "new_score": float(moved.after.score),
        "rank": moved.before.ranking.rank,
        "new_rank": moved.after.ranking.rank,
    }
