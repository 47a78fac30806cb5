"""Run the screens, or the dialogue of lines, with every part that they need."""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol

from lms_tui.attempt.clock import SystemClock
from lms_tui.common import collection
from lms_tui.common.cleaning import clean_line
from lms_tui.common.settings import Settings
from lms_tui.runtime.image_cache import ImageCache
from lms_tui.runtime.session_provider import HttpSessionProvider, practice_profile
from lms_tui.tui.terminal.first_frame import FirstFrame
from lms_tui.views.ports import Dependencies, Entrance, OnStep, Opening, SessionProvider, UserSession

if TYPE_CHECKING:
    from lms_tui.attempt.ports import AttemptKey, Clock, Journal, JournalRecord, Journals, Outstanding
    from lms_tui.client.recording import Recording
    from lms_tui.practice.decks import Decks
    from lms_tui.runtime.kept_lists import KeptLists
    from lms_tui.tui.app import LmsApp
    from lms_tui.tui.terminal.state import TerminalState

_HOME: Final = "home"
_NEEDED: Final[Mapping[str, Sequence[str]]] = MappingProxyType({_HOME: ("lms_tui.attempt.journal.store",)})
"""What a screen imports before it shows what the server has answered."""
_LONGEST_END: Final = 3.0
"""Seconds that the app may take to end after a signal."""


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


def _lists(settings: Settings) -> "KeptLists":
    from lms_tui.runtime.kept_lists import KeptLists  # noqa: PLC0415 - brings content, after the service has been started

    return KeptLists(settings.paths.secrets)


def opening_of_last(settings: Settings, provider: HttpSessionProvider) -> Opening:
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

    return Opening(enter, title=clean_line(profile.name), kept=kept)


def opening_of_demo(settings: Settings, provider: HttpSessionProvider, username: str, title: str) -> Opening:
    """Return an opening with the kept list of a user of the practice service."""
    kept = _lists(settings).read(practice_profile(username))
    return Opening(practice_entrance(provider, username), title=title, kept=kept)


def practice_entrance(provider: HttpSessionProvider, username: str) -> Entrance:
    """Return a function that signs in to the practice service."""

    async def enter(*, on_step: OnStep | None = None) -> UserSession:
        return await provider.practice(username, on_step=on_step)

    return enter


def _module_of(screen: str) -> str:
    return f"lms_tui.tui.screens.{screen}.screen"


def _with_screen(entrance: Entrance, screen: str, slug: str) -> Entrance:
    """Return an entrance that imports the named screen, and what shows it, while it waits for the server.

    It asks for what the screen shows before that screen is there. `slug`: the exam of the instructions.
    """

    def load_screen() -> None:
        # The client comes first, because the server can be asked while the screen is loaded.
        import_module("lms_tui.client.auth")
        import_module("lms_tui.client.connection").import_early()
        for name in (_module_of(screen), "lms_tui.tui.pictures", "lms_tui.tui.router", *_NEEDED.get(screen, ())):
            import_module(name)

    async def enter(*, on_step: OnStep | None = None) -> UserSession:
        loading = asyncio.create_task(asyncio.to_thread(load_screen))
        try:
            session = await entrance(on_step=on_step)
            if session.unreachable is None:
                from lms_tui.views.first_pages import FirstExam, FirstPages  # noqa: PLC0415 - the same

                if slug:
                    session = replace(session, first_exam=FirstExam(session.lms, slug))
                else:
                    session = replace(session, first_pages=FirstPages(session.lms))
            await loading
        finally:
            collection.resume()
        return session

    collection.pause()
    return enter


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
    dependencies = dependencies_of(settings, provider, journals, clock)
    if plain:
        frame.check()
        return asyncio.run(_run_lines(dependencies, provider, opening))
    # Before the event loop, in which ctrl+c would wait for the end of this import.
    from lms_tui.tui.app import LmsApp  # noqa: PLC0415 - takes 150 ms, while a service may already start

    frame.check()
    return asyncio.run(_run_screens(dependencies, provider, opening, frame, app_type or LmsApp))


def dependencies_of(
    settings: Settings, provider: _Provider, journals: Path, clock: "Clock | None" = None
) -> Dependencies:
    """Return what the screens and the dialogue are given. `journals`: the directory of the journals."""
    clock = clock or SystemClock()
    return Dependencies(
        provider,
        _Journals(journals),
        clock,
        settings,
        ImageCache(settings.paths.pictures),
        provider.recording,
        _lists(settings),
        partial(_decks, journals, clock),
    )


def _decks(journals: Path, clock: "Clock") -> "Decks":
    from lms_tui.runtime.practising import decks_of  # noqa: PLC0415 - the first paint does without

    return decks_of(journals, clock)


async def _run_screens(
    dependencies: Dependencies,
    provider: _Provider,
    opening: Opening,
    frame: FirstFrame,
    app_type: "type[LmsApp]",
) -> int:
    screen = "instructions" if opening.exam_slug else _HOME
    if opening.enter is not None and _module_of(screen) not in sys.modules:  # a session of a host has imported it
        opening = replace(opening, enter=_with_screen(opening.enter, screen, opening.exam_slug))
    app = app_type(dependencies, opening, first_frame_stands=frame.stands)
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
