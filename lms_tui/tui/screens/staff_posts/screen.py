"""The list of posts, for administrators."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import Binding, BindingType

from lms_tui.common.cleaning import clean_line
from lms_tui.common.moments import now_of
from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.messages import DestinationAsked
from lms_tui.tui.screens.posts.screen import PostScreen
from lms_tui.tui.screens.resource.form import FormScreen, Save
from lms_tui.tui.screens.resource.list import ListScreen
from lms_tui.views import posts as present
from lms_tui.views.forms import FieldSpec, Values, changed
from lms_tui.views.listing import Listing
from lms_tui.views.more import Destination
from lms_tui.views.rows import Row
from lms_tui.wire.base import Page
from lms_tui.wire.errors import ApiError
from lms_tui.wire.posts import AdminPost, ListedPost

if TYPE_CHECKING:
    from lms_tui.attempt.ports import Clock
    from lms_tui.client.port import Lms


class PostsScreen(ListScreen[ListedPost]):
    WHERE = Where.POSTS
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)
    NAME = "Posts"
    EMPTY = "No posts yet. Press n to write one."

    def __init__(self, lms: "Lms", clock: "Clock", *, badge: str = "") -> None:
        super().__init__(lms, badge=badge)
        self._clock = clock

    async def page(self, number: int, wanted: str) -> Page[ListedPost]:  # noqa: ARG002 - the server has no search
        return await self._lms.posts.page(number)

    def identity(self, item: ListedPost) -> str:
        return str(item.id)

    @property
    def listing(self) -> Listing[ListedPost]:
        return present.LISTING

    def details(self, item: ListedPost, room: int) -> Sequence[Row]:
        return present.details(item, room, now_of(self._clock))

    def action_open_item(self) -> None:
        if self.chosen is not None:
            self.post_message(DestinationAsked(Destination.POST, name=present.slug_of(self.chosen.url)))

    @work(name="create", group="person", exclusive=True)
    async def action_create(self) -> None:
        specs = present.post_form(None, now_of(self._clock))

        async def save(values: Values) -> AdminPost:
            return await self._lms.posts.create(present.post_input(changed(specs, values)))

        created = await self.app.push_screen_wait(PostForm(self._lms, self._clock, "New post", specs, save))
        if created is not None:
            self._keep(created)

    @work(name="edit", group="person", exclusive=True)
    async def action_edit(self) -> None:
        chosen = self.chosen
        if chosen is None:
            return
        slug = present.slug_of(chosen.url)
        try:
            post = await self._lms.posts.read(slug)
        except ApiError as error:
            await self.explain(error)
            return
        specs = present.post_form(post, now_of(self._clock))

        async def save(values: Values) -> AdminPost:
            changes = changed(specs, values)
            return await self._lms.posts.update(slug, present.post_input(changes)) if changes else chosen

        title = f"Change “{clean_line(post.title)}”"
        saved = await self.app.push_screen_wait(PostForm(self._lms, self._clock, title, specs, save))
        if saved is not None:
            self._keep(saved)

    @work(name="delete", group="person", exclusive=True)
    async def action_delete(self) -> None:
        chosen = self.chosen
        if chosen is None:
            return
        name = present.slug_of(chosen.url)
        typed = await dialogs.ask_text(
            self.app,
            f"Delete “{clean_line(chosen.title)}”?",
            f"This cannot be undone. To delete the post, type its link name: {clean_line(name)}",
            placeholder="link name",
            check=lambda text: "" if text == name else f"Type {clean_line(name)}, or press esc to keep the post.",
        )
        if typed != name:
            return
        try:
            await self._lms.posts.delete(name)
        except ApiError as error:
            await self.explain(error)
        else:
            self.drop(chosen)

    def _keep(self, post: AdminPost) -> None:
        self.keep(ListedPost.model_validate(post.model_dump(exclude={"content_html"})))
        self.tell("Post saved.")


class PostForm(FormScreen[AdminPost]):
    """A form with a preview of the post."""

    WHERE = Where.POST_FORM
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(WHERE), Binding("ctrl+q,f8", "cancel", show=False)]

    def __init__(
        self, lms: "Lms", clock: "Clock", title: str, specs: Sequence[FieldSpec], save: Save[AdminPost]
    ) -> None:
        super().__init__(lms, title, specs, save)
        self._clock = clock

    def action_preview(self) -> None:
        self.app.push_screen(PostScreen(self._lms, self._clock, "", preview=present.preview(self.values)))
