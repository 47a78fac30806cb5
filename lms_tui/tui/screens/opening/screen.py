"""Shown while the program signs in to its own service, which may import an exam file first."""

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Middle
from textual.content import Content
from textual.widgets import Static

from lms_tui.tui.commands import Where
from lms_tui.tui.messages import HomeAsked, SignedIn
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.top_line import TopLine

if TYPE_CHECKING:
    from lms_tui.views.ports import Entrance


class OpeningScreen(CommandScreen[None]):
    WHERE = Where.SIGN_IN
    BINDINGS: ClassVar[list[BindingType]] = [Binding("r,enter,ctrl+r", "retry", show=False)]
    DEFAULT_CSS = """
    OpeningScreen #words { width: auto; max-width: 90%; text-align: center; }
    """

    def __init__(self, title: str, enter: "Entrance") -> None:
        super().__init__()
        self._title = title
        self._entrance = enter
        self._entered = False

    def compose(self) -> ComposeResult:
        yield TopLine("")
        with Middle(), Center():
            yield Static(self._words("Opening the program"), id="words", markup=False)

    def _words(self, step: str) -> Content:
        return Content.assemble(self._title, "\n", Content(f"{step} …").stylize("$text-muted"))

    def on_mount(self) -> None:
        self.call_after_refresh(self.action_retry)

    def on_screen_resume(self) -> None:
        if self._entered:
            self.post_message(HomeAsked())

    def action_retry(self) -> None:
        self.run_worker(self._enter(), name="enter", group="enter", exclusive=True)

    async def _enter(self) -> None:
        from lms_tui.views.error_messages import error_message  # noqa: PLC0415 - the first paint does without
        from lms_tui.wire.errors import ApiError  # noqa: PLC0415 - the same

        label = self.query_one("#words", Static)

        def show(step: str) -> None:
            label.update(self._words(step))

        try:
            session = await self._entrance(on_step=show)
        except ApiError as error:
            told = error_message(error)
            keys = Content("Press r to try again or ctrl+q to quit.").stylize("$text-muted")
            label.update(Content.assemble((told.what, "$text-error"), "\n", told.advice, "\n\n", keys))
        else:
            show("Loading")
            self._entered = True
            self.post_message(SignedIn(session))
