"""The results of a large exam as CSV, XLSX and JSON, compared with a bare dump of the same rows.

`.venv/bin/python -m benchmarks.results [STUDENTS] [QUESTIONS]`, on SQLite. The bare dump joins the tables in one
statement and writes each answer with Python's csv. Exit status 1 where a target is missed.
"""

import csv
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing, redirect_stdout
from datetime import timedelta
from pathlib import Path

from sqlalchemy import func, insert, literal, select, text

from benchmarks.figures import Target, judged
from lms_tui.banks.model import Exam, Option, Question, Section
from lms_tui.cli import main as run
from lms_tui.service.core.database import tables
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.totals import recount
from lms_tui.service.core.settings import ServiceSettings, system_clock
from lms_tui.service.exams.importer import import_exam
from lms_tui.wire.question_types import QuestionType

SECONDS = 10.0
_BARE = """
SELECT u.username, a.score, q.question_id, q.outcome, q.marks, q.selected_answers, q.short_text, q.gap_fill_responses
FROM attempts a JOIN users u ON u.id = a.user_id JOIN attempt_questions q ON q.attempt_id = a.id
ORDER BY u.username, q.attempt_id, q."order"
"""
_ANSWERS = """
INSERT INTO attempt_questions (attempt_id, question_id, section_id, "order", selected_answers, gap_fill_responses,
 answer_stamps, outcome, marks)
SELECT a.id, q.id, s.id, q."order", '[' || o.id || ']', '[]', '{}',
 CASE WHEN o.is_correct THEN 'correct' ELSE 'incorrect' END, CASE WHEN o.is_correct THEN 10000 ELSE 0 END
FROM attempts a JOIN attempt_sections s ON s.attempt_id = a.id JOIN questions q ON q.exam_id = a.exam_id
JOIN options o ON o.question_id = q.id AND o."order" = 1 + (a.id * 7919 + q.id * 104729) % 4
"""


def build(settings: ServiceSettings, students: int, count: int) -> None:
    """Fill the database with an exam that every student has ended."""
    database = Database(settings.database)
    database.prepare()
    now = system_clock()
    questions = tuple(
        Question(
            QuestionType.SINGLE,
            f"<p>What is {n} + {n}?</p>",
            tuple(Option(f"<p>{n * k}</p>", k == 2) for k in range(4)),
            subject=("Maths", f"Part {n % 5}"),
        )
        for n in range(count)
    )
    with database.write() as session:
        exam_id = import_exam(
            session, Exam("Sums", (Section("", questions),)), course="Maths", now=now, start_date=now, is_public=True
        )
        section = session.scalars(select(tables.ExamSection.id)).one()
        names = [f"s{number:06}" for number in range(students)]
        moments = {"tokens_valid_from": now, "created": now, "modified": now}
        session.execute(insert(tables.User), [{"username": name, "name_key": name} | moments for name in names])
        span = timedelta(minutes=50)
        ended = {"state": "Completed", "date": now, "last_started_time": now, "last_contact": now, "ended": now + span}
        ended |= {"time_taken": span, "exam_id": exam_id, "total_questions": count, "unanswered_count": 0}
        users = session.scalars(select(tables.User.id)).all()
        session.execute(insert(tables.Attempt), [{"user_id": user} | ended for user in users])
        attempts = select(tables.Attempt.id, literal(section), literal(1), literal("Completed"), literal(0))
        names_of = ["attempt_id", "exam_section_id", "order", "state", "time_taken"]
        session.execute(insert(tables.AttemptSection).from_select(names_of, attempts))
        session.execute(text(_ANSWERS))
        marks = select(func.sum(tables.AttemptQuestion.marks)).where(
            tables.AttemptQuestion.attempt_id == tables.Attempt.id
        )
        session.execute(
            tables.Attempt.__table__.update().values(score=marks.scalar_subquery(), max_score=count)  # type: ignore[attr-defined]  # a Table
        )
        recount(session, exam_id, ())
    database.close()


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of work in one thread, which other programs of the computer change little."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def bare(file: Path, target: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, target.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(connection.execute(_BARE))


def main(students: int = 10_000, questions: int = 100) -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = ServiceSettings(folder / "service")
        build(settings, students, questions)
        print(f"{students} attempts of {questions} questions")
        base = seconds(lambda: bare(folder / "service" / "service.sqlite3", folder / "bare.csv"))
        print(f"bare dump of the rows   {base:6.2f} s")
        targets = []
        where = ["exam", "results", "sums", "--data-dir", str(folder)]
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
            for kind in (["--csv", str(folder / "out.csv")], ["--xlsx", str(folder / "out.xlsx")], ["--json"], []):
                with redirect_stdout(nowhere):
                    took = seconds(lambda kind=kind: run([*where, *kind]))  # type: ignore[misc]  # bound at once
                shown = kind[0] if kind else "on a terminal"
                print(f"{shown:<24}{took:6.2f} s  {took / base:5.1f} × the bare dump", flush=True)
                targets.append(Target(f"results {shown}", took, SECONDS, "s"))
    return judged(targets)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
