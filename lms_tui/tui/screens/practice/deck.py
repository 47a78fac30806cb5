"""The deck: what is due today, drills, and every card with its day."""

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal

from lms_tui.common.user_errors import AdvisedError
from lms_tui.practice.drills import Drill
from lms_tui.practice.store import Deck, Row
from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.learning import fetch_pictures
from lms_tui.tui.messages import PracticeAsked
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.card import RowsPane
from lms_tui.tui.widgets.pane import Pane
from lms_tui.tui.widgets.row_list import Entry, RowList
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views import deck as present
from lms_tui.views.format import counted
from lms_tui.views.rows import EMPTY
from lms_tui.views.rows import Row as Line

if TYPE_CHECKING:
    from lms_tui.practice.decks import UserDeck

_WIDE: Final = 100
"""Least width at which the numbers stand beside the cards."""


class DeckScreen(CommandScreen[None]):
    WHERE = Where.DECK
    DEFAULT_CSS = """
    DeckScreen {
        Horizontal { height: 1fr; }
        #cards { width: 1fr; }
        #facts { width: 52; display: none; }
        &.-wide #facts { display: block; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)

    def __init__(self, user_deck: "UserDeck", *, badge: str = "") -> None:
        super().__init__()
        self._user_deck = user_deck
        self._badge = badge
        self._deck: Deck | None = None
        self._rows: tuple[Row, ...] = ()
        self._facts = present.DeckFacts()
        self._words = ""

    def compose(self) -> ComposeResult:
        yield TopLine("Practice", "", self._badge)
        with Horizontal():
            yield RowList("Cards", glyphs=self.glyphs, id="cards")
            yield RowsPane("Your practice", glyphs=self.glyphs, id="facts")
        yield self.command_bar()

    def on_mount(self) -> None:
        cards = self.query_one(RowList)
        cards.follow(self._show_card)
        cards.focus()

    def on_screen_resume(self) -> None:
        self._change()
        fetch_pictures(self, self._user_deck)
        self.call_after_refresh(self.query_one(RowList).set_top, 0)  # the numbers come first, also on few rows

    def on_unmount(self) -> None:
        if self._deck is not None:
            self._deck.close()

    @property
    def _now(self) -> float:
        return self._user_deck.decks.now()

    @property
    def _row(self) -> Row | None:
        key = self.query_one(RowList).key
        return next((row for row in self._rows if str(row.card_id) == key), None)

    def _change(self, change: Callable[[Deck], object] | None = None) -> None:
        """Change the deck, or only read it, and show it. Say so where it cannot be used."""
        try:
            if self._deck is None:
                self._deck = self._user_deck.open()
                if self._deck.restored:
                    self.notify(self._deck.restored, severity="warning", timeout=15, markup=False)
            if change is not None:
                change(self._deck)
            self._rows, self._facts = self._deck.rows(self._words), present.facts_of(self._deck, self._now)
        except AdvisedError as error:
            self.notify(f"{error} {error.advice}", severity="error", timeout=15, markup=False)
        self._draw()

    def _draw(self) -> None:
        note = f"“{self._words}”" if self._words else ""
        self.query_one(RowList).show(self._entries, title=counted(len(self._rows), "card"), note=note)
        self.query_one(TopLine).show("Practice", f"{self._facts.due} due today" if self._facts.due else "")
        self._show_card()

    def _entries(self, room: int) -> Sequence[Entry]:
        """The cards. On a narrow terminal the numbers stand above them."""
        wide = self.app.size.width >= _WIDE
        above = [] if wide else [*present.fact_rows(self._facts, room), EMPTY]
        now = self._now
        cards = (Entry(str(row.card_id), partial(present.card_row, row, room, now)) for row in self._rows)
        return [*(Entry("", line) for line in above), *cards]

    def _show_card(self) -> None:
        row, facts = self._row, self._facts

        def fill(room: int) -> Sequence[Line]:
            if row is None:
                return present.fact_rows(facts, room)
            content = self._deck.cards([row.card_id]).get(row.card_id) if self._deck is not None else None
            return [*present.fact_rows(facts, room), EMPTY, *present.card_rows(row, content, room, self._now)]

        self.query_one("#facts", RowsPane).show("Your practice", fill)

    # Sessions.

    @on(RowList.Selected)
    def action_practise_due(self) -> None:
        self._practise(Drill.DUE)

    @work(name="drill", group="person", exclusive=True)
    async def action_choose_drill(self) -> None:
        place = await dialogs.choose(self.app, "Choose a drill", [drill.value for drill in Drill])
        if place is not None:
            self._practise(list(Drill)[place])

    def _practise(self, drill: Drill) -> None:
        try:
            run = self._user_deck.start(drill, Random())
        except AdvisedError as error:
            self.notify(f"{error} {error.advice}", severity="error", timeout=15, markup=False)
            return
        if run.turn is None:
            run.deck.close()
            words = "Nothing is due today." if drill is Drill.DUE else "There is no such card."
            key = self.key_of("choose_drill")
            self.notify(f"{words} Press {key} for the drills.", timeout=5, markup=False)
        else:
            self.post_message(PracticeAsked(run))

    # Cards.

    @work(name="find", group="person", exclusive=True)
    async def action_find_cards(self) -> None:
        text = await dialogs.ask_text(
            self.app,
            "Find cards",
            "Words of the question, subject or exam. Nothing shows all.",
            value=self._words,
        )
        if text is not None:
            self._words = text.strip()
            self._change()

    def action_rest_card(self) -> None:
        if (row := self._row) is not None:
            self._change(lambda deck: deck.suspend([row.card_id], suspended=not row.suspended))

    def action_reset_card(self) -> None:
        if (row := self._row) is not None:
            self._change(lambda deck: deck.reset([row.card_id], self._now))

    @work(name="remove", group="person", exclusive=True)
    async def action_remove_card(self) -> None:
        row = self._row
        if row is None:
            return
        words = f"{row.words[:80]}\n\nIt comes back if you miss this question again."
        if await dialogs.confirm(self.app, "Remove this card?", words, yes="Remove", danger=True):
            self._change(lambda deck: deck.remove([row.card_id]))

    def action_back(self) -> None:
        """Show all cards, or leave."""
        if self._words:
            self._words = ""
            self._change()
        else:
            self.dismiss(None)

    @property
    def scrolled_pane(self) -> Pane:
        return self.query_one("#facts", RowsPane)
