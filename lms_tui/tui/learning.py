"""Adds the questions of a review to the deck of the user."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.screen import Screen

from lms_tui.common.user_errors import AdvisedError

if TYPE_CHECKING:
    from lms_tui.practice.decks import UserDeck
    from lms_tui.wire.attempts import Attempt, ReviewQuestion


def learn(
    screen: Screen[None], deck: "UserDeck | None", attempt: "Attempt", questions: "Sequence[ReviewQuestion]"
) -> None:
    """Keep the answers of a page in the background, and say how many questions were added."""
    if deck is None:
        return
    kept = deck

    async def work() -> None:
        from lms_tui.views.missed import answers_of  # noqa: PLC0415 - brings the deck, after the review is shown

        try:
            added = await asyncio.to_thread(kept.learn, list(answers_of(attempt, questions, kept.decks.now())))
        except AdvisedError as error:
            screen.notify(f"{error} {error.advice}", severity="warning", timeout=10, markup=False)
            return
        if added:
            words = "1 question comes" if added == 1 else f"{added} questions come"
            screen.notify(f"{words} back in practice on later days.", timeout=5, markup=False)

    screen.run_worker(work(), name="learn", group="learn")
