"""docs/operations.md: what it says about backups is run as it stands, on institutes that are being written to."""

import asyncio
import os
import re
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

import pytest

from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.settings import system_clock
from tests.service.postgres import Cluster, binaries
from tests.service.service_world import World, every_kind
from tests.service.test_service_move import counts
from tests.service.test_service_process import Starter, ask, first_line, start
from tests.service.test_service_write_stores import path_of
from tests.waiting import wait_until

__all__ = ["start"]
TEXT = (Path(__file__).parents[2] / "docs/operations.md").read_text("utf-8")


def run(what: str, **places: Path | str) -> None:
    """Run the block of the document that begins with this comment."""
    found = re.search(rf"^```sh\n# {what}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert found is not None
    programs = binaries()
    path = f"{Path(sys.executable).parent}:{programs or ''}:{os.environ['PATH']}"
    environment = os.environ | {"PATH": path} | {name: str(place) for name, place in places.items()}
    subprocess.run(["/bin/sh", "-euc", found[1]], check=True, env=environment, timeout=300, umask=0o022)
    kept = [file for place in map(Path, places.values()) if place.is_dir() for file in place.rglob("*")]
    assert [file.name for file in kept if others_may_open(file)] == []


def others_may_open(file: Path) -> bool:
    try:
        return file.is_file() and bool(file.stat().st_mode & 0o077)
    except FileNotFoundError:  # the service has just removed it
        return False


@dataclass
class Writing:
    """A student who writes one number after the other into one answer."""

    token: str
    attempt: int
    question: int
    acknowledged: int = 0
    over: bool = False

    @classmethod
    async def begin(cls, folder: Path) -> "Writing":
        world = World.at(folder)
        world.clock.now = system_clock()
        world.add_exam(every_kind())
        world.add_user("asha")
        attempt = await world.caller("asha").create("every-kind")
        question = next(row for row in await world.caller("asha").questions(attempt) if row["question"]["type"] == "S")
        token = world.token("asha")
        await world.close()
        return cls(token, attempt, question["id"])

    def write(self, base: str) -> None:
        while not self.over:
            body = {"short_text": str(self.acknowledged + 1)}
            ask(base + path_of(self.attempt, self.question), body, self.token, method="PUT")
            self.acknowledged += 1

    def kept(self, base: str) -> int:
        _, listed = ask(f"{base}/api/v2.2/attempts/{self.attempt}/questions/", token=self.token)
        assert isinstance(listed, dict)
        return next(int(row["short_text"]) for row in listed["results"] if row["id"] == self.question)


def test_a_backup_of_sqlite_is_whole_while_answers_are_written(tmp_path: Path, start: Starter) -> None:
    folder, backups, new = tmp_path / "service", tmp_path / "backups", tmp_path / "new"
    student = asyncio.run(Writing.begin(folder))
    process = start(f"Path({str(folder)!r})")
    base = first_line(process).split()[-1]
    writing = threading.Thread(target=student.write, args=(base,))
    writing.start()
    wait_until(lambda: student.acknowledged > 20)
    before = student.acknowledged
    run("back up SQLite", DIR=tmp_path, BACKUPS=backups)
    after = student.acknowledged + 1
    wait_until(lambda: student.acknowledged > after + 20)
    student.over = True
    writing.join()
    (backup,) = backups.iterdir()
    with pytest.raises(subprocess.CalledProcessError):
        run("restore SQLite", DIR=tmp_path, BACKUP=backup)  # the service runs
    assert student.kept(base) == student.acknowledged
    process.kill()
    process.wait()
    run("restore SQLite", DIR=new, BACKUP=backup)
    assert before <= student.kept(first_line(start(f"Path({str(new / 'service')!r})")).split()[-1]) <= after


async def test_a_backup_of_postgresql_restores_everything(tmp_path: Path, postgresql: Cluster) -> None:
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
