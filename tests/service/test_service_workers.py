"""Several processes on one PostgreSQL: whichever answers, it is one institute; one that dies takes nothing along."""

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import pytest
from sqlalchemy import select

from lms_tui.service.auth.guesses import ACCOUNT
from lms_tui.service.core.database import tables
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.core.settings import system_clock
from tests.service.postgres import Cluster
from tests.service.test_service_process import first_line
from tests.service.test_service_write_stores import path_of, sit_down
from tests.waiting import PATIENCE, children_of, wait_until

PROCESSES = 2
WRITERS = 4


@dataclass
class Running:
    """An institute that several processes serve, and who sits its exam there; the last of them for other things."""

    process: subprocess.Popen[str]
    base: str
    address: str
    sat: list[tuple[str, int, int, list[int]]]

    def send(self, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, Any]:
        """Ask on a connection of its own, so that any of the processes may answer."""
        request = urllib.request.Request(  # noqa: S310  # our own service
            self.base + path, None if body is None else json.dumps(body).encode(), method=method
        )
        request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", f"JWT {token}")
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:  # noqa: S310  # our own service
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, postgresql: Cluster) -> Iterator[Running]:
    address = postgresql.prepared()
    folder = tmp_path_factory.mktemp("institute")
    sat = sit_down(folder / "service", [f"s{number}" for number in range(WRITERS + 1)], address)
    command = [sys.executable, "-m", "lms_tui", "serve", "--data-dir", str(folder), "--database-url", address]
    process = subprocess.Popen([*command, "--workers", str(PROCESSES)], stdout=subprocess.PIPE, text=True)
    yield Running(process, first_line(process).split()[-1], address, sat)
    process.kill()
    process.communicate()
    postgresql.drop(address)


def test_failed_sign_ins_are_counted_across_processes(running: Running) -> None:
    wrong = {"username": "s1", "password": "wrong"}
    # The first delay is one second, and each failure after a delay doubles it. A busy machine may miss short ones.
    statuses = [running.send("POST", "/api/v2.5/auth-token/", wrong)[0] for _ in range(ACCOUNT.free + 1)]
    assert statuses == [400] * (ACCOUNT.free + 1)
    for _ in range(2 * PROCESSES):
        statuses.append(running.send("POST", "/api/v2.5/auth-token/", wrong)[0])
        if statuses[-1] == 429:
            return
    pytest.fail(f"never delayed: {statuses}")


def test_a_token_that_one_process_revokes_is_refused_by_all(running: Running) -> None:
    token, *_ = running.sat[WRITERS]
    for _ in range(4 * PROCESSES):
        assert running.send("GET", "/api/v2.2/me/", token=token)[0] == 200
    database = Database(running.address)
    with database.write() as session:
        session.add(
            tables.User(
                username="head",
                role="admin",
                password_hash=Passwords().hash("practice"),
                tokens_valid_from=system_clock(),
                created=system_clock(),
                modified=system_clock(),
            )
        )
        user = session.scalars(select(tables.User.id).where(tables.User.username == f"s{WRITERS}")).one()
    database.close()
    _, signed = running.send("POST", "/api/v2.5/auth-token/", {"username": "head", "password": "practice"})
    changed = running.send("PUT", f"/api/v2.5/admin/users/{user}", {"password": "another one"}, signed["token"])
    assert changed[0] == 200
    assert {running.send("GET", "/api/v2.2/me/", token=token)[0] for _ in range(8 * PROCESSES)} == {401}


def test_one_process_at_a_time_holds_the_sweep_lease(running: Running) -> None:
    database = Database(running.address)

    def held() -> list[str]:
        with database.read() as session:
            return list(session.scalars(select(tables.Lease.holder)))

    wait_until(lambda: len(held()) == 1)
    database.close()


class Students:
    """Each answers one question on and on, and sends again what was not answered."""

    def __init__(self, running: Running) -> None:
        self.acknowledged: list[list[int]] = [[] for _ in range(WRITERS)]
        self.refused: list[tuple[int, Any]] = []
        self._running = running
        self._answered, self._over = threading.Semaphore(0), threading.Event()
        self._threads = [threading.Thread(target=self._answer, args=(number,)) for number in range(WRITERS)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def wait_for(self, count: int) -> None:
        """Wait until so many more are acknowledged, of each student some."""
        for _ in range(count):
            assert self._answered.acquire(timeout=PATIENCE)
        wait_until(lambda: all(self.acknowledged))

    def _answer(self, number: int) -> None:
        token, attempt, question, options = self._running.sat[number]
        while not self._over.is_set():
            chosen = options[len(self.acknowledged[number]) % len(options)]
            body = {"selected_answers": [chosen]}
            try:
                status, told = self._running.send("PUT", path_of(attempt, question), body, token=token)
            except (OSError, http.client.HTTPException):  # the process was killed, perhaps in the middle of its reply
                continue
            if status != 200:
                self.refused.append((status, told))
                return
            self.acknowledged[number].append(chosen)
            self._answered.release()


def test_a_killed_process_loses_no_acknowledged_answer(running: Running) -> None:
    with Students(running) as students:
        students.wait_for(60)
        killed = children_of(running.process.pid)[0]
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda: len(set(children_of(running.process.pid)) - {killed}) == PROCESSES)
        students.wait_for(60)
    assert students.refused == []
    for number, (token, attempt, question, _) in enumerate(running.sat[:WRITERS]):
        _, listed = running.send("GET", f"/api/v2.2/attempts/{attempt}/questions/", token=token)
        kept = {row["id"]: row["selected_answers"] for row in listed["results"]}
        assert kept[question] == [students.acknowledged[number][-1]]
