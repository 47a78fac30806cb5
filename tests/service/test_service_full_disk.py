"""The service on a disk that is really full: a small file system of its own, filled to the last byte."""

import os
import signal
import subprocess
import urllib.error
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.test_service_process import Starter, ask, first_line, starting
from tests.service.test_service_write_stores import kept_of, path_of, sit_down
from tests.waiting import wait_until

STUDENTS = 3
BALLAST = "ballast"
MOST_ANSWERS = 2_000
"""More answers than the space that is left can take."""


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a file system of 8 MiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("only root can mount a small disk, and not in every container")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)  # noqa: S607  # wherever the system has it


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


@pytest.mark.slow
def test_a_full_disk_loses_no_acknowledged_answer_and_the_service_goes_on_when_there_is_room(
    small_disk: Path, start: Starter
) -> None:
    folder = small_disk / "service"
    sat = sit_down(folder, [f"s{number}" for number in range(STUDENTS)])
    process = start(f"Path({str(folder)!r})")
    base = first_line(process).split()[-1]
    acknowledged: dict[int, list[int]] = {}

    def answer(number: int) -> int:
        token, attempt, question, options = sat[number % STUDENTS]
        chosen = [options[number // STUDENTS % len(options)]]
        status = status_of(base + path_of(attempt, question), token, {"selected_answers": chosen})
        if status == 200:
            acknowledged[question] = chosen
        return status

    assert [answer(number) for number in range(STUDENTS)] == [200] * STUDENTS
    fill(small_disk)
    # The log that SQLite writes ahead has room for some answers more.
    refused = next(status for status in map(answer, range(STUDENTS, MOST_ANSWERS)) if status != 200)
    assert refused == 503
    token, attempt, *_ = sat[0]
    assert status_of(f"{base}/api/v2.2/attempts/{attempt}", token, method="GET") == 200
    assert status_of(f"{base}/api/v2.2/attempts/{attempt}/heartbeat/", token) == 503
    assert process.poll() is None

    (small_disk / BALLAST).unlink()
    wait_until(lambda: answer(0) == 200)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert {question: kept for question, kept in kept_of(folder).items() if question in acknowledged} == acknowledged
