from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.service.service_world import Caller, World, sums


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World.at(tmp_path / "service")
    world.add_user("asha", first_name="Asha", last_name="Nair", email="asha@lms.test", batches=("Evening",))
    world.add_user("ravi")
    yield world
    await world.close()


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
