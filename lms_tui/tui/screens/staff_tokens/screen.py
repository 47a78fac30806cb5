"""The playback tokens of one video, for administrators."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from lms_tui.common.cleaning import clean_line
from lms_tui.common.moments import now_of
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.screens.resource.form import FormScreen
from lms_tui.tui.screens.resource.list import ListScreen
from lms_tui.tui.screens.staff_tokens.opening import open_in_browser
from lms_tui.tui.widgets.card import RowsPane
from lms_tui.views import staff_tokens as present
from lms_tui.views.forms import Values
from lms_tui.views.listing import Listing
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
    EMPTY = "No playback tokens yet. Press n to create one."

    def __init__(self, lms: "Lms", video: ContentDetails, title: str, clock: "Clock", *, badge: str = "") -> None:
        super().__init__(lms, badge=badge)
        self._video = video
        self._title = title
        self._clock = clock

    @property
    def about(self) -> str:
        return clean_line(self._title)

    def on_mount(self) -> None:
        self.set_interval(15, self.draw)  # the time left of each token changes

    async def page(self, number: int, wanted: str) -> Page[PlaybackToken]:  # noqa: ARG002 - the server has no search
        return await self._lms.videos.tokens(self._video.uuid, number)

    def identity(self, item: PlaybackToken) -> str:
        return item.code

    @property
    def listing(self) -> Listing[PlaybackToken]:
        return present.listing(now_of(self._clock))

    def details(self, item: PlaybackToken, room: int) -> Sequence[Row]:
        return present.details(item, room, now_of(self._clock))

    @work(name="create", group="person", exclusive=True)
    async def action_create(self) -> None:
        async def save(values: Values) -> PlaybackToken:
            return await self._lms.videos.create_token(self._video.uuid, present.token_input(values))

        note = "Anyone with the link of the token can watch this video."
        form = FormScreen(self._lms, f"New token: {self.about}", present.token_form(), save, note=note)
        created = await self.app.push_screen_wait(form)
        if created is not None:
            self.keep(created)

    def _usable(self) -> PlaybackToken | None:
        token = self.chosen
        if token is None or not present.active(token, now_of(self._clock)):
            self.tell("Select an active token, or press n to create one.")
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
            self.tell("Link copied, if the terminal allows it. Anyone with the link can watch.")


class CodeScreen(ModalScreen[None]):
    """A link as a QR code on the whole screen."""

    DEFAULT_CSS = "CodeScreen { background: $background; } CodeScreen RowsPane { height: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,c,q,enter,space,backspace", "close", show=False)]

    def __init__(self, link: str) -> None:
        super().__init__()
        self._link = link

    def compose(self) -> ComposeResult:
        yield RowsPane("Scan this code to open the link", self._rows, note="esc back")

    def on_click(self) -> None:
        self.action_close()

    def _rows(self, room: int) -> Sequence[Row]:
        return present.code_rows(self._link, room, self.size.height - 2)

    def action_close(self) -> None:
        self.dismiss(None)
