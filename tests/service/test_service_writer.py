"""Heartbeats and answers: batched, answered after their commit, and otherwise like everything else."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from lms_tui.service.attempts.answers import AnswerBody
from lms_tui.service.attempts.views import Presenter
from lms_tui.service.attempts.writes import AnswerWrite, Rows, Write
from lms_tui.service.core.database import tables
from lms_tui.service.core.urls import Urls
from lms_tui.service.server.fast_path.writer import Unit
from lms_tui.wire.single_attempts import LiveAttempt
from tests.service.service_world import Caller, World, every_kind, locked, sums

URLS = Urls("http://lms.test")


def beat_path(attempt: int) -> str:
    return f"/api/v2.2/attempts/{attempt}/heartbeat/"


def question_path(attempt: int, question: int) -> str:
    return f"/api/v2.2/attempts/{attempt}/questions/{question}"


@pytest.mark.parametrize("exam", ["timed", "untimed", "parts"])
async def test_a_heartbeat_returns_the_attempt_as_other_requests_do(world: World, asha: Caller, exam: str) -> None:
    world.add_exam(sums(title="Timed", max_retakes=2), allow_pdf=True)
    world.add_exam(sums(title="Untimed", duration=None))
    world.add_exam(locked())
    attempt = await asha.create(exam)
    world.clock.move(minutes=11, seconds=1.5)
    shown = await asha.put(beat_path(attempt))
    with world.database.read() as session:
        expected = Presenter(session, URLS, world.clock.now).one(LiveAttempt, attempt)
    assert shown == json.loads(expected.model_dump_json())


async def test_an_answer_is_shown_as_the_list_of_questions_shows_it(world: World, asha: Caller) -> None:
    world.add_exam(every_kind())
    attempt = await asha.create("every-kind")
    bodies: dict[str, dict[str, Any]] = {
        "S": {"short_text": "Chennai “quoted” \u0000 \u00e9"},
        "N": {"short_text": "3.14"},
        "E": {"essay_text": "long", "essay_topic": "Two", "review": True},
        "G": {"gap_fill_responses": [{"order": "1", "answer": "a"}]},
        "M": {"gap_fill_responses": [{"order": 2, "answer": "2"}]},
    }
    for row in await asha.questions(attempt):
        kind = row["question"]["type"]
        offered = [option["id"] for option in row["question"]["answers"]]
        world.clock.move(seconds=7)
        answered = await asha.put(
            question_path(attempt, row["id"]), bodies.get(kind, {"selected_answers": offered[:1]})
        )
        (listed,) = [one for one in await asha.questions(attempt) if one["id"] == row["id"]]
        assert answered == listed
    assert await asha.questions(attempt) == [
        await asha.put(question_path(attempt, row["id"]), {}) | {"duration": row["duration"]}
        for row in await asha.questions(attempt)
    ]


async def test_changes_are_visible_at_once(world: World, asha: Caller, attempt: int) -> None:
    await asha.put(beat_path(attempt))
    with world.database.write() as session:
        row = session.get_one(tables.Attempt, attempt).user
        row.first_name, row.modified = "Anu", world.clock.now + timedelta(seconds=1)
    assert (await asha.put(beat_path(attempt)))["user"]["first_name"] == "Anu"


@pytest.mark.parametrize("change", ["is_active = false", "tokens_valid_from = '2026-03-02 09:00:05+00'", "DELETE"])
async def test_a_revoked_token_is_refused_at_once(world: World, asha: Caller, attempt: int, change: str) -> None:
    await asha.put(beat_path(attempt))
    if world.database.is_sqlite:
        change = change.replace("+00'", ".000000'")
    with world.database.write() as session:
        statement = "DELETE FROM users" if change == "DELETE" else f"UPDATE users SET {change}"  # noqa: S608  # our own
        session.execute(text(f"{statement} WHERE username = 'asha'"))
    assert set(await asha.put(beat_path(attempt), status=401)) == {"detail"}


async def test_answers_to_one_question_apply_in_the_order_in_which_they_came(
    world: World, asha: Caller, attempt: int
) -> None:
    question = (await asha.questions(attempt))[0]
    offered = [option["id"] for option in question["question"]["answers"]]
    await asha.answer(attempt, question["id"], offered[0])
    with world.database.read() as session:
        user_id = session.get_one(tables.Attempt, attempt).user_id
    moves = [
        AnswerWrite(
            user_id, None, attempt, URLS, world.clock.now, question["id"], AnswerBody(selected_answers=[chosen]), None
        )
        for chosen in offered * 4
    ]
    answers = await asyncio.gather(*map(world.app.writer.perform, moves))
    assert [json.loads(answer.body)["selected_answers"] for answer in answers] == [[chosen] for chosen in offered * 4]
    assert (await asha.questions(attempt))[0]["selected_answers"] == [offered[-1]]


async def test_a_refused_answer_in_a_batch_leaves_the_others_alone(asha: Caller, ravi: Caller, attempt: int) -> None:
    question = (await asha.questions(attempt))[0]
    offered = [option["id"] for option in question["question"]["answers"]]
    _, wrong, foreign = await asyncio.gather(
        asha.answer(attempt, question["id"], offered[1]),
        asha.answer(attempt, question["id"], 10**15, status=400),
        ravi.answer(attempt, question["id"], offered[2], status=403),
    )
    assert (set(wrong), foreign) == ({"selected_answers"}, {"detail": "This attempt is not yours."})
    assert (await asha.questions(attempt))[0]["selected_answers"] == [offered[1]]


async def test_an_uncommitted_answer_is_never_acknowledged(
    world: World, asha: Caller, attempt: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = (await asha.questions(attempt))[0]
    chosen = question["question"]["answers"][0]["id"]
    store = world.app.writer._store
    unit = store.unit

    class Failing:
        def __init__(self, inner: Unit) -> None:
            self.inner = inner

        async def load(self, moves: Sequence[Write]) -> Rows:
            return await self.inner.load(moves)

        async def save(self, rows: Rows) -> None:
            await self.inner.save(rows) if world.database.is_sqlite else None
            raise OperationalError("full", None, Exception("disk is full"))

    @asynccontextmanager
    async def failing() -> AsyncIterator[Failing]:
        async with unit() as inner:
            yield Failing(inner)

    monkeypatch.setattr(store, "unit", failing)
    refused = await asha.send("PUT", question_path(attempt, question["id"]), json={"selected_answers": [chosen]})
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "2")
    monkeypatch.setattr(store, "unit", unit)
    assert (await asha.questions(attempt))[0]["selected_answers"] == []
    assert (await asha.answer(attempt, question["id"], chosen))["selected_answers"] == [chosen]


async def test_other_database_writers_do_not_wait(world: World, asha: Caller, attempt: int) -> None:
    question = (await asha.questions(attempt))[0]
    chosen = question["question"]["answers"][0]["id"]
    world.add_exam(sums(title="Other"))
    beats = [asha.put(beat_path(attempt)) for _ in range(40)]
    answers = [asha.answer(attempt, question["id"], chosen) for _ in range(40)]
    *_, other = await asyncio.gather(*beats, *answers, asha.create("other"))
    assert other != attempt


async def test_a_lost_database_connection_is_restored(world: World, asha: Caller, attempt: int) -> None:
    if world.database.is_sqlite:
        pytest.skip("a file is not lost")
    await asha.put(beat_path(attempt))
    with world.database.write() as session:
        session.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        )
    assert (await asha.send("PUT", beat_path(attempt))).status_code in {200, 503}
    await asha.put(beat_path(attempt))


async def test_a_slow_transaction_on_the_attempt_is_waited_for(world: World, asha: Caller, attempt: int) -> None:
    """An end that is under way decides what becomes of an answer that arrives meanwhile."""
    answers = await asyncio.gather(
        asha.send("PUT", f"/api/v2.2/attempts/{attempt}/end/"),
        *(asha.send("PUT", beat_path(attempt)) for _ in range(20)),
    )
    assert answers[0].status_code == 200
    assert {answer.status_code for answer in answers[1:]} <= {200, 403}
    assert await asha.put(beat_path(attempt), status=403) == {"detail": "The exam has already ended"}


@pytest.mark.parametrize("spelling", ["0{}", "%3{}"])
async def test_an_unusual_spelling_of_a_path_has_the_same_effect(asha: Caller, attempt: int, spelling: str) -> None:
    response = await asha.send("PUT", beat_path(attempt).replace(f"/{attempt}/", f"/{spelling.format(attempt)}/"))
    assert response.status_code in {200, 404}


async def test_the_asgi_route_uses_the_same_writer(asha: Caller, attempt: int) -> None:
    question = (await asha.questions(attempt))[0]
    chosen = question["question"]["answers"][0]["id"]
    content = json.dumps({"selected_answers": [chosen]}).encode()
    answer = await asha.send(
        "PUT",
        question_path(attempt, question["id"]),
        content=content,
        headers={"Content-Type": "application/json; charset=utf-8", "X-Answer-Seq": "a:1"},
    )
    assert answer.json()["selected_answers"] == [chosen]
    assert (await asha.put(f"/api/v2.2/attempts/{attempt}/heartbeat/?the=usual"))["id"] == attempt
