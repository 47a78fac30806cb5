"""The only module that knows every implementation: builds them for one run of the app, and ends them with it."""

import asyncio
import gc
import logging
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack
from importlib import import_module
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lms_tui.attempt.clock import SpedClock, SystemClock
from lms_tui.client.redaction import RedactingFilter
from lms_tui.common.cleaning import clean_line
from lms_tui.common.private_files import make_private_folder
from lms_tui.common.settings import Paths, Settings, SettingsError, find_paths, load
from lms_tui.common.user_errors import AdvisedError
from lms_tui.runtime.image_cache import ImageCache
from lms_tui.runtime.profiles import ProfileList
from lms_tui.runtime.service_process import ServiceProcess
from lms_tui.runtime.session_provider import HttpSessionProvider
from lms_tui.views.ports import Dependencies, Opening

if TYPE_CHECKING:
    from lms_tui.attempt.ports import AttemptKey, Clock, Journal, JournalRecord, Journals, Unfinished
    from lms_tui.banks.model import Reading
    from lms_tui.client.port import Lms
    from lms_tui.runtime.dry_run import DryRun, Request
    from lms_tui.tui.app import LmsApp

_LARGEST_LOG: Final = 1024 * 1024
_FAREWELL: Final = 0.8
_DEMO: Final = ("--demo",)
_NO_SETTINGS: Final = frozenset({"plain", "record"})


class CannotOpenError(AdvisedError):
    """The app cannot be opened like this; `advice` says what to do."""


class _Journals:
    """The journals in a directory, opened when an attempt needs one: the first paint does without SQLite."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def open(self, key: "AttemptKey", title: str) -> "Journal":
        return self._journals().open(key, title)

    def look(self, key: "AttemptKey") -> "JournalRecord":
        return self._journals().look(key)

    def unfinished(self, origin: str, user_id: int) -> "tuple[Unfinished, ...]":
        return self._journals().unfinished(origin, user_id)

    def _journals(self) -> "Journals":
        from lms_tui.attempt.journal.store import FileJournals  # noqa: PLC0415 - see above

        return FileJournals(self._folder)


def run_app(data_dir: Path | None, look: Mapping[str, object]) -> int:
    """Open the app at the sign-in screen, which goes on by itself with a kept token; return the exit code."""
    settings = _prepare(data_dir, look)
    with ExitStack() as stack:
        provider = _provider(settings, _child(settings, settings.paths.data, _DEMO, stack))
        _record(look, provider, stack)
        return _run(settings, provider, Opening(), settings.paths.journals, plain=_plain(look))


def run_demo(username: str, data_dir: Path | None, look: Mapping[str, object]) -> int:
    """Open the app in the demo institute, signed in as somebody of it; return the exit code."""
    settings = _prepare(data_dir, look)
    with ExitStack() as stack:
        child = _child(settings, settings.paths.data, _DEMO, stack)
        child.launch()
        provider = _provider(settings, child)
        _record(look, provider, stack)
        opening = Opening(_entrance(provider, username, "attempts"))
        return _run(settings, provider, opening, settings.paths.journals, plain=_plain(look))


def run_dry(request: "Request", data_dir: Path | None, look: Mapping[str, object]) -> int:
    """Open the instructions of an exam file in a service of its own; raises CannotTryError and CannotOpenError.

    The service starts while the file is read and the app is imported: it is what takes longest.
    """
    from lms_tui.runtime.dry_run import SLUG, digest_of, opened  # noqa: PLC0415 - only a dry run needs it

    settings = _prepare(data_dir, look)
    data = _bytes_of(request.file)
    with ExitStack() as stack:
        run = stack.enter_context(opened(request, settings.paths.data, digest_of(data)))
        child = _child(settings, run.folder, run.service_arguments(), stack)
        child.launch()
        from lms_tui.banks.exam_transfer import packed  # noqa: PLC0415 - after the service has been started

        try:
            reading = _read(request.file, data)
            _refuse_unless_timed(reading, request)
        except BaseException:
            child.kill()  # it waits for an exam that does not come
            raise
        child.give(packed(reading.exam))
        provider = _provider(settings, child)
        _record(look, provider, stack)

        enter = _entrance(provider, request.username, "instructions")
        plain_clock = request.speed == 1.0 and not request.resume
        clock = SystemClock() if plain_clock else SpedClock(request.speed, run.since.timestamp())
        badge = "dry run" if request.speed == 1.0 else f"dry run ×{request.speed:g}"
        code = _run(settings, provider, Opening(enter, SLUG, badge), run.journals, clock, plain=_plain(look))
        _farewell(run)
        return code


def _entrance(provider: HttpSessionProvider, username: str, screen: str) -> "Callable[[], Awaitable[Lms]]":
    """The way into the practice service; what the named screen needs is imported while that starts."""

    def warm() -> None:
        for name in (f"screens.{screen}.screen", "pictures"):
            import_module(f"lms_tui.tui.{name}")

    async def enter() -> "Lms":
        warming = asyncio.create_task(asyncio.to_thread(warm))
        try:
            lms = await provider.practice(username)
            await warming
        finally:
            gc.enable()
        return lms

    # What is imported until then stays: to look through it for garbage takes a tenth of the start.
    gc.disable()
    return enter


def _refuse_unless_timed(reading: "Reading", request: "Request") -> None:
    if request.left is None:
        return
    from lms_tui.banks.times import time_of  # noqa: PLC0415 - only --at needs it

    whole = time_of(reading.exam)
    if whole is None:
        raise CannotOpenError("This exam has no time limit, so that its time cannot be jumped over.", "Leave out --at.")
    if request.left >= whole:
        raise CannotOpenError(f"The exam takes {whole} only.", "Give --at a shorter time, such as 0:00:30.")


def _farewell(run: "DryRun") -> None:
    """Say what is left of a dry run, once the terminal shows it again."""
    from lms_tui.runtime.dry_run import SLUG, is_unfinished  # noqa: PLC0415 - only a dry run needs it

    folder, file = clean_line(str(run.request.keep)), clean_line(str(run.request.file))
    if run.request.keep is not None:
        print(  # noqa: T201 - for the person at the shell
            f"lms-tui: kept in {folder}; `lms-tui exam statistics {SLUG} --data-dir {folder}` says how it went.",
            file=sys.stderr,
        )
    elif is_unfinished(run.folder):
        print(  # noqa: T201 - the same
            f"lms-tui: left in the middle; `lms-tui try {file} --resume` goes on, until another dry run begins.",
            file=sys.stderr,
        )


def _plain(look: Mapping[str, object]) -> bool:
    """Whether lines are wanted instead of a screen: `--plain`."""
    return bool(look.get("plain"))


def _prepare(data_dir: Path | None, look: Mapping[str, object]) -> Settings:
    """Read the settings and make the directories they name; raises SettingsError and CannotOpenError."""
    drawn = not _plain(look) and "TEXTUAL_DRIVER" not in os.environ
    if drawn and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise CannotOpenError(
            "There is no terminal to draw on.", "Run it in a terminal, or with --plain as a dialogue of lines."
        )
    settings = load(
        find_paths(data_dir), options={name: value for name, value in look.items() if name not in _NO_SETTINGS}
    )
    paths = settings.paths
    for folder in (paths.data, paths.logs, paths.journals):
        try:
            make_private_folder(folder)
        except OSError as error:
            raise SettingsError(
                f"The directory {folder} cannot be used ({error.strerror}).", "Choose another one with --data-dir."
            ) from error
    _log_to_file(paths)
    return settings


def _log_to_file(paths: Paths) -> None:
    """Send the program's log to a file of its owner alone; Textual draws on standard error."""
    os.close(os.open(paths.log, os.O_WRONLY | os.O_CREAT, 0o600))
    handler = RotatingFileHandler(paths.log, maxBytes=_LARGEST_LOG, backupCount=1, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.addFilter(RedactingFilter())
    handler.setLevel(logging.WARNING)
    logging.getLogger().addHandler(handler)


def _child(settings: Settings, data_dir: Path, arguments: tuple[str, ...], stack: ExitStack) -> ServiceProcess:
    """Build the practice service; however the app ends, it ends with it."""
    child = ServiceProcess(("--data-dir", str(data_dir), *arguments), settings.paths.service_log)
    stack.callback(child.stop)
    return child


def _provider(settings: Settings, child: ServiceProcess) -> HttpSessionProvider:
    return HttpSessionProvider(settings, ProfileList(settings.paths.profiles), child)


def _record(look: Mapping[str, object], provider: HttpSessionProvider, stack: ExitStack) -> None:
    """Write every request into the file of `--record`, as they come; raises CannotOpenError."""
    file = look.get("record")
    if not isinstance(file, Path):
        return
    from lms_tui.client.har import HarFile  # noqa: PLC0415 - only where someone records

    try:
        har = HarFile(file)
    except OSError as error:
        words = f"{clean_line(str(file))} cannot be written ({error.strerror})."
        raise CannotOpenError(words, "Choose another file for --record.") from error
    stack.callback(har.close)
    provider.recording.listen(har.append)


def _run(
    settings: Settings,
    provider: HttpSessionProvider,
    opening: Opening,
    journals: Path,
    clock: "Clock | None" = None,
    *,
    plain: bool,
) -> int:
    images = ImageCache(settings.paths.pictures)
    dependencies = Dependencies(
        provider, _Journals(journals), clock or SystemClock(), settings, images, provider.recording
    )
    if plain:
        return _run_plain(dependencies, provider, opening)
    from lms_tui.tui.app import LmsApp  # noqa: PLC0415 - takes 150 ms, in which a service may start already

    app = LmsApp(dependencies, opening)

    async def run() -> int:
        ended = 0

        def end(number: int) -> None:
            nonlocal ended
            ended = 128 + number
            _end(app, provider, ended)

        if sys.platform != "win32":
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                asyncio.get_running_loop().add_signal_handler(number, end, number)
        try:
            await app.run_async()
        finally:
            await provider.close()
        return ended or app.return_code or 0

    return asyncio.run(run())


def _run_plain(dependencies: Dependencies, provider: HttpSessionProvider, opening: Opening) -> int:
    """The same exam as a dialogue of lines; a signal ends it as it ends any program that reads lines."""
    from lms_tui.plain.line_io import Console  # noqa: PLC0415 - the screen does without
    from lms_tui.plain.program import PlainProgram  # noqa: PLC0415 - the screen does without

    async def run() -> int:
        ended = 0
        task = asyncio.current_task()

        def end(number: int) -> None:
            nonlocal ended
            ended = 128 + number
            if task is not None:
                task.cancel()

        if sys.platform != "win32":
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                asyncio.get_running_loop().add_signal_handler(number, end, number)
        try:
            await PlainProgram(Console(), dependencies, opening).run()
        except asyncio.CancelledError:
            if not ended:
                raise
        finally:
            await provider.close()
        return ended

    return asyncio.run(run())


def _end(app: "LmsApp", provider: HttpSessionProvider, return_code: int) -> None:
    """End the program after a signal; what is being typed is saved first."""
    # Restoring a terminal that is gone may never return.
    watchdog = threading.Timer(_FAREWELL, os._exit, (return_code,))
    watchdog.daemon = True
    watchdog.start()
    provider.end_practice()
    app.leave(return_code)


def _bytes_of(file: Path) -> bytes:
    from lms_tui.banks.limits import LARGEST  # noqa: PLC0415 - only a dry run reads exam files

    shown = clean_line(str(file))
    if file.exists() and not file.is_file():
        raise CannotOpenError(f"{shown} is not a file.", "Give the file that holds the questions.")
    try:
        with file.open("rb") as stream:
            return stream.read(LARGEST + 1)
    except OSError as error:
        raise CannotOpenError(f"{shown} cannot be read ({error.strerror}).", "Check its name and place.") from error


def _read(file: Path, data: bytes) -> "Reading":
    """Read the exam before it is shown, and say what of it could not be read; raises NotAnExam and its kin."""
    from lms_tui.banks.reader import read_exam  # noqa: PLC0415 - only a dry run reads exam files

    shown = clean_line(str(file))
    reading = read_exam(data, file.name)
    if not reading.exam.questions:
        reason = f" ({reading.errors[0].message.rstrip('.')})" if reading.errors else ""
        raise CannotOpenError(f"{shown} holds no question that can be sat{reason}.", "Correct the file.")
    if reading.errors:
        first = reading.errors[0]
        where = f"line {first.line}: " if first.line else ""
        count = len(reading.errors)
        print(  # noqa: T201 - the terminal shows it again when the app has ended
            f"lms-tui: {shown}: {count} {'part' if count == 1 else 'parts'} could not be read, the first at "
            f"{where}{clean_line(first.message)}",
            file=sys.stderr,
        )
    return reading
