"""Students who sign in at once while others answer: how long it takes, and what it costs the answers.

`.venv/bin/python -m benchmarks.sign_in [STUDENTS] [RATE]`, with PostgreSQL from Debian's packages. Answers come at a
steady rate, first alone and then while every student signs in once, each from an address of its own. Service, load and
PostgreSQL share the cores. Exit status 1 where a target is missed.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path

from sqlalchemy import update

from benchmarks.figures import Target, judged
from benchmarks.institute import Sat, answer, build
from benchmarks.service import outcome, service, serving
from lms_tui.service.core.database import tables
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.core.settings import ServiceSettings
from tests.service.postgres import binaries, cluster

PASSWORD = "a good password"  # noqa: S105  # of students who exist for a minute
WITHIN = 45.0
QUIET_SECONDS = 15.0
LONGEST_SECONDS = 60.0
CONNECTIONS = 32


def with_passwords(settings: ServiceSettings, students: int) -> list[Sat]:
    """Fill the database with students in an exam, who all have one password. Comparing it costs the usual time."""
    sat = build(settings, students)
    database = Database(settings.database)
    with database.write() as session:
        session.execute(update(tables.User).values(password_hash=Passwords().hash(PASSWORD)))
    database.close()
    return sat


async def sign_in(url: str, number: int) -> tuple[int, int, float]:
    """Sign in, and come back when the server asks for that. Return the status, the returns and the seconds in all."""
    begun, returns = time.perf_counter(), 0
    while True:
        status, wait = await try_to_sign_in(url, number)
        if status != HTTPStatus.SERVICE_UNAVAILABLE:
            return status, returns, time.perf_counter() - begun
        returns += 1
        await asyncio.sleep(wait)


async def try_to_sign_in(url: str, number: int) -> tuple[int, float]:
    """Sign in over a connection of its own. Return the status and the seconds to wait."""
    host, _, port = url.rpartition("/")[2].rpartition(":")
    body = json.dumps({"username": f"s{number}", "password": PASSWORD})
    # The service believes this header from a proxy on the same computer.
    address = f"10.{number // 62_500}.{number // 250 % 250}.{number % 250 + 1}"
    head = f"POST /api/v2.5/auth-token/ HTTP/1.1\r\nHost: lms.test\r\nX-Forwarded-For: {address}\r\n"
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
    answered = (await reader.readuntil(b"\r\n\r\n")).lower()
    writer.close()
    _, _, wait = answered.partition(b"retry-after: ")
    return int(answered.split()[1]), float(wait.split()[0]) if wait else 5.0


async def bell(url: str, students: int) -> list[tuple[int, int, float]]:
    return list(await asyncio.gather(*(sign_in(url, number) for number in range(students))))


def load(url: str, file: Path, rate: float, seconds: float) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "benchmarks.load", url, str(file), str(rate), str(seconds), str(CONNECTIONS)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def measure(name: str, settings: ServiceSettings, students: int, rate: float, folder: Path) -> Iterator[Target]:
    sat = with_passwords(settings, students)
    requests = [answer(sat[number % students], number // students)[0] for number in range(students * 10)]
    file = folder / "answers.json"
    file.write_text(json.dumps(requests), "utf-8")
    with serving(name, service(settings), on_first_core=False) as served:
        outcome(load(served.url, file, rate, 3.0))  # the first requests prepare what the others use
        quiet = outcome(load(served.url, file, rate, QUIET_SECONDS))
        answers = load(served.url, file, rate, LONGEST_SECONDS)
        time.sleep(1.0)
        begun = time.perf_counter()
        found = asyncio.run(bell(served.url, students))
        took = time.perf_counter() - begun
        answers.terminate()
        ringing = outcome(answers)
    refused = sum(status != HTTPStatus.OK for status, _, _ in found)
    returns = sum(times for _, times, _ in found)
    print(
        f"{name}: {students} sign-ins in {took:.1f} s, {returns} came back after a 503; "
        f"answers at {rate:.0f} a second: quiet p50 {quiet['p50']:.1f}, p99 {quiet['p99']:.1f} ms, "
        f"during the sign-ins p50 {ringing['p50']:.1f}, p99 {ringing['p99']:.1f} ms",
        flush=True,
    )
    yield Target(f"{name}: sign-ins refused", refused, 0, unit="")
    yield Target(f"{name}: all signed in within", took, WITHIN, unit="s")
    yield Target(f"{name}: answers' p99 during / quiet", ringing["p99"] / quiet["p99"], 3)
    yield Target(f"{name}: answers refused", quiet["errors"] + ringing["errors"], 0, unit="")


def main() -> int:
    students = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    rate = float(sys.argv[2]) if len(sys.argv) > 2 else 500.0
    print("load of this computer before: {:.1f} {:.1f} {:.1f}".format(*os.getloadavg()), flush=True)
    targets: list[Target] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-", dir=os.environ.get("TMPDIR"))))
        plain = ServiceSettings(folder / "sqlite" / "service")
        targets += measure("SQLite", plain, students, rate, folder)
        if (programs := binaries()) is not None:
            running = stack.enter_context(cluster(programs, durable=True))
            shared = replace(plain, data_dir=folder / "postgresql" / "service", database_url=running.empty())
            targets += measure("PostgreSQL", shared, students, rate, folder)
            two = replace(shared, data_dir=folder / "two" / "service", database_url=running.empty(), workers=2)
            targets += measure("PostgreSQL, 2 processes", two, students, rate, folder)
    return judged(targets)


if __name__ == "__main__":
    sys.exit(main())
