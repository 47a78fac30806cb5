"""A post as its readers see it: what it is about, and its text through the content pipeline."""

from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType

from lms_tui.common.cleaning import clean_line
from lms_tui.content.html import parse
from lms_tui.content.images import following
from lms_tui.content.model import MathsStyle
from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.card import Card, Fill
from lms_tui.tui.widgets.document import DocumentView
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views import posts as present
from lms_tui.views.error_messages import error_message
from lms_tui.views.rows import row, wrapped
from lms_tui.wire.errors import ApiError, SignInNeeded
from lms_tui.wire.posts import Post

if TYPE_CHECKING:
    from lms_tui.client.port import Lms

_STYLES: Final = (MathsStyle.TWO_DIMENSIONAL, MathsStyle.LINE, MathsStyle.SOURCE)


class PostScreen(CommandScreen[None]):
    """`drawn`: a post that is not saved yet, to be looked at."""

    WHERE = Where.POST
    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)

    def __init__(self, lms: "Lms", slug: str, *, drawn: Post | None = None, badge: str = "") -> None:
        super().__init__()
        self._lms = lms
        self._slug = slug
        self._post = drawn
        self._drawn = drawn is not None
        self._badge = badge
        self._style = MathsStyle.TWO_DIMENSIONAL

    def compose(self) -> ComposeResult:
        yield TopLine("Post", "preview, not saved" if self._drawn else "", self._badge)
        yield Card("About", glyphs=self.glyphs, id="about")
        yield DocumentView(glyphs=self.glyphs, id="text")
        yield self.command_bar()

    def on_mount(self) -> None:
        if self._drawn:
            self._show()
        else:
            self.action_refresh()

    def action_refresh(self) -> None:
        if not self._drawn:
            self.query_one("#text").display = False
            self._about("Post", lambda _: [row(("Asking the server …", "dim"))])
            self._load()

    def action_retry(self) -> None:
        self.action_refresh()

    def action_back(self) -> None:
        self.dismiss(None)

    def _about(self, title: str, fill: Fill) -> None:
        self.query_one("#about", Card).show(title, fill)

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
        told = error_message(error, retry=f"Press {self.key_of('refresh')} to try again.")
        self._about("Post", lambda room: wrapped(f"! {told.text}", room, "bad"))

    def _show(self) -> None:
        post = self._post
        if post is None:
            return
        self._about(clean_line(post.title) or "Post", partial(present.facts, post))
        text = self.query_one("#text", DocumentView)
        text.display = bool(post.content_html.strip())
        text.show(parse(post.content_html), style=self._style)

    # Commands.

    def action_page_down(self) -> None:
        self.query_one("#text", DocumentView).scroll_pages(1)

    def action_page_up(self) -> None:
        self.query_one("#text", DocumentView).scroll_pages(-1)

    def action_aside_right(self) -> None:
        self.query_one("#text", DocumentView).scroll_aside(1)

    def action_aside_left(self) -> None:
        self.query_one("#text", DocumentView).scroll_aside(-1)

    def action_maths_style(self) -> None:
        self._style = following(self._style, _STYLES)
        self._show()

    def action_enlarge_picture(self) -> None:
        from lms_tui.tui.screens.picture.opening import open_pictures  # noqa: PLC0415 - when asked for

        texts = [self._post.content_html] if self._post else []
        open_pictures(self.app, texts, lambda text, _: self.notify(text, timeout=3, markup=False))
