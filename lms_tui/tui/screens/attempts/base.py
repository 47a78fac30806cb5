"""The base of the home screen and of the exam list: exams in a list, and the details of the selected one."""

import asyncio
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.common.moments import now_of
from lms_tui.tui import dialogs
from lms_tui.tui.messages import (
    AttemptAsked,
    DestinationAsked,
    ExamAsked,
    ResultAsked,
    SignOut,
    StatisticsAsked,
)
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.card import RowsPane
from lms_tui.tui.widgets.row_list import Entry, RowList
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views import attempts as present
from lms_tui.views.attempts import ExamGroup, ExamLists, ExamRow
from lms_tui.views.error_messages import error_message
from lms_tui.views.first_pages import LISTS, FirstPages, page_of
from lms_tui.views.format import moment_near
from lms_tui.views.more import Destination
from lms_tui.wire.errors import ApiError, NotFound, SignInNeeded, Unreachable

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from lms_tui.attempt.ports import Clock, Journals, Outstanding, Unfinished
    from lms_tui.views.ports import UserSession
    from lms_tui.views.rows import Row
    from lms_tui.wire.attempts import Attempt
    from lms_tui.wire.base import Page


@frozen
class Filters:
    """The filters of the lists: a part of the title, and a course."""

    title: str = ""
    course: str = ""

    def include(self, other: "Filters") -> bool:
        """Whether every exam that the other filters find is among those that these find."""
        return self.title.casefold() in other.title.casefold() and self.course in {"", other.course}

    def match(self, item: ExamRow) -> bool:
        return self.title.casefold() in item.title.casefold() and self.course in {"", item.exam.course}


class ExamsScreen(CommandScreen[None]):
    """Subclasses say which rows they show. The lists come from the server page by page."""

    NAME: ClassVar[str] = ""
    # With `CSS_PATH`, Textual would parse every style sheet again before home is drawn.
    DEFAULT_CSS = """
    ExamsScreen {
        #trouble { display: none; height: auto; padding: 0 2; color: $text-error; background: $error-muted; }
        #trouble.-shown { display: block; }
        #search { display: none; height: 1; border: none; padding: 0 2; background: $panel; }
        Horizontal { height: 1fr; }
        #exams { width: 1fr; }
        #details { width: 34%; max-width: 60; display: none; }
        &.-wide #details { display: block; }
    }
    """

    def __init__(self, session: "UserSession", journals: "Journals", clock: "Clock", *, badge: str = "") -> None:
        super().__init__()
        self._session = session
        self._lms = session.lms
        self._user = session.user
        self._journals = journals
        self._clock = clock
        self._badge = badge
        self._wanted = self._filters = Filters()  # the server has applied the second ones
        self._next = dict.fromkeys(LISTS, 1)
        self._early: dict[str, asyncio.Task[Page[Any]]] = {}
        self._undrawn = ExitStack()
        self._lists = ExamLists(reached=False)
        self._items: dict[str, ExamRow] = {}
        self._by_exam: dict[str, list[Attempt]] = {}
        self._loading = False
        self._trouble: ApiError | None = session.unreachable

    @property
    def _who(self) -> str:
        name = clean_line(self._user.display_name or self._user.username)
        _, _, host = self._lms.origin.rpartition("://")
        return f"{name} · {clean_line(host)}"

    def compose(self) -> ComposeResult:
        # The server answers while the widgets are mounted, which takes as long.
        under_way = self._session.first_pages
        self._early = (under_way.take() if under_way is not None else {}) or FirstPages(self._lms).take()
        yield TopLine(self.NAME, self._who, self._badge)
        yield Static("", id="trouble", markup=False)
        yield from self.fields()
        with Horizontal():
            yield RowList(self.NAME, glyphs=self.glyphs, id="exams")
            yield RowsPane("Details", glyphs=self.glyphs, id="details")
        yield self.command_bar()

    def fields(self) -> Iterable[Widget]:
        """Return what stands above the list."""
        return ()

    def on_mount(self) -> None:
        self.fit_window()
        if self._early and all(task.done() for task in self._early.values()):
            # The lists are there already, and the first thing to draw.
            self._undrawn.enter_context(self.app.batch_update())
        exams = self.query_one(RowList)
        exams.follow(self._show_details)
        exams.focus()

    def on_unmount(self) -> None:
        self._undrawn.close()
        for task in self._early.values():
            task.cancel()

    def on_screen_resume(self) -> None:
        """Refresh the lists, which another screen may have changed."""
        self.action_refresh()

    def action_refresh(self) -> None:
        self._load(afresh=True)

    def action_retry(self) -> None:
        self.action_refresh()

    @work(name="lists", group="lists", exclusive=True)
    async def _load(self, *, afresh: bool = False) -> None:
        """Fetch the next page of every list, or all of them. Errors are shown above the lists."""
        self._loading = True
        if afresh:
            self._next = dict.fromkeys(LISTS, 1)
            self._draw_loading()
        lists = ExamLists(listed=self._lists.listed) if afresh else self._lists
        try:
            lists, trouble = await self._more_of(lists)
            while trouble is None and self._next and self.wants_all:
                lists, trouble = await self._more_of(lists)
        except SignInNeeded as error:
            self._undrawn.close()
            self._loading = False
            self.sign_in_lost()
            await self._sign_in_again(error)
            return
        if not self.query("#trouble"):  # the app is being closed
            return
        if trouble is not None and afresh and not lists.attempts:
            lists = self._lists  # while the server is offline, old lists are better than empty ones
        outstanding = self._outstanding()
        await self.answered(replace(lists, unfinished=self._wanted_of(outstanding)), trouble)
        self._undrawn.close()
        if afresh and trouble is None:
            self.refreshed()
            from lms_tui.attempt.signing import sign_receipts  # noqa: PLC0415 - after the first paint

            await sign_receipts(self._lms.attempts, self._journals, outstanding.unsigned, self._clock.wall())

    @property
    def wants_all(self) -> bool:
        """Whether every page is fetched, not only the next one."""
        return False

    async def _more_of(self, lists: ExamLists) -> tuple[ExamLists, ApiError | None]:
        """Add the next page of every list. Return an error beside what was fetched. Raises SignInNeeded."""
        trouble: ApiError | None = None
        outcomes = await asyncio.gather(*(self._page(name) for name in tuple(self._next)), return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, ExamLists):
                lists = lists.with_attempts(outcome.attempts)
                lists = lists.with_exams(available=outcome.available, upcoming=outcome.upcoming)
            elif isinstance(outcome, NotFound):
                lists = replace(lists, listed=False)
            elif isinstance(outcome, ApiError) and not isinstance(outcome, SignInNeeded):
                trouble = outcome
            elif isinstance(outcome, BaseException):
                raise outcome
        return lists, trouble

    async def answered(self, lists: ExamLists, trouble: ApiError | None) -> None:
        """Show what the server has answered."""
        self._lists = lists
        self._loading, self._trouble = False, trouble
        self.draw()

    def refreshed(self) -> None:
        """The first pages are on the screen."""

    def sign_in_lost(self) -> None:
        """The server wants a new sign-in."""

    def _draw_loading(self) -> None:
        """Say that an empty list is loading. Show what the journals hold if the server was not reached before."""
        if self._items:
            return
        if self._trouble is not None:
            self._lists = replace(self._lists, unfinished=self._wanted_of(self._outstanding()))
        self.draw()

    async def _page(self, name: str) -> ExamLists:
        """Fetch one page of one list. Raises NotFound if the server has no exam lists."""
        number, early = self._next[name], self._early.pop(name, None)
        try:
            page = await (self._fetch(name, number) if early is None else early)
        except NotFound:
            if name != "attempts":
                self._next.pop(name, None)
            raise
        if page.next:
            self._next[name] = number + 1
        else:
            self._next.pop(name, None)
        if name == "attempts":
            return ExamLists(attempts=page.results)
        return ExamLists().with_exams(**{name: page.results})

    def _fetch(self, name: str, number: int) -> "Coroutine[Any, Any, Page[Any]]":
        return page_of(self._lms, name, number, course=self._filters.course, title=self._filters.title)

    def _outstanding(self) -> "Outstanding":
        return self._journals.outstanding(self._lms.origin, self._user.id)

    def _wanted_of(self, outstanding: "Outstanding") -> "tuple[Unfinished, ...]":
        """Return the unfinished attempts that the filter of the title finds."""
        wanted = self._filters.title.casefold()
        return tuple(each for each in outstanding.unfinished if wanted in each.title.casefold())

    async def _sign_in_again(self, error: SignInNeeded) -> None:
        if await dialogs.sign_in_again(self.app, self._lms):
            self._trouble = None
            self.action_refresh()
        else:
            self._trouble = error
            self.draw()

    @abstractmethod
    def shown(self) -> tuple[ExamRow, ...]:
        """Return the exams of the list, in their order."""

    @abstractmethod
    def entries(self, room: int) -> list[Entry]:
        """Return the rows of the list for a width in cells."""

    def note(self) -> str:
        """Return the text at the upper right of the list."""
        return ""

    def draw(self, key: str = "") -> None:
        """Draw the lists. The cursor moves to `key`, or stays where it is."""
        self._items = {item.key: item for item in self.shown()}
        self._by_exam = self._lists.by_exam()
        trouble = self.query_one("#trouble", Static)
        trouble.update(Content(self._trouble_words()))
        trouble.set_class(self._trouble is not None, "-shown")
        self.query_one(RowList).show(self.entries, note=self.note(), key=key)
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

    def remarks(self, anything: bool) -> list[str]:
        if self._loading:
            return ["Loading …"]
        if isinstance(self._trouble, Unreachable) and not self._lists.reached:
            return [*([""] if anything else []), present.without_server(self._lists.unfinished)]
        remarks = []
        if not anything and self._trouble is None:
            if self._wanted != Filters():
                remarks.append("No exam matches. Press esc to show all exams.")
            else:
                remarks.append("You have no exams yet.")
                remarks.append(f"Ask your institute when an exam opens. Press {self.key_of('refresh')} to refresh.")
        if not self._lists.listed:
            remarks += ["", "This server has no list of exams."]
        if remarks:
            remarks.append(f"Press {self.key_of('by_slug')} to open an exam by its link name.")
        return remarks

    def _show_details(self) -> None:
        key = self.query_one(RowList).key
        self.query_one("#details", RowsPane).show("Details", lambda room: self.details_of(key, room))

    def details_of(self, key: str, room: int) -> "Sequence[Row]":
        """Return what stands beside a row."""
        item = self._items.get(key)
        if item is None:
            return ()
        known = ExamLists(attempts=tuple(self._by_exam.get(item.exam.slug, ())))
        return present.details(item, known, room, now_of(self._clock))

    @on(RowList.Selected)
    def _open_clicked(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        item = self._items.get(self.query_one(RowList).key)
        match item:
            case ExamRow(kind=ExamGroup.UNSENT | ExamGroup.RESUME):
                self.post_message(AttemptAsked(item.attempt_id, item.title))
            case ExamRow(kind=ExamGroup.AVAILABLE):
                self.post_message(ExamAsked(item.exam.slug))
            case ExamRow(kind=ExamGroup.UPCOMING):
                when = moment_near(item.exam.start_date, now_of(self._clock))
                self.notify(f"{item.title} opens {when}.", markup=False)
            case ExamRow(kind=ExamGroup.DONE):
                self.post_message(ResultAsked(item.attempt_id))

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
