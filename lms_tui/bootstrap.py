"""The only module that knows every implementation: builds them for one run of the app, and ends them with it."""

import asyncio
import logging
import os
import signal
import sys
import threading
from collections.abc import Mapping
from contextlib import ExitStack
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lms_tui.accounts import ProfileList, make_private_folder
from lms_tui.attempt.clock import SystemClock
from lms_tui.child import ServiceChild
from lms_tui.cleaning import clean_line
from lms_tui.client.redaction import RedactingFilter
from lms_tui.gate import HttpGate
from lms_tui.settings import Paths, Settings, SettingsError, find_paths, load
from lms_tui.tui.app import LmsApp
from lms_tui.tui.ports import Dependencies, Opening

if TYPE_CHECKING:
    from lms_tui.attempt.ports import AttemptKey, Journal, JournalRecord, Journals, Unfinished
    from lms_tui.banks.model import Reading
    from lms_tui.client.port import Lms

_LARGEST_LOG: Final = 1024 * 1024
_FAREWELL: Final = 0.8
_DEMO: Final = ("--demo",)


class CannotOpenError(Exception):
    """The app cannot be opened like this; `advice` says what to do."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


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
        from lms_tui.attempt.journal import SqliteJournals  # noqa: PLC0415 - see above

        return SqliteJournals(self._folder)


def run_app(data_dir: Path | None, look: Mapping[str, object]) -> int:
    """Open the app at the sign-in screen, which goes on by itself with a kept token; return the exit code."""
    settings = _prepare(data_dir, look)
    with ExitStack() as stack:
        gate = _gate(settings, settings.paths.data, _DEMO, stack)
        return _run(settings, gate, Opening(), settings.paths.journals, plain=_plain(look))


def run_demo(data_dir: Path | None, look: Mapping[str, object]) -> int:
    """Open the app in the demo institute, signed in as asha; return the exit code."""
    settings = _prepare(data_dir, look)
    with ExitStack() as stack:
        gate = _gate(settings, settings.paths.data, _DEMO, stack)
        return _run(settings, gate, Opening(gate.practice), settings.paths.journals, plain=_plain(look))


def run_dry(file: Path, username: str, data_dir: Path | None, look: Mapping[str, object]) -> int:
    """Open the instructions of an exam file in a service that is thrown away, answers and all, when the app ends."""
    from tempfile import TemporaryDirectory  # noqa: PLC0415 - the first paint does without

    settings = _prepare(data_dir, look)
    reading = _read(file)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="lms-tui-", ignore_cleanup_errors=True)))
        gate = _gate(settings, folder, ("--exam", str(file.absolute()), "--practice-user", username), stack)

        async def enter() -> "Lms":
            return await gate.practice(username)

        opening = Opening(enter, reading.exam.slug, "dry run")
        return _run(settings, gate, opening, folder / "journals", plain=_plain(look))


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
    settings = load(find_paths(data_dir), options={name: value for name, value in look.items() if name != "plain"})
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


def _gate(settings: Settings, data_dir: Path, arguments: tuple[str, ...], stack: ExitStack) -> HttpGate:
    """Build the ways in; however the app ends, the practice service ends with it."""
    child = ServiceChild(("--data-dir", str(data_dir), *arguments), settings.paths.service_log)
    stack.callback(child.stop)
    return HttpGate(settings, ProfileList(settings.paths.profiles), child)


def _run(settings: Settings, gate: HttpGate, opening: Opening, journals: Path, *, plain: bool) -> int:
    dependencies = Dependencies(gate, _Journals(journals), SystemClock(), settings)
    if plain:
        return _run_plain(dependencies, gate, opening)
    app = LmsApp(dependencies, opening)

    async def run() -> None:
        if sys.platform != "win32":
            for number in (signal.SIGTERM, signal.SIGHUP):
                asyncio.get_running_loop().add_signal_handler(number, _end, app, gate, number)
        try:
            await app.run_async()
        finally:
            await gate.close()

    asyncio.run(run())
    return app.return_code or 0


def _run_plain(dependencies: Dependencies, gate: HttpGate, opening: Opening) -> int:
    """The same exam as a dialogue of lines; a signal ends it as it ends any program that reads lines."""
    from lms_tui.plain.front import Front  # noqa: PLC0415 - the screen does without
    from lms_tui.plain.talk import Console  # noqa: PLC0415 - the screen does without

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
            await Front(Console(), dependencies, opening).run()
        except asyncio.CancelledError:
            if not ended:
                raise
        finally:
            await gate.close()
        return ended

    return asyncio.run(run())


def _end(app: LmsApp, gate: HttpGate, number: int) -> None:
    """Leave because someone asked or the terminal went away; what is answered is on disk already."""
    # Restoring a terminal that is gone may never return.
    watchdog = threading.Timer(_FAREWELL, os._exit, (128 + number,))
    watchdog.daemon = True
    watchdog.start()
    gate.end_practice()
    app.exit(return_code=128 + number)


def _read(file: Path) -> "Reading":
    """Read the exam before anything starts, and say what of it could not be read; raises NotAnExam and its kin."""
    from lms_tui.banks.reader import LARGEST, read_exam  # noqa: PLC0415 - only a dry run reads exam files

    shown = clean_line(str(file))
    if file.exists() and not file.is_file():
        raise CannotOpenError(f"{shown} is not a file.", "Give the file that holds the questions.")
    try:
        with file.open("rb") as stream:
            reading = read_exam(stream.read(LARGEST + 1), file.name)
    except OSError as error:
        raise CannotOpenError(f"{shown} cannot be read ({error.strerror}).", "Check its name and place.") from error
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
