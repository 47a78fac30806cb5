"""Practice with an exam file, and the decks of practice on this computer."""

import os
from collections.abc import Mapping
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from lms_tui.attempt.clock import SystemClock
from lms_tui.banks.file_options import AS_FOUND, FileOptions
from lms_tui.banks.limits import LARGEST
from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.common.reading import read_file
from lms_tui.common.settings import PREFIX, SettingsError
from lms_tui.practice.cards import Card, cards_of
from lms_tui.practice.clock import moved
from lms_tui.practice.decks import Decks
from lms_tui.practice.session import Asked
from lms_tui.runtime.bootstrap import first_frame, is_plain, open_provider, open_service, prepare
from lms_tui.runtime.exam_files import read_exam_file
from lms_tui.runtime.front_end import run_front_end
from lms_tui.views.ports import Opening
from lms_tui.wire.question_types import QuestionType

if TYPE_CHECKING:
    from lms_tui.attempt.ports import Clock

DAY: Final = f"{PREFIX}PRACTICE_DAY"
"""For tests: the day that practice takes for today."""


@frozen
class PractiseFile:
    """The options of `lms-tui practise`. `reading`: how the file is read."""

    file: Path
    shuffled: bool = True
    limit: timedelta | None = None
    reading: FileOptions = AS_FOUND


def run_practice(wanted: PractiseFile, data_dir: Path | None, look: Mapping[str, object]) -> int:
    """Open a session with the questions of an exam file. Return the exit code."""
    title = f"Practice: {clean_line(wanted.file.name)}"
    with first_frame(look, title) as frame:
        settings = prepare(data_dir, look)
        reading, _ = read_exam_file(wanted.file, read_file(wanted.file, LARGEST), wanted.reading)
        decks = decks_of(settings.paths.journals, SystemClock())
        with (
            closing(decks.open_last()) as deck,
            open_service(settings, settings.paths.data) as service,
            open_provider(settings, look, service, keeps_lists=False) as sessions,
        ):
            cards = _ordered(cards_of(reading.exam), Random() if wanted.shuffled else None)
            limit = wanted.limit.total_seconds() if wanted.limit else None
            run = decks.start(deck, [Asked(card, deck.find(card)) for card in cards], title, limit)
            opening = Opening(practice=run, title=title)
            return run_front_end(settings, sessions, opening, settings.paths.journals, frame, plain=is_plain(look))


def _ordered(cards: tuple[Card, ...], random: Random | None) -> tuple[Card, ...]:
    """Leave out questions that cannot be answered here. With `random`, shuffle questions and options."""
    kept = [card for card in cards if card.kind != QuestionType.FILES]
    if random is None:
        return tuple(kept)
    random.shuffle(kept)
    return tuple(card.shuffled(random) for card in kept)


def decks_of(journals: Path, clock: "Clock", environment: Mapping[str, str] = os.environ) -> Decks:
    """Return the decks beside the journals. Raises SettingsError for a day that cannot be read."""
    text = environment.get(DAY, "")
    try:
        day = date.fromisoformat(text) if text else None
    except ValueError as error:
        raise SettingsError(f"{DAY} is not a day.", "Write it like 2026-01-31.") from error
    return Decks(journals, moved(clock.wall, day), clock.boot)
