"""Home: what can be resumed, taken, looked forward to and looked back on, with the details of the chosen one."""

import asyncio
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Static

from lms_tui.client.port import ExamState
from lms_tui.common.cleaning import clean_line
from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.messages import AttemptAsked, DestinationAsked, ExamAsked, ResultAsked, SignOut, StatisticsAsked
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.card import RowsPane
from lms_tui.tui.widgets.row_list import Entry, RowList
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views import attempts as present
from lms_tui.views.attempts import ExamGroup, ExamLists, ExamRow
from lms_tui.views.error_messages import error_message
from lms_tui.views.format import moment_near
from lms_tui.views.more import Destination
from lms_tui.views.rows import wrapped
from lms_tui.wire.errors import ApiError, NotFound, SignInNeeded

if TYPE_CHECKING:
    from lms_tui.attempt.ports import Clock, Journals, Unfinished
    from lms_tui.client.port import Lms
    from lms_tui.wire.attempts import Attempt
    from lms_tui.wire.users import CurrentUser

_LISTS: Final = ("attempts", "available", "upcoming")


@dataclass(frozen=True, slots=True)
class _Limits:
    """What the lists are limited to: part of a title, and a course."""

    title: str = ""
    course: str = ""


class AttemptsScreen(CommandScreen[None]):
    WHERE = Where.ATTEMPTS
    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)

    def __init__(
        self, lms: "Lms", user: "CurrentUser", journals: "Journals", clock: "Clock", *, badge: str = ""
    ) -> None:
        super().__init__()
        self._lms = lms
        self._user = user
        self._journals = journals
        self._clock = clock
        self._badge = badge
        self._limits = _Limits()
        self._next = dict.fromkeys(_LISTS, 1)
        self._holdings = ExamLists()
        self._items: dict[str, ExamRow] = {}
        self._by_exam: dict[str, list[Attempt]] = {}
        self._courses: tuple[str, ...] = ()
        self._loading = False
        self._trouble = ""

    def compose(self) -> ComposeResult:
        name = clean_line(self._user.display_name or self._user.username)
        _, _, host = self._lms.origin.rpartition("://")
        yield TopLine("Exams", f"{name} · {clean_line(host)}", self._badge)
        yield Static("", id="trouble", markup=False)
        # Selecting on focus would let what is typed ahead replace itself.
        yield Input(
            placeholder="part of a title, then enter; esc shows all again",
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
        exams.follow(self._show_details)
        exams.focus()

    def on_screen_resume(self) -> None:
        """Whatever happened on another screen may have changed the lists."""
        self.action_refresh()

    # Asking the server.

    def action_refresh(self) -> None:
        self._load(afresh=True)

    def action_retry(self) -> None:
        self.action_refresh()

    @on(RowList.EndNear)
    def _go_on(self) -> None:
        if not self._loading and not self._trouble and self._next:
            self._load()

    @work(name="lists", group="lists", exclusive=True)
    async def _load(self, *, afresh: bool = False) -> None:
        """Fetch the next page of every list that has one; what fails is said above what there is."""
        self._loading, self._trouble = True, ""
        if afresh:
            self._next = dict.fromkeys(_LISTS, 1)
        if afresh and not self._items:
            self._draw()
        before = ExamLists(listed=self._holdings.listed) if afresh else self._holdings
        outcomes = await asyncio.gather(*(self._page(name) for name in tuple(self._next)), return_exceptions=True)
        holdings = replace(before, unfinished=self._unfinished())
        for outcome in outcomes:
            if isinstance(outcome, ExamLists):
                holdings = holdings.with_attempts(outcome.attempts)
                holdings = holdings.with_exams(available=outcome.available, upcoming=outcome.upcoming)
            elif isinstance(outcome, SignInNeeded):
                self._loading = False
                await self._sign_in_again(outcome)
                return
            elif isinstance(outcome, NotFound):
                holdings = replace(holdings, listed=False)
            elif isinstance(outcome, ApiError):
                told = error_message(outcome)
                self._trouble = f"! {told.what} {told.advice} Press {self.key_of('refresh')} to try again."
            elif isinstance(outcome, BaseException):
                raise outcome
        if self._trouble and afresh and not holdings.attempts:
            # Old lists are better than none while the server is away.
            holdings = replace(self._holdings, unfinished=holdings.unfinished)
        self._holdings = holdings
        self._loading = False
        self._draw()

    async def _page(self, name: str) -> ExamLists:
        """One page of one list; a server without exam lists raises NotFound."""
        number = self._next[name]
        course, title = self._limits.course, self._limits.title
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
        wanted = self._limits.title.casefold()
        unfinished = self._journals.unfinished(self._lms.origin, self._user.id)
        return tuple(each for each in unfinished if wanted in each.title.casefold())

    async def _sign_in_again(self, error: SignInNeeded) -> None:
        if await dialogs.sign_in_again(self.app, self._lms):
            self.action_refresh()
            return
        self._trouble = f"! {error_message(error).what} Press {self.key_of('refresh')} to sign in again."
        self._draw()

    # Showing.

    def _draw(self) -> None:
        self._items = {item.key: item for item in self._holdings.items()}
        self._by_exam = self._holdings.by_exam()
        self._courses = tuple(sorted({*self._courses, *self._holdings.courses}))
        trouble = self.query_one("#trouble", Static)
        trouble.update(Content(self._trouble))
        trouble.set_class(bool(self._trouble), "-shown")
        limits = [f"“{self._limits.title}”" if self._limits.title else "", self._limits.course]
        note = " · ".join(clean_line(limit) for limit in limits if limit)
        self.query_one(RowList).show(self._entries, note=note)
        self._show_details()

    def _entries(self, room: int) -> list[Entry]:
        now = self._now()
        entries: list[Entry] = []
        for kind in ExamGroup:
            items = [item for item in self._items.values() if item.kind is kind]
            if not items:
                continue
            if entries:
                entries.append(Entry("", ()))
            entries.append(Entry("", present.heading(kind, room)))
            entries += [Entry(item.key, partial(present.line, item, room, now)) for item in items]
        remarks = [line for text in self._remarks(bool(entries)) for line in wrapped(text, room, "dim")]
        return entries + [Entry("", line) for line in remarks]

    def _remarks(self, anything: bool) -> list[str]:
        if self._loading:
            return ["Asking the server …"]
        remarks = []
        if not anything and not self._trouble:
            limited = self._limits.title or self._limits.course
            if limited:
                remarks.append("Nothing matches. esc shows all again.")
            else:
                remarks += ["There is no exam for you yet.", *self._what_then()]
        if not self._holdings.listed:
            remarks += ["", f"This server keeps no list of exams. {self.key_of('by_slug')} starts one by its name."]
        return remarks

    def _what_then(self) -> list[str]:
        again, by_name = self.key_of("refresh"), self.key_of("by_slug")
        told = f"Ask your institute when one opens; {again} asks the server again."
        return [told, f"{by_name} starts one by the name in its address."] if self._holdings.listed else [told]

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
            known = ExamLists(attempts=tuple(self._by_exam.get(item.exam.slug, ())))
            pane.show("Details", lambda room: present.details(item, known, room, now))

    # Commands.

    @on(RowList.Selected)
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
        self.set_focus(field)  # at once: the next key may be here already

    @on(Input.Submitted, "#search")
    def _search(self, event: Input.Submitted) -> None:
        self._limit(title=event.value.strip())
        self.query_one(RowList).focus()

    def key_escape(self) -> None:
        """Show all again."""
        field = self.query_one("#search", Input)
        field.value = ""
        field.display = False
        self.query_one(RowList).focus()
        if self._limits.title or self._limits.course:
            self._limit(title="", course="")

    def _limit(self, *, title: str | None = None, course: str | None = None) -> None:
        self._limits = _Limits(
            self._limits.title if title is None else title, self._limits.course if course is None else course
        )
        self._load(afresh=True)

    @work(name="course", group="course", exclusive=True)
    async def action_filter_course(self) -> None:
        options = ["All courses", *(clean_line(course) for course in self._courses)]
        chosen = options.index(clean_line(self._limits.course)) if self._limits.course else 0
        place = await dialogs.choose(self.app, "Show one course", options, chosen=chosen)
        if place is not None:
            self._limit(course=self._courses[place - 1] if place else "")

    @work(name="by slug", group="by slug", exclusive=True)
    async def action_by_slug(self) -> None:
        slug = await dialogs.ask_text(
            self.app,
            "Start an exam by its name",
            "The name is the last part of the exam's address, such as jee-main-shift-1.",
            placeholder="name of the exam",
            check=lambda text: "" if text else "Type the exam's name.",
        )
        if slug:
            self.post_message(ExamAsked(slug.rstrip("/").rpartition("/")[2]))

    def action_more(self) -> None:
        self.post_message(DestinationAsked(Destination.MORE))

    def action_statistics(self) -> None:
        self.post_message(StatisticsAsked())

    def action_sign_out(self) -> None:
        self.post_message(SignOut())
