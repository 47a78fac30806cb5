"""What strangers and students try with the host for browsers, while a student goes on in an exam."""

import asyncio
import random
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, CookieJar, TCPConnector, WSMsgType

from tests.waiting import is_running, wait_until
from tests.web.web_world import PASSWORD, PATIENCE, WebHost, running

_SOCKET = "GET /ws HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
_KEY = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{cookie}\r\n"


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebHost]:
    """A host whose service has a slow clock, so that the limit on guesses lasts longer than a test."""
    with running(tmp_path_factory.mktemp("web") / "data", "--clock-speed", "0.1") as started:
        yield started


@asynccontextmanager
async def browser(host: WebHost) -> AsyncIterator[ClientSession]:
    async with ClientSession(
        host.origin, cookie_jar=CookieJar(unsafe=True), connector=TCPConnector(limit=0), headers={"Origin": host.origin}
    ) as session:
        yield session


async def sign_in(session: ClientSession, username: str, password: str = PASSWORD) -> tuple[int, str]:
    fields = {"username": username, "password": password}
    async with session.post("/sign-in", data=fields) as answer:
        return answer.status, await answer.text()


async def sees(tab: ClientWebSocketResponse, wanted: bytes) -> None:
    """Read frames until these bytes have come."""
    seen = b""
    async with asyncio.timeout(PATIENCE):
        while wanted not in seen:
            message = await tab.receive()
            assert message.type is WSMsgType.BINARY, message
            seen += message.data


async def works(host: WebHost, username: str = "asha") -> None:
    """A student signs in and opens the app."""
    async with browser(host) as session:
        assert (await sign_in(session, username))[0] == 200
        async with session.ws_connect("/ws?width=100&height=30") as tab:
            await sees(tab, b"All exams")


async def test_guesses_are_slowed_by_the_service(host: WebHost) -> None:
    async with browser(host) as session:
        answers = [await sign_in(session, "joseph", "guess") for _ in range(8)]
        assert answers[0] == (401, answers[0][1])
        status, page = await sign_in(session, "joseph")
        assert status == 503
        assert re.search(r"Try again in \d+ seconds\.", page)
    await works(host)


async def test_names_cannot_write_to_the_log_or_the_page(host: WebHost) -> None:
    async with browser(host) as session:
        for username in (
            "\x1b]0;owned\x07",
            "a\r\nSet-Cookie: x=y",
            "a" * 5000,
            "\u202eevil",
            "<script>alert(1)</script>",
        ):
            status, page = await sign_in(session, username, "guess")
            assert status in {401, 503}
            assert "\x1b" not in page
            assert "<script" not in page
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", host.log)
    assert "owned" not in host.log
    assert "evil" not in host.log


async def test_1000_sockets_without_a_cookie_keep_nobody_out(host: WebHost) -> None:
    place = host.origin.removeprefix("http://")
    before = host.memory()
    for cookie in ("", "Cookie: lms-tui=guess\r\n"):
        async with AsyncExitStack() as stack:
            readers = []
            for _ in range(1000):
                reader, writer = await asyncio.open_connection(*place.split(":"))
                stack.callback(writer.close)
                writer.write((_SOCKET.format(host=place) + _KEY.format(cookie=cookie)).encode())
                readers.append(reader)
            answers = await asyncio.gather(*(reader.read(12) for reader in readers), return_exceptions=True)
            assert b"HTTP/1.1 101" not in answers
            assert answers.count(b"HTTP/1.1 401") > 500
            await works(host)
    wait_until(lambda: len(host.sessions()) <= 1)  # that of the student who worked, until it has ended
    assert host.memory() - before < 60


async def test_half_open_connections_keep_nobody_out(host: WebHost) -> None:
    place = host.origin.removeprefix("http://")
    async with AsyncExitStack() as stack:
        for number in range(800):
            _, writer = await asyncio.open_connection(*place.split(":"))
            stack.callback(writer.close)
            writer.write(
                (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\nX: ", b"POST /sign-in HTTP/1.1\r\n")[number % 4]
            )
        await works(host)


async def test_random_bytes_harm_nobody(host: WebHost) -> None:
    place, chance = host.origin.removeprefix("http://"), random.Random(21)
    async with browser(host) as session:
        await sign_in(session, "ravi")
        async with session.ws_connect("/ws?width=-1&height=9999999999999") as tab:
            await sees(tab, b"Opening the program")
            for _ in range(100):
                reader, writer = await asyncio.open_connection(*place.split(":"))
                writer.write(chance.randbytes(chance.randrange(1, 4000)) + b"\r\n\r\n")
                writer.write_eof()
                await reader.read()
                writer.close()
            for _ in range(50):
                await tab.send_bytes(chance.randbytes(500))
                await tab.send_str(chance.randbytes(200).decode("latin-1"))
                await tab.send_json(
                    ["resize", {"width": chance.randrange(-9, 2**40), "height": chance.randrange(2**40)}]
                )
            await tab.send_json(["resize", {"width": 100, "height": 30}])
            await sees(tab, b"All exams")
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", host.log)


async def test_a_browser_that_does_not_read_does_not_fill_the_memory(host: WebHost) -> None:
    place = host.origin.removeprefix("http://")
    async with browser(host) as session:
        await sign_in(session, "meera")
        key = next(cookie.value for cookie in session.cookie_jar)
        reader, writer = await asyncio.open_connection(*place.split(":"), limit=1024)
        writer.write((_SOCKET.format(host=place) + _KEY.format(cookie=f"Cookie: lms-tui={key}\r\n")).encode())
        assert b"101" in await reader.readline()
        before = host.memory()
        for number in range(3000):
            width = 100 + number % 2 * 20
            text = f'["resize",{{"width":{width},"height":40}}]'.encode()
            writer.write(bytes([0x81, 0x80 + len(text)]) + b"\0\0\0\0" + text)
            await writer.drain()
        await works(host)
        assert host.memory() - before < 20
        writer.transport.abort()  # what is not sent would keep it open


async def test_a_key_of_a_browser_that_signed_out_opens_nothing(host: WebHost) -> None:
    async with browser(host) as session:
        await sign_in(session, "vikram")
        key = next(cookie.value for cookie in session.cookie_jar)
        async with session.post("/sign-out") as answer:
            assert "User name" in await answer.text()
    async with browser(host) as thief, thief.get("/ws", headers={"Cookie": f"lms-tui={key}"}) as answer:
        assert answer.status == 401
    assert key not in host.log


async def test_sessions_have_limits(host: WebHost) -> None:
    async with browser(host) as session:
        await sign_in(session, "asha")
        others = set(host.sessions())
        async with session.ws_connect("/ws?width=100&height=30") as tab:
            await sees(tab, b"All exams")
            (pid,) = set(host.sessions()) - others
            limits = _limits_of(pid)
    assert re.search(r"Max open files\s+128\s+128", limits)
    assert re.search(r"Max data size\s+536870912\s+536870912", limits)
    assert re.search(r"Max file size\s+268435456\s+268435456", limits)


def _limits_of(pid: int) -> str:
    return Path(f"/proc/{pid}/limits").read_text()


async def test_no_session_outlives_its_host(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        with running(tmp_path / "data") as own:
            session = await stack.enter_async_context(browser(own))
            await sign_in(session, "asha")
            tabs = [await stack.enter_async_context(session.ws_connect("/ws?width=100&height=30")) for _ in range(3)]
            for tab in tabs:
                await sees(tab, b"All exams")
            started = own.sessions()
        assert len(started) == 3
        wait_until(lambda: not any(map(is_running, started)))


async def test_ssh_and_browsers_share_the_sessions_of_a_user(tmp_path: Path) -> None:
    asyncssh = pytest.importorskip("asyncssh")
    with running(tmp_path / "data", "--ssh", "0") as both:
        async with AsyncExitStack() as stack:
            session = await stack.enter_async_context(browser(both))
            await sign_in(session, "asha")
            for _ in range(4):
                tab = await stack.enter_async_context(session.ws_connect("/ws?width=100&height=30"))
                await sees(tab, b"All exams")
            connection = await stack.enter_async_context(
                asyncssh.connect(
                    "127.0.0.1",
                    both.ssh,
                    username="asha",
                    password=PASSWORD,
                    known_hosts=None,
                    client_keys=None,
                    config=None,
                    agent_path=None,
                )
            )
            ended = await connection.run(term_type="xterm")
            assert "You have too many sessions" in str(ended.stdout)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--web-host", "0.0.0.0"], "cross the network unprotected"),  # noqa: S104 - it is refused
        (["--web-origin", "http://exam.example.edu"], "Browsers cannot use http://exam.example.edu."),
        (["--demo", "--web-origin", "https://exam.example.edu"], "public passwords"),
        (["--trust-proxy", "proxy"], "--trust-proxy"),
    ],
)
def test_what_is_not_safe_is_refused_at_the_start(tmp_path: Path, options: list[str], words: str) -> None:
    command = [sys.executable, "-m", "lms_tui", "serve", "--web", "0", "--data-dir", str(tmp_path), *options]
    ended = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert ended.returncode in {1, 2}
    assert words in ended.stderr
