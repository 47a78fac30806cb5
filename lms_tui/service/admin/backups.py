"""Backups of an institute on SQLite: folders with the database, the key and the media, as a new computer needs them."""

import hashlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any, Final

from pydantic import BaseModel, ValidationError
from sqlalchemy.engine import URL

from lms_tui import __version__
from lms_tui.common.private_files import make_private_folder, sync_path, write_new
from lms_tui.common.user_errors import AdvisedError
from lms_tui.service.core.database import sqlite_files
from lms_tui.service.core.database.epoch import new_epoch
from lms_tui.service.core.database.opening import open_database, reason
from lms_tui.service.core.settings import ServiceSettings

Row = dict[str, Any]
_DATABASE: Final = "service.sqlite3"
_KEY: Final = "secret.key"
_MEDIA: Final = "media"
_MANIFEST: Final = "backup.json"
_NAME: Final = "lms-%Y%m%dT%H%M%SZ"
_NAMES: Final = "lms-*Z"


class _File(BaseModel):
    bytes: int
    sha256: str


class _Manifest(BaseModel):
    """The list of the files of a backup."""

    created: datetime
    program: str
    files: dict[str, _File]

    @property
    def is_sound(self) -> bool:
        """Return whether the database is listed and no name leads out of the folder."""
        names = [PurePosixPath(name) for name in self.files]
        return _DATABASE in self.files and not any(name.is_absolute() or ".." in name.parts for name in names)


class BackupError(AdvisedError):
    """A backup cannot be made or restored."""


def back_up(settings: ServiceSettings, folder: Path, now: datetime, keep: int | None = None) -> Row:
    """Write a dated backup into a folder and check it. The service may be running. Return a row about the backup.

    `keep`: how many backups stay in the folder. The newest stay, and all if it is None. Raises BackupError and OSError.
    """
    source = _database_of(settings)
    if not source.is_file():
        raise BackupError(f"There is no database {source}.", "Name the data directory with --data-dir.")
    make_private_folder(folder)
    target = folder / now.astimezone(UTC).strftime(_NAME)
    if target.exists():
        raise BackupError(f"The backup {target} exists already.", "Try again in a second.")
    before = next(iter(_backups_in(folder)), None)
    with _draft(folder) as draft:
        try:
            # The database first: a photo that comes later is one too many, and none is missing.
            sqlite_files.copy(source, draft / _DATABASE)
        except sqlite3.Error as error:
            raise BackupError(
                f"The backup of {source} failed: {reason(error)}.",
                f"Check the database and the free space of {folder}. Earlier backups are unchanged.",
            ) from error
        if settings.key_file.is_file():
            _copy(settings.key_file, draft / _KEY)
        _copy_media(settings.media, draft, before)
        manifest = _Manifest(created=now.astimezone(UTC), program=__version__, files=_described(draft))
        write_new(draft / _MANIFEST, manifest.model_dump_json(indent=1).encode())
        _sync(draft)
        draft.rename(target)
    sync_path(folder)
    removed = [] if keep is None else _backups_in(folder)[keep:]
    for old in removed:
        shutil.rmtree(old)
    return _row(target, manifest) | {"removed": [old.name for old in removed]}


def restore(
    settings: ServiceSettings, backup: Path, database_file: Path | None = None, *, replace: bool = False
) -> Row:
    """Put the backup in a folder in place of the institute. Return what was restored.

    `database_file`: an SQLite file in place of the database of the backup.
    `replace`: also where the data directory has a database or another key. Raises BackupError, DatabaseInUse,
    NewerDatabase and OSError. The institute is then unchanged.
    """
    target = _database_of(settings)
    manifest = _checked(backup)
    if database_file is not None and not database_file.is_file():
        raise BackupError(f"There is no file {database_file}.", "Give --database a copy of an SQLite database.")
    _refuse_to_replace(target, settings.key_file, backup, replace=replace)
    make_private_folder(target.parent)
    with _draft(target.parent) as draft:
        try:
            sqlite_files.copy(database_file or backup / _DATABASE, draft / _DATABASE)
        except sqlite3.Error as error:
            raise BackupError(
                f"The database of the backup is damaged: {reason(error)}.", "Restore another one."
            ) from error
        with closing(open_database(URL.create("sqlite", database=str(draft / _DATABASE)))) as database:
            new_epoch(database)
        for name in manifest.files:
            if name.startswith(f"{_MEDIA}/"):
                _put(backup / name, settings.media / name.removeprefix(f"{_MEDIA}/"))
        try:
            sqlite_files.put_in_place(draft / _DATABASE, target)
        except sqlite3.Error as error:
            raise BackupError(
                f"The backup cannot be written to {target}: {reason(error)}.",
                "Check the free space and the permissions of the folder, and try again.",
            ) from error
    if (backup / _KEY).is_file():
        _put(backup / _KEY, settings.key_file)
    sync_path(target.parent)
    return _row(backup, manifest)


def _database_of(settings: ServiceSettings) -> Path:
    url = settings.database
    if url.get_backend_name() != "sqlite" or not url.database:
        raise BackupError(
            "This command is for SQLite databases only.",
            "Use pg_dump, pg_basebackup and pg_restore for PostgreSQL, as `lms-tui help operations` shows.",
        )
    return Path(url.database)


def _refuse_to_replace(database: Path, key: Path, backup: Path, *, replace: bool) -> None:
    if database.is_file() and database.stat().st_size:
        with suppress(sqlite3.DatabaseError), sqlite_files.held(database):
            pass
        if not replace:
            raise BackupError(
                f"There is a database {database} already.",
                "Back it up, then give --replace to overwrite it, or name an empty folder with --data-dir.",
            )
    if not replace and key.is_file() and (backup / _KEY).is_file() and key.read_bytes() != (backup / _KEY).read_bytes():
        raise BackupError(
            f"The key file {key} differs from the one of the backup.",
            "Give --replace to overwrite it, or name an empty folder with --data-dir.",
        )


def _checked(backup: Path) -> _Manifest:
    """Return the manifest of a backup whose files are all as they were written."""
    file = backup / _MANIFEST
    if not file.is_file():
        newest = next(iter(_backups_in(backup)), None)
        advice = "Name the folder of one backup." if newest is None else f"Its newest backup is {newest}."
        raise BackupError(f"{backup} is not a backup.", advice)
    try:
        manifest = _Manifest.model_validate_json(file.read_bytes())
    except ValidationError:
        manifest = None
    if manifest is None or not manifest.is_sound:
        raise BackupError(f"The list of files {file} is damaged.", "Restore another backup.")
    for name, written in manifest.files.items():
        if not (backup / name).is_file() or _digest(backup / name) != written.sha256:
            raise BackupError(f"The file {backup / name} is missing or damaged.", "Restore another backup.")
    return manifest


def _backups_in(folder: Path) -> list[Path]:
    """Return the backups in a folder, the newest first."""
    return sorted((path.parent for path in folder.glob(f"{_NAMES}/{_MANIFEST}")), reverse=True)


@contextmanager
def _draft(parent: Path) -> Iterator[Path]:
    """Make a folder that only its owner can enter. It is removed unless it was renamed."""
    draft = Path(tempfile.mkdtemp(dir=parent, prefix=".new-"))
    try:
        yield draft
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _copy_media(media: Path, draft: Path, before: Path | None) -> None:
    """Copy all media. A file of the backup before is linked, because media files never change."""
    for file in sorted(media.rglob("*")):
        name = file.relative_to(media)
        if not file.is_file() or any(part.startswith(".") for part in name.parts):
            continue
        target = draft / _MEDIA / name
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileNotFoundError):  # a video that was removed at this moment
            known = before / _MEDIA / name if before else None
            if known is not None and known.is_file() and known.stat().st_size == file.stat().st_size:
                with suppress(OSError):  # a file system without hard links
                    target.hardlink_to(known)
                    continue
            _copy(file, target)


def _copy(source: Path, target: Path) -> None:
    with source.open("rb") as old, os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as new:
        shutil.copyfileobj(old, new)
        new.flush()
        os.fsync(new.fileno())


def _put(source: Path, target: Path) -> None:
    """Copy a file over another one as a whole."""
    make_private_folder(target.parent)
    with _draft(target.parent) as draft:
        _copy(source, draft / target.name)
        (draft / target.name).replace(target)


def _described(folder: Path) -> dict[str, _File]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): _File(bytes=path.stat().st_size, sha256=_digest(path)) for path in files
    }


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _sync(folder: Path) -> None:
    """Make the files of a folder, and their names, durable."""
    for path in (*folder.rglob("*"), folder):
        sync_path(path)


def _row(backup: Path, manifest: _Manifest) -> Row:
    return {
        "backup": str(backup),
        "created": manifest.created.isoformat(),
        "files": len(manifest.files),
        "bytes": sum(file.bytes for file in manifest.files.values()),
    }
