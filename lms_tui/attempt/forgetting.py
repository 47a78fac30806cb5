"""Notice that the server has forgotten answers, by what it tells of its memory (pure)."""

from collections.abc import Mapping
from dataclasses import field, replace

from lms_tui.common.frozen import frozen
from lms_tui.wire.server_memory import ServerMemory


@frozen
class Remembered:
    """The newest reply of the server about its memory. `ServerMemory` explains the number of a journal.

    - `epoch`: the epoch of the server, "" while it is unknown.
    - `seen`: the number of this journal, None if the server gave none.
    - `missing`: how far that number was below ours when all answers were last compared. The server stores no number for
      an answer that another device gave before, so the difference can stay.
    - `others`: the numbers of all journals, if the server gave them. One can be our own journal before it was lost.
    """

    epoch: str = ""
    seen: int | None = None
    missing: int = 0
    others: Mapping[str, int] = field(default_factory=dict)

    @property
    def told_by_server(self) -> bool:
        """Whether the server tells of its memory. Such a server also knows when each answer was chosen."""
        return bool(self.epoch) or self.seen is not None

    def told(self, memory: ServerMemory, writer: str, acknowledged: int) -> tuple["Remembered", bool]:
        """Return the state after a reply, and whether the server has forgotten changes.

        `writer`: the name of this journal. `acknowledged`: the sum of the highest numbers of each question that the
        server has acknowledged.
        """
        restored = bool(self.epoch and memory.epoch and memory.epoch != self.epoch)
        seen = None if memory.seen is None else memory.seen.get(writer, 0)
        missing = 0 if seen is None else max(0, acknowledged - seen)
        fell = memory.seen is not None and _fell(self.others, memory.seen)
        now = Remembered(memory.epoch or self.epoch, seen, missing, self.others if memory.seen is None else memory.seen)
        return now, restored or fell or missing > self.missing

    def compared(self, acknowledged: int) -> "Remembered":
        """Return the state after all answers were compared. Changes that are missing now no longer count."""
        return replace(self, missing=0 if self.seen is None else max(0, acknowledged - self.seen))


def _fell(before: Mapping[str, int], now: Mapping[str, int]) -> bool:
    """Return whether a journal has a lower number. A server may list the newest ones only, and leave out an old one."""
    return len(now) < len(before) or any(now.get(writer, number) < number for writer, number in before.items())
