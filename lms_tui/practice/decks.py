"""The decks of this computer, each beside the journals of its user."""

from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Final

from lms_tui.attempt.journal.store import make_folders, user_folder
from lms_tui.common.frozen import frozen
from lms_tui.practice.cards import Card
from lms_tui.practice.drills import Drill, asked, rows_of
from lms_tui.practice.run import PracticeRun
from lms_tui.practice.schedule import end_of_day
from lms_tui.practice.session import Asked, Session
from lms_tui.practice.store import Deck, DeckError, Review, count_due, picture_of

_NAME: Final = "deck.sqlite3"
LOCAL: Final = "this computer"
"""The origin of the deck of somebody who has never signed in."""


class Decks:
    """`folder`: the journals of all servers. `now`, `boot`: see `PracticeRun`."""

    def __init__(self, folder: Path, now: Callable[[], float], boot: Callable[[], float]) -> None:
        self._folder = folder
        self.now = now
        self._boot = boot

    def start(self, deck: Deck, cards: Iterable[Asked], title: str, limit: float | None = None) -> PracticeRun:
        """Start a session. `limit`: seconds after which it ends with the question on the screen, None without."""
        return PracticeRun(deck, Session.of(cards), self.now, self._boot, title=title, limit=limit)

    def open(self, origin: str = LOCAL, user_id: int = 0, user: str = "") -> Deck:
        """Open the deck of a user, or a new one. Raises DeckError."""
        path = self._path(origin, user_id)
        try:
            make_folders(path.parent)
        except OSError as error:
            words = f"The folder of the deck cannot be made ({error.strerror})."
            raise DeckError(words, "Choose another one with --data-dir.") from error
        deck = Deck(path)
        for name, value in (("origin", origin), ("user", user)):
            if value:
                deck.note(name, value)
        return deck

    def count_due(self, origin: str, user_id: int) -> int:
        """Return how many cards of a user are due today. Creates nothing."""
        return count_due(self._path(origin, user_id), end_of_day(self.now()))

    def picture(self, origin: str, user_id: int, source: str) -> bytes | None:
        """Return a picture that the deck of a user keeps. Creates nothing."""
        return picture_of(self._path(origin, user_id), source)

    def _path(self, origin: str, user_id: int) -> Path:
        return user_folder(self._folder, origin, user_id) / _NAME

    def paths(self) -> list[Path]:
        """Return every deck, the last used first."""
        found = self._folder.glob(f"*/*/{_NAME}")
        return sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)

    def open_last(self) -> Deck:
        """Open the deck that was used last, or a new one of this computer. Raises DeckError."""
        return next((Deck(path) for path in self.paths()), None) or self.open()


@frozen
class UserDeck:
    """The deck of a signed-in user. Methods raise DeckError, apart from `count_due` and `picture`."""

    decks: Decks
    origin: str
    user_id: int
    user: str = ""

    def open(self) -> Deck:
        return self.decks.open(self.origin, self.user_id, self.user)

    def count_due(self) -> int:
        return self.decks.count_due(self.origin, self.user_id)

    def picture(self, source: str) -> bytes | None:
        return self.decks.picture(self.origin, self.user_id, source)

    def missing_pictures(self) -> tuple[str, ...]:
        with closing(self.open()) as deck:
            return deck.missing_pictures()

    def keep_picture(self, source: str, data: bytes) -> None:
        with closing(self.open()) as deck:
            deck.keep_picture(source, data)

    def learn(self, answers: Iterable[tuple[Card, Review]]) -> int:
        """Keep the answers of an attempt, each once. Return how many questions were added."""
        with closing(self.open()) as deck:
            return deck.learn(answers)

    def start(self, drill: Drill, random: Random) -> PracticeRun:
        """Start a session with the cards of a drill. The caller closes its deck."""
        deck = self.open()
        cards = asked(deck, rows_of(drill, deck, self.decks.now()), random)
        return self.decks.start(deck, cards, drill.value, drill.limit)

    def start_with(self, cards: Iterable[Card], title: str) -> PracticeRun:
        """Start a session with these questions, whether they are in the deck or not."""
        deck = self.open()
        return self.decks.start(deck, [Asked(card, deck.find(card)) for card in cards], title)
