"""The database on disk: its migrations, its promises, and who may read it."""

import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, make_url, text
from sqlalchemy.exc import DatabaseError

from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.head import HEAD
from lms_tui.service.core.database.upgrade import NewerDatabase, configuration
from lms_tui.service.core.keyfile import UnsafeKey, read_or_create
from lms_tui.service.core.settings import ServiceSettings
from tests.service.postgres import Cluster
from tests.service.service_world import World


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_migrations_create_the_tables(world: World) -> None:
    with world.database._writer.begin() as connection:
        command.check(configuration(connection))
        assert ScriptDirectory.from_config(configuration(connection)).get_current_head() == HEAD
    assert world.database.revision() == HEAD


def test_the_migrations_can_be_undone(world: World) -> None:
    with world.database._writer.begin() as connection:
        command.downgrade(configuration(connection), "base")
    left = set(inspect(world.database._writer).get_table_names())
    assert left == {"alembic_version"}


def test_a_database_of_a_newer_version_is_refused_and_not_changed(world: World) -> None:
    with world.database.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(NewerDatabase, match="migration 9999"):
        world.database.prepare()
    assert world.database.revision() == "9999"
    assert inspect(world.database._writer).has_table("users")


def test_of_several_processes_that_start_at_once_one_upgrades(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    cluster: Cluster = request.getfixturevalue("postgresql")
    for address in ("", cluster.empty()):
        url = ServiceSettings(tmp_path, database_url=address).database
        several = [Database(url) for _ in range(3)]
        with ThreadPoolExecutor(3) as pool:
            list(pool.map(Database.prepare, several))
        assert {database.revision() for database in several} == {HEAD}
        for database in several:
            database.close()


def test_postgresql_commits_synchronously_even_if_configured_otherwise(postgresql: Cluster) -> None:
    address = postgresql.prepared()
    name = make_url(address).database
    postgresql.ask(f"ALTER DATABASE {name} SET synchronous_commit = off")
    database = Database(address)
    with database.write() as session:
        assert session.execute(text("SHOW synchronous_commit")).scalar() == "on"
    database.close()


def test_a_commit_is_on_the_disk_before_it_is_acknowledged(sqlite_only: World) -> None:
    with sqlite_only.database.write() as session:
        assert session.execute(text("PRAGMA synchronous")).scalar() == 2
        assert session.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert session.execute(text("PRAGMA foreign_keys")).scalar() == 1
        assert session.execute(text("PRAGMA busy_timeout")).scalar() == 5000


def test_a_writing_transaction_holds_the_lock_from_its_beginning(sqlite_only: World) -> None:
    file = sqlite_only.database.url.database or ""
    with sqlite_only.database.write() as session, closing(sqlite3.connect(file, timeout=0)) as other:
        session.execute(text("SELECT 1"))
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")


def test_reading_never_writes(world: World) -> None:
    with world.database.read() as session, pytest.raises(DatabaseError, match=r"read-?only"):
        session.execute(text("DELETE FROM users"))


def test_a_failed_transaction_is_rolled_back(world: World) -> None:
    def fail() -> None:
        with world.database.write() as session:
            session.execute(text("DELETE FROM users"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    with world.database.read() as session:
        assert session.execute(text("SELECT count(*) FROM users")).scalar() == 2


def test_only_the_owner_can_read_database_and_key(sqlite_only: World) -> None:
    folder = sqlite_only.settings.data_dir
    assert mode(folder) == 0o700
    for name in ("service.sqlite3", "service.sqlite3-wal", "secret.key"):
        assert mode(folder / name) == 0o600, name


def test_the_key_is_created_once_and_refused_if_others_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "secret.key"
    key = read_or_create(path)
    assert len(key) == 32
    assert read_or_create(path) == key
    assert [entry.name for entry in path.parent.iterdir()] == ["secret.key"]
    path.chmod(0o640)
    with pytest.raises(UnsafeKey, match="Other users can read"):
        read_or_create(path)
    path.chmod(0o600)
    path.write_bytes(b"short")
    with pytest.raises(UnsafeKey, match="damaged"):
        read_or_create(path)


def test_deleting_a_user_deletes_everything_of_that_user(world: World) -> None:
    with world.database.write() as session:
        session.execute(text("DELETE FROM users WHERE username = 'asha'"))
        assert session.execute(text("SELECT count(*) FROM batch_members")).scalar() == 0
