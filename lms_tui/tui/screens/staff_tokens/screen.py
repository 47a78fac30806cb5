"""The playback tokens of one video: made, given on as a link or a code, and seen to expire."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from lms_tui.common.cleaning import clean_line
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.screens.resource.form import FormScreen
from lms_tui.tui.screens.resource.list import ListScreen
from lms_tui.tui.screens.staff_tokens.opening import open_in_browser
from lms_tui.tui.widgets.card import RowsPane
from lms_tui.views import staff_tokens as present
from lms_tui.views.forms import Values
from lms_tui.views.rows import Row
from lms_tui.wire.base import Page
from lms_tui.wire.videos import ContentDetails, PlaybackToken

if TYPE_CHECKING:
    from lms_tui.attempt.ports import Clock
    from lms_tui.client.port import Lms


class TokensScreen(ListScreen[PlaybackToken]):
    WHERE = Where.TOKENS
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)
    NAME = "Playback tokens"
    EMPTY = "Nobody may play this video by a link yet. n makes one."

    def __init__(self, lms: "Lms", video: ContentDetails, title: str, clock: "Clock", *, badge: str = "") -> None:
        super().__init__(lms, badge=badge)
        self._video = video
        self._title = title
        self._clock = clock

    @property
    def about(self) -> str:
        return clean_line(self._title)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.wall(), UTC)

    def on_mount(self) -> None:
        self.set_interval(15, self.draw)  # what is left of each runs out while one looks

    async def page(self, number: int, wanted: str) -> Page[PlaybackToken]:  # noqa: ARG002 - nothing to search by
        return await self._lms.videos.tokens(self._video.uuid, number)

    def identity(self, item: PlaybackToken) -> str:
        return item.code

    def heading(self, room: int) -> Row:
        return present.heading(room)

    def line(self, item: PlaybackToken, room: int) -> Row:
        return present.line(item, room, self._now())

    def details(self, item: PlaybackToken, room: int) -> Sequence[Row]:
        return present.details(item, room, self._now())

    # Commands.

    @work(name="create", group="person", exclusive=True)
    async def action_create(self) -> None:
        async def save(values: Values) -> PlaybackToken:
            return await self._lms.videos.create_token(self._video.uuid, present.token_input(values))

        note = "A token lets anyone who has its link watch this video."
        form = FormScreen(self._lms, f"New token: {self.about}", present.token_form(), save, note=note)
        made = await self.app.push_screen_wait(form)
        if made is not None:
            self.keep(made)

    def _usable(self) -> PlaybackToken | None:
        token = self.chosen
        if token is None or not present.active(token, self._now()):
            self.tell("Choose a token that is active, or make one with n.")
            return None
        return token

    @work(name="open", group="open", exclusive=True)
    async def action_open_link(self) -> None:
        if (token := self._usable()) is not None:
            await open_in_browser(self.app, token.playback_url)

    def action_show_code(self) -> None:
        if (token := self._usable()) is not None:
            self.app.push_screen(CodeScreen(token.playback_url))

    def action_copy_link(self) -> None:
        if (token := self._usable()) is not None:
            self.app.copy_to_clipboard(token.playback_url)
            self.tell("The link is in the clipboard, where the terminal lets it: whoever has it may watch.")


class CodeScreen(ModalScreen[None]):
    """A link as a QR code, as large as the screen has room for."""

    DEFAULT_CSS = "CodeScreen { background: $background; } CodeScreen RowsPane { height: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,c,q,enter,space,backspace", "close", show=False)]

    def __init__(self, link: str) -> None:
        super().__init__()
        self._link = link

    def compose(self) -> ComposeResult:
        yield RowsPane("The link, to be photographed", self._rows, note="esc back")

    def _rows(self, room: int) -> Sequence[Row]:
        return present.code_rows(self._link, room, self.size.height - 2)

    def action_close(self) -> None:
        self.dismiss(None)
