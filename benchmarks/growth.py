"""Lists and the end of an attempt in an institute of a million attempts, beside the same requests in the demo.

`.venv/bin/python -m benchmarks.growth [ATTEMPTS] [ROUNDS]`, with PostgreSQL from Debian's packages. Both institutes are
the demo's. In the large one, a crowd took nine of its exams, and the student who sends the requests has a hundredth of
the attempts. In the small one, the student has taken each of these exams 21 times: the first pages of both are full.
Each request goes to both services in turn. Exit status 1 where a target is missed.
"""

import http.client
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from alembic import command
from sqlalchemy import (
    Integer,
    Select,
    String,
    case,
    cast,
    create_engine,
    func,
    insert,
    literal,
    select,
    text,
    type_coerce,
)
from sqlalchemy.orm import Session

from benchmarks.figures import Target, judged
from benchmarks.service import Served, service, serving
from lms_tui.service.core.database import tables
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.upgrade import configuration
from lms_tui.service.core.keyfile import read_or_create
from lms_tui.service.core.media import Media
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.core.settings import ServiceSettings, system_clock
from lms_tui.service.core.tokens import Tokens
from lms_tui.service.demo.institute import build_institute
from tests.service.postgres import binaries, cluster

EXAMS = 9
STUDENT = "asha"
RETAKEN, OWN_OF_RETAKEN = "weekly-physics-quiz", 500
"""The exam whose questions the crowd has answered too, and how often the student has taken it."""
OFTEN = "acids-and-bases"
ENDED = "foundation-test-1"
FULL_PAGE = 21
BEFORE_TOTALS = "0007"
SCORES = 500
"""How many different scores an exam has: quarter marks from -25 to 100."""


@dataclass(frozen=True, slots=True)
class Size:
    attempts: int

    @property
    def competitors(self) -> int:
        return self.attempts // EXAMS

    @property
    def own(self) -> int:
        return self.attempts // 100


def fill(database: Database, size: Size | None, now: datetime) -> None:
    """Add own attempts of the student and, if a size is given, the crowd with its attempts."""
    with database.write() as session:
        exams = session.scalars(select(tables.Exam).order_by(tables.Exam.id).limit(EXAMS)).all()
        if size is not None:
            session.execute(insert(tables.User).from_select(*_crowd(size, now)))
            for number, exam in enumerate(exams):
                session.execute(insert(tables.Attempt).from_select(*_sat(exam, now - timedelta(days=30 + number))))
            _answer(session, next(exam for exam in exams if exam.slug == RETAKEN))
        session.execute(insert(tables.Attempt), list(_own(session, exams, size, now)))


def _crowd(size: Size, now: datetime) -> tuple[list[str], Select[*tuple[Any, ...]]]:
    number = select(literal(1).label("n")).cte("numbers", recursive=True)
    number = number.union_all(select(number.c.n + 1).where(number.c.n < size.competitors))
    name = literal("crowd") + cast(number.c.n, String)
    moment = literal(now, tables.User.created.type)
    return ["username", "name_key", "tokens_valid_from", "created", "modified"], select(
        name, name, moment, moment, moment
    )


def _sat(exam: tables.Exam, begun: datetime) -> tuple[list[str], Select[*tuple[Any, ...]]]:
    """Select an ended attempt of each of the crowd at one exam, with one of many scores."""
    score = (type_coerce(tables.User.id, Integer) * 7919 + exam.id * 104_729) % SCORES * 2_500 - 250_000
    moment = literal(begun, tables.Attempt.date.type)
    span = literal(timedelta(minutes=9), tables.Attempt.time_taken.type)
    given: Mapping[str, Any] = {
        "exam_id": literal(exam.id),
        "user_id": tables.User.id,
        "state": literal("Completed"),
        "date": moment,
        "last_started_time": moment,
        "last_contact": moment,
        "ended": moment,
        "allowed": span,
        "time_taken": span,
        "total_questions": literal(exam.number_of_questions),
        "unanswered_count": literal(0),
        "score": score,
        "max_score": literal(1_000_000, Integer),
    }
    return list(given), select(*given.values()).where(tables.User.username.startswith("crowd"))


def _answer(session: Session, exam: tables.Exam) -> None:
    """Let the crowd answer the questions of one exam."""
    sections, questions = tables.AttemptSection, tables.AttemptQuestion
    span = literal(timedelta(minutes=9), sections.time_taken.type)
    of_crowd = (tables.Attempt.exam_id == exam.id) & (tables.Attempt.ended == tables.Attempt.last_contact)
    session.execute(
        insert(sections).from_select(
            ["attempt_id", "exam_section_id", "order", "state", "time_taken"],
            select(tables.Attempt.id, tables.ExamSection.id, tables.ExamSection.order, literal("Completed"), span)
            .join(tables.ExamSection, tables.ExamSection.exam_id == tables.Attempt.exam_id)
            .where(of_crowd, ~select(sections.id).where(sections.attempt_id == tables.Attempt.id).exists()),
        )
    )
    share = (type_coerce(sections.attempt_id, Integer) + tables.Question.id) % 3
    session.execute(
        insert(questions).from_select(
            ["attempt_id", "question_id", "section_id", "order", "duration", "outcome"],
            select(
                sections.attempt_id,
                tables.Question.id,
                sections.id,
                tables.Question.order,
                (type_coerce(sections.attempt_id, Integer) % 60 + 5) * 1_000_000,
                case((share == 0, "correct"), else_="incorrect"),
            )
            .join(tables.Question, tables.Question.section_id == sections.exam_section_id)
            .join(tables.Attempt, tables.Attempt.id == sections.attempt_id)
            .where(of_crowd, ~select(questions.id).where(questions.attempt_id == sections.attempt_id).exists()),
        )
    )


def _own(session: Session, exams: Sequence[tables.Exam], size: Size | None, now: datetime) -> Iterator[dict[str, Any]]:
    """Yield ended attempts of the student, in the demo as many at each exam as make a full page."""
    user_id = session.scalars(select(tables.User.id).where(tables.User.username == STUDENT)).one()
    own = (FULL_PAGE * len(exams)) if size is None else size.own
    others = [exam for exam in exams if exam.slug != RETAKEN]
    retaken = next(exam for exam in exams if exam.slug == RETAKEN)
    often = FULL_PAGE if size is None else OWN_OF_RETAKEN
    for number in range(own):
        exam = retaken if number < often else others[number % len(others)]
        begun = now - timedelta(minutes=10 * (number * 7 % own) + 20)
        yield {
            "exam_id": exam.id,
            "user_id": user_id,
            "state": "Completed",
            "date": begun,
            "last_started_time": begun,
            "last_contact": begun,
            "ended": begun,
            "time_taken": timedelta(minutes=4),
            "total_questions": exam.number_of_questions,
            "unanswered_count": 0,
            "score": number * 37 % SCORES / 4 - 25,
            "max_score": 100,
        }


def count(database: Database) -> None:
    """Bring the database to the newest migration again, which counts the attempts of before, and print its time."""
    engine = create_engine(database.url)
    with engine.begin() as connection:
        command.downgrade(configuration(connection), BEFORE_TOTALS)
    begun = time.perf_counter()
    database.prepare()
    print(f"the migrations after {BEFORE_TOTALS} took {time.perf_counter() - begun:.1f} s", flush=True)
    if not database.is_sqlite:
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("VACUUM ANALYZE"))  # PostgreSQL does this by itself after a while
    engine.dispose()


def build(settings: ServiceSettings, size: Size | None) -> str:
    """Fill a new database, with a crowd if a size is given, and return a token of the student."""
    database = Database(settings.database)
    database.prepare()
    now, begun = system_clock(), time.perf_counter()
    build_institute(database, Passwords(), now, Media(settings.media))
    fill(database, size, now)
    print(f"the attempts were added in {time.perf_counter() - begun:.1f} s", flush=True)
    count(database)
    with database.read() as session:
        user = session.scalars(select(tables.User).where(tables.User.username == STUDENT)).one()
        amount = session.scalar(select(func.count()).select_from(tables.Attempt))
        exams = select(tables.ScoreCount.exam_id, func.sum(tables.ScoreCount.students))
        most = max(total for _, total in session.execute(exams.group_by(tables.ScoreCount.exam_id)))
    print(f"{database.url.get_backend_name()}: {amount} attempts, up to {most} students in an exam", flush=True)
    database.close()
    tokens = Tokens(read_or_create(settings.key_file), system_clock, timedelta(days=1))
    return tokens.issue(user_id=user.id, username=STUDENT, email="", not_before=user.tokens_valid_from)


class Client:
    """Sends requests of the student over one connection."""

    def __init__(self, served: Served, token: str) -> None:
        host, _, port = served.url.rpartition("/")[2].rpartition(":")
        self._connection = http.client.HTTPConnection(host, int(port), timeout=600)
        self._headers = {"Authorization": f"JWT {token}"}

    def send(self, method: str, path: str) -> tuple[float, Any]:
        """Return the milliseconds until the response was read, and its JSON."""
        begun = time.perf_counter()
        self._connection.request(method, f"/api/{path}", headers=self._headers)
        response = self._connection.getresponse()
        body = response.read()
        taken = (time.perf_counter() - begun) * 1000
        if response.status >= 300:
            raise RuntimeError(f"{method} {path}: {response.status} {body[:200]!r}")
        return taken, json.loads(body)

    def create(self) -> int:
        return int(self.send("POST", f"v2.2/exams/{ENDED}/attempts/")[1]["id"])

    def end(self) -> float:
        """Create an attempt, and return the milliseconds that its end takes."""
        return self.send("PUT", f"v2.2/attempts/{self.create()}/end/")[0]

    def pages(self, path: str) -> dict[str, str]:
        """Return the paths of the first, the middle and the last page of a list."""
        got = self.send("GET", path)[1]
        last = max(1, -(-got["count"] // got["per_page"]))
        mark = "&" if "?" in path else "?"
        return {
            name: f"{path}{mark}page={number}"
            for name, number in (("first", 1), ("middle", last // 2 or 1), ("last", last))
        }


LISTS = {
    "all attempts": "v2.2/attempts/",
    "attempts by title": "v2.2/attempts/?q=PHYSICS",
    "attempts by course": "v2.2/attempts/?course=Foundation%20Science%20and%20Maths",
    "attempts of an exam taken often": f"v2.2/exams/{OFTEN}/attempts/",
    f"attempts of an exam taken {OWN_OF_RETAKEN} times": f"v2.2/exams/{RETAKEN}/attempts/",
    "exams": "v2.2/exams/",
    "exams taken": "v2.2/exams/history/",
    "exams available": "v2.2/exams/available/",
}
SINGLE = {f"an exam taken {OWN_OF_RETAKEN} times": f"v2.2/exams/{RETAKEN}", "statistics": "v2.5/me/stats/"}


def measure(name: str, small: Client, large: Client, rounds: int) -> Iterator[Target]:
    """Send each request to both services in turn, and compare."""
    for what, path in LISTS.items():
        few, all_pages = small.pages(path), large.pages(path)
        for page, limit in (("first", 2), ("middle", 2), ("last", 3)):
            if page == "first" or all_pages[page] != all_pages["first"]:
                yield compare(
                    f"{name}: {what}, {page}", limit, rounds, [(small, few["first"]), (large, all_pages[page])]
                )
    for what, path in SINGLE.items():
        yield compare(f"{name}: {what}", 2, rounds, [(small, path), (large, path)])
    # The attempts of the demo, the lowest, have the same IDs in both.
    own = small.pages(f"v2.2/exams/{RETAKEN}/attempts/")["last"]
    reviewed = min(one["id"] for one in small.send("GET", own)[1]["results"])
    for what, path in (("attempt", ""), ("review", "/review/"), ("subjects", "/review/subjects/")):
        shown = f"v2.2/attempts/{reviewed}{path}"
        yield compare(f"{name}: {what}", 2, rounds, [(small, shown), (large, shown)])
    running = [(client, f"v2.2/attempts/{client.create()}/questions/") for client in (small, large)]
    yield compare(f"{name}: questions of an attempt", 2, rounds, running)
    ends = [[client.end() for client in (small, large)] for _ in range(rounds + 2)][2:]
    yield ratio(f"{name}: end", 2, *map(statistics.median, zip(*ends, strict=True)))


def compare(name: str, limit: float, rounds: int, sent: Sequence[tuple[Client, str]]) -> Target:
    # The first two rounds read from the disk what the others find in memory.
    taken = [[client.send("GET", path)[0] for client, path in sent] for _ in range(rounds + 2)][2:]
    return ratio(name, limit, *map(statistics.median, zip(*taken, strict=True)))


def ratio(name: str, limit: float, small: float, large: float) -> Target:
    target = Target(name, large / small, limit, of=f"(p50 {small:.1f} and {large:.1f} ms)")
    print(f"{name:<60}{small:>9.1f}{large:>9.1f} ms{large / small:>7.2f} of at most {limit:g}", flush=True)
    return target


def main() -> int:
    size = Size(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 25
    with suppress(PermissionError):
        os.nice(-15)  # what else this computer does shall count less
    print("load of this computer before: {:.1f} {:.1f} {:.1f}".format(*os.getloadavg()), flush=True)
    targets: list[Target] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-", dir=os.environ.get("TMPDIR"))))
        plain = ServiceSettings(folder / "sqlite" / "service")
        kinds = {"SQLite": (plain, replace(plain, data_dir=folder / "large" / "service"))}
        if (programs := binaries()) is not None:
            running = stack.enter_context(cluster(programs, durable=True))
            own = [
                replace(plain, data_dir=folder / name / "service", database_url=running.empty())
                for name in ("postgresql", "large-postgresql")
            ]
            kinds["PostgreSQL"] = own[0], own[1]
        for name, (few, many) in kinds.items():
            tokens = build(few, None), build(many, size)
            with (
                serving(name, service(few), on_first_core=False) as small,
                serving(name, service(many), on_first_core=False) as large,
            ):
                targets += measure(name, Client(small, tokens[0]), Client(large, tokens[1]), rounds)
    print("load of this computer after: {:.1f} {:.1f} {:.1f}".format(*os.getloadavg()), flush=True)
    return judged(targets)


if __name__ == "__main__":
    sys.exit(main())
