"""A post as its readers see it: its details and its text."""

from typing import TYPE_CHECKING, ClassVar, Final

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType

from lms_tui.common.cleaning import clean_line
from lms_tui.common.moments import now_of
from lms_tui.content.html import parse
from lms_tui.content.images import following
from lms_tui.content.model import MathsStyle
from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.card import Card
from lms_tui.tui.widgets.document import DocumentView
from lms_tui.tui.widgets.pane import Pane
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views import posts as present
from lms_tui.views.error_messages import error_message
from lms_tui.wire.errors import ApiError, SignInNeeded
from lms_tui.wire.posts import Post

if TYPE_CHECKING:
    from lms_tui.attempt.ports import Clock
    from lms_tui.client.port import Lms

_STYLES: Final = (MathsStyle.TWO_DIMENSIONAL, MathsStyle.LINE, MathsStyle.SOURCE)


class PostScreen(CommandScreen[None]):
    """`preview` is a post that is not saved yet. It is shown without a request."""

    WHERE = Where.POST
    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)

    def __init__(self, lms: "Lms", clock: "Clock", slug: str, *, preview: Post | None = None, badge: str = "") -> None:
        super().__init__()
        self._lms = lms
        self._clock = clock
        self._slug = slug
        self._post = preview
        self._is_preview = preview is not None
        self._badge = badge
        self._style = MathsStyle.TWO_DIMENSIONAL

    def compose(self) -> ComposeResult:
        yield TopLine("Post", "preview, not saved" if self._is_preview else "", self._badge)
        yield Card("About", glyphs=self.glyphs, id="about")
        yield DocumentView(glyphs=self.glyphs, id="text")
        yield self.command_bar()

    def on_mount(self) -> None:
        if self._is_preview:
            self._show()
        else:
            self.action_refresh()

    def action_refresh(self) -> None:
        if not self._is_preview:
            self.query_one("#text").display = False
            self._about.say("Loading …", title="Post")
            self._load()

    def action_retry(self) -> None:
        self.action_refresh()

    @property
    def _about(self) -> Card:
        return self.query_one("#about", Card)

    @work(name="post", group="post", exclusive=True)
    async def _load(self) -> None:
        try:
            self._post = await self._lms.posts.read(self._slug)
        except SignInNeeded as error:
            if await dialogs.sign_in_again(self.app, self._lms):
                self.action_refresh()
            else:
                self._fail(error)
        except ApiError as error:
            self._fail(error)
        else:
            self._show()

    def _fail(self, error: ApiError) -> None:
        message = error_message(error, retry=f"Press {self.key_of('refresh')} to try again.")
        self._about.say(f"! {message.text}", "bad")

    def _show(self) -> None:
        post = self._post
        if post is None:
            return
        now = now_of(self._clock)
        self._about.show(clean_line(post.title) or "Post", lambda room: present.facts(post, room, now))
        text = self.query_one("#text", DocumentView)
        text.display = bool(post.content_html.strip())
        text.show(parse(post.content_html), style=self._style)

    @property
    def scrolled_pane(self) -> Pane:
        return self.query_one("#text", DocumentView)

    def action_maths_style(self) -> None:
        self._style = following(self._style, _STYLES)
        self._show()

    def action_enlarge_picture(self) -> None:
        self.show_pictures([self._post.content_html] if self._post else [])
