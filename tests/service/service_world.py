"""A small institute on a real database file, with a clock that stands still until a test moves it."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import select

from lms_tui.banks.model import Exam, NumericKey, Option, Pair, Question, Section, TextKey
from lms_tui.service.core.database import tables
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.core.settings import Limits, ServiceSettings, Timing
from lms_tui.service.exams.importer import batch_named, import_exam
from lms_tui.service.server.app import Application, create_app
from lms_tui.service.users.emails import give_email
from lms_tui.wire.question_types import QuestionType

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
PASSWORD = "practice"


@cache
def _password_hash() -> str:
    """One for all, and compared quickly: each sign-in of a test would cost 20 ms more."""
    return Passwords().hash_public(PASSWORD)


def copy_database(file: Path, folder: Path) -> None:
    """Put a copy of an SQLite database in the folder of a service. The migrations take a tenth of a second."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    copy = folder / "service.sqlite3"
    copy.write_bytes(file.read_bytes())
    copy.chmod(0o600)


class FakeClock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def move(self, **duration: float) -> None:
        self.now += timedelta(**duration)


@dataclass(frozen=True)
class Caller:
    """Sends requests as one user and gives back status and JSON."""

    http: httpx.AsyncClient
    headers: dict[str, str] = field(default_factory=dict)

    async def send(self, method: str, path: str, **options: Any) -> httpx.Response:
        headers = {**self.headers, **options.pop("headers", {})}
        return await self.http.request(method, path, headers=headers, **options)

    async def get(self, path: str, status: int = 200) -> Any:
        return _json(await self.send("GET", path), status)

    async def put(self, path: str, body: Any = None, status: int = 200, **headers: str) -> Any:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return _json(await self.send("PUT", path, json=body, headers=named), status)

    async def post(self, path: str, body: Any = None, status: int = 201) -> Any:
        return _json(await self.send("POST", path, json=body), status)

    async def create(self, slug: str) -> int:
        return int((await self.post(f"/api/v2.2/exams/{slug}/attempts/"))["id"])

    async def questions(self, attempt: int) -> list[Any]:
        return list((await self.get(f"/api/v2.2/attempts/{attempt}/questions/"))["results"])

    async def answer(self, attempt: int, question: int, *selected: int, status: int = 200) -> Any:
        path = f"/api/v2.2/attempts/{attempt}/questions/{question}"
        return await self.put(path, {"selected_answers": list(selected)}, status)


def _json(response: httpx.Response, status: int) -> Any:
    assert response.status_code == status, response.text
    return response.json()


@dataclass
class World:
    settings: ServiceSettings
    database: Database
    clock: FakeClock
    app: Application
    http: httpx.AsyncClient

    @classmethod
    def at(cls, folder: Path, database_url: str = "") -> "World":
        settings = ServiceSettings(folder, database_url=database_url, timing=Timing(), limits=Limits())
        database = Database(settings.database)
        database.prepare()
        clock = FakeClock()
        app = create_app(settings, database, clock)
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        return cls(settings, database, clock, app, httpx.AsyncClient(transport=transport, base_url="http://lms.test"))

    async def close(self) -> None:
        await self.http.aclose()
        self.database.close()

    def add_user(self, username: str, *, batches: tuple[str, ...] = (), email: str = "", **fields: Any) -> int:
        with self.database.write() as session:
            user = tables.User(
                username=username,
                password_hash=_password_hash(),
                tokens_valid_from=self.clock.now,
                created=self.clock.now,
                modified=self.clock.now,
                **fields,
            )
            give_email(session, user, email)
            user.batches = [batch_named(session, name, self.clock.now) for name in batches]
            session.add(user)
            session.flush()
            return user.id

    def token(self, username: str) -> str:
        with self.database.read() as session:
            user = session.scalars(select(tables.User).where(tables.User.username == username)).one()
        return str(
            self.app.service.tokens.issue(
                user_id=user.id, username=user.username, email=user.email, not_before=user.tokens_valid_from
            )
        )

    def caller(self, username: str) -> Caller:
        return Caller(self.http, {"Authorization": f"JWT {self.token(username)}"})

    @property
    def stranger(self) -> Caller:
        return Caller(self.http)

    def add_exam(self, exam: Exam, **options: Any) -> int:
        given: dict[str, Any] = {
            "course": "Maths",
            "start_date": self.clock.now - timedelta(days=1),
            "is_public": True,
        }
        with self.database.write() as session:
            return import_exam(session, exam, now=self.clock.now, **(given | options))

    def right_answers(self, attempt: int) -> dict[int, list[int]]:
        """The key of an attempt: ids of the correct options by id of the attempt question."""
        with self.database.read() as session:
            rows = session.scalars(
                select(tables.AttemptQuestion).where(tables.AttemptQuestion.attempt_id == attempt)
            ).all()
            return {row.id: [option.id for option in row.question.options if option.is_correct] for row in rows}

    def wrong_answer(self, question: int) -> int:
        with self.database.read() as session:
            row = session.get_one(tables.AttemptQuestion, question)
            return next(option.id for option in row.question.options if not option.is_correct)


def choice(text: str, *, right: int = 0, several: bool = False, **fields: Any) -> Question:
    kind = QuestionType.MULTIPLE if several else QuestionType.SINGLE
    correct = {right, right + 1} if several else {right}
    options = tuple(Option(f"<p>{text} {number}</p>", number in correct) for number in range(4))
    return Question(kind, f"<p>{text}</p>", options, explanation_html="<p>because</p>", **fields)


def exam_of(*questions: Question, title: str = "Sums", **fields: Any) -> Exam:
    given: dict[str, Any] = {
        "duration": timedelta(minutes=30),
        "mark_per_question": Decimal(4),
        "negative_marks": Decimal(1),
    }
    return Exam(title, (Section("", questions),), **(given | fields))


def sums(count: int = 3, **fields: Any) -> Exam:
    return exam_of(*(choice(f"Sum {number}", subject=("Maths", "Sums")) for number in range(count)), **fields)


def locked(minutes: tuple[int, ...] = (10, 20), **fields: Any) -> Exam:
    """An exam whose sections have clocks of their own, two questions in each."""
    sections = tuple(
        Section(
            f"Part {number}",
            (choice(f"{number} first"), choice(f"{number} second")),
            duration=timedelta(minutes=given),
            instructions_html="<p>read</p>",
        )
        for number, given in enumerate(minutes, start=1)
    )
    return Exam("Parts", sections, mark_per_question=Decimal(2), **fields)


def every_kind() -> Exam:
    return exam_of(
        choice("Single"),
        choice("Several", several=True),
        Question(QuestionType.SHORT, "capital", texts=(TextKey("Chennai"),)),
        Question(QuestionType.NUMERIC, "pi", numbers=(NumericKey(Decimal("3.14"), Decimal("3.15")),)),
        Question(QuestionType.ESSAY, "write", essay_topics=("One", "Two")),
        Question(QuestionType.FILES, "upload"),
        Question(QuestionType.GAPS, "fill", texts=(TextKey("a", gap=1), TextKey("b", gap=2))),
        Question(QuestionType.MATCH, "match", pairs=(Pair("x", "1"), Pair("y", "2"), Pair("", "3"))),
        title="Every kind",
    )
