from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from lms_tui.service.core.database.engine import Database
from tests.service.postgres import Cluster, binaries, cluster
from tests.service.service_world import Caller, World, copy_database, sums


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Cluster]:
    """A PostgreSQL of this session, with a prepared database to copy."""
    programs = binaries()
    if programs is None:
        pytest.skip("PostgreSQL is not installed here (apt-get install postgresql)")
    with cluster(programs) as running:
        prepared = Database(running.template())
        prepared.prepare()
        prepared.close()
        yield running


@pytest.fixture(scope="session")
def prepared_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite database at the newest migration, to copy."""
    path = tmp_path_factory.mktemp("prepared") / "service.sqlite3"
    database = Database.in_file(path)
    database.prepare()
    database.close()
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A prepared database of its own for a test, which runs on each kind; "" for SQLite in the data directory."""
    if request.param == "sqlite":
        copy_database(request.getfixturevalue("prepared_file"), tmp_path / "service")
        yield ""
        return
    running: Cluster = request.getfixturevalue("postgresql")
    with running.lent() as address:
        yield address


@pytest.fixture
async def world(tmp_path: Path, database_url: str) -> AsyncIterator[World]:
    world = World.at(tmp_path / "service", database_url)
    world.add_user("asha", first_name="Asha", last_name="Nair", email="asha@lms.test", batches=("Evening",))
    world.add_user("ravi")
    yield world
    await world.close()


@pytest.fixture
def sqlite_only(world: World) -> World:
    """The world where it is kept by SQLite, for what is said of a file."""
    if not world.database.is_sqlite:
        pytest.skip("said of SQLite's file")
    return world


@pytest.fixture
def asha(world: World) -> Caller:
    return world.caller("asha")


@pytest.fixture
def ravi(world: World) -> Caller:
    return world.caller("ravi")


@pytest.fixture
async def attempt(world: World, asha: Caller) -> int:
    """A running attempt of Asha on an exam of three questions and 30 minutes."""
    world.add_exam(sums())
    return await asha.create("sums")
