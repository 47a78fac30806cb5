"""The audit: every change of people and exams is a line with who, when, before and after, on both databases."""

import io
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from lms_tui.cli import main
from lms_tui.service.admin.administration import AdminError, Administration
from lms_tui.service.admin.audit import audit_lines
from lms_tui.service.core.audit import note, shell_user
from lms_tui.service.core.database.tables import Batch
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.core.principal import Role
from tests.fakes.json_output import told
from tests.service.service_world import START, World, sums
from tests.service.shapes import person


def lines(world: World) -> list[tuple[Any, ...]]:
    return [(row["who"], row["what"], row["about"], row["before"], row["after"]) for row in audit_lines(world.database)]


def shell(world: World) -> Administration:
    return Administration(world.database, Passwords(), world.clock.now, who="shell: root")


async def test_a_change_from_the_shell_names_the_system_user_and_only_what_changed(world: World) -> None:
    shell(world).change_role("asha", Role.MENTOR)
    shell(world).join_batch("Morning", ["asha", "ravi"])
    shell(world).change_user("ravi", is_active=False)
    assert lines(world) == [
        ("shell: root", "user.role", "user asha", {"role": "student"}, {"role": "mentor"}),
        ("shell: root", "user.batches", "user asha", {"batches": ["Evening"]}, {"batches": ["Evening", "Morning"]}),
        ("shell: root", "user.batches", "user ravi", {"batches": []}, {"batches": ["Morning"]}),
        ("shell: root", "user.active", "user ravi", {"active": True}, {"active": False}),
    ]


async def test_a_change_that_changes_nothing_is_no_line(world: World) -> None:
    shell(world).change_role("asha", Role.STUDENT)
    shell(world).join_batch("Evening", ["asha"])
    assert lines(world) == []


async def test_a_refused_change_is_no_line(world: World) -> None:
    world.add_user("head", role="admin")
    with pytest.raises(AdminError):
        shell(world).change_role("head", Role.STUDENT)
    assert lines(world) == []


async def test_changes_of_an_exam_are_lines(world: World) -> None:
    world.add_exam(sums(), is_public=False)
    shell(world).assign_exam("sums", ["Evening"])
    shell(world).publish_exam("sums", {"end_date": START + timedelta(days=9)})
    assert [line[1:] for line in lines(world)] == [
        ("exam.batches", "exam sums", {"batches": []}, {"batches": ["Evening"]}),
        ("exam.publish", "exam sums", {"end": None}, {"end": "2026-03-11T09:00:00+00:00"}),
    ]


async def test_a_change_by_the_api_names_the_login_and_no_secret(world: World) -> None:
    head = person(world, "head", "admin")
    made = await head.post("/api/v2.5/admin/users/", {"username": "meera", "password": "a long secret"})
    change = {"password": "another secret", "first_name": "Meera", "city": "Salem"}
    await head.put(f"/api/v2.5/admin/users/{made['id']}", change)
    mentor = await head.post("/api/v2.5/admin/mentors/", {"username": "farida", "password": "a long secret"})
    students = f"/api/v2.3/admin/mentors/{mentor['id']}/students"
    await head.post(students, {"students_username": ["meera"]}, 200)
    assert (await head.send("DELETE", students, json={"students_username": ["meera"]})).status_code == 204
    assert (await head.send("DELETE", f"/api/v2.2/admin/users/{made['id']}")).status_code == 204
    found = lines(world)
    assert {line[0] for line in found} == {"head"}
    assert [line[1:3] for line in found] == [
        ("user.add", "user meera"),
        ("user.password", "user meera"),
        ("user.change", "user meera"),
        ("user.add", "user farida"),
        ("mentor.assign", "user farida"),
        ("mentor.remove", "user farida"),
        ("user.delete", "user meera"),
    ]
    assert found[2][3:] == ({"name": "meera"}, {"name": "Meera"})
    assert found[-1][3]["username"] == "meera"
    assert "secret" not in json.dumps(found)


async def test_the_line_and_the_change_are_one_transaction(world: World) -> None:
    def fail() -> None:
        with world.database.write() as session:
            session.add(Batch(name="Night", created=world.clock.now, modified=world.clock.now))
            note(session, at=world.clock.now, who="head", what="batch.add", about="batch Night")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    with world.database.read() as session:
        assert session.scalar(select(Batch.id).where(Batch.name == "Night")) is None
    assert lines(world) == []


async def test_moments_durations_and_hostile_text_are_kept(world: World) -> None:
    after = {"end": START, "time": timedelta(minutes=9), "name": "a\x00\x1b[31m"}
    with world.database.write() as session:
        note(session, at=START, who="head", what="exam.set", about="exam \ud800", after=after)
    ((*_, about, _, kept),) = lines(world)
    assert about == "exam \ufffd"
    assert (kept["end"], kept["time"]) == ("2026-03-02T09:00:00+00:00", "0:09:00")


def run(tmp_path: Path, database_url: str, *command: str) -> int:
    where = ("--data-dir", str(tmp_path), *(("--database-url", database_url) if database_url else ()))
    return main([*command, *where])


def test_the_command_shows_and_exports_the_lines(
    tmp_path: Path, database_url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("a long secret\n"))
    assert run(tmp_path, database_url, "user", "add", "asha", "--password-stdin") == 0
    assert run(tmp_path, database_url, "user", "role", "asha", "mentor") == 0
    capsys.readouterr()
    assert run(tmp_path, database_url, "audit", "--json") == 0
    rows = told(capsys.readouterr().out, "audit")
    assert [(row["who"], row["what"], row["about"]) for row in rows] == [
        (shell_user(), "user.add", "user asha"),
        (shell_user(), "user.role", "user asha"),
    ]
    assert shell_user().startswith("shell: ")
    assert run(tmp_path, database_url, "audit") == 0
    assert "role: student -> mentor" in capsys.readouterr().out
    assert run(tmp_path, database_url, "audit", "--since", "2999-01-01") == 0
    assert capsys.readouterr().out == "There are none.\n"
