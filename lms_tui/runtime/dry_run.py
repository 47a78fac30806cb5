"""The directories of dry runs (`lms-tui try`).

A dry run is a directory with the database of its service, its journals, and the name of the exam file. Directories
without --keep are in the data directory. An unfinished one stays for --resume until another dry run starts.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Final

from lms_tui.banks.file_options import AS_FOUND, FileOptions
from lms_tui.common.cleaning import clean_line
from lms_tui.common.file_locks import lock_file
from lms_tui.common.frozen import frozen
from lms_tui.common.private_files import BINARY, make_private_folder, write_private
from lms_tui.common.user_errors import AdvisedError

SLUG: Final = "dry-run"
_ABOUT: Final = "dry-run.json"
_LOCK: Final = ".lock"
_DATABASE: Final = Path("service", "service.sqlite3")


PRACTICE_USER: Final = "asha"


class CannotTryError(AdvisedError):
    """The dry run cannot start or resume."""


@frozen
class Request:
    """The options of `lms-tui try`.

    `left` is the time left at the start, and `keep` the directory for the results. `duration` is the time limit of the
    whole exam, None for that of the file. `reading` says how the file is read.
    """

    file: Path
    username: str = PRACTICE_USER
    speed: float = 1.0
    left: timedelta | None = None
    resume: bool = False
    keep: Path | None = None
    duration: timedelta | None = None
    reading: FileOptions = AS_FOUND


@frozen
class DryRun:
    """A dry run that only this process has open. Its clock shows `since` at the moment `begun`."""

    folder: Path
    request: Request
    since: datetime
    begun: datetime

    @property
    def journals(self) -> Path:
        return self.folder / "journals"

    def service_arguments(self) -> tuple[str, ...]:
        """Return the options for `lms-tui serve`."""
        left = () if self.request.left is None else ("--begins-with", str(self.request.left.total_seconds()))
        return (
            *("--exam-given", "--practice-user", self.request.username, "--practice-slug", SLUG),
            *("--speed", str(self.request.speed), "--since", self.since.isoformat(), "--begun", self.begun.isoformat()),
            *left,
        )


@contextmanager
def opened(request: Request, data: Path, digest: str) -> Iterator[DryRun]:
    """Open a new directory, or the one to resume. Delete abandoned directories, and this one if it is finished.

    `data` is the data directory and `digest` that of the exam file. Raises CannotTryError and OSError.
    """
    about = {"file": request.file.name, "digest": digest, "as": request.username}
    if request.keep is None:
        make_private_folder(data / "dry-runs")
        with _locked(data / "dry-runs" / _LOCK) as turn:
            if turn is None:
                raise CannotTryError("Another dry run is starting.", "Try again.")
            folder, lock = _chosen(data / "dry-runs", about, request)
    else:
        folder, lock = request.keep, _of_keep(request.keep, about, request)
    try:
        write_private(folder / _ABOUT, json.dumps(about, ensure_ascii=False).encode())
        now = datetime.now(UTC)
        yield DryRun(folder, request, _last_moment(folder) if request.resume else now, now)
    finally:
        if request.keep is None and not is_unfinished(folder):
            shutil.rmtree(folder, ignore_errors=True)
        lock.close()


def is_unfinished(folder: Path) -> bool:
    """Return whether an attempt is still running."""
    return bool(_asked(folder, "SELECT 1 FROM attempts WHERE state = 'Running' LIMIT 1"))


def _chosen(runs: Path, about: dict[str, str], request: Request) -> tuple[Path, IO[bytes]]:
    """Return the directory to use with its lock, and delete all others that no process has open."""
    found: tuple[Path, IO[bytes]] | None = None
    for folder in sorted(path for path in runs.iterdir() if path.is_dir()):
        lock = _lock(folder / _LOCK)
        if lock is None:
            continue
        if request.resume and found is None and _about(folder) == about and is_unfinished(folder):
            found = folder, lock
            continue
        shutil.rmtree(folder, ignore_errors=True)
        lock.close()
    if found is not None:
        return found
    if request.resume:
        raise _nothing_to_resume(request)
    # A new name, because the service of a dry run that was killed may still write to the old one.
    folder = runs / f"{about['digest'][:12]}-{os.urandom(4).hex()}"
    folder.mkdir(mode=0o700)
    return folder, _held(folder)


def _of_keep(folder: Path, about: dict[str, str], request: Request) -> IO[bytes]:
    """Create or open the directory of --keep and return its lock. Nothing in it is ever deleted."""
    shown = clean_line(str(folder))
    known = _about(folder)
    if request.resume:
        if known != about or not is_unfinished(folder):
            raise _nothing_to_resume(request)
    elif folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise CannotTryError(
            f"{shown} is not an empty directory.",
            "Resume the dry run in it with --resume, or choose another." if known else "Choose another.",
        )
    make_private_folder(folder)
    return _held(folder)


def _held(folder: Path) -> IO[bytes]:
    lock = _lock(folder / _LOCK)
    if lock is None:
        raise CannotTryError("This dry run is open in another terminal.", "Continue there, or close it.")
    return lock


def _nothing_to_resume(request: Request) -> CannotTryError:
    where = "" if request.keep is None else f" in {clean_line(str(request.keep))}"
    return CannotTryError(
        f"There is no unfinished dry run of {clean_line(request.file.name)} as {clean_line(request.username)}{where}.",
        "Leave out --resume to start one.",
    )


def _about(folder: Path) -> dict[str, str] | None:
    try:
        told = json.loads((folder / _ABOUT).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None


def _last_moment(folder: Path) -> datetime:
    """Return the last contact with the service. The clock of a dry run stops while it is closed."""
    (told,) = _asked(folder, "SELECT max(last_contact) FROM attempts") or ("",)
    try:
        moment = datetime.fromisoformat(str(told))
    except ValueError:
        return datetime.now(UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _asked(folder: Path, question: str) -> tuple[object, ...]:
    """Return the first row of a query, or () if there is no readable database."""
    if not (folder / _DATABASE).is_file():
        return ()
    import sqlite3  # noqa: PLC0415 - most runs need no database

    try:
        with closing(sqlite3.connect(folder / _DATABASE)) as connection:
            return connection.execute(question).fetchone() or ()
    except sqlite3.Error:
        return ()


def digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@contextmanager
def _locked(path: Path) -> Iterator[IO[bytes] | None]:
    lock = _lock(path, wait=True)
    try:
        yield lock
    finally:
        if lock is not None:
            lock.close()


def _lock(path: Path, *, wait: bool = False) -> IO[bytes] | None:
    """Return a file lock that ends with this process, or None if another process holds it."""
    stream = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | BINARY, 0o600), "r+b")
    try:
        lock_file(stream.fileno(), wait=wait)
    except OSError:
        stream.close()
        return None
    return stream
