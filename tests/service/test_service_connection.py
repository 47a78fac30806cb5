"""HTTP over real sockets: framing, the order of responses, and time limits."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx
import pytest

from lms_tui.service.core.settings import Limits
from lms_tui.service.server.connections import Member
from lms_tui.service.server.fast_path.route import FastPath
from tests.service.service_world import World
from tests.service.test_service_fast_path import (
    Exam,
    Line,
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
from tests.waiting import PATIENCE

__all__ = ["exam", "served", "usual"]
ME = request("GET", "/api/v2.2/me/")
WISHES = ("h2c", "websocket", "foo")
GARBAGE = b"\x16\x03\x01\r\n\r\n"
UNHURRIED = Limits(idle=PATIENCE, head_deadline=PATIENCE)
"""Closes no connection of a test because the machine is busy."""


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
        (b"GET / HTTP/1.1\r\nHost: a<b\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
        (b'GET / HTTP/1.1\r\nHost: a"\r\n\r\n', 400),
        (b"GET / HTTP/1.1\r\nHost: [a\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a:b\r\n\r\n", 400),
        (b"GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
        (b"GET / HTTP/0.9\r\nHost: a\r\n\r\n", 505),
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


async def test_a_header_in_a_trailer_counts_for_nothing(served: Listener, usual: Listener, exam: Exam) -> None:
    chunked: dict[str, Any] = {"Content_Length": "", "Transfer_Encoding": "chunked"}
    pieces = b"2;a=b\r\n{}\r\n0\r\nAuthorization: %b\r\nX-Answer-Seq: ?\r\n\r\n" % exam.token.encode()
    path = f"/api/v2.2/attempts/{exam.attempt}/questions/{exam.questions[0][0]}"
    for listener in (served, usual):
        for sent in (request("PUT", path, **chunked), request("GET", "/api/v2.2/me/", **chunked)):
            assert (await ask(listener, sent + pieces)).status == 401
        assert (await ask(listener, exam.put(path, **chunked) + pieces)).status == 200


async def test_blanks_after_a_token_are_ignored(served: Listener, usual: Listener, exam: Exam) -> None:
    for sent in (exam.answer(0), request("GET", "/api/v2.2/me/", Authorization=exam.token)):
        spaced = sent.replace(exam.token.encode(), exam.token.encode() + b" \t ")
        for listener in (served, usual):
            assert (await ask(listener, spaced)).status == 200


@pytest.mark.parametrize("trailers", [b"X: " + b"x" * 70_000, b"X: y\r\n" * 10_000])
async def test_trailers_are_read_up_to_a_limit(served: Listener, trailers: bytes) -> None:
    head = request("POST", "/api/v2.5/auth-token/", Content_Length="", Transfer_Encoding="chunked")
    async with line(served) as one:
        one.writer.write(head + b"1\r\n{\r\n0\r\n")
        await served.until(lambda: served.received > len(head))
        assert (await one.tell(trailers)).status == 431
        assert await one.is_closed()


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
async def not_reading(listener: Listener, sent: bytes) -> AsyncIterator[tuple[socket.socket, Member]]:
    """Request more than the sockets buffer, read nothing, and yield both ends."""
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.setblocking(False)
        await asyncio.get_running_loop().sock_connect(client, ("127.0.0.1", listener.port))
        await asyncio.get_running_loop().sock_sendall(client, sent)
        await listener.until(lambda: any(one.transport.get_write_buffer_size() for one in listener.state.connections))
        (connection,) = listener.connections
        yield client, connection


@pytest.mark.parametrize("times", [1, 200])
async def test_a_client_that_reads_nothing_is_disconnected_after_the_deadline(served: Listener, times: int) -> None:
    async with not_reading(served, request("GET", "/api/schema/") * times) as (_, connection):
        now = asyncio.get_running_loop().time()
        connection.reap(now)
        connection.reap(now + Limits().send_deadline - 1)
        assert list(served.connections) == [connection]
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


def test_a_client_uses_no_connection_that_the_service_may_be_closing() -> None:
    used_again_for = httpx.Limits().keepalive_expiry
    assert used_again_for is not None
    assert Limits().idle >= used_again_for + 2


async def test_an_idle_connection_is_closed(served: Listener, exam: Exam) -> None:
    async with line(served) as one:
        assert (await one.tell(exam.beat())).status == 200
        (connection,) = served.connections
        now = asyncio.get_running_loop().time()
        connection.reap(now + Limits().idle - 1)
        assert (await one.tell(exam.beat())).status == 200
        connection.reap(now + 10 * Limits().idle)
        assert await one.is_closed()


async def beating(served: Listener, stack: AsyncExitStack, exam: Exam, **more: str) -> Line:
    """Return a new connection on which a heartbeat was answered."""
    one = await stack.enter_async_context(line(served))
    assert (await one.tell(exam.beat(**more))).status == 200
    return one


@pytest.mark.parametrize(("connections", "share"), [(9, 3), (3, 9)])
async def test_the_connection_that_rested_longest_gives_way(
    world: World, exam: Exam, connections: int, share: int
) -> None:
    limits = replace(UNHURRIED, connections=connections, share=share)
    async with listening(world, limits=limits) as served, AsyncExitStack() as stack:
        first = await beating(served, stack, exam)
        second = await beating(served, stack, exam)
        silent = await stack.enter_async_context(line(served))
        assert (await first.tell(exam.beat())).status == 200
        for expected in (second, silent, first):
            await beating(served, stack, exam)
            assert await expected.is_closed()
        for _ in range(20):
            await stack.enter_async_context(line(served))
        assert (await ask(served, exam.beat())).status == 200
        assert len(list(served.connections)) <= 3


async def test_a_client_behind_a_proxy_has_a_share_of_its_own(world: World, exam: Exam) -> None:
    limits = replace(UNHURRIED, connections=6, share=3)
    async with listening(world, limits=limits) as served, AsyncExitStack() as stack:
        quiet = await beating(served, stack, exam, X_Forwarded_For="192.0.2.1")
        greedy = [await beating(served, stack, exam, X_Forwarded_For="192.0.2.2") for _ in range(4)]
        assert await greedy[0].is_closed()
        for number in range(3, 6):
            await beating(served, stack, exam, X_Forwarded_For=f"192.0.2.{number}")
        # All are full: the client with the most connections gives way first.
        assert await greedy[1].is_closed()
        assert (await quiet.tell(exam.beat(X_Forwarded_For="192.0.2.1"))).status == 200


@pytest.mark.parametrize(("connections", "share"), [(9, 2), (2, 9)])
async def test_requests_beyond_the_share_or_the_limit_are_refused(
    world: World, exam: Exam, monkeypatch: pytest.MonkeyPatch, connections: int, share: int
) -> None:
    limits = replace(UNHURRIED, connections=connections, share=share)
    async with listening(world, limits=limits) as served, AsyncExitStack() as stack:
        lines = [await stack.enter_async_context(line(served)) for _ in range(2)]
        async with held_commits(world, monkeypatch):
            before = served.received
            for one in lines:
                one.writer.write(exam.beat())
            await served.until(lambda: served.received == before + 2 * len(exam.beat()))
            told = await ask(served, exam.beat())
            assert told.status == 503
            assert {b"retry-after: 2", b"connection: close"} <= set(told.head)
            me = request("GET", "/api/v2.2/me/", Authorization=exam.token, X_Forwarded_For="192.0.2.1")
            assert (await ask(served, me)).status == (503 if connections == 2 else 200)
        assert [(await one.hear()).status for one in lines] == [200, 200]
