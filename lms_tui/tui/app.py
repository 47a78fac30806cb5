"""The app: it answers the messages of screens with screens, and owns the attempt that runs."""

import asyncio
import contextlib
import gc
import logging
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import on, work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.command import CommandPalette, Provider
from textual.events import CursorPosition, Key, Paste
from textual.screen import Screen

from lms_tui.common import collection
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.configured import ConfiguredApp
from lms_tui.tui.crash import report_crash
from lms_tui.tui.first_screen import first_screen
from lms_tui.tui.messages import (
    AttemptAsked,
    AttemptNotShown,
    DestinationAsked,
    ExamAsked,
    HomeAsked,
    KeysSettled,
    KeysWanted,
    PushedScreenAsked,
    ResultAsked,
    ScreenAsked,
    SignedIn,
    SignInAsked,
    SignOut,
)
from lms_tui.tui.terminal.caught_up import TerminalCaughtUp
from lms_tui.tui.terminal.cell_widths import CellProbe
from lms_tui.tui.terminal.render_guard import AsciiSymbols, VisibleOnly
from lms_tui.views.ports import Dependencies, Opening, UserSession

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.driver import Driver
    from textual.filter import LineFilter

    from lms_tui.tui.attempt_controller import AttemptController
    from lms_tui.tui.pictures import PictureLoader
    from lms_tui.tui.router import Router
    from lms_tui.tui.terminal.graphics import Graphics

_log = logging.getLogger(__name__)
_LAST_KEYS: Final = 0.3
"""Seconds at most in which `leave` handles keys that were pressed before it was called."""
_ROUND: Final = 0.02
_QUIET_ROUNDS: Final = 2
"""Rounds without a key, of `_ROUND` seconds each, that end the wait for keys."""


def _provider() -> type[Provider]:
    from lms_tui.tui.palette import CommandsProvider  # noqa: PLC0415 - when the palette is first opened

    return CommandsProvider


class LmsApp(ConfiguredApp[None], inherit_bindings=False):
    """`first_frame_stands`: the alternate screen shows the first frame, and the app paints over it."""

    TITLE = "lms-tui"
    CSS_PATH = ["app.tcss", "screens/sign_in/screen.tcss"]  # noqa: RUF012 - Textual's own type for it
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(Where.EVERYWHERE),
        Binding("ctrl+c", "explain_quit", show=False, id="explain_quit"),
    ]
    COMMANDS: "ClassVar[set[type[Provider] | Callable[[], type[Provider]]]]" = {_provider}  # noqa: RUF012 - Textual's own type for it
    ENABLE_COMMAND_PALETTE = True

    def __init__(
        self, dependencies: Dependencies, opening: Opening | None = None, *, first_frame_stands: bool = False
    ) -> None:
        super().__init__(dependencies.settings)
        self.first_frame_stands = first_frame_stands
        self._dependencies = dependencies
        self._opening = opening or Opening()
        self._controller: AttemptController | None = None
        self._leaving: asyncio.Future[None] | None = None
        self._router: Router | None = None
        self._probe = CellProbe(self)
        self._guards: tuple[LineFilter, ...] = (VisibleOnly(),)
        self._user_session: UserSession | None = None
        self.pictures: PictureLoader | None = None
        self.graphics: Graphics | None = None
        if self.settings.appearance.ascii:
            self._guards = (VisibleOnly(), AsciiSymbols())

    @property
    def _has_graphics(self) -> bool:
        return self.graphics is not None and self.graphics.protocol is not None

    @property
    def badge(self) -> str:
        return self._opening.badge

    def get_default_screen(self) -> Screen[None]:
        return first_screen(self, self._dependencies, self._opening)

    def get_line_filters(self) -> "Sequence[LineFilter]":
        return [*App.get_line_filters(self), *self._guards]

    def get_driver_class(self) -> "type[Driver]":
        """Replace Textual's driver for Linux and macOS by one whose writes never block the app."""
        chosen = super().get_driver_class()
        if sys.platform != "win32":
            from textual.drivers.linux_driver import LinuxDriver  # noqa: PLC0415 - cannot be imported on Windows

            from lms_tui.tui.terminal.driver import NonBlockingDriver  # noqa: PLC0415 - the same

            if chosen is LinuxDriver:
                return NonBlockingDriver
        return chosen

    @on(TerminalCaughtUp)
    def _paint_whole(self) -> None:
        """Paint everything again: the terminal has missed frames."""
        if self.graphics is not None:
            self.graphics.forget()
        self.screen.refresh()

    def on_ready(self) -> None:
        from lms_tui.tui.terminal.graphics import graphics_of  # noqa: PLC0415 - the first paint does without

        if self._opening.enter is None:  # otherwise the entrance imports more
            collection.resume()
        self._probe.ask()
        self.graphics = graphics_of(self, self.settings.appearance)
        if self.pictures is not None:  # signed in before the first paint
            self.pictures.graphics = self._has_graphics

    def on_cursor_position(self, event: CursorPosition) -> None:
        self._probe.hear(event)
        if self.graphics is not None and self.graphics.hear(event) and self.pictures is not None:
            self.pictures.drawn_by_terminal()

    def post_display_hook(self) -> None:
        if self.graphics is not None:
            self.graphics.displayed()

    # Which screen comes next.

    @on(SignedIn)
    async def _enter(self, message: SignedIn) -> None:
        from lms_tui.tui.pictures import picture_loader  # noqa: PLC0415 - brings content
        from lms_tui.tui.router import Router  # noqa: PLC0415 - brings the wire models

        session = self._user_session = message.session
        self._router = Router(self._dependencies, session, lambda: self._controller is None, badge=self.badge)
        if self.pictures is not None:
            self.pictures.close()
        images, ascii_only = self._dependencies.image_cache, self.settings.appearance.ascii
        self.pictures = picture_loader(self, session.lms, images, self._router.picture, plain=ascii_only)
        self.pictures.graphics = self._has_graphics
        gc.freeze()  # a collection that looks at the imported modules costs a key press 20 ms
        if self._opening.exam_slug and len(self.screen_stack) == 1:
            await self._show(ExamAsked(self._opening.exam_slug))
        else:
            await self._show(HomeAsked(message.seen))

    @on(SignInAsked)
    async def _ask_to_sign_in(self) -> None:
        from lms_tui.tui.screens.sign_in.screen import SignInScreen  # noqa: PLC0415 - rarely needed here

        self.drop_held()
        await self.push_screen(SignInScreen(self._dependencies.session_provider))

    # Keys before the server has answered.

    def holds(self, event: Key | Paste) -> bool:
        holds = getattr(self.screen, "holds", None)
        return holds is not None and not self.overtakes(event) and bool(holds(event))

    def overtakes(self, event: Key | Paste) -> bool:
        """Leave at once, although other keys wait for the server."""
        waits = getattr(self.screen, "awaits_answer", False)
        keys = self.keymap.get("quit", "ctrl+q,f8").split(",")
        return bool(waits) and isinstance(event, Key) and event.key in keys

    @on(KeysSettled)
    def _wait_for_keys(self, message: KeysSettled) -> None:
        if self.key_under_way:
            # Widgets work between two looks: a queue that is never empty does not let them.
            asyncio.get_running_loop().call_soon(self.call_later, self._wait_for_keys, message)
        else:
            message.settled.set()

    @on(KeysWanted)
    async def _deliver_keys(self, message: KeysWanted) -> None:
        if message.dropped and self.drop_held():
            self.notify(message.dropped, severity="warning", timeout=15, markup=False)
        await self.deliver_held()

    @on(HomeAsked)
    async def _go_home(self, message: HomeAsked) -> None:
        if len(self.screen_stack) == 1:
            await self._show(message)

    @on(PushedScreenAsked)
    async def _show(self, message: ScreenAsked) -> None:
        if self._router is not None:
            await self.push_screen(self._router.screen_for(message))

    @on(ResultAsked)
    async def _show_result(self, message: ResultAsked) -> None:
        if self._router is not None:
            screen = self._router.screen_for(message)
            # The result replaces the exam, because a key could land on a screen between them.
            replaceable = getattr(self.screen, "replaceable", False)
            await (self.switch_screen(screen) if replaceable else self.push_screen(screen))

    @on(DestinationAsked)
    @work(name="destination", group="destination", exclusive=True)
    async def _go_to(self, message: DestinationAsked) -> None:
        if self._router is not None:
            from lms_tui.tui.modal import close_above, screen_below_modals  # noqa: PLC0415 - the first paint does without

            screen = await self._router.destination(message)
            if isinstance(self.screen, CommandPalette):  # dialogs stay below, with what was typed
                await close_above(self, screen_below_modals(self))
            await self.push_screen(screen)

    @on(SignOut)
    async def _sign_out(self) -> None:
        from lms_tui.tui.screens.sign_in.screen import SignInScreen  # noqa: PLC0415 - rarely needed

        session, self._user_session, self._router = self._user_session, None, None
        while len(self.screen_stack) > 1 and not isinstance(self.screen, SignInScreen):
            await self.pop_screen()
        if not isinstance(self.screen, SignInScreen):
            await self.push_screen(SignInScreen(self._dependencies.session_provider, automatic=False))
        if session is not None:
            await self._forget(session)

    async def _forget(self, session: UserSession) -> None:
        from lms_tui.wire.errors import ApiError  # noqa: PLC0415 - rarely needed

        try:
            await self._dependencies.session_provider.forget(session)
        except ApiError as error:
            self.notify(f"{error} {error.advice}", severity="error", timeout=15, markup=False)
        await session.lms.close()

    # The attempt.

    @on(AttemptAsked)
    def _open_attempt(self, message: AttemptAsked) -> None:
        self.open_attempt(message.attempt_id, message.title)

    @work(name="attempt", group="attempt")
    async def open_attempt(self, attempt_id: int, title: str = "") -> None:
        """Run an attempt from its journal to its result. Only one can run at a time."""
        from lms_tui.tui.attempt_controller import AttemptController  # noqa: PLC0415 - brings the engine

        session = self._user_session
        if self._controller is not None or session is None:
            return
        self._controller = AttemptController(
            self, replace(self._dependencies, settings=self.settings), session.lms, session.user.id, badge=self.badge
        )
        try:
            await self._forget_list(session)
            over = await self._controller.run(attempt_id, title)
        finally:
            self._controller = None
        if over:
            self.post_message(ResultAsked(attempt_id))
        else:
            for screen in self.screen_stack:  # the palette may lie over the instructions
                screen.post_message(AttemptNotShown())

    async def _forget_list(self, session: UserSession) -> None:
        """Delete the kept home screen. After a crash it would not offer to resume the attempt that begins now."""
        lists = self._dependencies.kept_lists
        if lists is not None and session.kept_for is not None:
            with contextlib.suppress(OSError):  # the list is then an old one, until the server answers
                await asyncio.to_thread(lists.forget, session.kept_for)

    # Commands of every screen.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable quitting over an exam or an unsaved form: ctrl+q leaves those first."""
        in_exam = self._controller is not None and self._controller.on_screen
        if action == "quit" and (in_exam or getattr(self.screen, "unsaved", False)):
            return False
        return super().check_action(action, parameters)

    async def action_quit(self) -> None:
        self.exit()

    # Leaving.

    def leave(self, return_code: int) -> None:
        """End the program after a signal. Keys that were pressed before it are handled first, within 0.3 seconds."""
        self._save_draft()
        if self._leaving is None:
            self._leaving = asyncio.ensure_future(self._leave(return_code))

    async def _leave(self, return_code: int) -> None:
        quiet, end = 0, time.monotonic() + _LAST_KEYS
        while quiet < _QUIET_ROUNDS and time.monotonic() < end:
            await asyncio.sleep(_ROUND)
            quiet = 0 if self.keys_waiting else quiet + 1
        self.exit(return_code=return_code)

    def exit(self, result: None = None, return_code: int = 0, message: Any = None) -> None:
        self._save_draft()
        super().exit(result, return_code, message)

    def panic(self, *renderables: Any) -> None:
        self._save_draft()
        super().panic(*renderables)

    def _save_draft(self) -> None:
        """Save what is being typed. A fault here must not keep the program from ending."""
        with contextlib.suppress(Exception):
            if self._controller is not None:
                self._controller.save_draft()

    async def action_inspect(self) -> None:
        from lms_tui.tui.screens.inspector.screen import InspectorScreen  # noqa: PLC0415 - when first asked for

        recording = self._dependencies.recording
        if recording is not None and not isinstance(self.screen, InspectorScreen) and not self.screen.is_modal:
            await self.push_screen(InspectorScreen(recording, self.settings.paths.exports))

    def watch_theme(self) -> None:
        if self.pictures is not None:
            self.pictures.colours_changed()

    def action_explain_quit(self) -> None:
        self.notify("Press ctrl+q to leave.", timeout=3, markup=False)

    async def on_unmount(self) -> None:
        self._probe.release()
        if self.graphics is not None:
            self.graphics.release()
        if self.pictures is not None:
            self.pictures.close()
        if self._controller is not None:
            self._controller.close()

    # Faults of the program.

    def _handle_exception(self, error: Exception) -> None:
        """Leave without Textual's traceback, which prints local variables and so may print a token."""
        self._return_code = 1
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        self._fatal_error()

    def _fatal_error(self) -> None:
        self._save_draft()
        words = report_crash(self._exception, self.settings.paths)
        if not self._exit_renderables:
            self._exit_renderables.append(words)
        self._close_messages_no_wait()
