"""A request makes at most one trip to the thread pool."""

from collections.abc import Callable
from typing import Any

import anyio.to_thread
import pytest
from sqlalchemy import text

from tests.service.authorisation import TABLE, Row, Who
from tests.service.service_world import Caller, World
from tests.service.test_service_authorisation import Institute, address, copied, folder, institute, prepared_institute
from tests.service.test_service_writer import beat_path

__all__ = ["address", "copied", "folder", "institute", "prepared_institute"]
SIGN_IN = 2
"""One trip before a password is hashed, one after it."""
FILE = 5
"""One trip finds a file, and Starlette examines, opens, reads and closes it in a thread."""


@pytest.fixture
def trips(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of what has run in a thread of the pool."""
    run, made = anyio.to_thread.run_sync, list[str]()

    async def counted(work: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        made.append(repr(work))
        return await run(work, *arguments, **options)

    monkeypatch.setattr(anyio.to_thread, "run_sync", counted)
    return made


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.method} {row.path}")
async def test_every_route_makes_at_most_one_trip(institute: Institute, trips: list[str], row: Row) -> None:
    is_file = "/media/" in row.path or "/playback/" in row.path
    most = SIGN_IN if "auth-token" in row.path else FILE if is_file else 1
    states = list(institute.attempts) if row.states else [""]
    for who in (Who.NOBODY, Who.REVOKED, Who.OWNER, Who.ADMIN):
        for state in states:
            trips.clear()
            await institute.status(row, who, **institute.attempts.get(state, {}))
            assert len(trips) <= (most if row.status_for(who) != 401 else 0), (who, trips)


async def test_a_list_and_a_refusal_make_one_trip_and_none(
    world: World, asha: Caller, attempt: int, trips: list[str]
) -> None:
    await asha.get("/api/v2.2/attempts/")
    assert len(trips) == 1
    await world.stranger.get("/api/v2.2/attempts/", 401)
    await asha.get("/api/v2.2/admin/posts/", 403)
    await asha.get("/api/v2.2/attempts/?page=0", 404)
    assert len(trips) == 1
    await asha.put(beat_path(attempt))
    trips.clear()
    await asha.put(beat_path(attempt))
    assert not trips


async def test_callers_are_found_after_all_connections_were_lost(world: World, asha: Caller) -> None:
    if world.database.is_sqlite:
        pytest.skip("said of the connections to PostgreSQL")
    await asha.get("/api/v2.2/me/")
    with world.database.read() as session:
        others = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        assert session.scalar(text(f"SELECT bool_and(pg_terminate_backend(pid, 10000)) FROM ({others}) o"))  # noqa: S608  # our own
    await asha.get("/api/v2.2/me/")
