"""What the hot writes put into either database: the same rows as plain SQLAlchemy, whole batches or single moves."""

import asyncio
import http.client
import json
import random
import sqlite3
import threading
import urllib.request
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import psycopg
import pytest
from sqlalchemy import URL, select, text

from lms_tui.service.attempts.answers import AnswerBody, apply, check
from lms_tui.service.attempts.row_clocks import clock_of, write_clock
from lms_tui.service.attempts.rows import AnswerRow
from lms_tui.service.attempts.seen import seen_with
from lms_tui.service.attempts.stamps import Stamp, applied_with, is_superseded
from lms_tui.service.attempts.writes import AnswerWrite, Heartbeat, Write
from lms_tui.service.core.database import tables
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.errors import Forbidden
from lms_tui.service.core.settings import ServiceSettings, system_clock
from lms_tui.service.core.urls import Urls
from lms_tui.service.server.fast_path import sqlite as sqlite_store
from lms_tui.wire.files import FileReference, FileRules
from tests.service.service_world import Caller, World, every_kind, locked, sums
from tests.service.test_service_process import Starter, first_line, start
from tests.waiting import PATIENCE

__all__ = ["start"]
URLS = Urls("http://lms.test")
OWN = {"id", "user_id", "attempt_id", "section_id"}
"""Fields that differ between the attempts of two students."""


def rows_of(world: World, attempt: int) -> list[dict[str, Any]]:
    """Every column of an attempt, its sections and its questions, but for whose they are."""
    with world.database.read() as session:
        found: list[Any] = [session.get_one(tables.Attempt, attempt)]
        for kind in (tables.AttemptSection, tables.AttemptQuestion):
            found += session.scalars(select(kind).where(kind.attempt_id == attempt).order_by(kind.order))
        return [
            {column.key: getattr(row, column.key) for column in row.__table__.columns if column.key not in OWN}
            for row in found
        ]


def questions_of(world: World, attempt: int) -> list[tables.AttemptQuestion]:
    with world.database.read() as session:
        statement = select(tables.AttemptQuestion).where(tables.AttemptQuestion.attempt_id == attempt)
        rows = session.scalars(statement.order_by(tables.AttemptQuestion.order)).all()
        for row in rows:
            assert row.question.options is not None
        return list(rows)


def plainly(world: World, move: Write) -> None:
    """Apply a write with SQLAlchemy, one row at a time."""
    with world.database.write() as session:
        attempt = session.get_one(tables.Attempt, move.attempt_id)
        if isinstance(move, Heartbeat):
            write_clock(attempt, clock_of(attempt).at(move.now))
            return
        row = session.get_one(tables.AttemptQuestion, move.question_id)
        if is_superseded(move.stamp, row.answer_stamps, move.now):
            return
        check(row.question.kind, {option.id for option in row.question.options}, move.body, FileRules())
        since = max(attempt.last_answer or attempt.last_started_time, attempt.last_started_time)
        apply(cast(AnswerRow, row), move.body, move.now - since, move.now)
        attempt.answers_seen = seen_with(attempt.answers_seen, move.stamp, row.answer_stamps)
        row.answer_stamps = applied_with(move.stamp, row.answer_stamps, move.now)
        attempt.last_answer = move.now


def some_body(source: random.Random, row: tables.AttemptQuestion) -> AnswerBody:
    """Return a partial or complete answer that fits the question, with difficult text."""
    said = source.choice(["", "Chennai", "3.14", "\u0000a\u2028b “c” \\ ' \U0001f600", "நன்றி {1,2} %s"])
    fields: dict[str, Any] = {"review": source.choice([None, True, False])}
    match row.question.kind:
        case "R":
            fields["selected_answers"] = source.choice([None, [], [source.choice(row.question.options).id]])
        case "C":
            fields["selected_answers"] = [option.id for option in row.question.options if source.random() < 0.5]
        case "S" | "N":
            fields["short_text"] = said
        case "E":
            fields |= {"essay_text": said, "essay_topic": source.choice([None, "Two"])}
        case "G" | "M":
            fields["gap_fill_responses"] = [{"order": str(gap), "answer": said} for gap in range(1, 3)]
        case "F":
            file = FileReference("0" * 64, 3, "நன்றி {1,2} %s.pdf")
            fields["gap_fill_responses"] = source.choice([[], [{"order": "1", "answer": file.text}]])
    return AnswerBody(**fields)


@dataclass
class Twins:
    """Two attempts on one exam, to which the same happens: through the writer to one, plainly to the other."""

    world: World
    hot: int
    plain: int
    own: int
    other: int
    questions: list[tuple[tables.AttemptQuestion, tables.AttemptQuestion]]

    @classmethod
    async def begin(cls, world: World, asha: Caller, ravi: Caller, slug: str) -> "Twins":
        hot, plain = await asha.create(slug), await ravi.create(slug)
        with world.database.read() as session:
            own, other = (session.get_one(tables.Attempt, attempt).user_id for attempt in (hot, plain))
        pairs = zip(questions_of(world, hot), questions_of(world, plain), strict=True)
        return cls(world, hot, plain, own, other, list(pairs))

    def beat(self) -> Write:
        plainly(self.world, Heartbeat(self.other, None, self.plain, URLS, self.world.clock.now))
        return Heartbeat(self.own, None, self.hot, URLS, self.world.clock.now)

    def answer(self, place: int, body: AnswerBody, stamp: Stamp | None = None) -> Write:
        hot, plain = self.questions[place]
        now = self.world.clock.now
        plainly(self.world, AnswerWrite(self.other, None, self.plain, URLS, now, plain.id, body, stamp))
        return AnswerWrite(self.own, None, self.hot, URLS, now, hot.id, body, stamp)

    async def perform(self, *moves: Write) -> None:
        await asyncio.gather(*map(self.world.app.writer.perform, moves))
        assert rows_of(self.world, self.hot) == rows_of(self.world, self.plain)


@pytest.mark.parametrize("seed", range(3))
async def test_each_store_writes_the_same_rows_as_sqlalchemy(
    world: World, asha: Caller, ravi: Caller, seed: int
) -> None:
    source = random.Random(seed)
    world.add_exam([every_kind(), locked((20, 20)), sums(duration=None, title="Untimed")][seed])
    twins = await Twins.begin(world, asha, ravi, ["every-kind", "parts", "untimed"][seed])
    # Of sections that lock, the first is open long enough for all of it.
    places = range(2 if seed == 1 else len(twins.questions))
    for place in places:
        # What is answered for the first time waits for its question to be read, and others overtake it.
        await twins.perform(twins.answer(place, AnswerBody()))
    for _ in range(12):
        world.clock.move(seconds=source.choice([0.000001, 1, 61.5]))
        moves: list[Write] = []
        for place in source.choices(places, k=source.randint(1, 6)):
            stamp = source.choice(
                [None, Stamp(source.choice("ab"), source.randint(0, 20), source.choice((None, 0, 10**12)))]
            )
            moves.append(twins.answer(place, some_body(source, twins.questions[place][0]), stamp))
            if source.random() < 0.3:
                moves.append(twins.beat())
        await twins.perform(*moves)


async def test_ended_sections_are_stored_as_by_sqlalchemy(world: World, asha: Caller, ravi: Caller) -> None:
    world.add_exam(locked((1, 2, 3)))
    twins = await Twins.begin(world, asha, ravi, "parts")
    for _ in range(5):
        world.clock.move(seconds=71.25)
        await twins.perform(twins.beat())


async def test_a_heartbeat_and_the_answers_of_another_attempt_share_a_batch(
    world: World, asha: Caller, ravi: Caller
) -> None:
    world.add_exam(locked((20, 20)))
    twins = await Twins.begin(world, asha, ravi, "parts")
    (first, _), *_, (last, _) = twins.questions
    chosen = AnswerBody(selected_answers=[first.question.options[0].id])
    now = world.clock.now
    moves: list[Write] = [
        Heartbeat(twins.other, None, twins.plain, URLS, now),
        AnswerWrite(twins.own, None, twins.hot, URLS, now, first.id, chosen, None),
        AnswerWrite(twins.own, None, twins.hot, URLS, now, last.id, AnswerBody(), None),
    ]
    beat, answered, refused = (asyncio.ensure_future(world.app.writer.perform(move)) for move in moves)
    with pytest.raises(Forbidden):
        await refused
    assert [section["state"] for section in json.loads((await beat).body)["sections"]] == ["Running", "Not Started"]
    assert json.loads((await answered).body)["selected_answers"] == chosen.selected_answers


async def test_a_batch_changes_its_own_rows_only(world: World, asha: Caller, ravi: Caller, attempt: int) -> None:
    other = await ravi.create("sums")
    before, own = rows_of(world, other), rows_of(world, attempt)
    world.clock.move(seconds=30)
    question = (await asha.questions(attempt))[1]
    await asha.answer(attempt, question["id"], question["question"]["answers"][0]["id"])
    assert rows_of(world, other) == before
    changed = [place for place, row in enumerate(rows_of(world, attempt)) if row != own[place]]
    assert changed == [0, 3]


@pytest.mark.parametrize("damage", ["unreadable", "unwritable"])
async def test_a_bad_row_does_not_affect_other_answers_of_its_batch(
    world: World, asha: Caller, ravi: Caller, attempt: int, damage: str
) -> None:
    other = await ravi.create("sums")
    mine, theirs = await asha.questions(attempt), await ravi.questions(other)
    chosen = mine[0]["question"]["answers"][0]["id"]
    # Known before, so that all of them go into one batch.
    await asha.answer(attempt, mine[0]["id"], chosen)
    break_row(world, theirs[0]["id"], damage)
    good = [asha.answer(attempt, question["id"], chosen_of(question)) for question in mine]
    stamped = {"X-Answer-Seq": "a:1"}
    bad = ravi.send("PUT", path_of(other, theirs[0]["id"]), json={"selected_answers": [chosen]}, headers=stamped)
    first, refused, *others = await asyncio.gather(good[0], bad, *good[1:], ravi.answer(other, theirs[1]["id"]))
    assert (refused.status_code, refused.json()) == (500, {"detail": "The server failed to process the request."})
    assert [answered["selected_answers"] for answered in (first, *others[:-1])] == [[chosen_of(one)] for one in mine]
    assert [question["selected_answers"] for question in await asha.questions(attempt)] == [
        [chosen_of(one)] for one in mine
    ]


def chosen_of(question: dict[str, Any]) -> int:
    return int(question["question"]["answers"][-1]["id"])


def path_of(attempt: int, question: int) -> str:
    return f"/api/v2.2/attempts/{attempt}/questions/{question}"


def break_row(world: World, question: int, damage: str) -> None:
    """Damage the row of one question: its stamps are none, or the database refuses to change it."""
    if damage == "unreadable":
        statements = [f"UPDATE attempt_questions SET answer_stamps = '[]' WHERE id = {question}"]  # noqa: S608  # a number
    elif world.database.is_sqlite:
        refuse = "BEGIN SELECT RAISE(ABORT, 'refused'); END"
        statements = [f"CREATE TRIGGER refuse BEFORE UPDATE ON attempt_questions WHEN OLD.id = {question} {refuse}"]
    else:
        trigger = f"CREATE TRIGGER refuse BEFORE UPDATE ON attempt_questions FOR EACH ROW WHEN (OLD.id = {question})"
        statements = [
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$",
            f"{trigger} EXECUTE FUNCTION refuse()",
        ]
    with world.database.write() as session:
        for statement in statements:
            session.execute(text(statement))


_HOLD = """CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql
 AS $$ BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END $$"""
_HOLD_AT_COMMIT = """CREATE CONSTRAINT TRIGGER hold AFTER UPDATE ON attempt_questions
 DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hold()"""


@asynccontextmanager
async def held_commits(world: World, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """Keep every commit of a hot batch from ending inside the block."""
    if world.database.is_sqlite:
        may_commit = threading.Event()
        commit = sqlite_store._commit

        def late(connection: sqlite3.Connection) -> None:
            assert may_commit.wait(PATIENCE)
            commit(connection)

        monkeypatch.setattr(sqlite_store, "_commit", late)
        try:
            yield
        finally:
            may_commit.set()
        return
    with world.database.write() as session:
        session.execute(text(_HOLD))
        session.execute(text(_HOLD_AT_COMMIT))
    arguments = world.database.url.translate_connect_args(username="user", database="dbname")
    arguments |= dict(world.database.url.query)
    with psycopg.connect(**arguments) as holder:
        holder.execute("SELECT pg_advisory_lock(7)")
        yield


async def test_an_answer_is_acknowledged_after_its_commit_and_not_before(
    world: World, asha: Caller, attempt: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = (await asha.questions(attempt))[0]
    async with held_commits(world, monkeypatch):
        waiting = asyncio.create_task(asha.answer(attempt, question["id"], chosen_of(question)))
        for _ in range(20):
            # Others are served meanwhile, and see nothing of what is not committed.
            assert (await asha.questions(attempt))[0]["selected_answers"] == []
            assert not waiting.done()
    assert (await waiting)["selected_answers"] == [chosen_of(question)]
    assert (await asha.questions(attempt))[0]["selected_answers"] == [chosen_of(question)]


async def test_an_exam_that_could_not_be_refreshed_is_read_again(
    world: World, asha: Caller, attempt: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    facts = world.app.writer._cache
    now = [0.0]
    monkeypatch.setattr(facts, "_monotonic", lambda: now[0])
    beat = f"/api/v2.2/attempts/{attempt}/heartbeat/"
    await asha.put(beat)
    with world.database.write() as session:
        session.execute(text("UPDATE exams SET title = 'Other sums'"))
    read = facts._read_exam

    def away(_exam: int) -> None:
        raise ConnectionError("away")

    monkeypatch.setattr(facts, "_read_exam", away)
    now[0] = 3.0
    assert (await asha.put(beat))["exam"]["title"] == "Sums"
    await asyncio.gather(*world.app.writer._reading.values(), return_exceptions=True)
    await asyncio.sleep(0)
    assert "could not be filled: ConnectionError" in caplog.text
    assert (await asha.put(beat))["exam"]["title"] == "Sums"
    monkeypatch.setattr(facts, "_read_exam", read)
    now[0] = 11.0
    assert (await asha.put(beat))["exam"]["title"] == "Other sums"


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_when_the_process_is_killed(tmp_path: Path, start: Starter) -> None:
    """Four students answer as fast as they are answered, on a real service that is killed among them."""
    folder = tmp_path / "service"
    sat = sit_down(folder, [f"s{number}" for number in range(4)])
    process = start(f"Path({str(folder)!r})")
    base = first_line(process).split()[-1]
    acknowledged: list[list[int]] = [[] for _ in sat]
    enough = threading.Semaphore(0)

    def student(number: int) -> None:
        token, attempt, question, options = sat[number]
        for turn in range(10_000):
            chosen = options[turn % len(options)]
            request = urllib.request.Request(  # noqa: S310  # our own service
                base + path_of(attempt, question), b'{"selected_answers": [%d]}' % chosen, method="PUT"
            )
            request.add_header("Content-Type", "application/json")
            request.add_header("Authorization", f"JWT {token}")
            try:
                urllib.request.urlopen(request, timeout=PATIENCE).close()  # noqa: S310  # our own service
            except (OSError, http.client.HTTPException):  # the process was killed, perhaps in the middle of its reply
                return
            acknowledged[number].append(chosen)
            enough.release()

    students = [threading.Thread(target=student, args=(number,)) for number in range(len(sat))]
    for thread in students:
        thread.start()
    for _ in range(200):
        assert enough.acquire(timeout=PATIENCE)
    process.kill()
    process.wait()
    for thread in students:
        thread.join()
    kept = kept_of(ServiceSettings(folder).database)
    for number, (_, _, question, options) in enumerate(sat):
        under_way = options[len(acknowledged[number]) % len(options)]
        assert kept[question] in (acknowledged[number][-1:], [under_way])


def sit_down(folder: Path, names: Sequence[str], database_url: str = "") -> list[tuple[str, int, int, list[int]]]:
    """Let each of these students begin an exam; return tokens, attempts, a question of each and its options."""

    async def begin() -> list[tuple[str, int, int, list[int]]]:
        world = World.at(folder, database_url)
        world.clock.now = system_clock()
        world.add_exam(sums(duration=None))
        sat = []
        for name in names:
            world.add_user(name)
            attempt = await world.caller(name).create("sums")
            question = (await world.caller(name).questions(attempt))[0]
            options = [option["id"] for option in question["question"]["answers"]]
            sat.append((world.token(name), attempt, question["id"], options))
        await world.close()
        return sat

    return asyncio.run(begin())


def kept_of(url: URL) -> dict[int, list[int]]:
    """Return the options that the database holds, by question."""
    database = Database(url)
    with database.read() as session:
        rows = session.execute(select(tables.AttemptQuestion.id, tables.AttemptQuestion.selected_answers)).all()
    database.close()
    return {row: list(selected) for row, selected in rows}
