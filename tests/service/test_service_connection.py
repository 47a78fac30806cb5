"""HTTP over real sockets: framing, the order of responses, and time limits."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import cast

import pytest

from lms_tui.service.core.settings import Limits
from lms_tui.service.server.fast_path.route import FastPath
from lms_tui.service.server.protocol import GuardedProtocol
from tests.service.service_world import World
from tests.service.test_service_fast_path import (
    PATIENCE,
    Exam,
    Listener,
    ask,
    exam,
    line,
    listening,
    request,
    served,
    usual,
)
from tests.service.test_service_write_stores import held_commits

__all__ = ["exam", "served", "usual"]
ME = request("GET", "/api/v2.2/me/")
WISHES = ("h2c", "websocket", "foo")
GARBAGE = b"\x16\x03\x01\r\n\r\n"


@pytest.mark.parametrize("wish", WISHES)
@pytest.mark.parametrize("connection", ["Upgrade", "upgrade, HTTP2-Settings", "keep-alive, Upgrade"])
async def test_a_protocol_upgrade_is_ignored(
    served: Listener, usual: Listener, exam: Exam, wish: str, connection: str
) -> None:
    more = {"Connection": connection, "Upgrade": wish, "HTTP2_Settings": "AAMAAABkAAQCAAAAAAIAAAAA"}
    sent = exam.answer(0, 1, **more)
    head, body = sent.partition(b"\r\n\r\n")[::2]
    for listener in (served, usual):
        async with line(listener) as one:
            for pieces in ([sent], [head + b"\r\n\r\n", body], [sent[:-3], sent[-3:]], [sent[:40], sent[40:]]):
                for piece in pieces:
                    before = listener.received
                    one.writer.write(piece)
                    await listener.until(lambda: listener.received > before)  # noqa: B023  # waited for in the same turn
                assert (await one.hear()).json["selected_answers"] == exam.questions[0][1][1:2]
            one.writer.write(sent + exam.beat(**more) + exam.beat())
            assert (await one.hear()).json["id"] == exam.questions[0][0]
            assert [(await one.hear()).json["id"] for _ in range(2)] == [exam.attempt] * 2


@pytest.mark.parametrize("wish", WISHES)
@pytest.mark.parametrize("form", ["length", "chunked"])
async def test_a_body_is_never_the_next_request(
    served: Listener, usual: Listener, exam: Exam, wish: str, form: str
) -> None:
    path, body, more = "/api/v2.2/users/5", ME, {"Connection": "Upgrade", "Upgrade": wish}
    if form == "chunked":
        body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(ME), ME)
        more |= {"Content_Length": "", "Transfer_Encoding": "chunked"}
    head = exam.put(path, b"", **({"Content_Length": str(len(body))} | more))
    for listener in (served, usual):
        async with line(listener) as one:
            one.writer.write(head)
            await listener.until(lambda: listener.received > 0)  # noqa: B023  # waited for in the same turn
            one.writer.write(body)
            assert (await one.hear()).status in {400, 403}
            assert (await one.tell(exam.beat())).json["id"] == exam.attempt
        assert listener.usual[:1] == [path]
        assert "/api/v2.2/me/" not in listener.usual


async def test_connection_close_overrides_a_protocol_upgrade(served: Listener, exam: Exam) -> None:
    async with line(served) as one:
        told = await one.tell(exam.beat(Connection="close, Upgrade", Upgrade="h2c"))
        assert (told.status, told.head[-1]) == (200, b"connection: close")
        assert await one.is_closed()


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET http://a HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        (b"GET a:80 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        (b"CONNECT a:80 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", 501),
        (GARBAGE, 400),
    ],
)
async def test_an_invalid_request_is_refused_and_the_connection_closed(
    served: Listener, usual: Listener, caplog: pytest.LogCaptureFixture, sent: bytes, status: int
) -> None:
    for listener in (served, usual):
        async with line(listener) as one:
            told = await one.tell(sent + ME)
            assert (told.status, list(told.json)) == (status, ["detail"])
            assert await one.is_closed()
        assert not listener.usual
    assert not caplog.text


async def test_an_http_1_0_request_needs_no_host(served: Listener) -> None:
    assert (await ask(served, b"GET /api/v2.2/me/ HTTP/1.0\r\n\r\n")).status == 401


@pytest.mark.parametrize(
    "broken", [GARBAGE, request("GET", "/", Host=""), b"GET / HTTP/1.1\r\nX: " + b"x" * 20_000 + b"\r\n\r\n"]
)
async def test_requests_before_garbage_are_answered_first(served: Listener, exam: Exam, broken: bytes) -> None:
    wish = exam.beat(Connection="Upgrade", Upgrade="h2c")
    for sent in ([exam.beat()], [ME], [wish], [ME, wish], [ME, exam.beat()], [exam.beat(), ME, exam.answer(1)]):
        async with line(served) as one:
            one.writer.write(b"".join(sent) + broken)
            statuses = [(await one.hear()).status for _ in sent]
            assert statuses == [401 if request is ME else 200 for request in sent]
            assert (await one.hear()).status == (431 if len(broken) > 20_000 else 400)
            assert await one.is_closed()


async def test_garbage_after_a_heartbeat_is_answered_after_it(
    world: World, served: Listener, exam: Exam, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with line(served) as one:
        async with held_commits(world, monkeypatch):
            for piece in (exam.beat(), GARBAGE, ME):
                before = served.received
                one.writer.write(piece)
                await served.until(lambda: served.received > before)  # noqa: B023  # waited for in the same turn
        assert [(await one.hear()).status for _ in range(2)] == [200, 400]
        assert await one.is_closed()
    assert not served.usual


@pytest.mark.parametrize("before", [[], [ME], [ME, ME]])
async def test_a_broken_body_is_refused_after_earlier_requests(served: Listener, before: list[bytes]) -> None:
    head = request("POST", "/api/v2.5/auth-token/", Content_Length="", Transfer_Encoding="chunked")
    async with line(served) as one:
        one.writer.write(b"".join(before) + head + b"1\r\n{\r\nzz\r\n" + ME)
        assert [(await one.hear()).status for _ in range(len(before) + 1)] == [401] * len(before) + [400]
        assert await one.is_closed()


async def test_pipelined_requests_are_read_up_to_a_limit(world: World, exam: Exam) -> None:
    limits = replace(Limits(), pipelined=3)
    async with listening(world, limits=limits) as served:
        for first in (ME, exam.beat()):
            served.usual.clear()
            async with line(served) as one:
                one.writer.write(first + ME * 100)
                told = [await one.hear() for _ in range(1 + limits.pipelined)]
                assert [b"connection: close" in each.head for each in told] == [False, False, False, True]
                assert await one.is_closed()
            assert len(served.usual) == limits.pipelined + (first is ME)


async def test_a_pipelined_body_is_read_up_to_a_limit(
    world: World, served: Listener, exam: Exam, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = request("PUT", "/api/v2.2/users/5", b"x" * 200_000)
    async with line(served) as one:
        async with held_commits(world, monkeypatch):
            one.writer.write(exam.beat() + large)
            await served.until(lambda: served.received > 100_000)
        told = await one.hear()
        assert (told.status, told.head[-1]) == (200, b"connection: close")
    assert not served.usual


async def test_a_server_error_while_reading_a_request_is_answered_and_logged(
    served: Listener, exam: Exam, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(FastPath, "_head", fail)
    async with line(served) as one:
        told = await one.tell(exam.beat())
        assert (told.status, told.json) == (500, {"detail": "The server failed to process the request."})
    assert "ZeroDivisionError" in caplog.text


@asynccontextmanager
async def not_reading(listener: Listener, sent: bytes) -> AsyncIterator[tuple[socket.socket, GuardedProtocol]]:
    """Request more than the sockets buffer, read nothing, and yield both ends."""
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.setblocking(False)
        await asyncio.get_running_loop().sock_connect(client, ("127.0.0.1", listener.port))
        await asyncio.get_running_loop().sock_sendall(client, sent)
        await listener.until(lambda: any(one.transport.get_write_buffer_size() for one in listener.state.connections))
        (connection,) = listener.state.connections
        yield client, cast(GuardedProtocol, connection)


@pytest.mark.parametrize("times", [1, 200])
async def test_a_client_that_reads_nothing_is_disconnected_after_the_deadline(served: Listener, times: int) -> None:
    async with not_reading(served, request("GET", "/api/schema/") * times) as (_, connection):
        now = asyncio.get_running_loop().time()
        connection.reap(now)
        connection.reap(now + Limits().send_deadline - 1)
        assert served.state.connections
        assert not connection.transport.is_closing()
        connection.reap(now + Limits().send_deadline + 1)
        await served.until(lambda: not served.state.connections)


async def test_a_client_that_reads_slowly_is_served_to_the_end(served: Listener) -> None:
    async with not_reading(served, request("GET", "/api/schema/", Connection="close")) as (client, connection):
        loop = asyncio.get_running_loop()
        now, read = loop.time(), b""
        while more := await asyncio.wait_for(loop.sock_recv(client, 4096), PATIENCE):
            read += more
            now += Limits().send_deadline / 20
            connection.reap(now)
        head, _, body = read.partition(b"\r\n\r\n")
        assert b"content-length: %d\r\n" % len(body) in head
        assert now > loop.time() + Limits().send_deadline
