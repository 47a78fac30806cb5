"""The first screen after the sign-in: exams to resume and to start, the last results, and what is new."""

import asyncio
import logging
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar

from textual import work
from textual.binding import BindingType
from textual.events import Key, Paste

from lms_tui.common.moments import now_of
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.messages import DestinationAsked, ExamsAsked, KeysWanted, ResultAsked
from lms_tui.tui.screens.attempts.base import ExamsScreen
from lms_tui.tui.widgets.card import RowsPane
from lms_tui.tui.widgets.kept_rows import drawable, keys_settled, moves, show_kept
from lms_tui.tui.widgets.row_list import Entry, RowList
from lms_tui.views import home as present
from lms_tui.views.attempts import ExamLists, ExamRow
from lms_tui.views.kept_list import KeptEntry, KeptList, SeenList
from lms_tui.views.more import Destination, MenuGroup, groups
from lms_tui.views.rows import wrapped
from lms_tui.wire.attempts import SubjectAnalytics
from lms_tui.wire.errors import ApiError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from lms_tui.attempt.ports import Clock, Journals
    from lms_tui.common.settings import Profile
    from lms_tui.tui.permissions import Permissions
    from lms_tui.views.ports import KeptLists, UserSession
    from lms_tui.views.rows import Row

Told = TypeVar("Told")
_log = logging.getLogger(__name__)
_DETAILS: Final = 40
"""The width of the details in cells where the window has no room for them."""
_ROW_OF_ALL: Final = 2
"""Rows of the entry for all exams, with the blank above it."""
_TICK: Final = 30.0
"""Seconds between two looks at the time until the next exam."""


class HomeScreen(ExamsScreen):
    """Shows the kept list first. When the server has answered, the exams replace it, and the news follow.

    Without `kept_lists` no list is kept. `seen` is the list that the screen shows already. `count_due` counts the cards
    of practice that are due. `may_keep`: whether no attempt is open, which has deleted what was kept.
    """

    WHERE = Where.HOME
    NAME = "Home"
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)

    def __init__(
        self,
        session: "UserSession",
        journals: "Journals",
        clock: "Clock",
        permissions: "Permissions",
        kept_lists: "KeptLists | None" = None,
        seen: SeenList | None = None,
        *,
        count_due: "Callable[[], int] | None" = None,
        may_keep: "Callable[[], bool] | None" = None,
        badge: str = "",
    ) -> None:
        super().__init__(session, journals, clock, badge=badge)
        self._permissions = permissions
        self._count_due = count_due or (lambda: 0)
        self._kept_lists = kept_lists
        self._seen = seen
        self._kept_extras = seen.kept.extras if seen is not None else ()
        self._kept: KeptList | None = None
        self._settling = False
        self._may_keep = may_keep or (lambda: True)
        self._news = present.News()
        self._subjects: dict[int, Sequence[SubjectAnalytics]] = {}

    def on_mount(self) -> None:  # Textual calls that of the base class too
        if self._seen is not None:
            show_kept(self.query_one(RowList), self.query_one("#details", RowsPane), self._seen)
        self.set_interval(_TICK, self._tick)

    def on_resize(self) -> None:
        """Fill the new height with exams, once the list has it."""
        if self._items:
            self.call_after_refresh(self._tick)

    def _tick(self) -> None:
        """Draw the rows again. The cursor and the details stay."""
        if self.is_on_top and not self.awaits_answer:
            self.query_one(RowList).show(self.entries)

    def on_screen_resume(self) -> None:
        self._kept = None  # an attempt has deleted what was kept
        super().on_screen_resume()

    # The lists that were kept, until the server has answered.

    @property
    def awaits_answer(self) -> bool:
        """Whether a kept screen is shown, because the server has not answered yet."""
        return self._seen is not None

    def holds(self, event: Key | Paste) -> bool:
        """Whether a key waits for the server. Only the cursor moves before the answer."""
        return self._seen is not None and (self._settling or not moves(event))

    async def answered(self, lists: ExamLists, trouble: ApiError | None) -> None:
        if self._seen is None:
            await super().answered(lists, trouble)
            return
        self._settling = True
        await keys_settled(self)
        exams, kept, self._seen = self.query_one(RowList), self._seen.kept, None
        key, slug = exams.key, kept.slug_of(exams.key)
        exams.follow(self._show_details)
        await super().answered(lists, trouble)
        found = [key] if exams.key == key else [i.key for i in self._items.values() if slug and i.exam.slug == slug]
        if found:
            exams.go_to(found[0])
        there = found[:1] == [exams.key]
        gone = "" if there else "The selected row is not there any more. Later keys were not used."
        self.post_message(KeysWanted(dropped=gone))

    def sign_in_lost(self) -> None:
        """Take what was kept away, because the server wants a new sign-in."""
        if self._seen is not None:
            self._seen = None
            self.query_one(RowList).follow(self._show_details)
            self.post_message(KeysWanted(dropped="The keys that you pressed were not used."))

    def refreshed(self) -> None:
        self.call_after_refresh(self._keep)  # somebody may leave before the news
        self.call_after_refresh(self._load_news)

    @work(name="keep", group="keep", exclusive=True)
    async def _keep(self) -> None:
        """Keep the screen for the next start. Behind another screen, an exam may begin that the rows do not offer."""
        profile, exams = self._session.kept_for, self.query_one(RowList)
        if self._kept_lists is None or profile is None or not (self._may_keep() and self.is_on_top):
            return
        room, pane = exams.inner_width, self.query_one("#details", RowsPane).inner_width
        rows, extras = tuple(self._exams_of(room)), tuple(self._extras(room))
        first = next((entry.key for entry in rows if entry.key), "")
        details = self.details_of(first, pane if pane > 1 else _DETAILS)
        kept = KeptList(self._who, rows, tuple(details), extras)
        if kept == self._kept:
            return
        self._kept = kept
        try:
            await asyncio.to_thread(self._write, self._kept_lists, profile, kept)
        except OSError as error:
            _log.warning("the home screen was not kept: %s", error.strerror)

    def _write(self, lists: "KeptLists", profile: "Profile", kept: KeptList) -> None:
        """Write the screen in a thread, which goes on where its worker is cancelled."""
        lists.keep(profile, kept)
        if not self._may_keep():  # an attempt has begun meanwhile
            lists.forget(profile)

    # The content that arrives after the exams.

    @work(name="news", group="news", exclusive=True)
    async def _load_news(self) -> None:
        """Fetch statistics, notices and the subjects of the last exams. The server may lack each of them."""
        last = present.last_attempts(self._lists)
        stats, notices, places, due, _ = await asyncio.gather(
            _told(self._lms.stats()),
            _told(self._lms.posts.readable()),
            self._places(),
            asyncio.to_thread(self._count_due),
            asyncio.gather(*(self._load_subjects(attempt.id) for attempt in last)),
        )
        subjects = present.merged(self._subjects.get(attempt.id, ()) for attempt in last)
        notes = notices.results if notices is not None else ()
        self._news = present.News(
            loading=False, stats=stats, subjects=subjects, notices=tuple(notes), places=places, due=due
        )
        self.draw()
        self.call_after_refresh(self._keep)  # the rows then have the width of the window

    async def _places(self) -> tuple[MenuGroup, ...]:
        """Ask only for a user without attempts, because a student may not read what tells it."""
        if self._lists.attempts:
            return ()
        administers, watches = await asyncio.gather(self._permissions.administers(), self._permissions.watches())
        return groups(administers=administers, watches=watches)[::-1]  # the daily work of staff is first

    async def _load_subjects(self, attempt_id: int) -> None:
        if attempt_id not in self._subjects and (found := await _told(self._lms.attempts.subjects(attempt_id))):
            self._subjects[attempt_id] = found

    # Rows.

    def shown(self) -> tuple[ExamRow, ...]:
        return present.shown(self._lists, now_of(self._clock))

    def entries(self, room: int) -> list[Entry]:
        return drawable((*self._exams_of(room), *self._extras(room)))

    def _exams_of(self, room: int) -> list[KeptEntry]:
        known = self._lists
        rows = present.exam_rows(tuple(self._items.values()), room, now_of(self._clock), self._height_of_exams(room))
        words = [] if self._news.places else self.remarks(bool(rows or known.attempts))
        if known.attempts and not (rows or words):
            words = ["No exam is open for you now."]
        rows += [KeptEntry("", "", line) for text in words for line in wrapped(text, room, "dim")]
        if not known.reached:
            return rows
        gap = [KeptEntry("", "", ())] if rows else []
        return [*rows, *gap, present.all_exams(known, room, more=bool(self._next))]

    def _height_of_exams(self, room: int) -> int:
        """Return the rows that all other parts leave, also when they arrive later."""
        others = max(present.EXTRAS, len(self._extras(room)))
        return self.query_one(RowList).window - _ROW_OF_ALL - others

    def _extras(self, room: int) -> list[KeptEntry]:
        if not self._lists.reached:
            return []
        if self._news.loading and self._kept_extras:
            return list(self._kept_extras)
        rows = present.extras(self._lists, self._news, room)
        return [KeptEntry("", "", ()), *rows] if rows else []

    def draw(self, key: str = "") -> None:
        if self._seen is None:  # else the server has not answered yet
            super().draw(key)

    def details_of(self, key: str, room: int) -> "Sequence[Row]":
        found = super().details_of(key, room)
        return found or present.details(key, self._lists, self._news, room, now_of(self._clock))

    # Commands.

    def action_open(self) -> None:
        name, _, rest = self.query_one(RowList).key.partition("-")
        match name:
            case "all":
                self.action_exams()
            case present.DUE:
                self.action_deck()
            case "topic" | "progress":
                self.action_statistics()
            case "result" if rest.isdecimal():
                self.post_message(ResultAsked(int(rest)))
            case "notice":
                self.post_message(DestinationAsked(Destination.POST, name=rest))
            case "place" if rest in {each.value for each in Destination}:
                self.post_message(DestinationAsked(Destination(rest)))
            case _:
                super().action_open()

    def action_exams(self) -> None:
        self.post_message(ExamsAsked(self._lists))

    def action_notices(self) -> None:
        self.post_message(DestinationAsked(Destination.NOTICES))

    def action_deck(self) -> None:
        self.post_message(DestinationAsked(Destination.DECK))

    def action_courses(self) -> None:
        self.post_message(DestinationAsked(Destination.COURSES))

    def action_videos(self) -> None:
        self.post_message(DestinationAsked(Destination.VIDEOS))


async def _told(asked: "Awaitable[Told]") -> Told | None:
    """Return what the server tells, None if it does not."""
    try:
        return await asked
    except ApiError:
        return None
