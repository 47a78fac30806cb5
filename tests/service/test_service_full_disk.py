"""The service on a disk that is really full: a small file system of its own, filled to the last byte."""

import contextlib
import os
import signal
import subprocess
import tempfile
import urllib.error
from collections.abc import Iterator
from pathlib import Path

import pytest

from lms_tui.service.core.settings import ServiceSettings
from tests.service.postgres import binaries, cluster
from tests.service.test_service_process import Starter, ask, first_line, starting
from tests.service.test_service_write_stores import kept_of, path_of, sit_down
from tests.waiting import wait_until

OK, UNAVAILABLE = 200, 503
STUDENTS = 3
BALLAST = "ballast"
MOST_ANSWERS = 2_000
"""More answers than the space that is left can take."""


@contextlib.contextmanager
def small_disk(mebibytes: int) -> Iterator[Path]:
    """Mount a file system. Sockets lie in it, whose paths are short."""
    with tempfile.TemporaryDirectory(prefix="disk-") as name:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "tmpfs", name]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
            pytest.skip("only root can mount a small disk, and not in every container")
        Path(name).chmod(0o755)
        try:
            yield Path(name)
        finally:
            subprocess.run(["umount", "--lazy", name], check=True)  # noqa: S607  # wherever the system has it


@pytest.fixture
def start() -> Iterator[Starter]:
    """Start services, which are killed before the disk is unmounted."""
    with starting() as begin:
        yield begin


def fill(disk: Path) -> None:
    with (disk / BALLAST).open("ab", buffering=0) as ballast:
        while True:
            try:
                ballast.write(bytes(4096))
            except OSError:
                return


def status_of(url: str, token: str, body: dict[str, object] | None = None, method: str = "PUT") -> int:
    try:
        return ask(url, body, token, method)[0]
    except urllib.error.HTTPError as error:
        with error:
            return error.code


class Institute:
    """Students who answer at a running service. `acknowledged`: the answers that it has confirmed, by question."""

    def __init__(self, folder: Path, start: Starter, database_url: str = "") -> None:
        self._sat = sit_down(folder, [f"s{number}" for number in range(STUDENTS)], database_url)
        self.process = start(f"Path({str(folder)!r}), database_url={database_url!r}")
        self._base = first_line(self.process).split()[-1]
        self._database = ServiceSettings(folder, database_url=database_url).database
        self.acknowledged: dict[int, list[int]] = {}

    def answer(self, number: int) -> int:
        token, attempt, question, options = self._sat[number % STUDENTS]
        chosen = [options[number // STUDENTS % len(options)]]
        status = status_of(self._base + path_of(attempt, question), token, {"selected_answers": chosen})
        if status == OK:
            self.acknowledged[question] = chosen
        return status

    def refusal(self) -> int:
        """Answer until an answer is refused, and return its status."""
        return next(status for status in map(self.answer, range(MOST_ANSWERS)) if status != OK)

    def attempt(self) -> int:
        token, attempt, *_ = self._sat[0]
        return status_of(f"{self._base}/api/v2.2/attempts/{attempt}", token, method="GET")

    def heartbeat(self) -> int:
        token, attempt, *_ = self._sat[0]
        return status_of(f"{self._base}/api/v2.2/attempts/{attempt}/heartbeat/", token)

    def is_running(self) -> bool:
        return self.process.poll() is None

    def kept(self) -> dict[int, list[int]]:
        """Kill the service, and return what its database holds of the acknowledged answers."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        kept = kept_of(self._database)
        return {question: kept[question] for question in self.acknowledged}


@pytest.mark.slow
def test_a_full_disk_loses_no_acknowledged_answer_and_the_service_goes_on_when_there_is_room(start: Starter) -> None:
    with small_disk(8) as disk:
        institute = Institute(disk / "service", start)
        assert [institute.answer(number) for number in range(STUDENTS)] == [OK] * STUDENTS
        fill(disk)
        # The log that SQLite writes ahead has room for some answers more.
        assert institute.refusal() == UNAVAILABLE
        assert institute.attempt() == OK
        assert institute.heartbeat() == UNAVAILABLE
        assert institute.is_running()
        (disk / BALLAST).unlink()
        wait_until(lambda: institute.answer(0) == OK)
        assert institute.kept() == institute.acknowledged


@pytest.mark.slow
def test_a_full_disk_of_postgresql_loses_no_acknowledged_answer_and_the_service_goes_on_when_it_is_started_again(
    start: Starter, tmp_path: Path
) -> None:
    programs = binaries()
    if programs is None:
        pytest.skip("PostgreSQL is not installed here (apt-get install postgresql)")
    with small_disk(192) as disk, cluster(programs, durable=True, disk=disk) as running:
        institute = Institute(tmp_path / "service", start, running.empty())
        assert [institute.answer(number) for number in range(STUDENTS)] == [OK] * STUDENTS
        fill(disk)
        # Its log needs a new file next. PostgreSQL ends where it cannot write its log.
        running.ask("SELECT pg_switch_wal()")
        assert institute.refusal() == UNAVAILABLE
        assert institute.heartbeat() == UNAVAILABLE
        wait_until(running.has_ended)
        assert institute.is_running()
        (disk / BALLAST).unlink()
        running.start()
        wait_until(lambda: institute.answer(0) == OK)
        assert institute.kept() == institute.acknowledged
