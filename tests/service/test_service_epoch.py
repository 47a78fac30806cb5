"""A service that was restored from a copy has a new epoch, and tells of each attempt which answers it has seen."""

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import update

from lms_tui.service.attempts.seen import seen_with
from lms_tui.service.attempts.stamps import Stamp
from lms_tui.service.core.database import tables
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.epoch import Epoch, new_epoch
from lms_tui.service.core.settings import ServiceSettings
from lms_tui.wire.server_time import read_server_time
from tests.service.service_world import Caller, World
from tests.service.test_service_writer import beat_path, question_path


@pytest.fixture
def folder(tmp_path: Path, database_url: str) -> Path:
    """The data directory of a service, with a prepared database."""
    folder = tmp_path / "service"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture
def database(folder: Path, database_url: str) -> Iterator[Database]:
    with closing(Database(ServiceSettings(folder, database_url=database_url).database)) as database:
        yield database


def started(database: Database, folder: Path, *, answers: bool = False) -> str:
    """Start a service, in which answers may arrive for some time, kill it, and return the epoch that it told."""
    epoch = Epoch(database, folder / "epoch.mark")
    epoch.open()
    if answers:
        epoch.stir()
        epoch.tick()
    return epoch.value


def put_back(database: Database, *, ticks: int, value: str | None = None) -> None:
    """Put the database back to the state in which it had this number of ticks."""
    with database.write() as session:
        row = session.get_one(tables.ServerEpoch, 1)
        row.ticks, row.value = ticks, value or row.value


def test_the_epoch_stays_over_restarts(database: Database, folder: Path) -> None:
    first = started(database, folder, answers=True)
    assert len(first) == 16
    assert [started(database, folder, answers=True) for _ in range(3)] == [first] * 3


def test_a_database_that_was_put_back_has_a_new_epoch_each_time(database: Database, folder: Path) -> None:
    first = started(database, folder)
    started(database, folder, answers=True)
    put_back(database, ticks=1)
    second = started(database, folder)
    put_back(database, ticks=1, value=first)
    third = started(database, folder)
    put_back(database, ticks=90, value=first)
    assert len({first, second, third, started(database, folder)}) == 4


def test_a_database_that_is_put_back_while_the_service_runs_has_a_new_epoch(database: Database, folder: Path) -> None:
    epoch = Epoch(database, folder / "epoch.mark")
    epoch.open()
    first = epoch.value
    put_back(database, ticks=0)
    epoch.stir()
    epoch.tick()
    assert epoch.value != first
    assert started(database, folder) == epoch.value


def test_another_process_adopts_a_new_epoch(database: Database, folder: Path) -> None:
    one, other = Epoch(database, folder / "epoch.mark"), Epoch(database, folder / "epoch.mark")
    one.open()
    other.open()
    put_back(database, ticks=0)
    for epoch in (one, other):
        epoch.stir()
        epoch.tick()
    assert one.value == other.value


def test_a_restore_gives_a_new_epoch_by_itself(database: Database, folder: Path) -> None:
    first = started(database, folder)
    new_epoch(database)
    with database.read() as session:
        assert session.get_one(tables.ServerEpoch, 1).value != first
    second = started(database, folder)
    assert second != first
    assert started(database, folder) == second


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_another_timeline_of_postgresql_is_a_new_epoch_also_while_the_service_runs(
    database: Database, folder: Path
) -> None:
    epoch = Epoch(database, folder / "epoch.mark")
    epoch.open()
    first = epoch.value
    with database.write() as session:
        cluster, timeline = session.get_one(tables.ServerEpoch, 1).place.split("/")
        assert cluster.isdigit()
        assert timeline == "00000001"
        session.execute(update(tables.ServerEpoch).values(place=f"{cluster}/00000000"))
    epoch.tick()
    assert epoch.value != first
    assert started(database, folder) == epoch.value


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_another_machine_at_one_postgresql_changes_nothing(database: Database, folder: Path, tmp_path: Path) -> None:
    assert started(database, folder) == started(database, tmp_path)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_directory_that_was_put_back_whole_has_a_new_epoch(folder: Path, tmp_path: Path, database_url: str) -> None:
    def start(answers: bool = True) -> str:
        with closing(Database(ServiceSettings(folder).database)) as database:
            return started(database, folder, answers=answers)

    assert database_url == ""
    first = start()
    shutil.copytree(folder, tmp_path / "copy")
    assert start() == first
    # The whole directory, then the database alone, which is moved or overwritten.
    shutil.move(folder, tmp_path / "old")
    shutil.copytree(tmp_path / "copy", folder)
    second = start()
    shutil.copy(tmp_path / "copy" / "service.sqlite3", folder / "restored")
    (folder / "restored").replace(folder / "service.sqlite3")
    third = start()
    shutil.copy(tmp_path / "copy" / "service.sqlite3", folder / "service.sqlite3")
    fourth = start()
    # The mark was lost, or is damaged.
    (folder / "epoch.mark").unlink()
    fifth = start()
    (folder / "epoch.mark").write_text("[1")
    assert len({first, second, third, fourth, fifth, start()}) == 6


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_mark_that_cannot_be_written_keeps_no_service_from_starting(database: Database, tmp_path: Path) -> None:
    assert started(database, tmp_path / "missing")


def test_the_total_of_a_writer_rises_with_each_change_and_a_repeated_one_adds_nothing() -> None:
    seen = seen_with("", Stamp("desk", 3), {})
    seen = seen_with(seen, Stamp("phone", 1), {"@desk": 0, "desk": 3})
    seen = seen_with(seen, Stamp("desk", 5), {})
    assert seen == "phone:1, desk:8"
    assert seen_with(seen, Stamp("desk", 5), {"desk": 5}) == "phone:1, desk:8"
    assert seen_with(seen, Stamp("desk", 9), {"desk": 5}) == "phone:1, desk:12"
    assert seen_with(seen, Stamp("", 2), {}) == "phone:1, desk:8, :2"
    assert seen_with(seen, None, {}) == seen


def test_hostile_stamps_stay_within_bounds() -> None:
    seen = ""
    for number in range(50):
        seen = seen_with(seen, Stamp(f"{number}".rjust(64, "w"), 10**18 - 1), {})
        seen = seen_with(seen, Stamp(f"{number}".rjust(64, "w"), 10**18 - 1), {})
    assert len(seen) < 8 * 86
    assert all(one.endswith(f":{10**18 - 1}") for one in seen.split(", "))


async def told(caller: Caller, path: str) -> tuple[str | None, str | None]:
    headers = (await caller.send("PUT", path)).headers
    return headers.get("X-Server-Epoch"), headers.get("X-Answer-Seen")


async def test_start_and_heartbeat_tell_the_epoch_and_the_answers_seen(
    world: World, asha: Caller, attempt: int
) -> None:
    first, second = [question["id"] for question in await asha.questions(attempt)][:2]
    start, beat = f"/api/v2.2/attempts/{attempt}/start/", beat_path(attempt)
    epoch = world.app.service.epoch.value
    assert epoch
    assert await told(asha, start) == await told(asha, beat) == (epoch, "0")
    for question, number in ((first, 1), (second, 2), (first, 3), (first, 2)):
        await asha.put(question_path(attempt, question), {}, X_Answer_Seq=f"desk:{number}")
    assert await told(asha, start) == await told(asha, beat) == (epoch, "desk:5")
    new_epoch(world.database)
    world.app.service.epoch.stir()
    await asyncio.to_thread(world.app.service.epoch.tick)
    assert (await told(asha, beat))[0] not in {epoch, None}


async def test_start_and_heartbeat_tell_the_time_of_the_servers_clock(world: World, asha: Caller, attempt: int) -> None:
    for path in (f"/api/v2.2/attempts/{attempt}/start/", beat_path(attempt)):
        world.clock.move(seconds=7)
        told = (await asha.send("PUT", path)).headers["X-Server-Time"]
        assert read_server_time(told) == world.clock.now


async def test_the_document_describes_the_headers(world: World) -> None:
    document = await world.stranger.get("/api/schema/")
    for path in ("start", "heartbeat"):
        headers = document["paths"][f"/api/v2.2/attempts/{{attempt_id}}/{path}/"]["put"]["responses"]["200"]["headers"]
        assert set(headers) == {"X-Server-Epoch", "X-Answer-Seen", "X-Server-Time", "X-Attempt-Notices"}
