"""Build every part of the app for one run, and end them with it. No other module knows every implementation."""

import asyncio
import gc
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import import_module
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from lms_tui.attempt.clock import SpedClock, SystemClock
from lms_tui.client.redaction import RedactingFilter
from lms_tui.common.cleaning import clean_line
from lms_tui.common.private_files import make_private_folder
from lms_tui.common.settings import Paths, Settings, SettingsError, find_paths, load
from lms_tui.runtime.exam_files import CannotOpenError, packed_exam
from lms_tui.runtime.image_cache import ImageCache
from lms_tui.runtime.profiles import ProfileList
from lms_tui.runtime.service_process import ServiceProcess
from lms_tui.runtime.session_provider import HttpSessionProvider, practice_profile
from lms_tui.tui.terminal.first_frame import FirstFrame
from lms_tui.views.ports import Dependencies, Entrance, OnStep, Opening, SessionProvider, UserSession

if TYPE_CHECKING:
    from lms_tui.attempt.ports import AttemptKey, Clock, Journal, JournalRecord, Journals, Outstanding
    from lms_tui.client.recording import Recording
    from lms_tui.practice.decks import Decks
    from lms_tui.runtime.dry_run import DryRun, Request
    from lms_tui.runtime.kept_lists import KeptLists
    from lms_tui.tui.app import LmsApp
    from lms_tui.tui.terminal.state import TerminalState

_LARGEST_LOG: Final = 1024 * 1024
_LONGEST_END: Final = 3.0
"""Seconds that the app may take to end after a signal."""
_DEMO: Final = ("--demo",)
_PRACTICE: Final = "Practice institute on this computer"
_NO_SETTINGS: Final = frozenset({"plain", "record"})


class _Provider(SessionProvider, Protocol):
    @property
    def recording(self) -> "Recording": ...
    def end_practice(self) -> None: ...


class _Journals:
    """The journals in a directory. The store is imported with the first attempt, not before the first paint."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def open(self, key: "AttemptKey", title: str) -> "Journal":
        return self._journals().open(key, title)

    def look(self, key: "AttemptKey") -> "JournalRecord":
        return self._journals().look(key)

    def outstanding(self, origin: str, user_id: int) -> "Outstanding":
        return self._journals().outstanding(origin, user_id)

    def _journals(self) -> "Journals":
        from lms_tui.attempt.journal.store import FileJournals  # noqa: PLC0415 - see above

        return FileJournals(self._folder)


def run_app(data_dir: Path | None, look: Mapping[str, object]) -> int:
    """Open the app with the saved token of the last profile, or at the sign-in screen. Return the exit code."""
    with first_frame(look, "Timed exams in the terminal") as frame:
        settings = prepare(data_dir, look)
        with open_provider(settings, look, settings.paths.data, _DEMO) as (_, provider):
            opening = _opening_of_last(settings, provider)
            return run_front_end(settings, provider, opening, settings.paths.journals, frame, plain=is_plain(look))


def run_settings(data_dir: Path | None, look: Mapping[str, object]) -> int:
    """Open the settings screen."""
    with first_frame(look, "Settings") as frame:
        settings = prepare(data_dir, look)
        with open_provider(settings, look, settings.paths.data, _DEMO) as (_, provider):
            return run_front_end(
                settings, provider, Opening(settings=True), settings.paths.journals, frame, plain=False
            )


def run_demo(username: str, data_dir: Path | None, look: Mapping[str, object]) -> int:
    """Open the app in the demo institute, signed in as one of its users. Return the exit code."""
    with first_frame(look, _PRACTICE) as frame:
        settings = prepare(data_dir, look)
        with open_provider(settings, look, settings.paths.data, _DEMO) as (service, provider):
            service.launch()
            kept = _lists(settings).read(practice_profile(username))
            opening = Opening(_sign_in(provider, username, "home"), title=_PRACTICE, kept=kept)
            return run_front_end(settings, provider, opening, settings.paths.journals, frame, plain=is_plain(look))


def run_dry(request: "Request", data_dir: Path | None, look: Mapping[str, object]) -> int:
    """Open the instructions of an exam file in a separate service. Return the exit code.

    Raises CannotTryError and CannotOpenError. The service starts first, because its start takes longest.
    """
    from lms_tui.banks.limits import LARGEST  # noqa: PLC0415 - only a dry run needs these
    from lms_tui.common.reading import read_file  # noqa: PLC0415 - the same
    from lms_tui.runtime.dry_run import SLUG, digest_of, opened  # noqa: PLC0415 - the same

    title = f"Dry run of {clean_line(request.file.name)}"
    # Unwound after the frame: what is printed then stands on the screen of the shell.
    with ExitStack() as after, first_frame(look, title) as frame:
        settings = prepare(data_dir, look)
        data = read_file(request.file, LARGEST)
        run = after.enter_context(opened(request, settings.paths.data, digest_of(data)))
        with open_provider(settings, look, run.folder, run.service_arguments()) as (service, provider):
            service.launch()
            try:
                exam, remark = packed_exam(request, data)
            except BaseException:
                service.kill()  # it waits for the exam
                raise
            service.give(exam)
            if remark and frame.stands:
                after.callback(_print, remark)
            elif remark:
                _print(remark)
            clock = SpedClock(request.speed, run.since.timestamp()) if request.speed != 1.0 or request.resume else None
            badge = "dry run" if request.speed == 1.0 else f"dry run ×{request.speed:g}"
            opening = Opening(_sign_in(provider, request.username, "instructions"), SLUG, badge, title)
            code = run_front_end(settings, provider, opening, run.journals, frame, clock, plain=is_plain(look))
            _print_next_step(run)
            return code


def _decks(journals: Path, clock: "Clock") -> "Decks":
    from lms_tui.runtime.practising import decks_of  # noqa: PLC0415 - the first paint does without

    return decks_of(journals, clock)


def _lists(settings: Settings) -> "KeptLists":
    from lms_tui.runtime.kept_lists import KeptLists  # noqa: PLC0415 - the first frame does without

    return KeptLists(settings.paths.secrets)


def _opening_of_last(settings: Settings, provider: HttpSessionProvider) -> Opening:
    """Return an opening with the kept list of the last profile, or the sign-in screen without one."""
    profile = next(iter(provider.profiles()), None)
    kept = None if profile is None else _lists(settings).read(profile)
    if profile is None or kept is None:
        return Opening()

    async def enter(*, on_step: OnStep | None = None) -> UserSession:
        from lms_tui.wire.errors import ApiError, SignInNeeded  # noqa: PLC0415 - the first paint does without

        if on_step is not None:
            on_step("Signing in")
        try:
            session = await provider.resume(profile)
        except ApiError as error:
            raise SignInNeeded(str(error), advice=error.advice) from error
        if session is None:
            raise SignInNeeded("The saved sign-in has ended.")
        return session

    return Opening(_with_screen(enter, "home"), title=clean_line(profile.name), kept=kept)


def first_frame(look: Mapping[str, object], title: str) -> FirstFrame:
    """Return a frame, which is shown if the app will draw on this terminal."""
    shown = not is_plain(look) and "TEXTUAL_DRIVER" not in os.environ and _is_terminal()
    return FirstFrame(title, "Opening the program ...", shown=shown)


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _print(words: str) -> None:
    print(words, file=sys.stderr)  # noqa: T201 - for the person at the shell


def _sign_in(provider: HttpSessionProvider, username: str, screen: str) -> Entrance:
    """Return a function that signs in to the practice service."""

    async def enter(*, on_step: OnStep | None = None) -> UserSession:
        return await provider.practice(username, on_step=on_step)

    return _with_screen(enter, screen)


def _with_screen(entrance: Entrance, screen: str) -> Entrance:
    """Return an entrance that imports the named screen while it waits for the server."""

    def load_screen() -> None:
        for name in (f"screens.{screen}.screen", "pictures"):
            import_module(f"lms_tui.tui.{name}")

    async def enter(*, on_step: OnStep | None = None) -> UserSession:
        loading = asyncio.create_task(asyncio.to_thread(load_screen))
        try:
            session = await entrance(on_step=on_step)
            await loading
        finally:
            gc.freeze()  # else the next collection looks at every imported module, which takes 60 ms
            gc.enable()
        return session

    # Imported modules stay. Searching them for garbage takes a tenth of the start.
    gc.disable()
    return enter


def _print_next_step(run: "DryRun") -> None:
    """Say where the results are or how to resume, after the app has left the terminal."""
    from lms_tui.runtime.dry_run import PRACTICE_USER, SLUG, is_unfinished  # noqa: PLC0415 - only a dry run needs it

    folder, file = clean_line(str(run.request.keep)), clean_line(str(run.request.file))
    if run.request.keep is not None:
        words = f"results saved in {folder}. Show them: lms-tui exam statistics {SLUG} --data-dir {folder}"
    elif is_unfinished(run.folder):
        name = clean_line(run.request.username)
        options = "--resume" if name == PRACTICE_USER else f"--resume --as {name}"
        words = f"unfinished. Resume it before the next dry run: lms-tui try {file} {options}"
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


def _log_to_file(paths: Paths) -> None:
    """Write the log to a private file, because Textual draws on standard error."""
    os.close(os.open(paths.log, os.O_WRONLY | os.O_CREAT, 0o600))
    handler = RotatingFileHandler(paths.log, maxBytes=_LARGEST_LOG, backupCount=1, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.addFilter(RedactingFilter())
    handler.setLevel(logging.WARNING)
    logging.getLogger().addHandler(handler)


@contextmanager
def open_provider(
    settings: Settings, look: Mapping[str, object], data_dir: Path, arguments: tuple[str, ...]
) -> Iterator[tuple[ServiceProcess, HttpSessionProvider]]:
    """Build the practice service and the session provider. The service ends with this context."""
    with ExitStack() as stack:
        service = ServiceProcess(("--data-dir", str(data_dir), *arguments), settings.paths.service_log)
        stack.callback(service.stop)
        lists = _lists(settings) if arguments == _DEMO else None
        provider = HttpSessionProvider(settings, ProfileList(settings.paths.profiles), service, lists)
        if isinstance(file := look.get("record"), Path):
            _record(file, provider, stack)
        yield service, provider


def _record(file: Path, provider: HttpSessionProvider, stack: ExitStack) -> None:
    """Write every request to a HAR file. Raises CannotOpenError."""
    from lms_tui.client.har import HarFile  # noqa: PLC0415 - only for --record

    try:
        har = HarFile(file)
    except OSError as error:
        words = f"{clean_line(str(file))} cannot be written ({error.strerror})."
        raise CannotOpenError(words, "Choose another file for --record.") from error
    stack.callback(har.close)
    provider.recording.listen(har.append)


def run_front_end(
    settings: Settings,
    provider: _Provider,
    opening: Opening,
    journals: Path,
    frame: FirstFrame,
    clock: "Clock | None" = None,
    *,
    plain: bool,
    app_type: "type[LmsApp] | None" = None,
) -> int:
    """Run the screens, or the dialogue of lines, until the person leaves or a signal comes. Return the exit code."""
    images = ImageCache(settings.paths.pictures)
    clock = clock or SystemClock()
    dependencies = Dependencies(
        provider,
        _Journals(journals),
        clock,
        settings,
        images,
        provider.recording,
        _lists(settings),
        partial(_decks, journals, clock),
    )
    if plain:
        return asyncio.run(_run_lines(dependencies, provider, opening))
    return asyncio.run(_run_screens(dependencies, provider, opening, frame, app_type))


async def _run_screens(
    dependencies: Dependencies,
    provider: _Provider,
    opening: Opening,
    frame: FirstFrame,
    app_type: "type[LmsApp] | None",
) -> int:
    from lms_tui.tui.app import LmsApp  # noqa: PLC0415 - takes 150 ms, while a service may already start

    app = (app_type or LmsApp)(dependencies, opening, first_frame_stands=frame.stands)
    signalled = 0

    def end(code: int) -> None:
        """End the program. The app saves first what is being typed."""
        nonlocal signalled
        signalled = code
        # A fault while leaving must not keep the program alive.
        watchdog = threading.Timer(_LONGEST_END, _give_up, (code, frame.terminal))
        watchdog.daemon = True
        watchdog.start()
        provider.end_practice()
        app.leave(code)

    _on_signal(end)
    frame.hand_over()
    try:
        await app.run_async(mouse=dependencies.settings.appearance.mouse)
    finally:
        await provider.close()
    return signalled or app.return_code or 0


def _give_up(code: int, terminal: "TerminalState") -> None:
    """End a program that has not ended in time, and leave a usable terminal."""
    terminal.restore()
    os._exit(code)


async def _run_lines(dependencies: Dependencies, provider: _Provider, opening: Opening) -> int:
    from lms_tui.plain.line_io import Console  # noqa: PLC0415 - the screens do not need it
    from lms_tui.plain.program import PlainProgram  # noqa: PLC0415 - the screens do not need it

    signalled = 0
    task = asyncio.current_task()

    def end(code: int) -> None:
        nonlocal signalled
        signalled = code
        if task is not None:
            task.cancel()

    _on_signal(end)
    try:
        await PlainProgram(Console(), dependencies, opening).run()
    except asyncio.CancelledError:
        if not signalled:
            raise
    finally:
        await provider.close()
    return signalled


def _on_signal(end: Callable[[int], None]) -> None:
    """Call `end` with an exit code when a signal asks the program to end."""
    if sys.platform != "win32":
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, end, 128 + number)
