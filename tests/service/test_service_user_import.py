"""Users and batches from a CSV file, on both databases."""

from typing import Any

import pytest
from sqlalchemy import func, select

from lms_tui.service.admin.administration import AdminError, Administration
from lms_tui.service.admin.audit import audit_lines
from lms_tui.service.admin.user_import import import_users
from lms_tui.service.core.database import tables
from lms_tui.service.core.passwords import Passwords
from tests.service.service_world import World

PEOPLE = """username,first_name,last_name,email,role,batches
meera,Meera,Iyer,meera@lms.test,student,Morning;Physics
farida,Farida,Khan,farida@lms.test,mentor,
asha,Asha,Nair,,,Morning
"""


def run(world: World, text: str, *, dry_run: bool = False) -> tuple[list[dict[str, Any]], list[str]]:
    shell = Administration(world.database, Passwords(), world.clock.now)
    return import_users(shell, text.encode(), dry_run=dry_run, hand_out=lambda _: None)


def people(world: World) -> int:
    with world.database.read() as session:
        return session.scalar(select(func.count()).select_from(tables.User)) or 0


async def test_new_users_sign_in_with_their_first_passwords(world: World) -> None:
    rows, errors = run(world, PEOPLE)
    assert errors == []
    assert [(row["username"], row["outcome"], row["role"], row["batches"]) for row in rows] == [
        ("meera", "added", "student", ["Morning", "Physics"]),
        ("farida", "added", "mentor", []),
        ("asha", "changed", "student", ["Evening", "Morning"]),
    ]
    body = {"username": "meera", "password": rows[0]["password"]}
    assert (await world.stranger.post("/api/v2.5/auth-token/", body, 200))["token"]
    assert rows[2]["password"] == ""


async def test_the_same_file_twice_changes_nothing(world: World) -> None:
    run(world, PEOPLE)
    lines = len(audit_lines(world.database))
    assert lines == 3
    world.clock.move(minutes=5)
    rows, errors = run(world, PEOPLE)
    assert (errors, {row["outcome"] for row in rows}) == ([], {"unchanged"})
    assert len(audit_lines(world.database)) == lines


async def test_a_dry_run_tells_what_would_change_and_changes_nothing(world: World) -> None:
    before = people(world)
    rows, _ = run(world, PEOPLE, dry_run=True)
    assert [row["outcome"] for row in rows] == ["added", "added", "changed"]
    assert {row["password"] for row in rows} == {""}
    assert people(world) == before
    assert audit_lines(world.database) == []


async def test_each_error_has_its_line_and_nothing_is_changed(world: World) -> None:
    before = people(world)
    text = "username,email,role\nok,,\nwrong name,,\nravi,no address,\nmeera,,king\nOK,,\n,x@lms.test,\na,b,c,d\n"
    rows, errors = run(world, text)
    assert rows == []
    assert [error.partition(":")[0] for error in errors] == ["line 3", "line 4", "line 5", "line 7", "line 8", "line 6"]
    assert people(world) == before


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("new,asha@lms.test,", "line 3: This e-mail address is already used by asha."),
        ("asha,,admin", "line 3: asha is student. Use `lms-tui user role` to change that."),
    ],
)
async def test_what_the_institute_refuses_is_an_error_of_its_line(world: World, line: str, words: str) -> None:
    before = people(world)
    assert run(world, f"username,email,role\nmeera,,\n{line}\n") == ([], [words])
    assert people(world) == before


async def test_passwords_that_cannot_be_handed_out_leave_no_user(world: World) -> None:
    before = people(world)
    shell = Administration(world.database, Passwords(), world.clock.now)

    def full(_: list[dict[str, Any]]) -> None:
        raise OSError("The disk is full.")

    with pytest.raises(OSError, match="full"):
        import_users(shell, PEOPLE.encode(), dry_run=False, hand_out=full)
    assert people(world) == before


async def test_passwords_that_another_program_overtakes_are_not_valid(world: World) -> None:
    shell = Administration(world.database, Passwords(), world.clock.now)

    def overtake(_: list[dict[str, Any]]) -> None:
        run(world, "username\nmeera\n")

    with pytest.raises(AdminError, match="not valid"):
        import_users(shell, PEOPLE.encode(), dry_run=False, hand_out=overtake)
    (changed,) = (row for row in run(world, PEOPLE)[0] if row["username"] == "meera")
    assert changed["outcome"] == "changed"


@pytest.mark.parametrize(
    "data",
    [
        b"name,batches\nasha,One\n",
        b"username,passwort\nasha,One\n",
        b"username,username\nasha,One\n",
        b'username,first_name\nasha,"One\n',
        b"username\n\xff\xfe\n",
        b"",
    ],
)
async def test_a_file_of_another_kind_is_refused(world: World, data: bytes) -> None:
    shell = Administration(world.database, Passwords(), world.clock.now)
    with pytest.raises(AdminError):
        import_users(shell, data, dry_run=False, hand_out=lambda _: None)


async def test_files_of_spreadsheets_are_read(world: World) -> None:
    rows, errors = run(world, "\ufeffUsername;First name;Batches\r\nmeera;Meera;Night|Day\r\n;;\r\n")
    assert errors == []
    assert [(row["username"], row["first_name"], row["batches"]) for row in rows] == [
        ("meera", "Meera", ["Day", "Night"])
    ]
