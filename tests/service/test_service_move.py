"""An institute carried from SQLite to PostgreSQL is the same institute."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select, text

from lms_tui.service.core.database import tables
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.every_table import METADATA
from lms_tui.service.core.database.move import main
from tests.service.postgres import Cluster
from tests.service.service_world import Caller, World, every_kind, locked
from tests.service.test_service_authorisation import Institute, furnished
from tests.service.test_service_files import path_of, send

LISTS = (
    "/api/v2.2/me/",
    "/api/v2.5/me/stats/",
    "/api/v2.2/attempts/",
    "/api/v2.2/exams/",
    "/api/v2.2/exams/every-kind/attempts/",
)


@pytest.fixture
def address(postgresql: Cluster) -> Iterator[str]:
    address = postgresql.empty()
    yield address
    postgresql.drop(address)


def moved(folder: Path, address: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "lms_tui.service.core.database.move", str(folder / "service.sqlite3"), address]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


async def begun(folder: Path) -> tuple[Institute, int]:
    """Make an institute with one of everything, in the middle of an exam with all kinds of questions."""
    institute = await furnished(World.at(folder))
    world, asha = institute.world, institute.world.caller("asha")
    world.add_exam(every_kind())
    world.add_exam(locked())
    await asha.create("parts")
    return institute, await asha.create("every-kind")


async def test_a_moved_institute_is_complete_and_continues(tmp_path: Path, address: str) -> None:
    folder = tmp_path / "service"
    institute, attempt = await begun(folder)
    old = institute.world
    asha = old.caller("asha")
    question = (await asha.questions(attempt))[0]
    chosen = question["question"]["answers"][0]["id"]
    await asha.answer(attempt, question["id"], chosen)
    essay = bytes(range(40))
    for start in range(0, 40, 2):
        await send(asha, attempt, essay, start, start + 2)
    last = old.add_user("leaves again")
    with old.database.write() as session:
        session.delete(session.get_one(tables.User, last))
    shown = [await asha.get(path) for path in LISTS]
    rows = counts(old.database)
    await old.close()

    ran = moved(folder, address)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == f"Moved {sum(rows.values())} rows from {len(rows)} tables.\n"

    new = World.at(folder, address)
    new.clock.now = old.clock.now
    # With the token of before: the key stays where it is.
    asha = Caller(new.http, asha.headers)
    assert counts(new.database) == rows
    assert [await asha.get(path) for path in LISTS] == shown
    assert (await asha.questions(attempt))[0]["selected_answers"] == [chosen]
    assert (await asha.answer(attempt, question["id"]))["selected_answers"] == []
    assert (await asha.send("GET", path_of(attempt, essay))).content == essay
    assert (await asha.put(f"/api/v2.2/attempts/{attempt}/end/"))["state"] == "Completed"
    assert new.add_user("comes next") > last
    await new.close()


async def test_an_institute_is_not_moved_into_another(tmp_path: Path, address: str) -> None:
    folder = tmp_path / "service"
    world = World.at(folder)
    world.add_user("asha")
    await world.close()
    assert moved(folder, address).returncode == 0
    again = moved(folder, address)
    assert (again.returncode, again.stdout) == (1, "")
    assert "already holds an institute" in again.stderr


def test_an_institute_is_not_moved_while_a_service_runs(tmp_path: Path, address: str) -> None:
    folder = tmp_path / "service"
    for busy in (Database.in_file(folder / "service.sqlite3"), Database(address)):
        busy.prepare()
        ran = moved(folder, address)
        assert (ran.returncode, ran.stdout) == (1, "")
        assert "Another program" in ran.stderr
        busy.close()
    assert moved(folder, address).returncode == 0


def damaged(file: Path) -> None:
    file.write_bytes(b"no database" * 999)


def newer(file: Path) -> None:
    database = Database.in_file(file)
    database.prepare()
    with database.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    database.close()


def fresh(file: Path) -> None:
    Database.in_file(file).close()


AWAY = "postgresql+psycopg://a:hidden@127.0.0.1:1/lms"


@pytest.mark.parametrize(
    ("prepare", "target", "what"),
    [
        (fresh, "nonsense", "The target must be a PostgreSQL database"),
        (fresh, "mysql://x", "The target must be a PostgreSQL database"),
        (fresh, "sqlite:///other.sqlite3", "The target must be a PostgreSQL database"),
        (fresh, "postgresql+nosuch://x/y", "This database address cannot be used"),
        (fresh, "postgresql://x:port/y", "This database address cannot be used"),
        (fresh, AWAY, "Connection refused"),
        (damaged, AWAY, "file is not a database"),
        (newer, AWAY, "A newer version has upgraded the database"),
    ],
)
def test_a_failed_move_is_explained(
    prepare: Callable[[Path], None], target: str, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "service.sqlite3"
    prepare(file)
    assert main([str(file), target]) == 1
    first, advice, last = capsys.readouterr().err.splitlines()
    assert what in first
    assert "hidden" not in first
    assert advice
    assert last == "Nothing was moved."


def counts(database: Database) -> dict[str, int]:
    with database.read() as session:
        return {
            table.name: session.scalar(select(func.count()).select_from(table)) or 0
            for table in METADATA.sorted_tables
            if table is not tables.ServerEpoch.__table__
        }
