"""Backups of an institute on SQLite, by the commands themselves."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from lms_tui.service.admin.backups import back_up
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.epoch import Epoch
from lms_tui.service.core.settings import ServiceSettings
from tests.cli.test_administration import Shell, new_shell, shell

__all__ = ["new_shell", "shell"]
NOW = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
KEY = b"k" * 32
FILM = b"a film" * 1000


@pytest.fixture
def institute(shell: Shell) -> Shell:
    """An institute with a user, a key and a video."""
    shell.ask("user", "add", "asha", "--password-stdin", typed="a long secret\n")
    service = shell.folder / "service"
    (service / "secret.key").write_bytes(KEY)
    (service / "secret.key").chmod(0o600)
    (service / "media" / "videos" / "one").mkdir(parents=True)
    (service / "media" / "videos" / "one" / "film.webm").write_bytes(FILM)
    return shell


@pytest.fixture
def backup(institute: Shell, tmp_path: Path) -> Path:
    (row,) = institute.ask("backup", str(tmp_path / "backups"))
    return Path(row["backup"])


def elsewhere(shell: Shell, folder: Path) -> Shell:
    return Shell(folder, shell.capsys, shell.monkeypatch)


def users(shell: Shell) -> list[str]:
    return [row["username"] for row in shell.ask("user", "list")]


def content(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and "sqlite3" not in path.name)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_a_backup_has_what_a_new_computer_needs(institute: Shell, backup: Path, tmp_path: Path) -> None:
    new = elsewhere(institute, tmp_path / "new")
    (row,) = new.ask("restore", str(backup))
    assert row["backup"] == str(backup)
    assert users(new) == ["asha"]
    assert content(new.folder / "service") == {"secret.key": KEY, "media/videos/one/film.webm": FILM}


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_only_the_owner_can_read_backups_and_restored_files(institute: Shell, backup: Path, tmp_path: Path) -> None:
    new = elsewhere(institute, tmp_path / "new")
    new.ask("restore", str(backup))
    for folder in (backup, new.folder / "service"):
        files = [folder, *(path for path in folder.rglob("*") if path.is_file())]
        assert [str(path) for path in files if path.stat().st_mode & 0o077] == []


def test_a_backup_is_whole_without_a_log_beside_it(institute: Shell, backup: Path) -> None:
    assert sorted(path.name for path in backup.iterdir()) == ["backup.json", "media", "secret.key", "service.sqlite3"]
    with closing(sqlite3.connect(backup / "service.sqlite3")) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert database.execute("SELECT username FROM users").fetchall() == [("asha",)]


def test_the_newest_backups_are_kept(institute: Shell, tmp_path: Path) -> None:
    settings, folder = ServiceSettings(institute.folder / "service"), tmp_path / "backups"
    made = [back_up(settings, folder, NOW + timedelta(days=day), keep=3) for day in range(5)]
    assert made[-1]["removed"] == ["lms-20260201T093000Z"]
    assert sorted(path.name for path in folder.iterdir()) == [
        f"lms-{name}T093000Z" for name in ("20260202", "20260203", "20260204")
    ]
    films = [path / "media/videos/one/film.webm" for path in folder.iterdir()]
    assert len({film.stat().st_ino for film in films}) == 1  # media files never change: one copy serves all backups
    elsewhere(institute, tmp_path / "new").ask("restore", str(folder / "lms-20260204T093000Z"))


def test_other_files_beside_the_backups_stay(institute: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    (folder / "lms-notes-Z").mkdir(parents=True)
    settings = ServiceSettings(institute.folder / "service")
    for day in range(2):
        back_up(settings, folder, NOW + timedelta(days=day), keep=1)
    assert sorted(path.name for path in folder.iterdir()) == ["lms-20260201T093000Z", "lms-notes-Z"]


def test_an_existing_institute_is_replaced_only_when_asked(institute: Shell, backup: Path) -> None:
    institute.ask("user", "add", "ravi", "--password-stdin", typed="a long secret\n")
    assert "--replace" in institute.refused("restore", str(backup))
    assert users(institute) == ["asha", "ravi"]
    institute.ask("restore", str(backup), "--replace")
    assert users(institute) == ["asha"]


def test_another_key_is_replaced_only_when_asked(institute: Shell, backup: Path) -> None:
    service = institute.folder / "service"
    for file in service.glob("service.sqlite3*"):
        file.unlink()
    (service / "secret.key").write_bytes(b"other" * 8)
    assert "secret.key differs" in institute.refused("restore", str(backup))
    institute.ask("restore", str(backup), "--replace")
    assert (service / "secret.key").read_bytes() == KEY


def test_a_database_that_a_program_has_open_is_not_replaced(institute: Shell, backup: Path) -> None:
    with closing(sqlite3.connect(institute.folder / "service" / "service.sqlite3")) as other:
        other.execute("SELECT count(*) FROM users").fetchone()
        assert "Stop the service" in institute.refused("restore", str(backup), "--replace")
    institute.ask("restore", str(backup), "--replace")


def test_another_copy_is_restored_with_the_key_and_the_media(institute: Shell, backup: Path, tmp_path: Path) -> None:
    institute.ask("user", "add", "ravi", "--password-stdin", typed="a long secret\n")
    (row,) = institute.ask("backup", str(tmp_path / "later"))
    new = elsewhere(institute, tmp_path / "new")
    lost = tmp_path / "lost.sqlite3"
    assert "lost.sqlite3" in new.refused("restore", str(backup), "--database", str(lost))
    lost.write_bytes(b"no database" * 999)
    assert "file is not a database" in new.refused("restore", str(backup), "--database", str(lost))
    new.ask("restore", str(backup), "--database", str(Path(row["backup"]) / "service.sqlite3"))
    assert users(new) == ["asha", "ravi"]
    assert (new.folder / "service" / "secret.key").read_bytes() == KEY


@pytest.mark.parametrize("content", [b"lost", b"no database" * 999])
def test_a_damaged_database_is_replaced(institute: Shell, backup: Path, content: bytes) -> None:
    (institute.folder / "service" / "service.sqlite3").write_bytes(content)
    institute.ask("restore", str(backup), "--replace")
    assert users(institute) == ["asha"]


def _shorten(backup: Path) -> None:
    (backup / "service.sqlite3").write_bytes((backup / "service.sqlite3").read_bytes()[:-4096])


def _lose(backup: Path) -> None:
    (backup / "media" / "videos" / "one" / "film.webm").unlink()


def _scribble(backup: Path) -> None:
    (backup / "backup.json").write_text("{}", "utf-8")


def _lead_out(backup: Path) -> None:
    manifest = backup / "backup.json"
    manifest.write_text(manifest.read_text("utf-8").replace("media/videos", "../videos"), "utf-8")


@pytest.mark.parametrize(
    ("damage", "what"),
    [
        (_shorten, "service.sqlite3 is missing or damaged"),
        (_lose, "film.webm is missing or damaged"),
        (_scribble, "backup.json is damaged"),
        (_lead_out, "backup.json is damaged"),
    ],
)
def test_a_damaged_backup_is_not_restored(
    institute: Shell, backup: Path, tmp_path: Path, damage: Callable[[Path], None], what: str
) -> None:
    damage(backup)
    new = elsewhere(institute, tmp_path / "new")
    assert what in new.refused("restore", str(backup))
    assert not new.folder.exists()


def test_a_folder_of_backups_names_its_newest(institute: Shell, backup: Path) -> None:
    assert str(backup) in institute.refused("restore", str(backup.parent), "--replace")
    assert "Name the folder of one backup" in institute.refused("restore", str(backup / "media"))


def test_a_backup_of_a_newer_version_changes_nothing(institute: Shell, tmp_path: Path) -> None:
    with closing(sqlite3.connect(institute.folder / "service" / "service.sqlite3")) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    (row,) = institute.ask("backup", str(tmp_path / "backups"))
    new = elsewhere(institute, tmp_path / "new")
    assert "newer version" in new.refused("restore", row["backup"])
    assert list((new.folder / "service").iterdir()) == []


def test_a_damaged_database_is_not_backed_up(institute: Shell, tmp_path: Path) -> None:
    (institute.folder / "service" / "service.sqlite3").write_bytes(b"no database" * 999)
    assert "file is not a database" in institute.refused("backup", str(tmp_path / "backups"))
    assert list((tmp_path / "backups").iterdir()) == []


def test_a_missing_database_is_not_backed_up(new_shell: Shell, tmp_path: Path) -> None:
    assert "There is no database" in new_shell.refused("backup", str(tmp_path / "backups"))
    assert not (tmp_path / "backups").exists()


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_postgresql_has_tools_of_its_own(shell: Shell, command: str, tmp_path: Path) -> None:
    address = "postgresql+psycopg://lms@127.0.0.1:1/lms"
    assert "pg_dump" in shell.refused(command, str(tmp_path), "--database-url", address)


def test_a_shared_media_folder_is_backed_up_and_restored(institute: Shell, tmp_path: Path) -> None:
    shared, other = tmp_path / "shared", tmp_path / "other"
    for folder in (shared, other):
        folder.mkdir()
    (shared / "photos").mkdir()
    (shared / "photos" / "1.png").write_bytes(b"a photo")
    (row,) = institute.ask("backup", str(tmp_path / "backups"), "--media-dir", str(shared))
    elsewhere(institute, tmp_path / "new").ask("restore", row["backup"], "--media-dir", str(other))
    assert content(other) == {"photos/1.png": b"a photo"}


def test_rows_say_what_was_written(institute: Shell, tmp_path: Path) -> None:
    (row,) = institute.ask("backup", str(tmp_path / "backups"))
    expected: dict[str, Any] = {"files": 3, "removed": []}
    assert {name: row[name] for name in expected} == expected
    assert row["bytes"] > len(FILM)
    assert Path(row["backup"]).parent == tmp_path / "backups"


def test_a_restored_institute_has_a_new_epoch(institute: Shell, backup: Path) -> None:
    def epoch() -> str:
        """Start the service as far as its epoch, with the mark as a running one left it."""
        with closing(Database.in_file(institute.folder / "service" / "service.sqlite3")) as database:
            told = Epoch(database, institute.folder / "service" / "epoch.mark")
            told.open()
            return told.value

    first = epoch()
    assert epoch() == first
    institute.ask("restore", str(backup), "--replace")
    assert epoch() != first
