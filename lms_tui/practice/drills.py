"""The cards of a session: what is due, the weakest topic, or what was missed this week (pure but for the deck)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import chain, zip_longest
from random import Random
from typing import Final

from lms_tui.banks.scoring import Outcome
from lms_tui.common.frozen import frozen
from lms_tui.practice.schedule import end_of_day
from lms_tui.practice.session import Asked
from lms_tui.practice.store import Deck, Review, Row

DAY: Final = 86_400.0
MOST: Final = 100
"""Cards of a session at most."""
TEN_MINUTES: Final = 600.0
_MIXED: Final = 1_000
"""Due cards among which subjects are mixed."""
_ENOUGH: Final = 5
"""The fewest answers for which the share of a topic is shown."""


class Drill(StrEnum):
    """The sessions to choose from. The value is what a person reads."""

    DUE = "Everything due today"
    TEN = "10 minutes, what is due first"
    WEAKEST = "Your weakest topic"
    WEEK = "What you missed this week"

    @property
    def limit(self) -> float | None:
        return TEN_MINUTES if self is Drill.TEN else None


@frozen
class Topic:
    """The answers to the questions of one subject."""

    name: str
    answers: int
    correct: int

    @property
    def share(self) -> float:
        return self.correct / self.answers if self.answers else 0.0


def topics(reviews: Iterable[Review]) -> tuple[Topic, ...]:
    """Return the topics with enough answers, the weakest first."""
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for review in reviews:
        if review.subject and review.outcome is not Outcome.UNSCORED:
            counts[review.subject][0] += 1
            counts[review.subject][1] += review.outcome is Outcome.CORRECT
    found = (Topic(name, answers, correct) for name, (answers, correct) in counts.items() if answers >= _ENOUGH)
    return tuple(sorted(found, key=lambda topic: (topic.share, topic.name)))


def rows_of(drill: Drill, deck: Deck, now: float) -> Sequence[Row]:
    """Return the cards of a drill, the subjects mixed. Cards that rest are left out."""
    match drill:
        case Drill.WEEK:
            rows: Sequence[Row] = deck.missed(now - 7 * DAY)
        case Drill.WEAKEST:
            kept = [row for row in deck.rows() if not row.suspended]
            of_cards = {row.subject for row in kept}
            weakest = next((each.name for each in topics(deck.reviews()) if each.name in of_cards), None)
            rows = [row for row in kept if row.subject == weakest]
        case Drill.TEN:
            until = end_of_day(now)
            return (*mixed(deck.due(until, _MIXED)), *mixed(deck.ahead(until, now, MOST)))
        case _:
            rows = deck.due(end_of_day(now), _MIXED)
    return mixed(rows)


def mixed(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Take the cards of each subject in turn. Within a subject their order stays."""
    subjects: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        subjects[row.subject].append(row)
    return tuple(row for row in chain.from_iterable(zip_longest(*subjects.values())) if row is not None)


def asked(deck: Deck, rows: Sequence[Row], random: Random) -> list[Asked]:
    """Return the first cards of these rows to ask, with shuffled options."""
    ids = [row.card_id for row in rows[:MOST]]
    cards = deck.cards(ids)
    return [Asked(cards[card_id].shuffled(random), card_id) for card_id in ids if card_id in cards]
