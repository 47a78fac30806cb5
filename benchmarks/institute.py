"""An institute in the middle of an exam: students, each with a running attempt, and the requests they send."""

import json
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from sqlalchemy import insert, select

from lms_tui.banks.model import Exam, Option, Question, Section
from lms_tui.service.core.database import tables
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.keyfile import read_or_create
from lms_tui.service.core.settings import ServiceSettings, system_clock
from lms_tui.service.core.tokens import Tokens
from lms_tui.service.exams.importer import import_exam
from lms_tui.wire.question_types import QuestionType

QUESTIONS = 20


@dataclass(frozen=True, slots=True)
class Sat:
    """What a student may send: a token, an attempt, and its questions with the options of each."""

    token: str
    attempt: int
    questions: tuple[tuple[int, tuple[int, ...]], ...]


def build(settings: ServiceSettings, students: int) -> list[Sat]:
    """Fill the database of settings with students who sit an exam of two hours."""
    database = Database(settings.database)
    database.prepare()
    now = system_clock()
    questions = tuple(
        Question(
            QuestionType.SINGLE,
            f"<p>What is {n} + {n}?</p>",
            tuple(Option(f"<p>{n * k}</p>", k == 2) for k in range(4)),
        )
        for n in range(QUESTIONS)
    )
    exam = Exam("Sums", (Section("", questions),), duration=timedelta(hours=2))
    with database.write() as session:
        exam_id = import_exam(
            session, exam, course="Maths", now=now, start_date=now - timedelta(days=1), is_public=True
        )
        session.execute(
            insert(tables.User),
            [{"username": f"s{n}", "tokens_valid_from": now, "created": now, "modified": now} for n in range(students)],
        )
        users = session.execute(select(tables.User.id, tables.User.username)).all()
        section_id = session.scalars(select(tables.ExamSection.id)).one()
        asked = session.scalars(select(tables.Question).order_by(tables.Question.order)).all()
        options = [tuple(option.id for option in question.options) for question in asked]
        given = timedelta(hours=2)
        common = {"exam_id": exam_id, "date": now, "last_started_time": now, "last_contact": now, "allowed": given}
        common |= {"time_taken": timedelta(), "deadline": now + given, "total_questions": QUESTIONS}
        session.execute(
            insert(tables.Attempt), [common | {"user_id": user, "unanswered_count": QUESTIONS} for user, _ in users]
        )
        attempts = dict(session.execute(select(tables.Attempt.id, tables.Attempt.user_id)).all())
        begun = {"exam_section_id": section_id, "order": 1, "state": "Running", "time_taken": timedelta()}
        session.execute(insert(tables.AttemptSection), [begun | {"attempt_id": attempt} for attempt in attempts])
        sections = session.execute(select(tables.AttemptSection.id, tables.AttemptSection.attempt_id)).all()
        session.execute(
            insert(tables.AttemptQuestion),
            [
                {"attempt_id": attempt, "question_id": question.id, "section_id": section, "order": question.order}
                for section, attempt in sections
                for question in asked
            ],
        )
        of_attempt: dict[int, list[int]] = {}
        rows = select(tables.AttemptQuestion.id, tables.AttemptQuestion.attempt_id).order_by(tables.AttemptQuestion.id)
        for row, attempt in session.execute(rows):
            of_attempt.setdefault(attempt, []).append(row)
    database.close()
    tokens = Tokens(read_or_create(settings.key_file), system_clock, timedelta(days=1))
    names = dict(users)
    return [
        Sat(
            tokens.issue(user_id=user, username=names[user], email="", not_before=now),
            attempt,
            tuple(zip(of_attempt[attempt], options, strict=True)),
        )
        for attempt, user in attempts.items()
    ]


def beat(sat: Sat) -> str:
    return _request(f"/api/v2.2/attempts/{sat.attempt}/heartbeat/", sat.token, "")


def answer(sat: Sat, number: int) -> tuple[str, int, int]:
    """Return a request that answers one of the questions, the question and what is chosen; `number`: which answer."""
    question, options = sat.questions[number % len(sat.questions)]
    chosen = options[(number // len(sat.questions)) % len(options)]
    path = f"/api/v2.2/attempts/{sat.attempt}/questions/{question}"
    return _request(path, sat.token, json.dumps({"selected_answers": [chosen], "review": False})), question, chosen


def _request(path: str, token: str, body: str) -> str:
    head = f"PUT {path} HTTP/1.1\r\nHost: lms.test\r\nAuthorization: JWT {token}\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n{body}"


def answers_of(settings: ServiceSettings) -> dict[int, list[int]]:
    """What the database holds after all: what was chosen, by question of an attempt."""
    database = Database(settings.database)
    with database.read() as session:
        found = session.execute(select(tables.AttemptQuestion.id, tables.AttemptQuestion.selected_answers))
        chosen = {row: list(selected) for row, selected in found}
    database.close()
    return chosen


def write_wrk(path: Path, requests: list[str]) -> None:
    """Write a script for wrk that sends these requests in turn."""
    data = path.with_suffix(".txt")
    data.write_bytes(b"\0".join(request.encode() for request in requests))
    path.write_text(
        f"local all, file = {{}}, io.open({str(data)!r}, 'rb')\n"
        "for one in file:read('*a'):gmatch('[^%z]+') do all[#all + 1] = one end\n"
        "local turn = 0\nrequest = function() turn = turn % #all + 1; return all[turn] end\n"
        "done = function(summary, latency, requests)\n"
        "  io.write(string.format('RESULT %d %d %d %d\\n', summary.requests, summary.duration,"
        " latency:percentile(99), summary.errors.status + summary.errors.timeout + summary.errors.read))\nend\n",
        "utf-8",
    )
