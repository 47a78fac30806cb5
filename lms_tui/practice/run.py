"""A session of practice with its deck and clock. Each first answer is kept when it is given."""

from collections.abc import Callable
from typing import Final

from lms_tui.practice.grading import Certainty, grade
from lms_tui.practice.session import Session, Turn
from lms_tui.practice.store import Deck, Recorded, Review

_LONGEST: Final = 600.0
"""Seconds on a question that are counted at most. The student was away for the rest."""


class PracticeRun:
    """`now` gives the wall clock and `boot` a clock that never jumps, in seconds. `limit`: seconds of the session."""

    def __init__(
        self,
        deck: Deck,
        session: Session,
        now: Callable[[], float],
        boot: Callable[[], float],
        *,
        title: str = "Practice",
        limit: float | None = None,
    ) -> None:
        self.deck = deck
        self.session = session
        self.title = title
        self._now = now
        self._boot = boot
        self._limit = limit
        self._since = self._began = boot()
        self._recorded: Recorded | None = None
        self.added = 0
        """Questions that this session has put into the deck."""

    @property
    def turn(self) -> Turn | None:
        return self.session.turn

    def choose(self, place: int) -> None:
        if self.turn is not None:
            self.session = self.session.with_turn(self.turn.choose(place))

    def write(self, name: str, text: str) -> None:
        if self.turn is not None:
            self.session = self.session.with_turn(self.turn.write(name, text))

    def submit(self) -> None:
        """Judge the answer. Raises DeckError."""
        if self.turn is not None:
            self._go_to(self.turn.judge(self._spent()))

    def reveal(self) -> None:
        """Show the key. Raises DeckError."""
        if self.turn is not None:
            self._go_to(self.turn.reveal(self._spent()))

    def certain(self, certainty: Certainty) -> None:
        """Take the certainty, also after the first answer. Raises DeckError."""
        if self.turn is not None:
            self._go_to(self.turn.with_certainty(certainty))

    def next(self) -> None:
        """Ask the next question. A session whose time is over ends."""
        over = self._limit is not None and self._boot() - self._began >= self._limit
        self.session = self.session.next()
        if over:
            self.session = self.session.end()
        self._since, self._recorded = self._boot(), None

    @property
    def has_next(self) -> bool:
        """Return whether a question follows this one. It may be the same one, which was not known."""
        return self.seconds_left() != 0.0 and self.session.next().turn is not None

    def end(self) -> None:
        self.session = self.session.end()

    def seconds_left(self) -> float | None:
        """Return the time left, None without a limit."""
        return None if self._limit is None else max(0.0, self._limit - (self._boot() - self._began))

    def _spent(self) -> float:
        return min(_LONGEST, self._boot() - self._since)

    def _go_to(self, turn: Turn) -> None:
        before, self.session = self.session, self.session.with_turn(turn)
        if before.turn is None or turn.first is None or (turn.first, turn.certainty) == (
            before.turn.first, before.turn.certainty
        ):  # fmt: skip
            return
        found = grade(turn.first, turn.certainty, turn.seconds, turn.card.usual)
        review = Review(self._now(), turn.first, found, turn.certainty, turn.seconds, turn.card.subject)
        try:
            new = self.deck.record(turn.card, review, self._recorded)
        except BaseException:
            self.session = before
            raise
        self.added += new.new - (self._recorded is not None and self._recorded.new)
        self._recorded = new
