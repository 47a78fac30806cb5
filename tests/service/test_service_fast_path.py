"""The fast path over real connections returns the same bytes as the application."""

import asyncio
import json
import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest
import uvicorn
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.server import ServerState

from lms_tui.service.core.settings import Limits
from lms_tui.service.server.connection import guard
from lms_tui.service.server.connections import Admission, Connections
from lms_tui.service.server.fast_path.route import FastPath
from tests.service.service_world import Caller, World
from tests.service.test_service_write_stores import break_row, held_commits
from tests.service.test_service_writer import beat_path, question_path
from tests.waiting import PATIENCE

DATE = b"date: Mon, 02 Mar 2026 09:00:00 GMT"


@dataclass
class Listener:
    """A service that listens; `usual`: what has come as far as the application, `received`: bytes from clients."""

    port: int
    state: ServerState
    connections: Connections
    usual: list[str] = field(default_factory=list)
    received: int = 0

    async def until(self, done: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not done():  # noqa: ASYNC110  # what has come through a socket sets no event
                await asyncio.sleep(0)


@asynccontextmanager
async def listening(world: World, *, usually: bool = False, limits: Limits | None = None) -> AsyncIterator[Listener]:
    """Serve the world at a port, with the fast path, or `usually` only through the application."""
    state = ServerState()
    state.default_headers = [(b"date", DATE.partition(b": ")[2])]
    limits = limits or world.settings.limits
    listener = Listener(0, state, Connections(limits))
    app = _noting(world.app, listener.usual)
    served = app if usually else FastPath(app, world.app.service, world.app.writer)
    config = uvicorn.Config(
        Admission(served, listener.connections),
        http="httptools",
        ws="none",
        log_config=None,
        access_log=False,
        lifespan="off",
        forwarded_allow_ips=["127.0.0.1"],
    )
    guard(config, listener.connections, limits)
    make = cast(Callable[..., asyncio.Protocol], config.http_protocol_class)

    def counted() -> asyncio.Protocol:
        protocol = make(config=config, server_state=state, app_state={})
        read = protocol.data_received

        def receive(data: bytes) -> None:
            read(data)
            listener.received += len(data)

        protocol.data_received = receive  # type: ignore[method-assign]  # to count what has come through the socket
        return protocol

    server = await asyncio.get_running_loop().create_server(counted, "127.0.0.1", 0)
    listener.port = server.sockets[0].getsockname()[1]
    try:
        yield listener
    finally:
        server.close()
        for one in listener.connections:
            one.abort()
        await listener.until(lambda: not state.connections and not state.tasks)


def _noting(app: ASGIApp, paths: list[str]) -> ASGIApp:
    async def noting(scope: Scope, receive: Receive, send: Send) -> None:
        paths.append(scope["path"])
        await app(scope, receive, send)

    return noting


@pytest.fixture
async def served(world: World) -> AsyncIterator[Listener]:
    async with listening(world) as listener:
        yield listener


@pytest.fixture
async def usual(world: World) -> AsyncIterator[Listener]:
    async with listening(world, usually=True) as listener:
        yield listener


@dataclass(frozen=True)
class Told:
    """A response as it came through the connection, with the lines of its head in order."""

    status: int
    head: list[bytes]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Line:
    """A client's connection on which bytes are written as they are given."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def tell(self, request: bytes) -> Told:
        self.writer.write(request)
        return await self.hear(bodiless=request.startswith(b"HEAD "))

    async def hear(self, *, bodiless: bool = False) -> Told:
        async with asyncio.timeout(PATIENCE):
            head = await self.reader.readuntil(b"\r\n\r\n")
            first, *lines = head[:-4].split(b"\r\n")
            length = next(int(line.partition(b": ")[2]) for line in lines if line.startswith(b"content-length: "))
            body = b"" if bodiless else await self.reader.readexactly(length)
        return Told(int(first.split()[1]), [first, *lines], body)

    async def is_closed(self) -> bool:
        """Wait for the end of the connection, or for its next byte."""
        async with asyncio.timeout(PATIENCE):
            return not await self.reader.read(1)


@asynccontextmanager
async def line(listener: Listener) -> AsyncIterator[Line]:
    reader, writer = await asyncio.open_connection("127.0.0.1", listener.port)
    writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        yield Line(reader, writer)
    finally:
        writer.transport.abort()


async def ask(listener: Listener, request: bytes) -> Told:
    """Send a request on a new connection, and hide the port and the moment in the response."""
    async with line(listener) as one:
        told = await one.tell(request)
    head = [DATE if row.startswith(b"date: ") else row for row in told.head]
    return replace(told, head=head, body=told.body.replace(b":%d/" % listener.port, b":PORT/"))


@dataclass(frozen=True)
class Exam:
    """Requests of Asha in her attempt."""

    token: str
    attempt: int
    questions: list[tuple[int, list[int]]]

    def beat(self, **more: str) -> bytes:
        return self.put(beat_path(self.attempt), b"", **more)

    def answer(self, place: int, option: int = 0, **more: str) -> bytes:
        question, options = self.questions[place]
        body = json.dumps({"selected_answers": [options[option]]}).encode()
        return self.put(question_path(self.attempt, question), body, **more)

    def put(self, path: str, body: bytes = b"", **more: str) -> bytes:
        return request("PUT", path, body, Authorization=self.token, Content_Type="application/json", **more)


def request(method: str, path: str, body: bytes = b"", version: str = "1.1", **headers: str) -> bytes:
    """Write a request; a header that is given as "" is left out."""
    given = {"Host": "lms.test", "Content_Length": str(len(body)), **headers}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in given.items() if value]
    return "\r\n".join([f"{method} {path} HTTP/{version}", *lines, "", ""]).encode("latin-1") + body


@pytest.fixture
async def exam(asha: Caller, attempt: int) -> Exam:
    rows = await asha.questions(attempt)
    questions = [(row["id"], [option["id"] for option in row["question"]["answers"]]) for row in rows]
    return Exam(asha.headers["Authorization"], attempt, questions)


async def test_valid_heartbeats_and_answers_never_reach_the_application(
    served: Listener, usual: Listener, exam: Exam
) -> None:
    question, options = exam.questions[0]
    path, body = question_path(exam.attempt, question), json.dumps({"selected_answers": options[:1]}).encode()
    chunked = exam.put(path, Content_Length="", Transfer_Encoding="chunked") + b"%x\r\n%b\r\n0\r\n\r\n" % (
        len(body),
        body,
    )
    answer = exam.answer(0)
    valid = (
        exam.beat(),
        exam.beat(Connection="close"),
        exam.beat(Accept="a").replace(b"Host", b"Accept: b\r\nHost"),
        exam.beat().replace(b"/heartbeat/", b"/heartbeat?a=b"),
        answer,
        answer.replace(b"JWT ", b"jwt "),
        answer.replace(b"application/json", b"application/json; charset=utf-8"),
        answer.replace(b"Content-Type: application/json\r\n", b""),
        answer.replace(f"/{question} ".encode(), f"/{question}/?a=b ".encode()),
        answer.replace(b"Host", b"X-Forwarded-Proto: https\r\nHost"),
        chunked,
        exam.answer(1, 1, X_Answer_Seq="a:1", X_Answer_Time="1", Accept="*/*"),
        exam.answer(1, 2),
    )
    for sent in valid:
        told = await ask(served, sent)
        assert (told, told.status) == (await ask(usual, sent), 200)
    assert not served.usual
    assert len(usual.usual) == len(valid)


def odd_forms(exam: Exam) -> dict[str, bytes]:
    beat, answer, (question, options) = exam.beat(), exam.answer(0), exam.questions[0]
    path, body = question_path(exam.attempt, question), json.dumps({"selected_answers": options[:1]}).encode()
    pieces = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    chunked = exam.put(path, Content_Length="", Transfer_Encoding="chunked") + pieces
    return {
        "no slash behind": beat.replace(b"/heartbeat/", b"/heartbeat"),
        "slash behind": answer.replace(f"/{question} ".encode(), f"/{question}/ ".encode()),
        "two slashes": beat.replace(b"/heartbeat/", b"/heartbeat//"),
        "query": beat.replace(b"/heartbeat/", b"/heartbeat/?a=b"),
        "fragment": beat.replace(b"/heartbeat/", b"/heartbeat/#a"),
        "percent": beat.replace(b"/heartbeat/", b"/h%65artbeat/"),
        "leading zero": beat.replace(b"attempts/", b"attempts/0"),
        "plus": beat.replace(b"attempts/", b"attempts/+"),
        "no number": beat.replace(b"attempts/", b"attempts/x"),
        "huge number": beat.replace(b"attempts/", b"attempts/" + b"9" * 18),
        "too huge a number": beat.replace(b"attempts/", b"attempts/" + b"9" * 40),
        "absolute": beat.replace(b"PUT /", b"PUT http://other.test/"),
        "other version of the API": beat.replace(b"v2.2", b"v2x2"),
        **{method: beat.replace(b"PUT", method.encode()) for method in ("GET", "HEAD", "POST", "DELETE", "OPTIONS")},
        "chunked": chunked,
        "chunked and a length": chunked.replace(b"Host", b"Content-Length: 5\r\nHost"),
        "expect": exam.put(path, body, Expect="other"),
        "no length": exam.put(beat_path(exam.attempt), Content_Length=""),
        "answer without a length": exam.put(path, Content_Length=""),
        "length of no digits": exam.put(path, Content_Length="x"),
        "length with a sign": exam.put(path, body, Content_Length=f"+{len(body)}"),
        "two lengths": exam.put(path, body).replace(b"Host", b"Content-Length: 5\r\nHost"),
        "large": exam.put(path, b" " * 70_000),
        "heartbeat with a body": exam.put(beat_path(exam.attempt), b"whatever"),
        "no host": exam.put(path, body, Host=""),
        "other host": exam.put(path, body, Host="other.test:8080"),
        "odd host": exam.put(path, body, Host="a~b!$&'()*+,;=%41_.-:"),
        "host of an address": exam.put(path, body, Host="[::1]:8080"),
        "no name of a host": exam.put(path, body, Host="a/b?c@d [::1"),
        "proxy tells https": exam.put(path, body, X_Forwarded_Proto="https", X_Forwarded_For="192.0.2.1"),
        "proxy tells http": exam.put(path, body, X_Forwarded_Proto="http"),
        "proxy tells nonsense": exam.put(path, body, X_Forwarded_Proto="HTTPS, http"),
        "proxy tells twice": exam.put(path, body, X_Forwarded_Proto="http").replace(
            b"Host", b"X-Forwarded-Proto: https\r\nHost"
        ),
        "no type": answer.replace(b"Content-Type: application/json\r\n", b""),
        "other type": answer.replace(b"application/json", b"text/plain"),
        "type with a parameter": answer.replace(b"application/json", b"application/json; charset=utf-8"),
        "type in capitals": answer.replace(b"application/json", b"Application/JSON"),
        "no token": answer.replace(b"Authorization", b"X-Other"),
        "scheme in small letters": answer.replace(b"JWT ", b"jwt "),
        "other scheme": answer.replace(b"JWT ", b"Bearer "),
        "forged": answer.replace(exam.token[-6:].encode(), b"AAAAAA"),
        "token of other letters": answer.replace(b"JWT ", b"JWT \xe9"),
        "two tokens": answer.replace(b"Host", f"Authorization: {exam.token}\r\nHost".encode()),
        "two stamps": exam.answer(0, X_Answer_Seq="a:1").replace(b"Host", b"x-answer-seq: a:2\r\nHost"),
        "two of another header": exam.answer(0, Accept="a").replace(b"Host", b"accept: b\r\nHost"),
        "foreign question": exam.put(question_path(exam.attempt, 10**9), body),
        "foreign option": exam.put(path, b'{"selected_answers": [99]}'),
        "upgrade": exam.put(path, body, Upgrade="h2c", Connection="Upgrade"),
        "upgrade not asked for": exam.put(path, body, Upgrade="h2c"),
        "close": exam.put(path, body, Connection="close"),
        "keep": exam.put(path, body, Connection="keep-alive"),
        "old": exam.put(path, body, version="1.0"),
        "old that keeps": exam.put(path, body, version="1.0", Connection="keep-alive"),
    }


async def test_every_form_of_a_request_gets_the_same_response_as_from_the_application(
    served: Listener, usual: Listener, exam: Exam
) -> None:
    for name, sent in odd_forms(exam).items():
        assert await ask(served, sent) == await ask(usual, sent), name


BODIES = (
    b"{}",
    b"",
    b" ",
    b"null",
    b"[]",
    b'"x"',
    b"{",
    b"\xff",
    b'{"selected_answers": [%d]}',
    b'{"selected_answers": [%d, %d]}',
    b'{"selected_answers": [%d.0]}',
    b'{"selected_answers": ["%d"]}',
    b'{"selected_answers": [true]}',
    b'{"selected_answers": [0]}',
    b'{"selected_answers": [9223372036854775808]}',
    b'{"selected_answers": [1e400]}',
    b'{"selected_answers": [NaN]}',
    b'{"selected_answers": {"0": %d}}',
    b'{"selected_answers": null, "review": null}',
    b'{"selected_answers": [], "selected_answers": [%d]}',
    b'{"review": 1}',
    b'{"review": true, "unknown": [[[]]]}',
    b'{"short_text": "x"}',
    b'{"short_text": ""}',
    b'{"short_text": "\\ud800"}',
    b'{"essay_text": "\\u0000"}',
    b'{"gap_fill_responses": [{"order": 1, "answer": "a"}, {"order": "1", "answer": "b"}]}',
    b'{"gap_fill_responses": [{"order": "0", "answer": ""}]}',
    b'{"review": false}' + b" " * 70_000,
)


@pytest.mark.parametrize("stamp", ["", "a:7", "7", "a:7:7", "\xe9:7", " "])
async def test_every_body_gets_the_same_response_as_from_the_application(
    served: Listener, usual: Listener, exam: Exam, stamp: str
) -> None:
    question, options = exam.questions[0]
    for body in BODIES:
        content = body.replace(b"%d", str(options[1]).encode())
        sent = exam.put(question_path(exam.attempt, question), content, X_Answer_Seq=stamp)
        told = await ask(served, sent)
        assert told == await ask(usual, sent), body[:60]
        assert told.status in {200, 400, 413}


@pytest.mark.parametrize("change", ["is_active = false", "tokens_valid_from = '2026-03-02 09:00:05+00'"])
async def test_a_token_that_is_revoked_is_refused_on_the_fast_path(
    world: World, served: Listener, usual: Listener, exam: Exam, change: str
) -> None:
    assert (await ask(served, exam.beat())).status == 200
    if world.database.is_sqlite:
        change = change.replace("+00'", ".000000'")
    with world.database.write() as session:
        session.execute(text(f"UPDATE users SET {change} WHERE username = 'asha'"))  # noqa: S608  # our own
    told = await ask(served, exam.beat())
    assert (told, told.status) == (await ask(usual, exam.beat()), 401)
    assert not served.usual


async def test_a_database_error_gets_the_same_response_as_from_the_application(
    world: World, served: Listener, usual: Listener, exam: Exam, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await ask(served, exam.answer(1))).status == 200
    break_row(world, exam.questions[1][0], "unwritable")
    sent = exam.answer(1, 1, X_Answer_Seq="a:1")
    told = await ask(served, sent)
    assert (told.status, told.body) == (500, (await ask(usual, sent)).body)

    async def away(*_: object) -> None:
        raise OperationalError("batch", None, Exception("away"))

    monkeypatch.setattr(world.app.writer, "_transact", away)
    told = await ask(served, sent)
    assert (told, told.status) == (await ask(usual, sent), 503)
    assert not served.usual


async def test_pipelined_requests_are_answered_in_order(served: Listener, exam: Exam) -> None:
    me = request("GET", "/api/v2.2/me/", Authorization=exam.token)
    sent = [exam.answer(0), me, exam.answer(1), exam.beat(), exam.answer(2), exam.answer(0, 1), exam.beat()]
    async with line(served) as one:
        for _ in range(3):
            one.writer.write(b"".join(sent))
            told = [await one.hear() for _ in sent]
            answered = [told[place].json["id"] for place in (0, 2, 4, 5)]
            assert answered == [exam.questions[place][0] for place in (0, 1, 2, 0)]
            assert {told[place].json["id"] for place in (3, 6)} == {exam.attempt}
            assert told[1].json["username"] == "asha"
            assert told[5].json["selected_answers"] == exam.questions[0][1][1:2]
        assert (await one.tell(exam.beat())).status == 200
    assert served.usual == ["/api/v2.2/me/"] * 3


async def test_a_request_in_two_parts_is_answered(served: Listener, exam: Exam) -> None:
    sent = exam.answer(1, X_Answer_Seq="a:1")
    async with line(served) as one:
        for cut in range(1, len(sent)):
            before = served.received
            one.writer.write(sent[:cut])
            await served.until(lambda: served.received == before + cut)  # noqa: B023  # waited for in the same turn
            told = await one.tell(sent[cut:])
            assert (told.status, told.json["id"]) == (200, exam.questions[1][0])
    assert not served.usual


async def test_expect_100_continue_is_answered(served: Listener, exam: Exam) -> None:
    sent = exam.answer(1, Expect="100-continue")
    async with line(served) as one:
        one.writer.write(sent.partition(b"\r\n\r\n")[0] + b"\r\n\r\n")
        async with asyncio.timeout(PATIENCE):
            assert await one.reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        assert (await one.tell(sent.partition(b"\r\n\r\n")[2])).status == 200


@pytest.mark.parametrize("more", [{"Connection": "close"}, {"version": "1.0"}])
async def test_connection_close_closes_after_the_response(served: Listener, exam: Exam, more: dict[str, str]) -> None:
    async with line(served) as one:
        told = await one.tell(exam.beat(**more))
        assert told.status == 200
        assert b"connection: close" in told.head
        assert await one.is_closed()
    assert not served.usual


async def test_a_client_that_leaves_before_the_commit_loses_nothing(
    world: World, served: Listener, exam: Exam, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    unchanged = exam.put(question_path(exam.attempt, exam.questions[1][0]), b"{}")
    # The exam is in the cache now. The service keeps no order between two requests that both wait for the cache.
    assert (await ask(served, unchanged)).json["selected_answers"] == []
    async with held_commits(world, monkeypatch):
        before = served.received
        async with line(served) as one:
            one.writer.write(exam.answer(1, 1))
            await served.until(lambda: served.received > before)
        await served.until(lambda: not served.state.connections)
    told = await ask(served, unchanged)
    assert told.json["selected_answers"] == exam.questions[1][1][1:2]
    assert not caplog.text


async def test_running_requests_are_answered_at_shutdown(
    world: World, served: Listener, exam: Exam, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with line(served) as whole, line(served) as half, line(served) as idle:
        assert (await idle.tell(exam.beat())).status == 200
        before, sent = served.received, [exam.answer(1), exam.answer(2)[:-3]]
        async with held_commits(world, monkeypatch):
            whole.writer.write(sent[0])
            half.writer.write(sent[1])
            await served.until(lambda: served.received == before + len(sent[0]) + len(sent[1]))
            for connection in list(served.state.connections):
                connection.shutdown()
            assert await idle.is_closed()
            assert len(served.state.connections) == 2
        half.writer.write(exam.answer(2)[-3:])
        for one in (whole, half):
            told = await one.hear()
            assert told.status == 200
            assert b"connection: close" in told.head
            assert await one.is_closed()
