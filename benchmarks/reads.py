"""Lists and single reads of the service beside those of another commit, in one run.

`.venv/bin/python -m benchmarks.reads REVISION [SECONDS] [STUDENTS]`, with wrk and PostgreSQL from Debian's packages.
The server has one core, the load and PostgreSQL the other. Both servers answer in turn. Exit status 1 where a target
is missed.
"""

import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path

from benchmarks.figures import Target, judged
from benchmarks.institute import write_wrk
from benchmarks.service import FIRST_CORE, Served, saturate
from tests.service.postgres import binaries, cluster

ROOT = Path(__file__).parent.parent
ROUNDS = 3
GAIN = 1.5
READS = {
    "list of attempts": "/api/v2.2/attempts/",
    "list of exams": "/api/v2.2/exams/available/",
    "list of questions": "/api/v2.2/attempts/{attempt}/questions/",
    "an attempt": "/api/v2.2/attempts/{attempt}",
    "an exam": "/api/v2.2/exams/sums",
    "the own account": "/api/v2.2/me/",
}
BUILD = """
import json, sys
from pathlib import Path
from benchmarks.institute import build
from lms_tui.service.core.settings import ServiceSettings
settings = ServiceSettings(Path(sys.argv[1]), database_url=sys.argv[2])
print(json.dumps([[sat.token, sat.attempt] for sat in build(settings, int(sys.argv[3]))]))
"""


def checked_out(revision: str, folder: Path) -> Path:
    """Write the files of a commit to a folder, and return it."""
    command = ["git", "-C", str(ROOT), "archive", revision, "lms_tui", "benchmarks"]
    packed = subprocess.run(command, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as files:
        files.extractall(folder, filter="data")
    return folder


@contextmanager
def serving(
    name: str, tree: Path, folder: Path, address: str, students: int
) -> Iterator[tuple[Served, list[tuple[str, int]]]]:
    """Run the service of a source tree on an institute that the same tree has built."""
    environment = os.environ | {"PYTHONPATH": str(tree)}
    data = folder / name
    built = subprocess.run(
        [sys.executable, "-c", BUILD, str(data / "service"), address, str(students)],
        check=True,
        cwd=tree,
        env=environment,
        stdout=subprocess.PIPE,
    )
    database = ["--database-url", address] if address else []
    process = subprocess.Popen(
        [sys.executable, "-m", "lms_tui", "serve", "--data-dir", str(data), *database],
        cwd=tree,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        os.sched_setaffinity(process.pid, FIRST_CORE)
        line = process.stdout.readline() if process.stdout is not None else ""
        yield Served(name, process, line.split()[-1]), json.loads(built.stdout)
    finally:
        process.kill()
        process.communicate()


def compare(
    engine: str, addresses: list[str], trees: list[Path], folder: Path, seconds: float, students: int
) -> list[Target]:
    targets = []
    with ExitStack() as stack:
        running = [
            stack.enter_context(serving(f"{engine} {name}", tree, folder, address, students))
            for name, tree, address in zip(("before", "now"), trees, addresses, strict=True)
        ]
        for what, path in READS.items():
            for served, sat in running:
                write_wrk(folder / f"{served.name}.lua", [asked(path, token, attempt) for token, attempt in sat])
            for _ in range(ROUNDS):
                for served, _ in running:
                    saturate(served, what, folder / f"{served.name}.lua", seconds)
            before, now = (statistics.median(served.rates[what]) for served, _ in running)
            cost = [statistics.median(served.cost[what]) for served, _ in running]
            print(
                f"{engine:<12}{what:<20}{before:>6.0f} → {now:>6.0f} a second ({now / before:.2f} times),"
                f" {cost[0]:.0f} → {cost[1]:.0f} µs of processor each",
                flush=True,
            )
            targets.append(Target(f"{engine}: {what}, before / now", before / now, 1 / GAIN))
        targets.append(Target(f"{engine}: errors", sum(served.errors for served, _ in running), 0, unit=""))
    return targets


def asked(path: str, token: str, attempt: int) -> str:
    return f"GET {path.format(attempt=attempt)} HTTP/1.1\r\nHost: lms.test\r\nAuthorization: JWT {token}\r\n\r\n"


def main() -> int:
    revision = sys.argv[1]
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 3.0
    students = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    with tempfile.TemporaryDirectory(prefix="bench-") as name, ExitStack() as stack:
        folder = Path(name)
        trees = [checked_out(revision, folder / "tree"), ROOT]
        print("load average {:.1f}, {:.1f}, {:.1f}".format(*os.getloadavg()))
        targets = compare("SQLite", ["", ""], trees, folder, seconds, students)
        programs = binaries()
        if programs is not None:
            running = stack.enter_context(cluster(programs, durable=True))
            targets += compare("PostgreSQL", [running.empty(), running.empty()], trees, folder, seconds, students)
        print("load average {:.1f}, {:.1f}, {:.1f}".format(*os.getloadavg()))
        return judged(targets)


if __name__ == "__main__":
    sys.exit(main())
