"""The process of the service, from its settings to its exit code."""

import sqlite3
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from lms_tui.common.hosts import is_loopback
from lms_tui.service.core.settings import ServiceSettings
from lms_tui.service.server.errors import ServiceError
from lms_tui.service.server.serving import ignore_step, log_to_file


def run(settings: ServiceSettings) -> int:
    """Serve until a signal, or the end of standard input if the settings say so. Return the exit code.

    The first line on standard output is `Listening on http://HOST:PORT`, written when connections are accepted. Raises
    AdvisedError if the service cannot start.
    """
    _check_settings(settings)
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    with ExitStack() as stack:
        stack.enter_context(log_to_file(settings.log))
        tell = _tell_step if settings.tell_steps else ignore_step
        if settings.is_practice:
            from lms_tui.service.server.home.opening import ready_institute, run_home  # noqa: PLC0415  # practice only

            if not _make_institute(settings, tell):
                return 0
            institute = ready_institute(settings, stack)
            if institute is not None:
                return run_home(settings, institute, stack)
        from lms_tui.service.server.building import run_whole  # noqa: PLC0415  # SQLAlchemy takes long to import

        return run_whole(settings, tell, stack)


def _check_settings(settings: ServiceSettings) -> None:
    if settings.demo and not is_loopback(settings.host):
        raise ServiceError(
            f"The demo institute has public passwords and must not listen on {settings.host}.",
            "Leave out --host, or serve your own institute.",
        )
    if settings.fault_injection is not None and (settings.workers > 1 or not is_loopback(settings.host)):
        raise ServiceError(
            "Faults and a movable clock need a single process that listens only on this computer.",
            "Leave out --host and --workers, or --fault, --clock-speed and --bench.",
        )
    if settings.is_dry_run and settings.database_url:
        raise ServiceError("The exam of a dry run is kept in a file.", "Leave out --database-url.")
    if settings.workers > 1 and settings.database.get_backend_name() == "sqlite":
        raise ServiceError(
            "SQLite allows only one process.",
            "Leave out --workers, or give a PostgreSQL database with --database-url.",
        )


def _tell_step(words: str) -> None:
    print(f"Step {words}", flush=True)  # noqa: T201  # the parent shows it


def _make_institute(settings: ServiceSettings, tell: Callable[[str], None]) -> bool:
    """Make the database of the demo institute or of a dry run, where there is none.

    Return False if the parent has ended before it sent the exam.
    """
    file = _missing_file(settings)
    if file is None:
        return True
    if not settings.demo:
        return _make_dry_run(settings, file)
    from lms_tui.service.demo.template import copy_institute  # noqa: PLC0415  # needed by the first start only

    tell("Making the practice institute")
    # Errors are explained when the database is opened. If there are none then, the institute is built.
    with suppress(OSError, sqlite3.Error):
        copy_institute(file, settings.clock())
    return True


def _make_dry_run(settings: ServiceSettings, file: Path) -> bool:
    from lms_tui.service.admin.dry_run import make_dry_run, read_files  # noqa: PLC0415  # needed by a dry run only
    from lms_tui.service.core.passwords import Passwords  # noqa: PLC0415  # as above

    if settings.exam_given:
        from lms_tui.banks.exam_transfer import received  # noqa: PLC0415  # as above

        try:
            exams = [received(0)]
        except EOFError:
            return False
    else:
        exams = read_files(settings.exam_files)
    passwords = Passwords(settings.limits.password)
    try:
        make_dry_run(file, exams, settings.practice_user, passwords, settings.clock(), settings.practice_slug)
    except sqlite3.Error as error:
        from lms_tui.service.core.database.opening import unusable  # noqa: PLC0415  # it imports SQLAlchemy

        raise unusable(settings.database, error) from error
    return True


def _missing_file(settings: ServiceSettings) -> Path | None:
    """Return the SQLite file of the settings if it does not exist."""
    if not settings.database_url:
        return None if settings.database_file.exists() else settings.database_file
    from lms_tui.service.core.database.opening import missing_file  # noqa: PLC0415  # it imports SQLAlchemy

    return missing_file(settings.database_url)
