"""The runs: kill -9 at write calls, and power cuts between any two calls."""

import shutil
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.crash import strace
from tests.crash.disk import Disk, parse
from tests.crash.oracle import Tally, examine, total
from tests.crash.writer import REAL

ANSWERS = 100
Point = tuple[str, int]
_MEMORY = Path("/dev/shm")  # noqa: S108 - a disk in memory makes a sync cheap; only our own folders are made there


def workspace() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="lms-tui-crash-", dir=_MEMORY if _MEMORY.is_dir() else None)


def points(answers: int = ANSWERS, variant: str = REAL) -> list[Point]:
    """Every write-like call that the writer makes, as (name, how often it was made before and with this one)."""
    with workspace() as place:
        counts = strace.counted(Path(place, "journals"), Path(place, "log"), answers, variant)
    return [(call, number) for call, count in sorted(counts.items()) for number in range(1, count + 1)]


def kill_at(wanted: Sequence[Point], answers: int = ANSWERS, variant: str = REAL, *, jobs: int = 2) -> Tally:
    """Kill a fresh writer at each of these calls, open its journal again and compare."""

    def one(point: Point) -> Tally:
        tally = Tally("")
        with workspace() as place:
            folder = Path(place, "journals")
            died, acknowledged = strace.killed(folder, answers, variant, *point)
            if not died:
                raise RuntimeError(f"the writer was not killed at {point}")
            tally.add(f"killed at {point[0]} {point[1]}", examine(folder, acknowledged))
        return tally

    with ThreadPoolExecutor(jobs) as pool:
        return total(f"kill -9, {variant}", list(pool.map(one, wanted)))


def kill_again(seeds: Iterable[int], answers: int = ANSWERS, *, jobs: int = 2) -> Tally:
    """Kill a writer, start it again and kill it while it recovers or goes on, three times over."""

    def one(seed: int) -> Tally:
        tally, random = Tally(""), Random(seed)
        with workspace() as place:
            folder, acknowledged = Path(place, "journals"), list[str]()
            for _ in range(3):
                number = random.choice((random.randint(1, 20), random.randint(1, 300)))
                acknowledged += strace.killed(folder, answers, REAL, "write", number)[1]
            tally.add(f"seed {seed}", examine(folder, acknowledged))
        return tally

    with ThreadPoolExecutor(jobs) as pool:
        return total("kill -9 three times over", list(pool.map(one, seeds)))


def cut_power(seed: int, cuts: int, answers: int = ANSWERS, variant: str = REAL, *, stop_at: int = 0) -> Tally:
    """Record a run, then lay down what a power cut after any of its calls may leave, this many times after each.

    `stop_at`: the run was killed at this `write` and started again before its power was cut.
    """
    tally, random = Tally(f"power cut, {variant}{', after a kill' if stop_at else ''}"), Random(seed)
    with workspace() as place:
        folder, log, left = Path(place, "journals"), Path(place, "log"), Path(place, "left")
        folder.mkdir()
        traces = [strace.trace(folder, log, answers, variant, stop_at=stop_at)] if stop_at else []
        traces.append(strace.trace(folder, log, answers, variant))
        shutil.rmtree(folder)
        disk = Disk(folder)
        for trace in traces:
            disk.restart()
            for number, call in enumerate(parse(trace)):
                if not disk.apply(call):
                    continue
                for _ in range(cuts):
                    disk.cut(left, random)
                    tally.add(f"cut after call {number} ({call.name})", examine(left, disk.acknowledged))
                    shutil.rmtree(left)
        if f"record {answers}" not in disk.acknowledged:
            raise RuntimeError("the trace of the run is not whole")
    return tally
