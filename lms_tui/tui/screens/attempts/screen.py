"""The home screen: exams to resume, to start, upcoming and done, with the details of the chosen one."""

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.events import Key, Paste
from textual.widgets import Input, Static

from lms_tui.client.port import ExamState
from lms_tui.common.cleaning import clean_line
from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.messages import (
    AttemptAsked,
    DestinationAsked,
    ExamAsked,
    KeysWanted,
    ResultAsked,
    SignOut,
    StatisticsAsked,
)
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.card import RowsPane
from lms_tui.tui.widgets.kept_rows import keys_settled, moves, show_kept
from lms_tui.tui.widgets.row_list import Entry, RowList
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views import attempts as present
from lms_tui.views.attempts import ExamGroup, ExamLists, ExamRow
from lms_tui.views.error_messages import error_message
from lms_tui.views.format import moment_near
from lms_tui.views.kept_list import KeptEntry, KeptList, SeenList
from lms_tui.views.more import Destination
from lms_tui.views.rows import wrapped
from lms_tui.wire.errors import ApiError, NotFound, SignInNeeded, Unreachable

if TYPE_CHECKING:
    from lms_tui.attempt.ports import Clock, Journals, Unfinished
    from lms_tui.views.ports import KeptLists, UserSession
    from lms_tui.wire.attempts import Attempt

_log = logging.getLogger(__name__)
_DETAILS: Final = 40
"""The width of the details in cells where the window has no room for them."""
_LISTS: Final = ("attempts", "available", "upcoming")


@dataclass(frozen=True, slots=True)
class _Filters:
    """The filters of the lists: a part of the title, and a course."""

    title: str = ""
    course: str = ""


class AttemptsScreen(CommandScreen[None]):
    WHERE = Where.ATTEMPTS
    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)

    def __init__(
        self,
        session: "UserSession",
        journals: "Journals",
        clock: "Clock",
        kept_lists: "KeptLists | None" = None,
        seen: SeenList | None = None,
        *,
        badge: str = "",
    ) -> None:
        super().__init__()
        self._session = session
        self._lms = session.lms
        self._user = session.user
        self._kept_lists = kept_lists
        self._seen = seen
        self._kept: KeptList | None = None
        self._settling = False
        self._journals = journals
        self._clock = clock
        self._badge = badge
        self._filters = _Filters()
        self._next = dict.fromkeys(_LISTS, 1)
        self._lists = ExamLists(reached=False)
        self._items: dict[str, ExamRow] = {}
        self._by_exam: dict[str, list[Attempt]] = {}
        self._courses: tuple[str, ...] = ()
        self._loading = False
        self._trouble: ApiError | None = session.unreachable

    @property
    def _who(self) -> str:
        name = clean_line(self._user.display_name or self._user.username)
        _, _, host = self._lms.origin.rpartition("://")
        return f"{name} · {clean_line(host)}"

    def compose(self) -> ComposeResult:
        yield TopLine("Exams", self._who, self._badge)
        yield Static("", id="trouble", markup=False)
        # With select_on_focus, keys that are typed ahead would replace each other.
        yield Input(
            placeholder="Part of a title, then enter. Esc shows all exams.",
            id="search",
            compact=True,
            select_on_focus=False,
        )
        with Horizontal():
            yield RowList("Exams", glyphs=self.glyphs, id="exams")
            yield RowsPane("Details", glyphs=self.glyphs, id="details")
        yield self.command_bar()

    def on_mount(self) -> None:
        exams = self.query_one(RowList)
        if self._seen is None:
            exams.follow(self._show_details)
        else:
            show_kept(exams, self.query_one("#details", RowsPane), self._seen)
        exams.focus()

    @property
    def awaits_answer(self) -> bool:
        """Whether a kept list is on the screen, because the server has not answered yet."""
        return self._seen is not None

    def holds(self, event: Key | Paste) -> bool:
        """Whether a key waits for the server. In a kept list, only the cursor moves before the answer."""
        return self._seen is not None and (self._settling or not moves(event))

    def on_screen_resume(self) -> None:
        """Refresh the lists, which another screen may have changed. An attempt has deleted the kept one."""
        self._kept = None
        self.action_refresh()

    def action_refresh(self) -> None:
        self._load(afresh=True)

    def action_retry(self) -> None:
        self.action_refresh()

    @on(RowList.EndNear)
    def _go_on(self) -> None:
        if not self.awaits_answer and not self._loading and not self._trouble and self._next:
            self._load()

    @work(name="lists", group="lists", exclusive=True)
    async def _load(self, *, afresh: bool = False) -> None:
        """Fetch the next page of every list. Errors are shown above the lists."""
        self._loading = True
        if afresh:
            self._next = dict.fromkeys(_LISTS, 1)
            self._draw_loading()
        trouble: ApiError | None = None
        before = ExamLists(listed=self._lists.listed) if afresh else self._lists
        outcomes = await asyncio.gather(*(self._page(name) for name in tuple(self._next)), return_exceptions=True)
        lists = replace(before, unfinished=self._unfinished())
        for outcome in outcomes:
            if isinstance(outcome, ExamLists):
                lists = lists.with_attempts(outcome.attempts)
                lists = lists.with_exams(available=outcome.available, upcoming=outcome.upcoming)
            elif isinstance(outcome, SignInNeeded):
                self._loading = False
                self._leave_kept()
                await self._sign_in_again(outcome)
                return
            elif isinstance(outcome, NotFound):
                lists = replace(lists, listed=False)
            elif isinstance(outcome, ApiError):
                trouble = outcome
            elif isinstance(outcome, BaseException):
                raise outcome
        if trouble is not None and afresh and not lists.attempts:
            # While the server is offline, old lists are better than empty ones.
            lists = replace(self._lists, unfinished=lists.unfinished)
        await self._show(lists, trouble)
        if afresh and trouble is None:
            self.call_after_refresh(self._keep)  # the rows then have the width of the window

    async def _show(self, lists: ExamLists, trouble: ApiError | None) -> None:
        if self._seen is not None:
            self._settling = True
            await keys_settled(self)
        self._lists = lists
        self._loading, self._trouble = False, trouble
        self._draw(self._answered())

    def _answered(self) -> str:
        """Replace the kept list by the answer of the server. Return the key of the exam at the cursor."""
        seen, self._seen = self._seen, None
        if seen is None:
            return ""
        exams = self.query_one(RowList)
        exams.follow(self._show_details)
        slug = seen.kept.slug_of(exams.key)
        items = self._lists.items()
        found = [item.key for item in items if item.key == exams.key]
        found += [item.key for item in items if slug and item.exam.slug == slug]
        gone = "" if found else "The exam that you selected is not in the list any more. Later keys were not used."
        self.post_message(KeysWanted(dropped=gone))
        return next(iter(found), "")

    def _leave_kept(self) -> None:
        """Take the kept list away, because the server wants a new sign-in."""
        if self._seen is not None:
            self._seen = None
            self.query_one(RowList).follow(self._show_details)
            self.post_message(KeysWanted(dropped="The keys that you pressed were not used."))

    @work(name="keep", group="keep", exclusive=True)
    async def _keep(self) -> None:
        """Keep the list that is on the screen for the next start. Its first pages are enough."""
        profile, filters = self._session.kept_for, self._filters
        if self._kept_lists is None or profile is None or filters.title or filters.course or not self._items:
            return
        exams, room = self.query_one(RowList), self.query_one("#details", RowsPane).inner_width
        entries = [
            KeptEntry(entry.key, item.exam.slug if (item := self._items.get(entry.key)) else "", entry.drawn())
            for entry in self._entries(exams.inner_width)
        ]
        kept = KeptList(self._who, tuple(entries))
        first = self._items[kept.first]
        details = present.details(first, self._known_of(first), room if room > 1 else _DETAILS, self._now())
        kept = replace(kept, details=tuple(details))
        if kept == self._kept:
            return
        self._kept = kept
        try:
            await asyncio.to_thread(self._kept_lists.keep, profile, kept)
        except OSError as error:
            _log.warning("the exam list was not kept: %s", error.strerror)

    def _draw_loading(self) -> None:
        """Say that an empty list is loading. Show what the journals hold if the server was not reached before."""
        if self._items:
            return
        if self._trouble is not None:
            self._lists = replace(self._lists, unfinished=self._unfinished())
        self._draw()

    async def _page(self, name: str) -> ExamLists:
        """Fetch one page of one list. Raises NotFound if the server has no exam lists."""
        number = self._next[name]
        course, title = self._filters.course, self._filters.title
        if name == "attempts":
            attempts = await self._lms.attempts.page(number, course=course, title=title)
            found, more = ExamLists(attempts=attempts.results), attempts.next
        else:
            try:
                exams = await self._lms.exams.page(ExamState(name), number, course=course, title=title)
            except NotFound:
                self._next.pop(name, None)
                raise
            found, more = ExamLists().with_exams(**{name: exams.results}), exams.next
        if more:
            self._next[name] = number + 1
        else:
            self._next.pop(name, None)
        return found

    def _unfinished(self) -> "tuple[Unfinished, ...]":
        wanted = self._filters.title.casefold()
        unfinished = self._journals.unfinished(self._lms.origin, self._user.id)
        return tuple(each for each in unfinished if wanted in each.title.casefold())

    async def _sign_in_again(self, error: SignInNeeded) -> None:
        if await dialogs.sign_in_again(self.app, self._lms):
            self._trouble = None
            self.action_refresh()
        else:
            self._trouble = error
            self._draw()

    def _draw(self, key: str = "") -> None:
        """Draw the lists. The cursor moves to `key`, or stays where it is."""
        if self._seen is not None:
            return  # until the server has answered
        self._items = {item.key: item for item in self._lists.items()}
        self._by_exam = self._lists.by_exam()
        self._courses = tuple(sorted({*self._courses, *self._lists.courses}))
        trouble = self.query_one("#trouble", Static)
        trouble.update(Content(self._trouble_words()))
        trouble.set_class(self._trouble is not None, "-shown")
        filters = [f"“{self._filters.title}”" if self._filters.title else "", self._filters.course]
        note = " · ".join(clean_line(limit) for limit in filters if limit)
        self.query_one(RowList).show(self._entries, note=note, key=key)
        self._show_details()

    def _trouble_words(self) -> str:
        key = self.key_of("refresh")
        match self._trouble:
            case None:
                return ""
            case SignInNeeded() as error:
                return f"! {error_message(error).what} Press {key} to sign in again."
            case error:
                return f"! {error_message(error).text} Press {key} to try again."

    def _entries(self, room: int) -> list[Entry]:
        now = self._now()
        columns = present.Columns.of(self._items.values(), room, now)
        entries: list[Entry] = []
        for kind in ExamGroup:
            items = [item for item in self._items.values() if item.kind is kind]
            if not items:
                continue
            if entries:
                entries.append(Entry("", ()))
            entries.append(Entry("", present.heading(kind, columns)))
            entries += [Entry(item.key, partial(present.line, item, columns, now)) for item in items]
        remarks = [line for text in self._remarks(bool(entries)) for line in wrapped(text, room, "dim")]
        return entries + [Entry("", line) for line in remarks]

    def _remarks(self, anything: bool) -> list[str]:
        if self._loading:
            return ["Loading …"]
        if isinstance(self._trouble, Unreachable) and not self._lists.reached:
            return [*([""] if anything else []), present.without_server(self._lists.unfinished)]
        remarks = []
        if not anything and self._trouble is None:
            if self._filters.title or self._filters.course:
                remarks.append("No exam matches. Press esc to show all exams.")
            else:
                remarks.append("You have no exams yet.")
                remarks.append(f"Ask your institute when an exam opens. Press {self.key_of('refresh')} to refresh.")
        if not self._lists.listed:
            remarks += ["", "This server has no list of exams."]
        if remarks:
            remarks.append(f"Press {self.key_of('by_slug')} to open an exam by its link name.")
        return remarks

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.wall(), UTC)

    @property
    def _chosen(self) -> ExamRow | None:
        return self._items.get(self.query_one(RowList).key)

    def _show_details(self) -> None:
        item, now = self._chosen, self._now()
        pane = self.query_one("#details", RowsPane)
        if item is None:
            pane.show("Details", lambda _: ())
        else:
            known = self._known_of(item)
            pane.show("Details", lambda room: present.details(item, known, room, now))

    def _known_of(self, item: ExamRow) -> ExamLists:
        return ExamLists(attempts=tuple(self._by_exam.get(item.exam.slug, ())))

    @on(RowList.Selected)
    def _open_clicked(self) -> None:
        if self.awaits_answer:
            self.app.post_message(Key("enter", "\r"))
        else:
            self.action_open()

    def action_open(self) -> None:
        item = self._chosen
        match item:
            case ExamRow(kind=ExamGroup.UNSENT | ExamGroup.RESUME):
                self.post_message(AttemptAsked(item.attempt_id, item.title))
            case ExamRow(kind=ExamGroup.AVAILABLE):
                self.post_message(ExamAsked(item.exam.slug))
            case ExamRow(kind=ExamGroup.UPCOMING):
                when = moment_near(item.exam.start_date, self._now())
                self.notify(f"{item.title} opens {when}.", markup=False)
            case ExamRow(kind=ExamGroup.DONE):
                self.post_message(ResultAsked(item.attempt_id))

    def action_search(self) -> None:
        field = self.query_one("#search", Input)
        field.display = True
        self.set_focus(field)  # at once, because the next key may have arrived

    @on(Input.Submitted, "#search")
    def _search(self, event: Input.Submitted) -> None:
        self._filter_by(title=event.value.strip())
        self.query_one(RowList).focus()

    def key_escape(self) -> None:
        """Clear the search and the filters."""
        field = self.query_one("#search", Input)
        field.value = ""
        field.display = False
        self.query_one(RowList).focus()
        if self._filters.title or self._filters.course:
            self._filter_by(title="", course="")

    def _filter_by(self, *, title: str | None = None, course: str | None = None) -> None:
        self._filters = _Filters(
            self._filters.title if title is None else title, self._filters.course if course is None else course
        )
        self._load(afresh=True)

    @work(name="course", group="course", exclusive=True)
    async def action_filter_course(self) -> None:
        options = ["All courses", *(clean_line(course) for course in self._courses)]
        chosen = options.index(clean_line(self._filters.course)) if self._filters.course else 0
        place = await dialogs.choose(self.app, "Choose a course", options, chosen=chosen)
        if place is not None:
            self._filter_by(course=self._courses[place - 1] if place else "")

    @work(name="by slug", group="by slug", exclusive=True)
    async def action_by_slug(self) -> None:
        slug = await dialogs.ask_text(
            self.app,
            "Open an exam by its link name",
            "The link name is the last part of the exam's web address, such as jee-main-shift-1.",
            placeholder="link name",
            check=lambda text: "" if text else "Type the link name.",
        )
        if slug:
            self.post_message(ExamAsked(slug.rstrip("/").rpartition("/")[2]))

    def action_more(self) -> None:
        self.post_message(DestinationAsked(Destination.MORE))

    def action_statistics(self) -> None:
        self.post_message(StatisticsAsked())

    def action_sign_out(self) -> None:
        self.post_message(SignOut())
