"""An address with several hosts of PostgreSQL: each part of the program finds the one that takes writes."""

import io
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError

from lms_tui.cli import main
from lms_tui.service.core.database.callers import Callers, open_callers
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.hosts import Hosts as DatabaseHosts
from tests.service.postgres import Cluster
from tests.service.service_world import START, Caller, World, sums

SOCKET = ".s.PGSQL.5432"


@dataclass
class Hosts:
    """Two folders for the socket of one server, which can be in one of them at a time."""

    cluster: Cluster
    folders: tuple[Path, Path]
    name: str

    @property
    def address(self) -> str:
        first, second = self.folders
        return f"postgresql+psycopg://postgres@/{self.name}?host={first}&host={second}"

    def move(self, number: int) -> None:
        """Put the server at one of the hosts and cut every connection."""
        for folder in self.folders:
            (folder / SOCKET).unlink(missing_ok=True)
        (self.folders[number] / SOCKET).symlink_to(self.cluster.folder / SOCKET)
        self._cut()

    def _cut(self) -> None:
        self.cluster.ask(
            f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{self.name}'"  # noqa: S608  # our own name
        )

    def stop(self) -> None:
        """Take the server away from both hosts and cut every connection."""
        self.move(0)
        (self.folders[0] / SOCKET).unlink()
        self._cut()

    def take_no_writes(self, *, refuse: bool) -> None:
        """Let new connections only read, as those to a standby do."""
        state = "on" if refuse else "off"
        self.cluster.ask(f"ALTER DATABASE {self.name} SET default_transaction_read_only = {state}")


@pytest.fixture
def hosts(postgresql: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosts]:
    folders = tmp_path_factory.mktemp("a"), tmp_path_factory.mktemp("b")
    with postgresql.lent() as address:
        hosts = Hosts(postgresql, folders, make_url(address).database or "")
        hosts.move(0)
        yield hosts


async def until_taken(caller: Caller, method: str, path: str, body: object = None) -> list[httpx.Response]:
    """Send a request until it succeeds and return the responses of the failed tries."""
    refused: list[httpx.Response] = []
    for _ in range(9):
        response = await caller.send(method, path, json=body)
        if response.status_code == 200:
            return refused
        refused.append(response)
    pytest.fail(f"refused: {[response.text for response in refused]}")


async def test_the_service_follows_the_primary(hosts: Hosts, tmp_path: Path) -> None:
    world = World.at(tmp_path / "service", hosts.address)
    world.add_user("asha")
    world.add_exam(sums())
    asha = world.caller("asha")
    attempt = await asha.create("sums")
    row = (await asha.questions(attempt))[0]
    path = f"/api/v2.2/attempts/{attempt}/questions/{row['id']}"
    refused: list[httpx.Response] = []
    for number, option in enumerate(row["question"]["answers"]):
        hosts.move(number % 2)
        refused += await until_taken(asha, "PUT", path, {"selected_answers": [option["id"]]})
        refused += await until_taken(asha, "PUT", f"/api/v2.2/attempts/{attempt}/heartbeat/")
        refused += await until_taken(asha, "GET", "/api/v2.2/me/")
        assert (await asha.questions(attempt))[0]["selected_answers"] == [option["id"]]
    assert {(response.status_code, "Retry-After" in response.headers) for response in refused} == {(503, True)}
    await world.close()


def server(host: str, port: int) -> Any:
    """What the driver tells of the server of a connection."""
    return SimpleNamespace(host=host, port=port)


async def used(database: Database, callers: Callers, way: str) -> None:
    if way == "threads":
        with database.read() as session:
            session.execute(text("SELECT 1"))
    else:
        await callers.find(1, START)


@pytest.mark.parametrize("way", ["threads", "event loop"])
async def test_a_new_connection_is_opened_to_the_last_primary_first_and_to_a_lost_one_last(
    hosts: Hosts, way: str
) -> None:
    database = Database(hosts.address)
    callers = open_callers(database)
    tried = [str(folder) for folder in hosts.folders]
    assert database.hosts.parameters["host"].split(",") == tried
    for number in (1, 0):
        hosts.move(number)
        await used(database, callers, way)
        assert database.hosts.parameters["host"].split(",")[0] == tried[number]
        hosts.stop()
        with pytest.raises(OperationalError):
            await used(database, callers, way)
        assert database.hosts.parameters["host"].split(",")[1] == tried[number]
    database.close()


def test_a_failed_attempt_says_nothing_of_a_primary_that_another_one_has_found() -> None:
    hosts = DatabaseHosts({"host": "a,b,c", "port": "5433,,5433"})

    def fail(found: Any) -> dict[str, Any]:
        """Let an attempt fail while another one finds this server. Return the parameters of the attempt."""
        with suppress(ConnectionError), hosts.attempt() as parameters:
            if found is not None:
                hosts.found(found)
            raise ConnectionError
        return parameters

    assert fail(server("b", 5432))["host"] == "a,b,c"
    assert fail(server("c", 5433))["host"] == "b,a,c"
    assert (hosts.parameters["host"], hosts.parameters["port"]) == ("c,a,b", "5433,5433,")
    fail(None)
    assert (hosts.parameters["host"], hosts.parameters["port"]) == ("a,b,c", "5433,,5433")


async def test_a_caller_is_looked_for_again_only_where_a_connection_was_lost(
    hosts: Hosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = 0
    connect = psycopg.AsyncConnection.connect

    async def counted(**parameters: Any) -> Any:
        nonlocal opened
        opened += 1
        return await connect(**parameters)

    monkeypatch.setattr(psycopg.AsyncConnection, "connect", counted)
    database = Database(hosts.address)
    callers = open_callers(database)
    assert await callers.find(1, START) is None
    hosts.move(1)
    assert await callers.find(1, START) is None
    assert opened == 2
    hosts.stop()
    with pytest.raises(OperationalError):
        await callers.find(1, START)
    assert opened == 3
    with pytest.raises(OperationalError):
        await callers.find(1, START)
    assert opened == 4
    database.close()


async def test_a_standby_takes_no_answer(hosts: Hosts, tmp_path: Path) -> None:
    world = World.at(tmp_path / "service", hosts.address)
    world.add_user("asha")
    world.add_exam(sums())
    asha = world.caller("asha")
    attempt = await asha.create("sums")
    row = (await asha.questions(attempt))[0]
    path = f"/api/v2.2/attempts/{attempt}/questions/{row['id']}"
    body = {"selected_answers": [row["question"]["answers"][0]["id"]]}
    hosts.take_no_writes(refuse=True)
    hosts.move(1)
    refused = [await asha.send("PUT", path, json=body) for _ in range(3)]
    assert {(response.status_code, response.headers["Retry-After"]) for response in refused} == {(503, "2")}
    hosts.take_no_writes(refuse=False)
    await until_taken(asha, "PUT", path, body)
    await world.close()


def test_commands_find_the_primary(hosts: Hosts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("a long secret\n"))
    hosts.move(1)
    options = ["--data-dir", str(tmp_path), "--database-url", hosts.address]
    assert main(["user", "add", "asha", "--password-stdin", *options]) == 0


@pytest.mark.parametrize(
    "query",
    ["?host=a:5433&host=b:5434", "?host=a,b&port=5433,5434", "?host=a:5433&host=b:5434&target_session_attrs=any"],
)
def test_several_hosts_mean_their_primary_unless_told_otherwise(query: str) -> None:
    database = Database(f"postgresql+psycopg://lms@/lms{query}")
    found = database.hosts.parameters
    assert (found["host"], found["port"]) == ("a,b", "5433,5434")
    assert found["target_session_attrs"] == ("any" if "any" in query else "read-write")
    database.close()


def test_the_address_overrides_the_limits_of_time() -> None:
    database = Database("postgresql+psycopg://lms@a/lms?connect_timeout=9")
    found = database.hosts.parameters
    assert (found["connect_timeout"], "target_session_attrs" in found) == ("9", False)
    assert int(found["tcp_user_timeout"]) > 0
    database.close()
