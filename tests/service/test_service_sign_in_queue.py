"""The fair queue of sign-ins, and the gate that holds it."""

import asyncio
import threading
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from lms_tui.service.auth.fair_queue import FairQueue
from lms_tui.service.auth.gate import SignInGate
from lms_tui.service.auth.hashing import PasswordCheck
from lms_tui.service.core.error_replies import answer
from lms_tui.service.core.errors import Overloaded
from lms_tui.service.core.networks import network_of
from lms_tui.service.core.passwords import Passwords

PATIENCE = 3600.0


async def come(queue: FairQueue, name: str, served: list[str]) -> None:
    async with queue.turn(name):
        served.append(name)
        await asyncio.sleep(0)


async def settle() -> None:
    """Let every task run until it waits."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_addresses_take_turns() -> None:
    queue, served = FairQueue(1, 100, PATIENCE), list[str]()
    async with queue.turn("first"):
        tasks = [asyncio.create_task(come(queue, name, served)) for name in ("school",) * 4 + ("home", "office")]
        await settle()
        assert served == []
    await asyncio.gather(*tasks)
    assert served == ["school", "home", "office", "school", "school", "school"]


async def test_all_places_are_used_and_given_back() -> None:
    queue, most, now = FairQueue(2, 100, PATIENCE), 0, 0

    async def work() -> None:
        nonlocal most, now
        async with queue.turn("school"):
            now += 1
            most = max(most, now)
            await asyncio.sleep(0)
            now -= 1

    await asyncio.gather(*(work() for _ in range(50)))
    await asyncio.gather(*(work() for _ in range(50)))
    assert most == 2


async def test_who_cannot_be_served_in_time_is_told_to_come_back() -> None:
    queue, served = FairQueue(1, 100, 0.0), list[str]()
    async with queue.turn("first"):
        with pytest.raises(Overloaded):
            await come(queue, "school", served)
    await come(queue, "school", served)
    assert served == ["school"]


async def test_a_full_queue_sends_away_the_last_of_the_longest_line() -> None:
    queue, served = FairQueue(1, 3, PATIENCE), list[str]()
    async with queue.turn("first"):
        tasks = [asyncio.create_task(come(queue, name, served)) for name in ("school", "school", "school", "home")]
        await settle()
        assert [task.done() for task in tasks] == [False, False, True, False]
        tasks.append(asyncio.create_task(come(queue, "school", served)))
        await settle()
        assert tasks[-1].done()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(result) for result in results] == [type(None), type(None), Overloaded, type(None), Overloaded]
    assert served == ["school", "home", "school"]


async def test_a_newcomer_does_not_drive_out_somebody_with_an_equal_line() -> None:
    queue, served = FairQueue(1, 2, PATIENCE), list[str]()
    async with queue.turn("first"):
        tasks = [asyncio.create_task(come(queue, name, served)) for name in ("a", "b", "c")]
        await settle()
        assert [task.done() for task in tasks] == [False, False, True]
    assert isinstance((await asyncio.gather(*tasks, return_exceptions=True))[2], Overloaded)
    assert served == ["a", "b"]


async def test_a_waiter_that_is_cancelled_leaves_no_place_taken() -> None:
    queue, served = FairQueue(1, 100, PATIENCE), list[str]()
    async with AsyncExitStack() as held:
        await held.enter_async_context(queue.turn("first"))
        waiting = [asyncio.create_task(come(queue, name, served)) for name in ("a", "b", "c")]
        await settle()
        waiting[0].cancel()
        await settle()
        await held.aclose()
        waiting[1].cancel()  # it has its turn already, and has not noticed yet
    await asyncio.gather(*waiting, return_exceptions=True)
    assert served == ["c"]
    await come(queue, "d", served)
    assert served == ["c", "d"]


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    message = await receive()
    await answer(200, message.get("body", b"").decode())(scope, receive, send)


async def test_only_sign_ins_wait_at_the_gate() -> None:
    queue = FairQueue(1, 100, 0.0)
    transport = httpx.ASGITransport(SignInGate(application, queue))
    async with httpx.AsyncClient(transport=transport, base_url="http://lms.test") as http, queue.turn("other"):
        for method, path in (("GET", "/api/v2.5/auth-token/"), ("POST", "/api/v2.2/exams/"), ("PUT", "/")):
            assert (await http.request(method, path)).status_code == 200
        for version in ("v2.2", "v2.3", "v2.5"):
            for end in ("", "/"):
                refused = await http.post(f"/api/{version}/auth-token{end}", content=b"x")
                assert refused.status_code == 503
                assert int(refused.headers["retry-after"]) > 0
                assert "Many people are signing in" in refused.json()["detail"]
    async with httpx.AsyncClient(transport=transport, base_url="http://lms.test") as http:
        assert (await http.post("/api/v2.5/auth-token/", content=b"body")).json() == {"detail": "body"}


@pytest.mark.parametrize("messages", [[], ["http.request"]], ids=["before its body", "while it waited"])
async def test_nothing_is_done_for_a_client_that_has_gone(messages: list[str]) -> None:
    served: list[Scope] = []

    async def spy(scope: Scope, _receive: Receive, _send: Send) -> None:
        served.append(scope)

    async def receive() -> dict[str, str]:
        return {"type": messages.pop(0) if messages else "http.disconnect"}

    async def send(_message: object) -> None:
        raise AssertionError("nobody is there")

    scope = {"type": "http", "method": "POST", "path": "/api/v2.5/auth-token/", "client": ("192.0.2.1", 1)}
    await SignInGate(spy, FairQueue(1, 1, PATIENCE))(scope, receive, send)
    assert served == []


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("", ""),
        ("testclient", "testclient"),
    ],
)
def test_addresses_of_one_ipv6_network_count_as_one(address: str, network: str) -> None:
    assert network_of(address) == network


class Counted(Passwords):
    """Notes how many passwords were compared at the same time. One comparison takes long enough to meet another."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._now = self.most = 0

    def verify(self, stored: str | None, password: str) -> bool:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        try:
            return super().verify(stored, password)
        finally:
            with self._lock:
                self._now -= 1


@pytest.mark.parametrize(("is_shared", "together"), [(True, 1), (False, 2)])
async def test_several_processes_compare_as_many_passwords_at_a_time_as_one(
    tmp_path: Path, is_shared: bool, together: int
) -> None:
    passwords = Counted()
    # Each has files of its own, as each process has.
    checks = [PasswordCheck(passwords, 1, tmp_path if is_shared else None) for _ in range(2)]
    hashed = passwords.hash("a good password")
    found = await asyncio.gather(*(check.matches(hashed, "a good password") for _ in range(10) for check in checks))
    assert (found, passwords.most) == ([True] * 20, together)
