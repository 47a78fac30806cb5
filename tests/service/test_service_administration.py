"""Simultaneous administration commands create everything once, on both databases."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import func, select, text

from lms_tui.service.admin.administration import AdminError, Administration, Row
from lms_tui.service.core.database import tables
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.core.principal import Role
from lms_tui.service.exams.importer import batch_named
from tests.service.service_world import World
from tests.waiting import PATIENCE


def is_waited_for(world: World) -> bool:
    """Return whether a writer waits for this transaction."""
    if world.database.is_sqlite:
        return world.database.write_lock.has_waiters
    with world.database.read() as session:
        return bool(session.execute(text("SELECT count(*) FROM pg_locks WHERE NOT granted")).scalar_one())


def meanwhile(world: World, made: tables.Base | str, command: Callable[[Administration], Row]) -> Row:
    """Run a command that finds an uncommitted row or batch of the same name."""
    shell = Administration(world.database, Passwords(), world.clock.now)
    with ThreadPoolExecutor() as pool:
        with world.database.write() as session:
            if isinstance(made, str):
                batch_named(session, made, world.clock.now)
            else:
                session.add(made)
            session.flush()
            ran = pool.submit(command, shell)
            late = time.monotonic() + PATIENCE
            while not (is_waited_for(world) or ran.done()):
                assert time.monotonic() < late
        return ran.result(PATIENCE)


async def test_a_batch_created_twice_at_once_exists_once(world: World) -> None:
    row = meanwhile(world, "Night", lambda shell: shell.add_batch("Night "))
    with world.database.read() as session:
        assert session.scalars(select(tables.Batch.id).where(tables.Batch.name == "Night")).all() == [row["id"]]


async def test_a_user_created_twice_at_once_exists_once(world: World) -> None:
    now = world.clock.now
    made = tables.User(username="meera", tokens_valid_from=now, created=now, modified=now)
    with pytest.raises(AdminError):
        meanwhile(
            world,
            made,
            lambda shell: shell.add_user(
                Role.STUDENT, {"username": "meera", "password": "a long secret", "batches": ["New"]}
            ),
        )
    with world.database.read() as session:
        assert session.scalar(select(func.count()).where(tables.User.username == "meera")) == 1
        assert session.scalar(select(func.count()).where(tables.Batch.name == "New")) == 0


async def test_one_administrator_always_remains(world: World) -> None:
    for name in ("head", "deputy"):
        world.add_user(name, role="admin")
    shell = Administration(world.database, Passwords(), world.clock.now)
    with ThreadPoolExecutor() as pool:
        steps = [pool.submit(shell.change_role, name, Role.STUDENT) for name in ("head", "deputy")]
        refused = [step.exception(PATIENCE) for step in steps]
    assert [type(error) for error in refused if error] == [AdminError]
