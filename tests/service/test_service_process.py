"""The service as a process: what it says first, and how it ends."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from lms_tui.common.hosts import is_loopback
from lms_tui.service.core.database.opening import UnusableDatabase, open_database
from lms_tui.service.core.passwords import PUBLIC_HASH, Passwords
from lms_tui.service.core.settings import ServiceSettings
from lms_tui.service.demo.people import add_people
from lms_tui.service.server.errors import ServiceError
from lms_tui.service.server.process import run
from tests.service.postgres import Cluster
from tests.waiting import PATIENCE, children_of, is_running, wait_until

START = "import sys; from pathlib import Path; from lms_tui.service.server.process import run; "
START += "from lms_tui.service.core.settings import ServiceSettings; sys.exit(run(ServiceSettings("
GIFT = "::Sum:: 1 + 1 = {=2 ~3 ~4}\n\n::Difference:: 2 - 1 = {~2 =1 ~4}\n"
Starter = Callable[[str], subprocess.Popen[str]]


@contextmanager
def starting() -> Iterator[Starter]:
    """Yield a function that starts services, which are killed in the end."""
    started: list[subprocess.Popen[str]] = []

    def begin(arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", f"{START}{arguments})))"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


@pytest.fixture
def start() -> Iterator[Starter]:
    with starting() as begin:
        yield begin


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def ask(url: str, body: dict[str, Any] | None = None, token: str = "", method: str | None = None) -> tuple[int, object]:
    data = json.dumps(body).encode() if body else None
    request = urllib.request.Request(url, data, method=method)  # noqa: S310  # our own service
    request.add_header("Content-Type", "application/json")
    request.add_header("Authorization", f"JWT {token}")
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:  # noqa: S310  # our own service
        return response.status, json.load(response)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_service_prints_its_address_and_ends_cleanly_on_a_signal(
    tmp_path: Path, start: Starter, number: signal.Signals
) -> None:
    process = start(f"Path({str(tmp_path)!r})")
    line = first_line(process)
    assert re.fullmatch(r"Listening on http://127\.0\.0\.1:[1-9]\d*\n", line)
    with pytest.raises(urllib.error.HTTPError, match="401"):
        ask(f"{line.split()[-1]}/api/v2.2/me/")
    process.send_signal(number)
    rest, complaints = process.communicate(timeout=PATIENCE)
    assert (process.returncode, rest, complaints) == (0, "", "")


def test_the_service_ends_with_its_standard_input_if_asked_to(tmp_path: Path, start: Starter) -> None:
    process = start(f"Path({str(tmp_path)!r}), end_with_stdin=True")
    assert first_line(process)
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(PATIENCE) == 0


def test_a_dry_run_offers_its_exam_to_the_practice_user(tmp_path: Path, start: Starter) -> None:
    file = tmp_path / "two-sums.gift"
    file.write_text(GIFT, "utf-8")
    process = start(f"Path({str(tmp_path / 'data')!r}), exam_files=(Path({str(file)!r}),), practice_user='ravi'")
    base = first_line(process).split()[-1]
    _, signed = ask(f"{base}/api/v2.5/auth-token/", {"username": "ravi", "password": "practice"})
    assert isinstance(signed, dict)
    _, listed = ask(f"{base}/api/v2.2/exams/available/", token=signed["token"])
    assert isinstance(listed, dict)
    (exam,) = listed["results"]
    assert exam["number_of_questions"] == 2
    log = (tmp_path / "data" / "service.log").read_text("utf-8")
    assert signed["token"] not in log


def test_answers_survive_a_kill(tmp_path: Path, start: Starter) -> None:
    first = start(f"Path({str(tmp_path)!r})")
    assert first_line(first)
    first.kill()
    first.wait()
    assert first_line(start(f"Path({str(tmp_path)!r})"))
    assert sorted(path.name for path in tmp_path.glob("*.key")) == ["secret.key"]


def test_the_demo_listens_on_loopback_only(tmp_path: Path) -> None:
    with pytest.raises(ServiceError, match=r"must not listen on 0\.0\.0\.0"):
        run(ServiceSettings(tmp_path / "data", host="0.0.0.0", demo=True))  # noqa: S104  # refused is what is tested
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("how", [{"host": "0.0.0.0"}, {"for_others": True}])  # noqa: S104  # refused
def test_an_institute_with_public_passwords_is_served_to_this_computer_only(
    tmp_path: Path, how: dict[str, Any]
) -> None:
    settings = ServiceSettings(tmp_path, **how)
    with closing(open_database(settings.address)) as database, database.write() as session:
        add_people(session, Passwords(), datetime.now(UTC))
    with pytest.raises(ServiceError, match=r"public passwords, as in the demo: \w+, \w+, \w+ and \d+ more\."):
        run(settings)


def test_a_public_password_is_known_by_its_hash() -> None:
    assert Passwords().hash_public("practice").startswith(PUBLIC_HASH)
    assert not Passwords().hash("practice").startswith(PUBLIC_HASH)


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),  # noqa: S104  # a value to judge
        ("::", False),
        ("192.168.1.4", False),
        ("example.org", False),
        ("", False),
    ],
)
def test_loopback_addresses_are_recognised(host: str, local: bool) -> None:
    assert is_loopback(host) is local


@pytest.fixture
def shared_database(postgresql: Cluster) -> Iterator[str]:
    with postgresql.lent() as address:
        yield address


def test_several_processes_share_an_address_and_a_killed_one_is_restarted(
    tmp_path: Path, start: Starter, shared_database: str
) -> None:
    process = start(f"Path({str(tmp_path)!r}), database_url={shared_database!r}, workers=2")
    base = first_line(process).split()[-1]
    first = children_of(process.pid)
    assert len(first) == 2
    os.kill(first[0], signal.SIGKILL)
    wait_until(lambda: len(children_of(process.pid)) == 2 and first[0] not in children_of(process.pid))
    for _ in range(8):
        with pytest.raises(urllib.error.HTTPError, match="401"):
            ask(f"{base}/api/v2.2/me/")
    process.send_signal(signal.SIGTERM)
    rest, complaints = process.communicate(timeout=PATIENCE)
    assert (process.returncode, rest, complaints) == (0, "", "")


def test_processes_end_when_their_supervisor_is_killed(tmp_path: Path, start: Starter, shared_database: str) -> None:
    process = start(f"Path({str(tmp_path)!r}), database_url={shared_database!r}, workers=2")
    assert first_line(process)
    kept = children_of(process.pid)
    process.kill()
    process.wait()
    wait_until(lambda: not any(map(is_running, kept)))


def test_sqlite_is_served_by_one_process(tmp_path: Path) -> None:
    with pytest.raises(ServiceError, match="SQLite allows only one process"):
        run(ServiceSettings(tmp_path, workers=2))


@pytest.mark.parametrize("address", ["nonsense", "nosuch://x/y", "postgresql+nosuch://x/y", "postgresql://x:port/y"])
def test_an_invalid_database_address_is_explained(tmp_path: Path, address: str) -> None:
    with pytest.raises(UnusableDatabase, match="database address cannot be used"):
        run(ServiceSettings(tmp_path, database_url=address))


def test_an_unreachable_database_is_explained_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(UnusableDatabase, match="cannot be used") as refused:
        run(ServiceSettings(tmp_path, database_url="postgresql+psycopg://a:hidden@127.0.0.1:1/lms"))
    assert "hidden" not in str(refused.value)


def test_a_damaged_database_is_explained(tmp_path: Path) -> None:
    (tmp_path / "service.sqlite3").write_bytes(b"no database" * 999)
    with pytest.raises(UnusableDatabase, match="cannot be used: file is not a database"):
        run(ServiceSettings(tmp_path))


def test_a_port_in_use_is_explained(tmp_path: Path, start: Starter) -> None:
    port = first_line(start(f"Path({str(tmp_path / 'one')!r})")).rsplit(":", 1)[-1].strip()
    with pytest.raises(ServiceError, match=f"cannot listen on 127.0.0.1, port {port}") as refused:
        run(ServiceSettings(tmp_path / "two", port=int(port)))
    assert "--port" in refused.value.advice
