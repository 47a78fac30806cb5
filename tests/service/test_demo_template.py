"""The demo institute that the program ships, and its tables, compared with those that are built."""

import sqlite3
import stat
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.every_table import METADATA
from lms_tui.service.core.media import Media
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.demo.institute import build_institute
from lms_tui.service.demo.people import PASSWORD
from lms_tui.service.demo.presence import is_complete
from lms_tui.service.demo.template import TEMPLATE, copy_institute
from tests.service.database_content import content_of

NOW = datetime(2027, 3, 31, 23, 59, 58, 123456, tzinfo=UTC)


def test_the_shipped_tables_are_those_of_the_models(tmp_path: Path) -> None:
    made, shipped = tmp_path / "made.sqlite3", tmp_path / "shipped.sqlite3"
    engine = create_engine(f"sqlite:///{made}")
    METADATA.create_all(engine)
    engine.dispose()
    database = Database.in_file(shipped)
    database.prepare(brief=True)
    database.close()
    expected, found = content_of(made)["schema"], content_of(shipped)["schema"]
    of_alembic = [entry for entry in found if "alembic_version" in entry[1]]
    assert [entry for entry in found if entry not in of_alembic] == expected, "run scripts/demo_template.py"


def test_the_template_is_what_the_program_builds(tmp_path: Path) -> None:
    built, copied = tmp_path / "built.sqlite3", tmp_path / "copied.sqlite3"
    database = Database.in_file(built)
    database.prepare(brief=True)
    build_institute(database, Passwords(), NOW, Media(tmp_path / "media"))
    database.close()
    copy_institute(copied, NOW)
    expected, found = content_of(built), content_of(copied)
    assert expected.keys() == found.keys()
    for name, content in expected.items():
        assert found[name] == content, f"run scripts/demo_template.py: the template differs in {name}"


def test_a_copy_is_complete_and_knows_the_public_password(tmp_path: Path) -> None:
    file = tmp_path / "service.sqlite3"
    copy_institute(file, NOW)
    if sys.platform != "win32":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(file.parent.iterdir()) == [file]
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        hashes = {stored for (stored,) in connection.execute("SELECT password_hash FROM users")}
    assert [Passwords().verify(stored, PASSWORD) for stored in hashes] == [True]
    database = Database.in_file(file)
    assert is_complete(database)
    database.close()


def test_a_copy_never_replaces_a_database(tmp_path: Path) -> None:
    file = tmp_path / "service.sqlite3"
    file.write_bytes(b"of another start")
    with pytest.raises(FileExistsError):
        copy_institute(file, NOW)
    assert file.read_bytes() == b"of another start"
    assert list(tmp_path.iterdir()) == [file]


def test_a_copy_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = tmp_path / "damaged.sql"
    damaged.write_text(TEMPLATE.read_text("utf-8")[:9_000] + "?", "utf-8")
    monkeypatch.setattr("lms_tui.service.demo.template.TEMPLATE", damaged)
    with pytest.raises(sqlite3.Error):
        copy_institute(tmp_path / "service.sqlite3", NOW)
    assert list(tmp_path.iterdir()) == [damaged]


def test_a_file_system_without_hard_links_gets_the_institute_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_self: Path, _target: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    copy_institute(tmp_path / "service.sqlite3", NOW)
    assert [file.name for file in tmp_path.iterdir()] == ["service.sqlite3"]
