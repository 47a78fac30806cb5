"""The screen while the program signs in with a saved token: the steps, or the home screen of the last time."""

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Horizontal, Middle
from textual.content import Content
from textual.events import Key, Paste
from textual.widgets import Static

from lms_tui.tui.commands import Where
from lms_tui.tui.messages import HomeAsked, KeysWanted, SignedIn, SignInAsked
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.card import RowsPane
from lms_tui.tui.widgets.command_bar import CommandBar
from lms_tui.tui.widgets.kept_rows import keys_settled, moves, show_kept
from lms_tui.tui.widgets.row_list import RowList
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views.kept_list import SeenList

if TYPE_CHECKING:
    from lms_tui.views.kept_list import KeptList
    from lms_tui.views.ports import Opening


class OpeningScreen(CommandScreen[None]):
    WHERE = Where.SIGN_IN
    BINDINGS: ClassVar[list[BindingType]] = [Binding("r,enter,ctrl+r", "retry", show=False)]
    DEFAULT_CSS = """
    OpeningScreen {
        #words { width: auto; max-width: 90%; text-align: center; }
        Horizontal { height: 1fr; }
        #exams { width: 1fr; }
        #details { width: 34%; max-width: 60; display: none; }
        &.-wide #details { display: block; }
    }
    """

    def __init__(self, opening: "Opening") -> None:
        super().__init__()
        assert opening.enter is not None  # noqa: S101 - the app makes this screen only then
        self._opening = opening
        self._entrance = opening.enter
        self._kept = opening.kept
        self._entered = self._failed = False

    def compose(self) -> ComposeResult:
        if self._kept is None:
            yield TopLine("", badge=self._opening.badge)
            with Middle(), Center():
                yield Static(self._words("Opening the program"), id="words", markup=False)
        else:
            yield from self._list(self._kept)

    def _list(self, kept: "KeptList") -> ComposeResult:
        yield TopLine("Home", kept.who, self._opening.badge)
        with Horizontal():
            yield RowList("Home", glyphs=self.glyphs, id="exams")
            yield RowsPane("Details", glyphs=self.glyphs, id="details")
        yield CommandBar(Where.HOME, self.keymap)

    def _words(self, step: str) -> Content:
        return Content.assemble(self._opening.title, "\n", Content(f"{step} …").stylize("$text-muted"))

    def on_mount(self) -> None:
        if self._kept is not None:
            exams = self.query_one(RowList)
            show_kept(exams, self.query_one(RowsPane), SeenList(self._kept, self._kept.first))
            exams.focus()
        self.call_after_refresh(self._begin)

    def on_screen_resume(self) -> None:
        if self._entered:
            self.post_message(HomeAsked())

    @property
    def awaits_answer(self) -> bool:
        """Whether a kept list is on the screen."""
        return self._kept is not None

    def holds(self, event: Key | Paste) -> bool:
        """Whether a key waits until the server has answered. In a kept list, only the cursor moves before that."""
        return self._kept is not None and (self._entered or not moves(event))

    @on(RowList.Selected)
    def _open_later(self) -> None:
        """Let a double click wait as the key does."""
        self.app.post_message(Key("enter", "\r"))

    def action_retry(self) -> None:
        if self._failed:
            self._begin()

    def _begin(self) -> None:
        self._failed = False
        self.run_worker(self._enter(), name="enter", group="enter", exclusive=True)

    def _show_step(self, step: str) -> None:
        if self._kept is None:
            self.query_one("#words", Static).update(self._words(step))

    async def _enter(self) -> None:
        from lms_tui.views.error_messages import error_message  # noqa: PLC0415 - the first paint does without
        from lms_tui.wire.errors import ApiError, SignInNeeded  # noqa: PLC0415 - the same

        try:
            session = await self._entrance(on_step=self._show_step)
        except SignInNeeded:
            self.post_message(SignInAsked())
        except ApiError as error:
            await self._leave_list()
            self._failed = True
            told = error_message(error)
            keys = Content("Press r to try again or ctrl+q to quit.").stylize("$text-muted")
            words = Content.assemble((told.what, "$text-error"), "\n", told.advice, "\n\n", keys)
            self.query_one("#words", Static).update(words)
        else:
            self._show_step("Loading")
            self._entered = True
            seen = None
            if self._kept is not None:
                await keys_settled(self)
                seen = SeenList(self._kept, self.query_one(RowList).key)
            self.post_message(SignedIn(session, seen))

    async def _leave_list(self) -> None:
        """Show words in place of the list."""
        if self._kept is None:
            return
        self._kept = None
        await self.query("Horizontal, CommandBar, TopLine").remove()
        await self.mount(TopLine("", badge=self._opening.badge), Middle(Center(Static("", id="words", markup=False))))
        self.post_message(KeysWanted(dropped="The keys that you pressed were not used."))
