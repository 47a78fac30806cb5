"""The pages and the socket for browsers, with a service and a starter of sessions that are replaced."""

import asyncio
import contextlib
import logging
import os
import tty
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest
from aiohttp import ClientResponse, ClientWebSocketResponse, WSMsgType, WSServerHandshakeError
from aiohttp.test_utils import TestClient, TestServer

from lms_tui.runtime.sessions.hosted import HostState
from lms_tui.runtime.sessions.limits import Limits, Sessions
from lms_tui.runtime.sessions.messages import Start
from lms_tui.runtime.sessions.sign_in import SignedInUser, SignIn
from lms_tui.runtime.sessions.warmed import WarmedParent
from lms_tui.runtime.web.addresses import Origins, Proxies
from lms_tui.runtime.web.application import WebApplication
from lms_tui.runtime.web.browsers import Browsers
from lms_tui.wire.errors import Busy, Invalid

PUBLIC = "https://exam.example.edu"
TOKEN = "token-of-a-user"
PASSWORD = "right"
SOON = 60.0


class Institute:
    """Signs users in who have a name with a number, such as s7."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, str]] = []
        self.busy: float | None = None
        self.arrived, self.may_answer = asyncio.Event(), asyncio.Event()
        self.may_answer.set()

    async def by_password(self, username: str, password: str, address: str) -> SignedInUser:
        self.asked.append((username, password, address))
        self.arrived.set()
        await self.may_answer.wait()
        if self.busy is not None:
            raise Busy("Too many sign-ins.", advice="Wait.", status=429, retry_after=self.busy)
        if password != PASSWORD:
            raise Invalid("Wrong.", advice="Try again.")
        return SignedInUser(int(username[1:]), username, TOKEN)


@dataclass
class Starter:
    """Keeps the terminal of each session, in place of a process that draws on it."""

    terminals: dict[int, int] = field(default_factory=dict)
    starts: list[Start] = field(default_factory=list)
    ends: dict[int, Callable[[int], None]] = field(default_factory=dict)
    begun: asyncio.Event = field(default_factory=asyncio.Event)

    async def begin(self, start: Start, terminal: int, ended: Callable[[int], None]) -> None:
        self.terminals[start.number] = os.dup(terminal)
        self.starts.append(start)
        self.ends[start.number] = ended
        self.begun.set()

    async def began(self, sessions: int) -> None:
        """Wait until so many sessions have begun in all."""
        while len(self.starts) < sessions:
            self.begun.clear()
            await self.begun.wait()

    def draw(self, number: int, text: bytes) -> None:
        os.write(self.terminals[number], text)

    def end(self, number: int, status: int) -> None:
        os.close(self.terminals.pop(number))
        self.ends[number](status)

    def kill(self, number: int) -> None:
        pass

    def close(self) -> None:
        for terminal in self.terminals.values():
            os.close(terminal)


class World:
    """A running application."""

    def __init__(self, client: TestClient[Any, Any], institute: Institute, starter: Starter) -> None:
        self.client = client
        self.institute = institute
        self.starter = starter
        self.origin = str(client.make_url("")).rstrip("/")

    async def sign_in(
        self, username: str = "s1", password: str = PASSWORD, plain: str = "", **headers: str
    ) -> ClientResponse:
        fields = {"username": username, "password": password} | ({"plain": plain} if plain else {})
        told = {"Origin": self.origin} | headers
        return await self.client.post("/sign-in", data=fields, headers=told, allow_redirects=False)

    async def tab(self, **headers: str) -> ClientWebSocketResponse:
        self.starter.begun.clear()
        return await self.client.ws_connect("/ws?width=100&height=30", headers={"Origin": self.origin} | headers)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def limits() -> Limits:
    return Limits()


@pytest.fixture
async def world(limits: Limits, clock: Clock) -> AsyncIterator[World]:
    institute, starter = Institute(), Starter()
    host = HostState(cast(SignIn, institute), limits, Sessions(limits), cast(WarmedParent, starter))
    origins = ["http://127.0.0.1:0", PUBLIC]
    proxies = Proxies(["127.0.0.1", "192.0.2.0/24"])
    server = TestServer(WebApplication(host, _Named(origins), proxies, Browsers(60.0, clock)).application())
    async with TestClient(server) as client:
        found = World(client, institute, starter)
        origins[0] = found.origin
        yield found
    starter.close()


class _Named(Origins):
    """The port is known when the server runs."""

    def __init__(self, origins: list[str]) -> None:
        super().__init__(origins)
        self._origins = origins

    def of(self, host: str) -> str | None:
        return Origins(self._origins).of(host)


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    with caplog.at_level(logging.DEBUG):
        yield caplog


async def drawn(tab: ClientWebSocketResponse, wanted: bytes) -> bytes:
    """Read frames until these bytes have come."""
    seen = b""
    async with asyncio.timeout(SOON):
        while wanted not in seen:
            message = await tab.receive()
            assert message.type is WSMsgType.BINARY, (message, seen)
            seen += message.data
    return seen


async def closed(tab: ClientWebSocketResponse) -> bytes:
    """Read frames until the host closes the socket."""
    seen = b""
    async with asyncio.timeout(SOON):
        while (message := await tab.receive()).type is WSMsgType.BINARY:
            seen += message.data
    return seen


async def refused(world: World, **headers: str) -> int:
    with pytest.raises(WSServerHandshakeError) as refusal:
        await world.tab(**headers)
    return refusal.value.status


async def test_a_stranger_gets_the_sign_in_page_without_scripts(world: World) -> None:
    answer = await world.client.get("/")
    page = await answer.text()
    assert answer.status == 200
    assert '<label for="username">' in page
    assert "<script" not in page
    assert "script-src" not in answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Server"] == "lms-tui"


async def test_a_sign_in_sets_a_cookie_that_scripts_and_other_sites_cannot_use(world: World) -> None:
    answer = await world.sign_in()
    assert (answer.status, answer.headers["Location"]) == (303, "/")
    key, *rules = answer.headers["Set-Cookie"].split("; ")
    assert sorted(rules) == ["HttpOnly", "Path=/", "SameSite=Strict"]
    assert len(key) >= len("lms-tui=") + 40
    assert 'class="textual-terminal"' in await (await world.client.get("/")).text()


async def test_the_cookie_is_for_tls_only_behind_a_proxy_with_tls(world: World) -> None:
    answer = await world.sign_in(Origin=PUBLIC, Host="exam.example.edu")
    cookie = answer.cookies["__Host-lms-tui"]
    assert cookie["secure"]
    told = {"Host": "exam.example.edu", "Cookie": f"__Host-lms-tui={cookie.value}"}
    page = await (await world.client.get("/", headers=told)).text()
    assert 'data-session-websocket-url="wss://exam.example.edu/ws"' in page


async def test_no_secret_is_in_an_address_a_page_or_the_log(world: World, log: pytest.LogCaptureFixture) -> None:
    key = (await world.sign_in("s1", PASSWORD)).cookies["lms-tui"].value
    page = await (await world.client.get("/")).text()
    tab = await world.tab()
    await world.starter.begun.wait()
    await tab.close()
    for secret in (key, TOKEN, PASSWORD):
        assert secret not in page
        assert secret not in log.text
    assert "s1" not in log.text


async def test_a_wrong_password_keeps_the_name_and_says_so(world: World) -> None:
    answer = await world.sign_in('s1"><b>\x1b]0;x\x07', "wrong")
    page = await answer.text()
    assert answer.status == 401
    assert "Wrong user name or password." in page
    assert 'value="s1&quot;&gt;&lt;b&gt;' in page
    assert "\x1b" not in page
    assert "wrong" not in page
    assert "lms-tui" not in answer.cookies


async def test_a_sign_in_that_has_to_wait_says_how_long(world: World) -> None:
    world.institute.busy = 25.0
    answer = await world.sign_in()
    assert (answer.status, answer.headers["Retry-After"]) == (503, "25")
    assert "Try again in 25 seconds." in await answer.text()


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "", "http://127.0.0.1:1"])
async def test_forms_and_sockets_of_other_sites_are_refused(world: World, origin: str) -> None:
    assert (await world.sign_in(Origin=origin)).status == 403
    assert world.institute.asked == []
    await world.sign_in()
    assert (await world.client.post("/sign-out", headers={"Origin": origin})).status == 403
    assert await refused(world, Origin=origin) == 403
    assert world.starter.starts == []


async def test_a_foreign_host_name_is_refused(world: World) -> None:
    answer = await world.client.get("/", headers={"Host": "evil.example"})
    assert answer.status == 421
    assert "evil" not in await answer.text()


@pytest.mark.parametrize("key", ["", "guess", "\u00e9", "x" * 4000, '"; HttpOnly', "%00"])
async def test_a_guessed_cookie_opens_nothing(world: World, key: str) -> None:
    await world.sign_in()
    world.client.session.cookie_jar.clear()
    assert await refused(world, Cookie=f"lms-tui={key}") == 401
    assert "User name" in await (await world.client.get("/", headers={"Cookie": f"lms-tui={key}"})).text()
    assert world.starter.starts == []


async def test_a_tab_passes_keys_sizes_and_frames(world: World) -> None:
    await world.sign_in("s7")
    tab = await world.tab()
    await world.starter.begun.wait()
    start = world.starter.starts[0]
    terminal = world.starter.terminals[1]
    assert (start.user_id, start.username, start.token, start.address) == (7, "s7", TOKEN, "127.0.0.1")
    assert (start.term, start.colorterm) == ("xterm-256color", "truecolor")
    assert os.get_terminal_size(terminal) == (100, 30)
    world.starter.draw(1, b"a frame")
    await drawn(tab, b"a frame")
    await tab.send_json(["resize", {"width": 40, "height": 20}])
    await tab.send_json(["stdin", "n\u00e9\n"])
    assert await asyncio.to_thread(os.read, terminal, 100) == "n\u00e9\n".encode()
    assert os.get_terminal_size(terminal) == (40, 20)


async def test_the_sign_in_chooses_lines_in_place_of_screens(world: World) -> None:
    again = await (await world.sign_in(password="wrong", plain="yes")).text()
    assert 'name="plain" value="yes" checked>' in again
    for plain in ("yes", ""):
        assert (await world.sign_in(plain=plain)).status == 303
        tab = await world.tab()
        await world.starter.begun.wait()
        assert world.starter.starts[-1].plain is bool(plain)
        await tab.close()


async def test_invalid_messages_of_a_page_are_ignored(world: World) -> None:
    await world.sign_in()
    tab = await world.tab()
    await world.starter.begun.wait()
    for text in (
        "[" * 100_000,
        "{}",
        "null",
        "\ud83d",
        '["stdin", 5]',
        '["stdin"]',
        '["resize", {"width": -5, "height": 99999999999}]',
        '["resize", {"width": 1e999, "height": "x"}]',
        f'["stdin", {"1" * 5000}]',
        '["unknown"]',
    ):
        await tab.send_str(text.encode("utf-8", "replace").decode())
    await tab.send_bytes(b"\xff\xfe")
    await tab.send_json(["stdin", "\ud800x\n"])
    terminal = world.starter.terminals[1]
    assert await asyncio.to_thread(os.read, terminal, 100) == b"?x\n"
    assert os.get_terminal_size(terminal) == (1, 500)


async def test_a_message_that_is_too_large_ends_its_tab_only(world: World) -> None:
    await world.sign_in()
    tab, other = await world.tab(), await world.tab()
    await world.starter.began(2)
    await tab.send_str("x" * (1024 * 1024 + 1))
    await closed(tab)
    assert tab.close_code == 1009
    world.starter.draw(2, b"still here")
    await drawn(other, b"still here")


async def test_a_form_that_is_too_large_or_of_another_kind_is_refused(world: World) -> None:
    headers = {"Origin": world.origin, "Content-Type": "application/x-www-form-urlencoded"}
    assert (await world.client.post("/sign-in", data=b"x" * 20_000, headers=headers)).status == 413
    assert (await world.client.post("/sign-in", data=b"a=1&" * 50, headers=headers)).status == 400
    headers["Content-Type"] = "application/json"
    assert (await world.client.post("/sign-in", data=b"{}", headers=headers)).status == 415
    headers["Content-Type"] = "application/x-www-form-urlencoded; charset=nonsense"
    assert (await world.client.post("/sign-in", data=b"username=s1&password=%ff", headers=headers)).status == 401


async def test_quitting_the_app_signs_the_browser_out_with_its_last_tab(world: World) -> None:
    await world.sign_in()
    tabs = [await world.tab(), await world.tab()]
    await world.starter.began(2)
    world.starter.end(1, 0)
    await closed(tabs[0])
    assert "textual-terminal" in await (await world.client.get("/")).text()
    world.starter.end(2, 0)
    await closed(tabs[1])
    async with asyncio.timeout(SOON):
        while "textual-terminal" in await (await world.client.get("/")).text():
            pass
    assert await refused(world) == 401


async def test_closing_a_tab_keeps_the_browser_signed_in(world: World) -> None:
    await world.sign_in()
    first = await world.tab()
    await world.starter.began(1)
    await first.close()
    tab = await world.tab()
    await world.starter.began(2)
    world.starter.end(2, 1)
    await closed(tab)
    assert "textual-terminal" in await (await world.client.get("/")).text()


async def test_a_killed_session_says_that_answers_are_kept(world: World) -> None:
    await world.sign_in()
    tab = await world.tab()
    await world.starter.begun.wait()
    world.starter.draw(1, b"\x1b[?1049h")
    world.starter.end(1, -9)
    seen = await closed(tab)
    assert b"All saved answers are kept" in seen
    assert seen.rindex(b"\x1b[?1049l") > seen.rindex(b"\x1b[?1049h")


async def test_signing_out_ends_the_tabs_of_this_browser(world: World) -> None:
    await world.sign_in()
    tab = await world.tab()
    await world.starter.begun.wait()
    answer = await world.client.post("/sign-out", headers={"Origin": world.origin})
    assert b"You have signed out." in await closed(tab)
    assert "User name" in await answer.text()
    assert await refused(world) == 401


async def test_another_sign_in_in_the_same_browser_ends_the_first(world: World) -> None:
    first = (await world.sign_in("s1")).cookies["lms-tui"].value
    tab = await world.tab()
    await world.starter.begun.wait()
    await world.sign_in("s2")
    await closed(tab)
    world.client.session.cookie_jar.clear()
    assert await refused(world, Cookie=f"lms-tui={first}") == 401


async def test_a_browser_that_was_not_used_has_to_sign_in_again(world: World, clock: Clock) -> None:
    await world.sign_in()
    clock.now = 59.0
    assert "textual-terminal" in await (await world.client.get("/")).text()
    clock.now += 60.0
    assert await refused(world) == 401


@pytest.mark.parametrize("limits", [Limits(idle=0.0)])
async def test_a_session_without_keys_ends(world: World) -> None:
    await world.sign_in()
    assert b"no key was pressed for a long time" in await closed(await world.tab())


@pytest.mark.parametrize("limits", [Limits(of_user=2)])
async def test_a_user_who_has_too_many_sessions_is_told_in_the_terminal(world: World) -> None:
    await world.sign_in()
    tabs = [await world.tab(), await world.tab()]
    await world.starter.began(2)
    assert b"You have too many sessions. End one of them, and try again." in await closed(await world.tab())
    await tabs[0].close()


@pytest.mark.parametrize("limits", [replace(Limits(), waiting=2)])
async def test_requests_of_one_address_are_few_and_keep_no_other_out(world: World) -> None:
    world.institute.may_answer.clear()
    waiting = [
        asyncio.create_task(world.sign_in(**{"X-Forwarded-For": "203.0.113.7"})),
        asyncio.create_task(world.sign_in(**{"X-Forwarded-For": "203.0.113.7"})),
    ]
    await world.institute.arrived.wait()
    while (answer := await world.client.get("/", headers={"X-Forwarded-For": "203.0.113.7"})).status == 200:
        pass
    assert answer.status == 503
    assert "Try again in a minute." in await answer.text()
    assert (await world.client.get("/", headers={"X-Forwarded-For": "203.0.113.8"})).status == 200
    world.institute.may_answer.set()
    await asyncio.gather(*waiting, return_exceptions=True)


@pytest.mark.parametrize("limits", [Limits(answer=2.0)])
async def test_another_tab_ends_one_whose_computer_is_gone(world: World) -> None:
    """A tab that is gone would keep its exam locked."""
    await world.sign_in()
    gone = await world.client.ws_connect("/ws", headers={"Origin": world.origin}, autoping=False)
    await world.starter.begun.wait()
    there = await world.tab()
    await world.starter.began(2)
    async with asyncio.timeout(SOON):
        assert (await gone.receive()).type is WSMsgType.PING
        assert (await gone.receive()).type in {WSMsgType.CLOSED, WSMsgType.ERROR}
    world.starter.draw(2, b"still here")
    await drawn(there, b"still here")
    third = await world.tab()
    await there.ping()
    world.starter.draw(2, b"and here")
    await drawn(there, b"and here")
    await third.close()


@pytest.mark.parametrize("limits", [Limits(of_user=1)])
async def test_a_tab_that_closes_ends_a_session_that_takes_no_keys(world: World) -> None:
    await world.sign_in()
    tab = await world.tab()
    await world.starter.begun.wait()
    tty.setraw(world.starter.terminals[1])
    await tab.send_json(["stdin", "x" * 200_000])
    world.starter.begun.clear()
    async with asyncio.timeout(SOON):
        await tab.close()
        while not world.starter.begun.is_set():
            async with world.client.ws_connect("/ws", headers={"Origin": world.origin}) as next_tab:
                message = None
                with contextlib.suppress(TimeoutError):  # a session that begins says nothing
                    message = await next_tab.receive(0.5)
                assert message is None or b"too many sessions" in message.data


async def test_a_tab_that_sends_keys_without_an_end_is_cut(world: World) -> None:
    await world.sign_in()
    tab = await world.tab()
    await world.starter.begun.wait()
    tty.setraw(world.starter.terminals[1])
    for _ in range(4):
        await tab.send_json(["stdin", "x" * 500_000])
    async with asyncio.timeout(SOON):
        assert (await tab.receive()).type in {WSMsgType.CLOSED, WSMsgType.ERROR}


async def test_the_program_waits_for_a_browser_that_does_not_read(world: World) -> None:
    await world.sign_in()
    tab = await world.tab()
    await world.starter.begun.wait()
    terminal = world.starter.terminals[1]
    os.set_blocking(terminal, False)
    sent = full = 0
    while full < 200:
        try:
            sent += os.write(terminal, b"x" * 1000)
            full = 0
        except BlockingIOError:
            full += 1
            await asyncio.sleep(0)
    received = 0
    async with asyncio.timeout(SOON):
        while received < sent:
            received += len(await tab.receive_bytes())
    assert received == sent
