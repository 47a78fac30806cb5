"""The posts that the user can read."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType

from lms_tui.common.moments import now_of
from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.messages import DestinationAsked
from lms_tui.tui.screens.resource.filtered import BrowseScreen
from lms_tui.views import posts as present
from lms_tui.views.listing import Listing
from lms_tui.views.more import Destination
from lms_tui.views.rows import Row
from lms_tui.wire.base import Page
from lms_tui.wire.posts import PostSummary

if TYPE_CHECKING:
    from lms_tui.attempt.ports import Clock
    from lms_tui.client.port import Lms


class NoticesScreen(BrowseScreen[PostSummary]):
    WHERE = Where.NOTICES
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)
    NAME = "Notices"
    EMPTY = "Nothing yet: what your institute announces to you appears here."
    ADVICE = "Press {key} to open a notice by its link name."
    ASK = "notice_by_name"

    def __init__(self, lms: "Lms", clock: "Clock", *, badge: str = "") -> None:
        super().__init__(lms, badge=badge)
        self._clock = clock

    async def page(self, number: int, wanted: str) -> Page[PostSummary]:  # noqa: ARG002 - filtered here
        return await self._lms.posts.readable(number)

    def identity(self, item: PostSummary) -> str:
        return str(item.id)

    @property
    def listing(self) -> Listing[PostSummary]:
        return present.NOTICES

    def words(self, item: PostSummary) -> str:
        return present.notice_words(item)

    def details(self, item: PostSummary, room: int) -> Sequence[Row]:
        return present.details(item, room, now_of(self._clock))

    def opened(self, item: PostSummary) -> DestinationAsked:
        return DestinationAsked(Destination.POST, name=present.slug_of(item.url))

    def action_notice_by_name(self) -> None:
        self.ask()

    async def asked(self) -> DestinationAsked | None:
        name = await dialogs.ask_text(
            self.app,
            "Find a notice",
            "Type the notice's link name (the end of its address), such as welcome, or its whole address.",
            placeholder="link name or address",
            check=lambda typed: "" if typed.strip("/ ") else "Type the notice's link name.",
        )
        return DestinationAsked(Destination.POST, name=present.slug_of(name)) if name else None
