"""Write-ahead log and processor time that PostgreSQL needs for a heartbeat and for an answer.

`uv run python -m benchmarks.wal [STUDENTS] [RATE] [FILLFACTOR]`, with PostgreSQL from Debian's packages, configured as
it comes. FILLFACTOR: per cent of a page of the tables of attempts that is filled at first.
Every student sends one request in a round. The first round after a checkpoint also logs whole pages.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psycopg
from sqlalchemy import text

from benchmarks.institute import Sat, answer, beat, build
from benchmarks.service import processor_time, service, serving
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.settings import ServiceSettings
from tests.service.postgres import Cluster, binaries, cluster

ROUNDS = 4
TABLES = "attempts", "attempt_questions"
_WAL = "SELECT wal_bytes, wal_records FROM pg_stat_wal"
_UPDATES = "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = %s"
_BACKENDS = "SELECT pid FROM pg_stat_activity"


@dataclass
class Used:
    """Since the start. `wal`: bytes of log, in `records`. `database`, `service`: seconds of processor time."""

    wal: int
    records: int
    database: float
    service: float


def used(running: Cluster, served: "subprocess.Popen[str]") -> Used:
    with psycopg.connect(f"host={running.folder} user=postgres dbname=postgres", autocommit=True) as connection:
        wal, records = connection.execute(_WAL).fetchall()[0]
        backends = [pid for (pid,) in connection.execute(_BACKENDS) if pid != connection.info.backend_pid]
    return Used(int(wal), records, sum(map(_seconds, backends)), processor_time(served))


def _seconds(pid: int) -> float:
    """Return the processor time of a process, 0 for one that has ended."""
    try:
        ticks = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[11:13]
    except OSError:
        return 0.0
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def send(url: str, requests: list[str], rate: float, folder: Path) -> None:
    file = folder / "requests.json"
    file.write_text(json.dumps(requests), "utf-8")
    seconds = len(requests) / rate
    command = [sys.executable, "-m", "benchmarks.load", url, str(file), str(rate), str(seconds), "64"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    if found["answers"] != len(requests) or found["errors"]:
        raise RuntimeError(f"not every request was answered well: {found}")


def measure(students: list[Sat], url: str, served: "subprocess.Popen[str]", running: Cluster, rate: float) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for what in ("heartbeat", "answer"):
            running.ask("CHECKPOINT")
            for number in range(ROUNDS):
                requests = [beat(sat) if what == "heartbeat" else answer(sat, number)[0] for sat in students]
                before = used(running, served)
                send(url, requests, rate, folder)
                time.sleep(1.5)  # after which PostgreSQL has written its statistics
                after = used(running, served)
                each = len(requests)
                print(
                    f"{what}, round {number + 1} after a checkpoint: "
                    f"{(after.wal - before.wal) / each:6.0f} bytes of log "
                    f"in {(after.records - before.records) / each:.1f} records, "
                    f"{(after.database - before.database) / each * 1e6:4.0f} µs PostgreSQL, "
                    f"{(after.service - before.service) / each * 1e6:4.0f} µs service"
                )


def prepare(address: str, filled: int) -> None:
    database = Database(address)
    database.prepare()
    with database.write() as session:
        for table in TABLES:
            session.execute(text(f"ALTER TABLE {table} SET (fillfactor = {filled})"))
    database.close()


def main() -> int:
    students, rate, filled = [*map(int, sys.argv[1:]), *(5_000, 1_000, 100)[len(sys.argv) - 1 :]]
    programs = binaries()
    if programs is None:
        print("PostgreSQL is not installed (apt-get install postgresql)")
        return 2
    with cluster(programs, durable=True) as running, tempfile.TemporaryDirectory() as name:
        settings = ServiceSettings(Path(name) / "service", database_url=running.empty())
        prepare(settings.database_url, filled)
        sat = build(settings, students)
        with serving("PostgreSQL", service(settings), on_first_core=False) as served:
            measure(sat, served.url, served.process, running, rate)
        with psycopg.connect(settings.database_url.replace("+psycopg", "")) as connection:
            for table in TABLES:
                (row,) = connection.execute(_UPDATES, (table,)).fetchall()
                print(f"{table}: {row[1] / max(row[0], 1):.0%} of {row[0]} updates touched no index")
    return 0


if __name__ == "__main__":
    sys.exit(main())
