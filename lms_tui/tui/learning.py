"""Adds the questions of a review, and the pictures of its cards, to the deck of the user."""

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.screen import Screen

from lms_tui.common.user_errors import AdvisedError

if TYPE_CHECKING:
    from lms_tui.practice.decks import UserDeck
    from lms_tui.tui.pictures import PictureLoader
    from lms_tui.wire.attempts import Attempt, ReviewQuestion

_log = logging.getLogger(__name__)


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
            fetch_pictures(screen, kept)

    screen.run_worker(work(), name="learn", group="learn")


def fetch_pictures(screen: Screen[None], deck: "UserDeck") -> None:
    """Keep the pictures of cards in the deck, in the background. A later call tries again what fails now."""
    pictures: PictureLoader | None = getattr(screen.app, "pictures", None)
    if pictures is None:
        return

    async def work() -> None:
        try:
            for source in await asyncio.to_thread(deck.missing_pictures):
                if (data := await pictures.read(source)) is not None:
                    await asyncio.to_thread(deck.keep_picture, source, data)
        except AdvisedError as error:
            _log.warning("the pictures of the deck were not kept: %s", error)

    screen.app.run_worker(work(), name="deck pictures", group="deck pictures", exclusive=True, exit_on_error=False)
