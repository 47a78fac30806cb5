"""Limits on time, memory and guesses of unknown clients."""

import asyncio
import logging
import socket
import statistics
import struct
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select, update

from lms_tui.service.auth.guesses import ACCOUNT, ADDRESS, UNUSED_AFTER
from lms_tui.service.auth.throttle import delete_unused
from lms_tui.service.core import openapi
from lms_tui.service.core.database import tables
from lms_tui.service.core.log_throttle import LogThrottle
from tests.service.service_world import PASSWORD, Caller, World
from tests.service.test_service_process import Starter, first_line, start, starting
from tests.service.test_service_write_stores import path_of, sit_down
from tests.waiting import PATIENCE, process_status

__all__ = ["start"]
SIGN_IN = "/api/v2.5/auth-token/"
SLOW_HEAD = b"POST /api/v2.5/auth-token/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
SLOW_BODY = SLOW_HEAD + b"Content-Length: 9000\r\n\r\n{"
QUICK = "__import__('lms_tui.service.core.settings', fromlist=['x']).Limits(head_deadline=1.0, body_deadline=1.0)"


async def guess(world: World, username: str, password: str) -> tuple[int, int]:
    """Try to sign in. Return the status and the seconds to wait."""
    response = await world.stranger.send("POST", SIGN_IN, json={"username": username, "password": password})
    return response.status_code, int(response.headers.get("retry-after", 0))


async def test_guessing_a_password_gets_slower_and_slower(world: World) -> None:
    for _ in range(ACCOUNT.free):
        assert await guess(world, "asha", "wrong") == (400, 0)
    waits: list[int] = []
    for _ in range(6):
        assert await guess(world, "asha", "wrong") == (400, 0)
        status, wait = await guess(world, "asha", "wrong")
        assert status == 429
        waits.append(wait)
        world.clock.move(seconds=wait)
    assert waits == [1, 2, 4, 8, 16, 32]


async def test_a_throttled_user_cannot_sign_in_for_a_while(world: World) -> None:
    for _ in range(ACCOUNT.free + 1):
        await guess(world, "asha", "wrong")
    status, wait = await guess(world, "asha", PASSWORD)
    assert (status, wait) == (429, 1)
    world.clock.move(seconds=wait)
    assert (await guess(world, "asha", PASSWORD))[0] == 200
    assert (await guess(world, "asha", "wrong"))[0] == 400
    assert (await guess(world, "ravi", PASSWORD))[0] == 200


async def test_a_user_is_never_throttled_for_longer_than_a_minute(world: World) -> None:
    for _ in range(40):
        _, wait = await guess(world, "asha", "wrong")
        assert wait <= 60
        world.clock.move(seconds=wait)
    assert ACCOUNT.delay(1e9) == ACCOUNT.longest


async def test_simultaneous_sign_ins_are_all_counted(world: World) -> None:
    answers = await asyncio.gather(*(guess(world, "asha", f"wrong{n}") for n in range(20)))
    assert sum(status == 400 for status, _ in answers) == ACCOUNT.free + 1
    assert sum(status == 429 for status, _ in answers) == 20 - ACCOUNT.free - 1


async def test_an_address_that_tries_many_users_is_throttled(world: World) -> None:
    key = ADDRESS.key("127.0.0.1")
    await guess(world, "nobody", "wrong")
    with world.database.write() as session:
        session.get_one(tables.SignInLevel, key).level = float(ADDRESS.free)
    assert (await guess(world, "somebody", "wrong"))[0] == 400
    status, wait = await guess(world, "asha", PASSWORD)
    assert (status, wait) == (429, 1)


async def test_empty_buckets_are_deleted(world: World) -> None:
    await guess(world, "asha", "wrong")
    delete_unused(world.database, world.clock.now + UNUSED_AFTER)
    with world.database.read() as session:
        assert session.scalar(select(func.count()).select_from(tables.SignInLevel)) == 2
    world.clock.move(seconds=1)
    delete_unused(world.database, world.clock.now + UNUSED_AFTER)
    with world.database.read() as session:
        assert session.scalar(select(func.count()).select_from(tables.SignInLevel)) == 0


async def test_throttle_stores_no_names(world: World) -> None:
    await guess(world, "asha-by-name", "wrong")
    with world.database.read() as session:
        assert not [key for key in session.scalars(select(tables.SignInLevel.key)) if "asha" in key]


@pytest.fixture
def hashed(world: World, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What passwords are compared with, without salt and hash, and how many bytes they have."""
    seen: list[tuple[str, int]] = []
    kind: Any = type(world.app.service.passwords._hasher)
    verify = kind.verify

    def spy(self: object, stored: str, password: bytes) -> bool:
        seen.append((stored.rpartition("$")[0].rpartition("$")[0], len(password)))
        return bool(verify(self, stored, password))

    monkeypatch.setattr(kind, "verify", spy)
    return seen


async def test_an_unknown_user_takes_the_same_work_as_a_known_one(world: World, hashed: list[tuple[str, int]]) -> None:
    stored = world.app.service.passwords.hash(PASSWORD)
    with world.database.write() as session:
        session.execute(update(tables.User).values(password_hash=stored))
    asked = [{"username": who, "password": "wrong"} for who in ("asha", "nobody")]
    answers = [(await world.stranger.send("POST", SIGN_IN, json=body)).json() for body in asked]
    assert answers[0] == answers[1]
    known, unknown = hashed
    assert known == unknown


async def test_a_password_beyond_the_limit_is_never_hashed(world: World, hashed: list[tuple[str, int]]) -> None:
    assert (await guess(world, "asha", "x" * 60_000))[0] == 400
    assert [size for _, size in hashed] == [0]


async def drip(port: int, sent: bytes, each: bytes) -> float:
    """Send a request a byte at a time and return after how many seconds the connection was closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    begun = time.perf_counter()
    writer.write(sent)

    async def more() -> None:
        while True:
            await asyncio.sleep(0.1)  # the slow client is what is tested
            writer.write(each)

    dripping = asyncio.create_task(more())
    try:
        while await reader.read(4096):
            pass
    except ConnectionError:
        pass
    dripping.cancel()
    writer.close()
    return time.perf_counter() - begun


@pytest.mark.parametrize(
    ("sent", "each", "within"),
    [
        (b"PUT /api/v2.2/attempts/1/heartbeat/ HTTP/1.1\r\nHost: x\r\nX-A: ", b"a", 4.5),
        (b"", b"\r\n", 4.5),
        (SLOW_BODY, b" ", 20.0),
        (b"GET /api/v2.2/me/ HTTP/1.1\r\nHost: x\r\n\r\n", b"\r\n", 4.5),
    ],
    ids=["head", "blank lines", "body", "between requests"],
)
async def test_two_hundred_slow_connections_are_closed_while_others_are_served(
    tmp_path: Path, start: Starter, sent: bytes, each: bytes, within: float
) -> None:
    port = int(first_line(start(f"Path({str(tmp_path)!r}), limits={QUICK}")).rsplit(":", 1)[-1])
    slow = [asyncio.create_task(drip(port, sent, each)) for _ in range(200)]
    taken = []
    while not all(task.done() for task in slow):
        begun = time.perf_counter()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"PUT /api/v2.2/attempts/1/heartbeat/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert (await reader.read()).startswith(b"HTTP/1.1 401 ")
        writer.close()
        taken.append(time.perf_counter() - begun)
    # Less than the deadlines that hold by default. The slowest one says more about how busy this machine is.
    assert statistics.median(task.result() for task in slow) < within
    assert statistics.median(taken) < 1.0


@pytest.mark.parametrize("begun", [b"", b'{"selected_answers":'], ids=["nothing", "half"])
async def test_an_incomplete_answer_times_out_on_the_fast_path(tmp_path: Path, start: Starter, begun: bytes) -> None:
    sat = await asyncio.to_thread(sit_down, tmp_path, ["asha"])
    token, attempt, question, _ = sat[0]
    port = int(first_line(start(f"Path({str(tmp_path)!r}), limits={QUICK}")).rsplit(":", 1)[-1])
    head = f"PUT {path_of(attempt, question)} HTTP/1.1\r\nHost: x\r\nAuthorization: JWT {token}\r\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(head.encode() + b"Content-Type: application/json\r\nContent-Length: 99\r\n\r\n" + begun)
    async with asyncio.timeout(PATIENCE):
        try:
            answer = await reader.read()
        except ConnectionError:
            answer = b""
    assert answer == b"" or answer.startswith(b"HTTP/1.1 408 ")
    writer.close()
    assert "ERROR" not in (tmp_path / "service.log").read_text("utf-8")


@pytest.fixture(scope="module")
def shared_port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of one service for several tests, which change nothing there."""
    with starting() as start:
        yield int(first_line(start(f"Path({str(tmp_path_factory.mktemp('shared'))!r})")).rsplit(":", 1)[-1])


@pytest.mark.parametrize(
    ("request_head", "status"),
    [
        (b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX-A: " + b"x" * 20_000 + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X-A: b\r\n" * 200 + b"\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX-A: " + b"x" * 300_000, 431),
        (b"\x16\x03\x01\x02\x00\x01\x00", 400),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX-A: " + b"x" * 8_000 + b"\r\n\r\n", 404),
    ],
)
async def test_a_head_beyond_the_limits_is_refused(shared_port: int, request_head: bytes, status: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", shared_port)
    writer.write(request_head)
    answer = await reader.readuntil(b"}")
    assert answer.startswith(b"HTTP/1.1 %d " % status)
    assert b'{"detail":' in answer
    writer.close()


async def test_a_page_far_beyond_the_last_is_not_found(asha: Caller) -> None:
    for page in ("99999999", "1000001", "-1", "0", "x"):
        assert await asha.get(f"/api/v2.2/attempts/?page={page}", 404) == {"detail": "Not found"}


SCHEMA = b"GET /api/schema/ HTTP/1.1\r\nHost: x\r\n\r\n"
UPLOAD = b"POST /api/v2.5/auth-token/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
RESET = struct.pack("ii", 1, 0)


def memory_of(process: subprocess.Popen[str]) -> float:
    """Return the resident memory in MiB."""
    return process_status(process.pid, "VmRSS") / 1024


async def status_of(port: int, request: bytes) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    try:
        return int((await reader.readuntil(b"\r\n")).split()[1])
    finally:
        writer.transport.abort()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell what memory it gives")
async def test_connections_that_read_nothing_are_closed(tmp_path: Path, start: Starter) -> None:
    # Long enough for all of them to have asked, on a busy machine too, before the first is cut.
    limits = QUICK.replace("head_deadline=1.0", "head_deadline=20.0, idle=20.0, send_deadline=10.0, connections=199")
    process = start(f"Path({str(tmp_path)!r}), limits={limits}")
    port = int(first_line(process).rsplit(":", 1)[-1])
    before = memory_of(process)
    with ExitStack() as stack:
        unread = [stack.enter_context(socket.socket()) for _ in range(199)]
        for one in unread:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.connect(("127.0.0.1", port))
        async with asyncio.timeout(180):
            for one in unread:
                one.sendall(SCHEMA * 3)
            while await status_of(port, SCHEMA) != 503:
                pass
            while await status_of(port, SCHEMA) != 200:
                pass
    assert memory_of(process) - before < 60
    assert 1 <= (tmp_path / "service.log").read_text("utf-8").count("too many connections") <= 10


async def test_idle_connections_keep_nobody_out(tmp_path: Path, start: Starter) -> None:
    limits = QUICK.replace("head_deadline=1.0", "head_deadline=60.0, idle=60.0, connections=100, share=60")
    port = int(first_line(start(f"Path({str(tmp_path)!r}), limits={limits}")).rsplit(":", 1)[-1])
    with ExitStack() as stack:
        for number in range(400):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            with suppress(ConnectionError):  # it has given way already
                one.sendall(b"" if number % 2 else SCHEMA[:20])
            if number % 20 == 0:
                assert await status_of(port, SCHEMA) == 200
    assert (tmp_path / "service.log").read_text("utf-8") == ""


def leave(port: int, sent: bytes, *, heard: bool, reset: bool) -> None:
    """Send this and go, when an answer has begun or at once, politely or not."""
    with socket.create_connection(("127.0.0.1", port)) as one, suppress(ConnectionError):
        one.sendall(sent)
        if heard:
            one.recv(1000)
        if reset:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)


def test_broken_connections_are_not_logged(tmp_path: Path, start: Starter) -> None:
    process = start(f"Path({str(tmp_path)!r})")
    port = int(first_line(process).rsplit(":", 1)[-1])
    for sent in (
        b"\x16\x03\x01",
        b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        b"CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET http://x HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        SCHEMA,
        SCHEMA * 100,
        SCHEMA + b"\x16\x03\x01",
        UPLOAD + b"Content-Length: 2\r\nExpect: 100-continue\r\n\r\n{",
        UPLOAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\nzz\r\n",
    ):
        for _ in range(3):
            leave(port, sent, heard=True, reset=False)
            leave(port, sent, heard=True, reset=True)
            leave(port, sent, heard=False, reset=True)
    for _ in range(3):
        leave(port, UPLOAD + b"Content-Length: 100\r\n\r\n{", heard=False, reset=False)
    process.terminate()
    assert process.wait(PATIENCE) == 0
    assert (tmp_path / "service.log").read_text("utf-8") == ""


async def test_openapi_document_is_built_once_for_simultaneous_requests(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[object] = []
    describe = openapi.describe

    def watched(app: FastAPI) -> dict[str, Any]:
        built.append(app)
        return describe(app)

    monkeypatch.setattr(openapi, "describe", watched)
    asked = await asyncio.gather(*(world.stranger.get(openapi.PATH) for _ in range(10)))
    assert all(document == asked[0] for document in asked)
    assert len(built) == 1


def test_repeated_log_messages_are_dropped() -> None:
    now = 0.0
    log, handler, lines = logging.getLogger("lms_tui.test"), logging.Handler(), list[str]()
    handler.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]  # all it does here
    handler.addFilter(LogThrottle(most=2, seconds=60, clock=lambda: now))
    log.addHandler(handler)
    log.propagate = False

    def complain(of: object) -> None:
        log.warning("no %s", of)

    def fail(work: Callable[[], object]) -> None:
        try:
            work()
        except (ArithmeticError, LookupError):
            log.exception("failed")

    for number in range(5):
        complain(number)
    assert lines == ["no 0", "no 1"]
    for _ in range(3):
        fail(lambda: 1 // 0)
        fail(lambda: set[int]().pop())
    assert lines[2:] == ["failed"] * 4
    now = 60.0
    complain("more")
    complain("most")
    assert lines[6:] == ["no more (3 more like this were dropped)", "no most"]
    log.removeHandler(handler)
