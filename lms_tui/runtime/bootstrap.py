"""Build every part of the app for one run, and end them with it.

A practice service starts before `front_end` is imported, so that both work side by side. No other modules know every
implementation.
"""

import logging
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lms_tui.client.redaction import RedactingFilter
from lms_tui.common import collection
from lms_tui.common.cleaning import clean_line
from lms_tui.common.private_files import make_private_folder
from lms_tui.common.settings import Paths, Settings, SettingsError, find_paths, load
from lms_tui.runtime.exam_files import CannotOpenError
from lms_tui.runtime.profiles import ProfileList
from lms_tui.runtime.service_process import ServiceProcess
from lms_tui.tui.terminal.first_frame import FirstFrame

if TYPE_CHECKING:
    from logging.handlers import RotatingFileHandler

    from lms_tui.client.har import HarFile
    from lms_tui.runtime.dry_run import DryRun, Request
    from lms_tui.runtime.session_provider import HttpSessionProvider

_LARGEST_LOG: Final = 1024 * 1024
_PRACTICE: Final = "Practice institute on this computer"
_NO_SETTINGS: Final = frozenset({"plain", "record"})


def run_app(data_dir: Path | None, look: Mapping[str, object]) -> int:
    """Open the app with the saved token of the last profile, or at the sign-in screen. Return the exit code."""
    with first_frame(look, "Timed exams in the terminal") as frame:
        settings = prepare(data_dir, look)
        with demo_service(settings) as service, open_provider(settings, look, service) as provider:
            from lms_tui.runtime.front_end import opening_of_last, run_front_end  # noqa: PLC0415 - see above

            opening = opening_of_last(settings, provider)
            return run_front_end(settings, provider, opening, settings.paths.journals, frame, plain=is_plain(look))


def run_settings(data_dir: Path | None, look: Mapping[str, object]) -> int:
    """Open the settings screen."""
    with first_frame(look, "Settings") as frame:
        settings = prepare(data_dir, look)
        with demo_service(settings) as service, open_provider(settings, look, service) as provider:
            from lms_tui.runtime.front_end import run_front_end  # noqa: PLC0415 - see above
            from lms_tui.views.ports import Opening  # noqa: PLC0415 - the same

            opening = Opening(settings=True)
            return run_front_end(settings, provider, opening, settings.paths.journals, frame, plain=False)


def run_demo(username: str, data_dir: Path | None, look: Mapping[str, object]) -> int:
    """Open the app in the demo institute, signed in as one of its users. Return the exit code."""
    with first_frame(look, _PRACTICE) as frame:
        settings = prepare(data_dir, look)
        with demo_service(settings) as service, open_provider(settings, look, service) as provider:
            # Not sooner: two programs that start at once slow each other down, and the app needs longer to its list.
            service.launch()
            from lms_tui.runtime.front_end import opening_of_demo, run_front_end  # noqa: PLC0415 - see above

            opening = opening_of_demo(settings, provider, username, _PRACTICE)
            return run_front_end(settings, provider, opening, settings.paths.journals, frame, plain=is_plain(look))


def run_dry(request: "Request", data_dir: Path | None, look: Mapping[str, object]) -> int:
    """Open the instructions of an exam file in a separate service. Return the exit code.

    Raises CannotTryError and CannotOpenError. The file is read, and the service starts, beside the imports of the app.
    """
    from lms_tui.banks.limits import LARGEST  # noqa: PLC0415 - only a dry run needs these
    from lms_tui.common.reading import read_file  # noqa: PLC0415 - the same
    from lms_tui.runtime.dry_run import SLUG, digest_of, opened  # noqa: PLC0415 - the same
    from lms_tui.runtime.exam_packer import ExamPacker  # noqa: PLC0415 - the same

    title = f"Dry run of {clean_line(request.file.name)}"
    # This stack is closed after the frame, so what it prints stands on the screen of the shell.
    with ExitStack() as after, first_frame(look, title) as frame:
        settings = prepare(data_dir, look)
        data = read_file(request.file, LARGEST)
        run = after.enter_context(opened(request, settings.paths.data, digest_of(data)))
        with (
            open_service(settings, run.folder, run.service_arguments()) as service,
            closing(ExamPacker(request, data)) as packer,
            open_provider(settings, look, service, keeps_lists=False) as provider,
        ):
            service.launch()
            del data  # the exam stays with the service
            from lms_tui.attempt.clock import SpedClock  # noqa: PLC0415 - after the service has been started
            from lms_tui.runtime.front_end import practice_entrance, run_front_end  # noqa: PLC0415 - the same
            from lms_tui.views.ports import Opening  # noqa: PLC0415 - the same

            if frame.stands:
                import_module("lms_tui.tui.app")  # the other process reads the file meanwhile
            exam, remark = packer.exam()
            service.give(exam)
            if remark and frame.stands:
                after.callback(_print, remark)
            elif remark:
                _print(remark)
            clock = SpedClock(request.speed, run.since.timestamp()) if request.speed != 1.0 or request.resume else None
            badge = "dry run" if request.speed == 1.0 else f"dry run ×{request.speed:g}"
            opening = Opening(practice_entrance(provider, request.username), SLUG, badge, title)
            code = run_front_end(settings, provider, opening, run.journals, frame, clock, plain=is_plain(look))
            _print_next_step(run)
            return code


def first_frame(look: Mapping[str, object], title: str) -> FirstFrame:
    """Return a frame, which is shown if the app will draw on this terminal. The app then resumes the collection."""
    shown = not is_plain(look) and "TEXTUAL_DRIVER" not in os.environ and _is_terminal()
    if shown:
        collection.pause()
    return FirstFrame(title, "Opening the program ...", shown=shown)


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _print(words: str) -> None:
    print(words, file=sys.stderr)  # noqa: T201 - for the person at the shell


def _print_next_step(run: "DryRun") -> None:
    """Say where the results are or how to resume, after the app has left the terminal."""
    import shlex  # noqa: PLC0415 - only a dry run needs these

    from lms_tui.runtime.dry_run import PRACTICE_USER, SLUG, is_unfinished  # noqa: PLC0415 - the same

    folder, file = clean_line(str(run.request.keep)), clean_line(str(run.request.file))
    if run.request.keep is not None:
        words = f"results saved in {folder}. Show them: lms-tui exam statistics {SLUG} --data-dir {folder}"
    elif is_unfinished(run.folder):
        name = clean_line(run.request.username)
        options = "--resume" if name == PRACTICE_USER else f"--resume --as {name}"
        reading = clean_line(shlex.join(run.request.reading.words))
        words = f"unfinished. Resume it before the next dry run: lms-tui try {file} {options} {reading}".rstrip()
    else:
        return
    _print(f"lms-tui: {words}")


def is_plain(look: Mapping[str, object]) -> bool:
    return bool(look.get("plain"))


def prepare(data_dir: Path | None, look: Mapping[str, object]) -> Settings:
    """Read the settings and create the directories. Raises SettingsError, CannotOpenError and NewerProfilesError."""
    draws = not is_plain(look) and "TEXTUAL_DRIVER" not in os.environ
    if draws and not _is_terminal():
        raise CannotOpenError("This is not a terminal.", "Run lms-tui in a terminal, or use --plain for text lines.")
    settings = load(
        find_paths(data_dir), options={name: value for name, value in look.items() if name not in _NO_SETTINGS}
    )
    paths = settings.paths
    ProfileList(paths.profiles).all()  # refuses the list of a newer version before anything is written
    for folder in (paths.data, paths.logs, paths.journals):
        try:
            make_private_folder(folder)
        except OSError as error:
            words = f"The directory {folder} cannot be used ({error.strerror})."
            raise SettingsError(words, "Choose another one with --data-dir.") from error
    _log_to_file(paths)
    return settings


class _LogFile(logging.Handler):
    """A file of limited size. Its handler is imported with the first record, because most runs have none."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file
        self._written: RotatingFileHandler | None = None

    def emit(self, record: logging.LogRecord) -> None:
        if self._written is None:
            from logging.handlers import RotatingFileHandler  # noqa: PLC0415 - see above

            # With `delay`, the handler itself deals with a file that cannot be opened.
            self._written = RotatingFileHandler(
                self._file, maxBytes=_LARGEST_LOG, backupCount=1, encoding="utf-8", delay=True
            )
            self._written.setFormatter(self.formatter)
        self._written.emit(record)


def _log_to_file(paths: Paths) -> None:
    """Write the log to a private file, because Textual draws on standard error."""
    os.close(os.open(paths.log, os.O_WRONLY | os.O_CREAT, 0o600))
    logging.raiseExceptions = False  # a log that cannot be written must not print on the screen
    handler = _LogFile(paths.log)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.addFilter(RedactingFilter())
    handler.setLevel(logging.WARNING)
    logging.getLogger().addHandler(handler)


@contextmanager
def open_service(settings: Settings, data_dir: Path, arguments: tuple[str, ...] = ()) -> Iterator[ServiceProcess]:
    """Build the practice service, which ends with this context. An error kills it."""
    service = ServiceProcess(("--data-dir", str(data_dir), *arguments), settings.paths.service_log)
    try:
        yield service
    except BaseException:
        service.kill()
        raise
    service.stop()


def demo_service(settings: Settings) -> AbstractContextManager[ServiceProcess]:
    """Build the service of the demo institute."""
    return open_service(settings, settings.paths.data, ("--demo",))


@contextmanager
def open_provider(
    settings: Settings, look: Mapping[str, object], service: ServiceProcess, *, keeps_lists: bool = True
) -> "Iterator[HttpSessionProvider]":
    """Build the session provider. `keeps_lists`: keep the home screen of practice for the next start."""
    with ExitStack() as stack:
        har = _har_file(file, stack) if isinstance(file := look.get("record"), Path) else None
        lists = None
        if keeps_lists:
            from lms_tui.runtime.kept_lists import KeptLists  # noqa: PLC0415 - after the service has been started

            lists = KeptLists(settings.paths.secrets)
        from lms_tui.runtime.session_provider import HttpSessionProvider  # noqa: PLC0415 - the same

        provider = HttpSessionProvider(settings, ProfileList(settings.paths.profiles), service, lists)
        if har is not None:
            provider.recording.listen(har.append)
        yield provider


def _har_file(file: Path, stack: ExitStack) -> "HarFile":
    """Return a file for every request, which is closed at the end. Raises CannotOpenError."""
    from lms_tui.client.har import HarFile  # noqa: PLC0415 - only for --record

    try:
        har = HarFile(file)
    except OSError as error:
        words = f"{clean_line(str(file))} cannot be written ({error.strerror})."
        raise CannotOpenError(words, "Choose another file for --record.") from error
    stack.callback(har.close)
    return har
