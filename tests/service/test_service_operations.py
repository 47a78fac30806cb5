"""docs/operations.md: what it says about backups is run as it stands, on institutes that are being written to."""

import os
import re
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

from lms_tui.service.db.database import Database
from tests.service.postgres import Cluster, binaries
from tests.service.service_world import World
from tests.service.test_service_hot_stores import path_of, sit_down
from tests.service.test_service_move import counts
from tests.service.test_service_process import Starter, ask, first_line, start

__all__ = ["start"]
TEXT = (Path(__file__).parents[2] / "docs/operations.md").read_text("utf-8")


def run(what: str, **places: Path | str) -> None:
    """Run the block of the document that begins with this comment."""
    found = re.search(rf"^```sh\n# {what}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert found is not None
    programs = binaries()
    path = f"{programs}:{os.environ['PATH']}" if programs else os.environ["PATH"]
    environment = os.environ | {"PATH": path} | {name: str(place) for name, place in places.items()}
    subprocess.run(["/bin/sh", "-euc", found[1]], check=True, env=environment, timeout=120)


def answering(base: str, sat: tuple[str, int, int, list[int]]) -> tuple[list[int], Callable[[], None]]:
    """Answer a question on and on; return what was acknowledged, and what ends it."""
    token, attempt, question, options = sat
    acknowledged: list[int] = []
    some, over = threading.Event(), threading.Event()

    def answer() -> None:
        while not over.is_set():
            chosen = options[len(acknowledged) % len(options)]
            ask(base + path_of(attempt, question), {"selected_answers": [chosen]}, token, method="PUT")
            acknowledged.append(chosen)
            if len(acknowledged) > 20:
                some.set()

    thread = threading.Thread(target=answer)
    thread.start()

    def end() -> None:
        over.set()
        thread.join()

    assert some.wait(20)
    return acknowledged, end


def test_a_backup_of_sqlite_is_whole_while_answers_are_written(tmp_path: Path, start: Starter) -> None:
    folder, backup = tmp_path / "service", tmp_path / "backup"
    backup.mkdir()
    sat = sit_down(folder, ["asha"])[0]
    process = start(f"Path({str(folder)!r})")
    base = first_line(process).split()[-1]
    acknowledged, end = answering(base, sat)
    before = len(acknowledged)
    run("back up SQLite", DIR=tmp_path, BACKUP=backup)
    end()
    process.kill()
    process.wait()
    (folder / "service.sqlite3").write_bytes(b"lost")
    run("restore SQLite", DIR=tmp_path, BACKUP=backup)
    restored = first_line(start(f"Path({str(folder)!r})")).split()[-1]
    _, listed = ask(f"{restored}/api/v2.2/attempts/{sat[1]}/questions/", token=sat[0])
    assert isinstance(listed, dict)
    kept = {row["id"]: row["selected_answers"] for row in listed["results"]}
    assert kept[sat[2]] in [[chosen] for chosen in acknowledged[before - 1 :]]


async def test_a_backup_of_postgresql_brings_everything_back(tmp_path: Path, postgresql: Cluster) -> None:
    old, new = postgresql.prepared(), postgresql.empty()
    world = World.at(tmp_path / "service", old)
    world.add_user("asha")
    rows = counts(world.database)
    await world.close()
    run("back up PostgreSQL", BACKUP=tmp_path, PGURL=plain(old))
    run("restore PostgreSQL", BACKUP=tmp_path, NEW_PGURL=plain(new))
    database = Database(new)
    assert database.revision() is not None
    assert counts(database) == rows
    database.close()
    postgresql.drop(old)
    postgresql.drop(new)


def plain(address: str) -> str:
    """The address as PostgreSQL's own tools take it."""
    return address.replace("postgresql+psycopg", "postgresql")
