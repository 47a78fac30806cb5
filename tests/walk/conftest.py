"""The databases of the service's tests, with the institute that the walk goes through."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from tests.service.conftest import database_url, postgresql, prepared_file
from tests.service.service_world import World
from tests.walk.walk_world import at_file, furnish, walk_through
from tests.walk.wrong_server import Heard, Listening

__all__ = ["database_url", "postgresql", "prepared_file"]


@pytest.fixture
async def institute(tmp_path: Path, database_url: str) -> AsyncIterator[World]:
    """On each kind of database."""
    world = World.at(tmp_path / "service", database_url)
    furnish(world)
    yield world
    await world.close()


@pytest.fixture(scope="session")
def furnished_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The institute in an SQLite file, to copy."""
    folder = tmp_path_factory.mktemp("furnished")
    world = World.at(folder)
    furnish(world)
    world.database.close()
    return folder / "service.sqlite3"


@pytest.fixture
async def own_institute(tmp_path: Path, furnished_file: Path) -> AsyncIterator[World]:
    """On SQLite, of a test's own."""
    world = at_file(furnished_file, tmp_path / "service")
    yield world
    await world.close()


@pytest.fixture(scope="session")
def heard(furnished_file: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Heard]:
    """The replies of the right server to a whole walk."""
    listening: list[Listening] = []

    def listen(inner: httpx.AsyncBaseTransport) -> Listening:
        listening.append(Listening(inner))
        return listening[-1]

    async def run() -> None:
        world = at_file(furnished_file, tmp_path_factory.mktemp("heard"))
        await walk_through(world, listen)
        await world.close()

    asyncio.run(run())
    return listening[0].heard
