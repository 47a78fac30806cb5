"""A deck of 10,000 cards: its rows, its next card, its due list, and what it adds to the first paint of home.

Run it with the environment's own interpreter: `.venv/bin/python -m benchmarks.deck [ROUNDS]`. A row of the deck and the
next card of a session are painted beside a row of a bare Textual list of 10,000, each in turn (`benchmarks.screens`).
The home screen with the deck is opened in turn with a home screen without one. The due list stands beside a bare query
of the same table. Exit status 1 where a target is missed.
"""

import asyncio
import compileall
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Final

from benchmarks.figures import Target, heading, judged, p, row
from benchmarks.screens import SIZE, WARM, BareList, Cost, Driven, Watch, in_turn, program, service
from lms_tui.banks.scoring import Outcome
from lms_tui.practice.decks import UserDeck
from lms_tui.practice.grading import grade
from lms_tui.practice.store import Review
from lms_tui.tui.app import LmsApp
from tests.fakes import institute
from tests.fakes.decks import DAY, START, Clocks, decks, sums
from tests.fakes.lms import FakeLms

CARDS: Final = 10_000
SITTING: Final = 100
"""Cards of a session at most."""


def filled(folder: Path, lms: FakeLms) -> UserDeck:
    """The deck of the user of a service, whose cards are all due."""
    user_deck = UserDeck(decks(folder, Clocks(START)), lms.origin, institute.ASHA.id, institute.ASHA.username)
    user_deck.learn(
        (card, Review(START - (number % 300 + 1) * DAY, Outcome.INCORRECT, grade(Outcome.INCORRECT)))
        for number, card in enumerate(sums(CARDS))
    )
    return user_deck


async def rows(lms: FakeLms, folder: Path, user_deck: UserDeck, rounds: int) -> tuple[list[Cost], list[Cost]]:
    """A row of the list of cards, with its details, beside a row of a list of as many."""
    bare, ours = Driven(BareList(CARDS)), Driven(program(lms, folder, lambda: user_deck.decks))

    async def ready() -> None:
        await ours.see("Long exam")
        await ours.press("p", see="10000 cards")

    return await in_turn(bare, ours, rounds, ours_key="down", ready=ready)


async def next_cards(lms: FakeLms, folder: Path, user_deck: UserDeck, rounds: int) -> tuple[list[Cost], list[Cost]]:
    """The next card of a session beside a row of a list."""
    bare, ours = Driven(BareList(CARDS)), Driven(program(lms, folder, lambda: user_deck.decks))
    found: tuple[list[Cost], list[Cost]] = ([], [])
    async with AsyncExitStack() as running:
        await running.enter_async_context(bare)
        await running.enter_async_context(ours)
        await ours.see("Long exam")
        await ours.press("p", see="10000 cards")
        await ours.press("p", see="Question 1 of")
        for number in range(min(WARM + rounds, SITTING - 1)):
            await ours.press("r", see="Left out")
            costs = await bare.press("down"), await ours.press("enter", see=f"Question {number + 2} of")
            if number >= WARM:
                found[0].append(costs[0])
                found[1].append(costs[1])
    return found


async def first_paint(app: LmsApp) -> float:
    """The milliseconds until home shows its exams."""
    begun = time.perf_counter()
    watch = Watch(app)
    async with app.run_test(size=SIZE) as pilot:
        while "Long exam" not in "\n".join(strip.text for strip in app.screen._compositor.render_strips()):  # noqa: SLF001 - no public face shows the screen as text
            await pilot.pause()
        return 1000 * (watch.painted - begun)


def timed(work: Callable[[], object]) -> list[Cost]:
    """What some runs cost. `painted` is their time by the clock."""
    found = []
    for _ in range(11):
        begun, worked = time.perf_counter(), time.process_time()
        work()
        found.append(Cost(1000 * (time.perf_counter() - begun), 1000 * (time.process_time() - worked)))
    return found


def due_list(user_deck: UserDeck) -> tuple[list[Cost], list[Cost]]:
    """The due list, and a bare query of every column of the same table."""
    with closing(user_deck.open()) as deck, closing(sqlite3.connect(deck.path)) as bare:
        query = "SELECT * FROM cards WHERE suspended = 0 AND due <= ? ORDER BY due"
        return timed(lambda: deck.due(START)), timed(lambda: bare.execute(query, (START,)).fetchall())


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 90
    compileall.compile_dir(Path(__file__).parent.parent / "lms_tui", quiet=1)
    targets: list[Target] = []
    print(heading("ms (in turn)"))
    with tempfile.TemporaryDirectory() as place:
        folder, lms = Path(place), service(1)
        user_deck = filled(folder, lms)
        for name, measure in (("a row of the deck", rows), ("the next card of a session", next_cards)):
            bare, ours = asyncio.run(measure(lms, folder, user_deck, rounds))
            for label, costs in ((f"bare list: {name}", bare), (name, ours)):
                print(row(f"{label}, painted", [cost.painted for cost in costs]))
                print(row("  work", [cost.work for cost in costs]))
            for words, share in (("p50", 0.5), ("p95", 0.95)):
                ratio = p([cost.painted for cost in ours], share) / p([cost.painted for cost in bare], share)
                targets.append(Target(f"{name}, {words}", ratio, 1.2, of="a row of a bare list"))
        homes: tuple[list[float], list[float]] = ([], [])
        for number in range(2 + max(5, rounds // 10)):
            for found, opened in zip(homes, (None, lambda: user_deck.decks), strict=True):
                taken = asyncio.run(first_paint(program(lms, folder, opened)))
                if number >= 2:
                    found.append(taken)
        print(row("home without a deck", homes[0]))
        print(row("home with the deck", homes[1]))
        targets.append(
            Target("home's first paint, p50", p(homes[1], 0.5) / p(homes[0], 0.5), 1.05, of="without a deck")
        )
        listed, queried = due_list(user_deck)
        for label, costs in (("bare query of the table", queried), ("due list", listed)):
            print(row(label, [cost.painted for cost in costs]))
            print(row("  work", [cost.work for cost in costs]))
        work = p([cost.work for cost in listed], 0.5)
        targets.append(Target("due list of 10,000, p50 of its work", work, 50, "ms"))
    return judged(targets)


if __name__ == "__main__":
    sys.exit(main())
