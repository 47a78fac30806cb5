from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.fakes.served import institute
from tests.service.service_world import World


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """The people, courses and posts of the demo institute in a real service."""
    world = institute(tmp_path / "service")
    yield world
    await world.close()
