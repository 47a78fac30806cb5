import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import pytest
import textual.app
import textual.pilot

from tests.fakes.loops import QuickLoop
from tests.fakes.served import institute
from tests.fakes.styles import parse_once
from tests.service.service_world import World

__all__ = ["parse_once"]
_LONGEST_PAUSE = 10.0


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    return {"quick": QuickLoop}


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Textual's `Pilot` waits a second at most until the app is idle, which is too short on a busy machine."""
    for module in (textual.app, textual.pilot):
        patient = partial(vars(module)["wait_for_idle"], max_sleep=_LONGEST_PAUSE)
        monkeypatch.setattr(module, "wait_for_idle", patient)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """The people, courses and posts of the demo institute in a real service."""
    world = institute(tmp_path / "service")
    yield world
    await world.close()


@pytest.fixture
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Days and times stand on the screens in the user's zone."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()
