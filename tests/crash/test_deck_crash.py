"""The deck under kill -9: a sample of the writes here, every write with `LMS_TUI_CRASH=all`."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from tests.crash import strace
from tests.crash.deck_writer import PICTURE, TUNED, opened
from tests.crash.oracle import Damage, Tally, total
from tests.crash.runs import Point, workspace
from tests.crash.writer import EARLY, REAL
from tests.record import Told

EVERY = os.environ.get("LMS_TUI_CRASH") == "all"
REVIEWS = 12
WRITER = "tests.crash.deck_writer"
pytestmark = pytest.mark.skipif(bool(strace.missing()), reason=f"no crash tests: {strace.missing()}")


@pytest.fixture(scope="module")
def points() -> Sequence[Point]:
    with workspace() as place:
        counts = strace.counted(Path(place, "decks"), Path(place, "log"), REVIEWS, REAL, WRITER)
    found = [(call, number) for call, count in sorted(counts.items()) for number in range(1, count + 1)]
    return found if EVERY else sorted(Random(1).sample(found, 24))


def killed_at(points: Sequence[Point], variant: str = REAL) -> Tally:
    def one(point: Point) -> Tally:
        tally = Tally("")
        with workspace() as place:
            folder = Path(place, "decks")
            _, told = strace.killed(folder, REVIEWS, variant, *point, WRITER)
            tally.add(f"killed at {point[0]} {point[1]}", examine(folder, told))
        return tally

    with ThreadPoolExecutor(2) as pool:
        return total(f"deck, kill -9, {variant}", list(pool.map(one, points)))


def examine(folder: Path, told: Sequence[str]) -> Damage:
    """Open the deck again: each acknowledged review is there once, and each question has one card."""
    deck = opened(folder)
    kept = [review.source for review in deck.reviews()]
    rows = deck.rows()
    parameters = deck.parameters()
    pictures = [deck.picture(f"/{number}.png") for number in range(2)]
    damage = Damage(corrupt=[deck.restored] if deck.restored else [])
    deck.close()
    damage.lost = [int(line.split()[1]) for line in told if f"review {line.split()[1]}" not in kept]
    if len(kept) != len(set(kept)) or len(rows) != len({row.words for row in rows}):
        damage.corrupt.append("a review or a card is there twice")
    if not set(pictures) <= {None, PICTURE}:
        damage.corrupt.append("a picture is there in part")
    if parameters not in {(), *TUNED}:
        damage.corrupt.append("the parameters are damaged")
    if len(rows) != min(len(kept), 7):
        damage.corrupt.append(f"{len(kept)} reviews and {len(rows)} cards")
    return damage


def test_no_review_is_lost_and_no_card_is_there_twice_after_kill_9_at_any_write(
    points: Sequence[Point], told: Told
) -> None:
    tally = killed_at(points)
    told(tally, *tally.examples)
    assert not tally.damaged


def test_a_review_that_is_acknowledged_before_it_is_kept_is_caught(points: Sequence[Point], told: Told) -> None:
    tally = killed_at(points[::4], EARLY)
    told(tally)
    assert tally.lost
