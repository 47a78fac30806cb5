"""Students in mid-exam: the program's own keeper, journal and connection, without a screen."""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from lms_tui.attempt.clock import SystemClock
from lms_tui.attempt.events import Wrote
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.keeper import Keeper
from lms_tui.attempt.ports import AttemptKey
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Item
from lms_tui.client.api import HttpAttempts
from lms_tui.client.connection import Access, Connection
from lms_tui.wire.errors import ApiError

PACE = 1.0
"""Seconds between two answers of a student."""


@dataclass
class Given:
    """An answer of a student. Times are of the monotonic clock, `sent` is 0 until it shows as sent."""

    question: int
    text: str
    chosen: float
    sent: float = 0.0


@dataclass
class Student:
    name: str
    token: str
    attempt: int
    given: dict[tuple[int, str], Given] = field(default_factory=dict)
    doubted: int = 0
    """Answers that showed as sent and did not any more."""
    _count: int = 0
    _items: tuple[Item, ...] = ()

    async def sit(self, base_url: str, folder: Path, seed: int, answering: asyncio.Event) -> None:
        """Answer one question after the other while `answering` is set."""
        connection = Connection(base_url, Access(allow_plain_http=True))
        connection.auth.replace(self.token)
        key = AttemptKey(connection.origin, self.attempt, self.attempt)
        journal = FileJournals(folder / self.name).open(key, "Exam")
        keeper = await Keeper.open(HttpAttempts(connection), journal, SystemClock(), Random(seed), self.attempt)
        keeper.listen(self._see)
        self._items = keeper.session.items
        sending = asyncio.get_running_loop().create_task(keeper.run())
        random = Random(seed)
        try:
            while True:
                await answering.wait()
                self._answer(keeper)
                await asyncio.sleep(PACE * random.uniform(0.5, 1.5))
        finally:
            sending.cancel()
            # Its requests give their connections back before the client is closed.
            await asyncio.gather(sending, return_exceptions=True)
            keeper.close()
            with suppress(ApiError):
                await connection.close()

    def _answer(self, keeper: Keeper) -> None:
        item = keeper.session.items[self._count % len(keeper.session.items)]
        self._count += 1
        text = f"{self.name} {self._count}"
        self.given[item.question_id, text] = Given(item.question_id, text, time.monotonic())
        keeper.do(Wrote(item.question_id, "short_text", text))

    def _see(self, session: Session) -> None:
        """Look at what changed on the screen."""
        now = time.monotonic()
        for before, item in zip(self._items, session.items, strict=True):
            known = self.given.get((item.question_id, item.answer.short_text or "")) if before is not item else None
            if known is not None and item.unsent:
                self.doubted += bool(known.sent)
            elif known is not None and not known.sent:
                known.sent = now
        self._items = session.items

    @property
    def waits(self) -> bool:
        """Return whether an answer has not been sent."""
        return any(item.unsent for item in self._items)

    def shown(self) -> dict[int, str]:
        """Return the answers that show as sent, by question."""
        return {
            item.question_id: item.answer.short_text
            for item in self._items
            if item.answer.short_text and not item.unsent
        }

    def resumed(self, since: float) -> float | None:
        """Return after how many seconds an answer that was given since then showed as sent, None before."""
        sent = [given.sent for given in self.given.values() if given.sent and given.chosen > since]
        return min(sent) - since if sent else None

    def is_newer(self, text: str | None, *, than: str) -> bool:
        """Return whether this is the text, or one that the student gave later."""
        return text is not None and text.startswith(f"{self.name} ") and int(text.split()[1]) >= int(than.split()[1])
