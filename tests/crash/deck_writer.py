"""The program that is killed while it practises: it says on a pipe which reviews are kept.

`python -m tests.crash.deck_writer FOLDER REVIEWS VARIANT`. A line `record N` stands on the pipe after review N is kept.
"""

import sys
from pathlib import Path

from fsrs.scheduler import DEFAULT_PARAMETERS

from lms_tui.banks.scoring import Outcome
from lms_tui.practice.grading import Grade
from lms_tui.practice.store import Deck, Review
from tests.crash.writer import EARLY, say
from tests.fakes.decks import START, Clocks, decks, sums

CARDS = sums(7)
PICTURE = bytes(20_000)
TUNED = tuple((first, *DEFAULT_PARAMETERS[1:]) for first in (0.3, 0.4))
ORIGIN = "http://127.0.0.1:8000"


def review(number: int) -> Review:
    return Review(START + number, Outcome.INCORRECT, Grade.AGAIN, source=f"review {number}")


def opened(folder: Path) -> Deck:
    return decks(folder, Clocks()).open(ORIGIN, 4, "asha")


def main(folder: str, reviews: str, variant: str) -> None:
    deck = opened(Path(folder))
    for number in range(int(reviews)):
        if variant == EARLY:
            say("record", number)
        deck.record(CARDS[number % len(CARDS)], review(number))
        deck.keep_picture(f"/{number % 2}.png", PICTURE)
        deck.tune(TUNED[number % 2])
        if variant != EARLY:
            say("record", number)
    deck.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
