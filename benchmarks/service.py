"""The hot writes of the service beside "token check and constant JSON", in one run, durable, with the disk's own speed.

Each server is then loaded steadily with 70 % of the most that it can do, and killed under that load.

`.venv/bin/python -m benchmarks.service [SECONDS] [STUDENTS]`, with wrk and PostgreSQL from Debian's packages. The
server has one core, the load the other, PostgreSQL what is left of both; in the last part, several processes on
PostgreSQL, all of them share both. Exit status 1 where a target is missed.
"""

import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.figures import Target, judged
from benchmarks.institute import Sat, answer, answers_of, beat, build, write_wrk
from lms_tui.service.core.keyfile import read_or_create
from lms_tui.service.core.settings import ServiceSettings
from tests.service.postgres import binaries, cluster

CONNECTIONS = 32
ROUNDS = 3
PACE = 0.7
"""The share of the most that a server can do, at which it is also loaded steadily."""
SOME = 16 * 1024
"""Bytes of numbers of acknowledged requests, some thousands of them, after which the server is killed."""
FIRST_CORE, SECOND_CORE = {0}, {min(1, (os.cpu_count() or 1) - 1)}


@dataclass
class Served:
    """A server under load; by what was sent: `rates` in requests a second, `slowest` the p99 in ms.

    `cost`: microseconds of processor time that the server took for each.
    """

    name: str
    process: subprocess.Popen[str]
    url: str
    rates: dict[str, list[float]] = field(default_factory=dict)
    slowest: dict[str, list[float]] = field(default_factory=dict)
    cost: dict[str, list[float]] = field(default_factory=dict)
    errors: int = 0


@contextmanager
def serving(name: str, arguments: Sequence[str], *, on_first_core: bool = True) -> Iterator[Served]:
    process = subprocess.Popen([sys.executable, "-m", *arguments], stdout=subprocess.PIPE, text=True)
    try:
        if on_first_core:
            os.sched_setaffinity(process.pid, FIRST_CORE)
        line = process.stdout.readline() if process.stdout is not None else ""
        yield Served(name, process, line.split()[-1])
    finally:
        process.kill()
        process.communicate()


def service(settings: ServiceSettings) -> list[str]:
    address = ["--database-url", settings.database_url] if settings.database_url else []
    workers = ["--workers", str(settings.workers)] if settings.workers > 1 else []
    return ["lms_tui", "serve", "--data-dir", str(settings.data_dir.parent), *address, *workers]


def sync_time(folder: Path) -> tuple[float, float]:
    """Milliseconds of an fdatasync after 4 KiB were written over, at p50 and p99."""
    path, taken = folder / "sync", []
    path.write_bytes(bytes(4096 * 64))
    descriptor = os.open(path, os.O_WRONLY)
    for number in range(300):
        os.pwrite(descriptor, os.urandom(4096), 4096 * (number % 64))
        begun = time.perf_counter()
        os.fdatasync(descriptor)
        taken.append((time.perf_counter() - begun) * 1000)
    os.close(descriptor)
    taken.sort()
    return taken[150], taken[297]


def saturate(served: Served, what: str, script: Path, seconds: float, connections: int = CONNECTIONS) -> None:
    """Let wrk send as fast as it is answered, and write down how fast that was."""
    before = processor_time(served.process)
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds:g}s", "-s", str(script), served.url]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    os.sched_setaffinity(process.pid, SECOND_CORE)
    said, _ = process.communicate()
    requests, duration, p99, errors = map(int, said.rpartition("RESULT ")[2].split()[:4])
    served.rates.setdefault(what, []).append(requests / duration * 1e6)
    served.slowest.setdefault(what, []).append(p99 / 1000)
    served.cost.setdefault(what, []).append((processor_time(served.process) - before) / requests * 1e6)
    served.errors += errors


def processor_time(process: subprocess.Popen[str]) -> float:
    """Seconds of user and system time that a process has taken."""
    ticks = Path(f"/proc/{process.pid}/stat").read_text("ascii").rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def mixed(students: list[Sat], count: int) -> tuple[list[str], list[tuple[int, int] | None]]:
    """Requests of an exam, two answers for each heartbeat, and what each answers."""
    requests: list[str] = []
    meant: list[tuple[int, int] | None] = []
    for number in range(count):
        sat = students[number % len(students)]
        if number % 3 == 0:
            requests.append(beat(sat))
            meant.append(None)
        else:
            request, question, chosen = answer(sat, number // len(students) * 2 + number % 3)
            requests.append(request)
            meant.append((question, chosen))
    return requests, meant


def load(
    url: str, requests: Path, rate: float, seconds: float, acknowledged: Path, connections: int = 128
) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "benchmarks.load", url, str(requests), str(rate), str(seconds), str(connections)]
    process = subprocess.Popen([*command, str(acknowledged)], stdout=subprocess.PIPE, text=True)
    os.sched_setaffinity(process.pid, SECOND_CORE)
    return process


def outcome(process: subprocess.Popen[str]) -> dict[str, float]:
    said, _ = process.communicate(timeout=600)
    found: dict[str, float] = json.loads(said)
    return found


def lost(settings: ServiceSettings, acknowledged: Path, meant: list[tuple[int, int] | None]) -> tuple[int, int]:
    """How many answers were acknowledged, and on how many questions neither the last nor a later one is kept."""
    done = {int(line) for line in acknowledged.read_text("utf-8").split()}
    allowed: dict[int, set[int]] = {}
    for number, meaning in enumerate(meant):
        if meaning is None:
            continue
        question, chosen = meaning
        if number in done:
            allowed[question] = {chosen}
        elif question in allowed:
            allowed[question].add(chosen)
    kept = answers_of(settings)
    missing = sum(
        kept[question] not in [[chosen] for chosen in chosen_ones] for question, chosen_ones in allowed.items()
    )
    return sum(meant[number] is not None for number in done), missing


def memory(process: subprocess.Popen[str]) -> float:
    """The most the process has held so far, in MiB."""
    status = Path(f"/proc/{process.pid}/status").read_text("ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def killed(
    name: str, settings: ServiceSettings, students: list[Sat], folder: Path, seconds: float, pace: float
) -> list[Target]:
    """Send at the pace, kill the server in the middle, and look for what it had acknowledged."""
    requests, meant = mixed(students, int(pace * seconds))
    file, acknowledged = folder / "kill.json", folder / "acknowledged"
    file.write_text(json.dumps(requests), "utf-8")
    acknowledged.unlink(missing_ok=True)
    with serving(name, service(settings)) as served:
        sending = load(served.url, file, pace, seconds, acknowledged)
        ends = time.perf_counter() + 10 * seconds
        while (not acknowledged.exists() or acknowledged.stat().st_size < SOME) and time.perf_counter() < ends:
            time.sleep(0.02)
        served.process.send_signal(signal.SIGKILL)
        outcome(sending)
    answers, missing = lost(settings, acknowledged, meant)
    print(f"{name}: killed after {answers} acknowledged answers, {missing} lost")
    return [Target(f"{name}: lost when killed", missing, 0, unit="")]


def steady(
    served: Served, settings: ServiceSettings, students: list[Sat], folder: Path, seconds: float
) -> list[Target]:
    pace = pace_of(served)
    requests, meant = mixed(students, int(pace * seconds))
    file, acknowledged = folder / "pace.json", folder / "acknowledged"
    file.write_text(json.dumps(requests), "utf-8")
    found = outcome(load(served.url, file, pace, seconds, acknowledged))
    _, missing = lost(settings, acknowledged, meant)
    rate = found["answers"] / seconds
    print(f"{served.name}, paced: {rate:.0f} a second, p50 {found['p50']:.1f} ms, p99 {found['p99']:.1f} ms")
    return [
        Target(f"{served.name}: p99 at {pace:.0f} a second", found["p99"], 50, unit="ms"),
        Target(f"{served.name}: errors and losses at that pace", found["errors"] + missing, 0, unit=""),
        Target(f"{served.name}: memory", memory(served.process), 150, unit="MiB"),
    ]


def pace_of(served: Served) -> float:
    """Requests a second, two answers for each heartbeat, at the steady share of the most."""
    heartbeat, answers = (statistics.median(served.rates[what]) for what in ("heartbeat", "answer"))
    return PACE * 3 / (1 / heartbeat + 2 / answers)


def crowd(served: Served, settings: ServiceSettings, students: list[Sat], folder: Path) -> list[Target]:
    """Let 50 writers send 200 answers each, one after the other, as fast as they are answered."""
    each = [answer(students[number % 50], number // 50) for number in range(50 * 200)]
    file, acknowledged = folder / "crowd.json", folder / "acknowledged"
    file.write_text(json.dumps([request for request, _, _ in each]), "utf-8")
    begun = time.perf_counter()
    found = outcome(load(served.url, file, 1e9, 1e-5, acknowledged, connections=50))
    print(f"{served.name}: 50 writers sent 200 answers each in {time.perf_counter() - begun:.1f} s")
    answers, missing = lost(settings, acknowledged, [(question, chosen) for _, question, chosen in each])
    wrong = found["errors"] + missing + len(each) - answers
    return [Target(f"{served.name}: errors and losses of 50 writers", wrong, 0, unit="")]


def grow(settings: ServiceSettings, script: Path, seconds: float) -> None:
    """Print how much more several processes do; each is counted with 128 connections and shares both cores."""
    rates = {}
    for workers in (1, 2):
        arguments = service(replace(settings, workers=workers))
        with serving(f"{workers} processes", arguments, on_first_core=False) as served:
            for _ in range(ROUNDS):
                saturate(served, "answer", script, seconds, connections=128)
            rates[workers] = statistics.median(served.rates["answer"])
    told = ", ".join(f"{workers}: {rate:.0f} a second" for workers, rate in rates.items())
    print(f"PostgreSQL, answers by processes: {told} ({rates[2] / rates[1]:.2f} times)")


def compare(floor: Served, served: Served, share: float) -> list[Target]:
    targets = []
    for what in ("heartbeat", "answer"):
        rate = statistics.median(served.rates[what]) / statistics.median(floor.rates[what])
        # A target holds what is at most its limit: the share is told the other way round.
        targets.append(Target(f"{served.name}: floor / {what}", 1 / rate, 1 / share, of=f"(share {rate:.2f})"))
    return targets


def main() -> int:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    students = int(sys.argv[2]) if len(sys.argv) > 2 else 4_000
    with suppress(PermissionError):
        os.nice(-15)  # what else this computer does shall count less
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-", dir=os.environ.get("TMPDIR"))))
        programs = binaries()
        plain = ServiceSettings(folder / "sqlite" / "service")
        kept = {"SQLite": (plain, build(plain, students), 0.8)}
        if programs is not None:
            running = stack.enter_context(cluster(programs, durable=True))
            shared = replace(plain, data_dir=folder / "postgresql" / "service", database_url=running.empty())
            kept["PostgreSQL"] = (shared, build(shared, students), 0.55)
        targets: list[Target] = []
        key = read_or_create(plain.key_file).hex()
        floor = stack.enter_context(serving("floor", ["benchmarks.floor", key]))
        limited = stack.enter_context(serving("limited", ["benchmarks.floor", key, "limited"]))
        scripts = write_scripts(folder, {name: sat for name, (_, sat, _) in kept.items()})
        servers = {
            name: stack.enter_context(serving(name, service(settings))) for name, (settings, _, _) in kept.items()
        }
        print("fdatasync of this disk: p50 {:.2f} ms, p99 {:.2f} ms".format(*sync_time(folder)))
        print("load average {:.1f}, {:.1f}, {:.1f}".format(*os.getloadavg()))
        fill_up([floor, limited], servers, scripts, seconds)
        for name, (settings, sat, share) in kept.items():
            targets += compare(floor, servers[name], share)
            targets += steady(servers[name], settings, sat, folder, 2 * seconds)
            targets += crowd(servers[name], settings, sat, folder)
        for served in servers.values():
            served.process.kill()
            served.process.wait()
        for name, (settings, sat, _) in kept.items():
            targets += killed(name, settings, sat, folder, seconds, pace_of(servers[name]))
        if "PostgreSQL" in kept:
            grow(kept["PostgreSQL"][0], scripts["PostgreSQL", "answer"], seconds)
        print("fdatasync of this disk: p50 {:.2f} ms, p99 {:.2f} ms".format(*sync_time(folder)))
        return judged(targets)


def fill_up(
    floors: list[Served], servers: dict[str, Served], scripts: dict[tuple[str, str], Path], seconds: float
) -> None:
    """Load all servers in turn, and print what each did."""
    for _ in range(ROUNDS):
        for what in ("heartbeat", "answer"):
            for floor in floors:
                saturate(floor, what, scripts["SQLite", what], seconds)
            for name, served in servers.items():
                saturate(served, what, scripts[name, what], seconds)
    tell(*floors, *servers.values())
    for served in servers.values():
        for target in compare(floors[1], served, 1.0):
            print(f"{target.name}, behind the same limits {target.of}")


def tell(*measured: Served) -> None:
    for one in measured:
        for what in ("heartbeat", "answer"):
            rate, p99, cost = (statistics.median(figures[what]) for figures in (one.rates, one.slowest, one.cost))
            print(f"{one.name:<12}{what:<12}{rate:>7.0f} a second{p99:>8.1f} ms p99{cost:>7.0f} µs of processor each")


def write_scripts(folder: Path, students: dict[str, list[Sat]]) -> dict[tuple[str, str], Path]:
    scripts = {}
    for name, sat in students.items():
        for what in ("heartbeat", "answer"):
            path = folder / f"{name}-{what}.lua"
            some = sat[:1000]
            write_wrk(path, [beat(one) if what == "heartbeat" else answer(one, n)[0] for n, one in enumerate(some)])
            scripts[name, what] = path
    return scripts


if __name__ == "__main__":
    sys.exit(main())
