"""Notice that the server has forgotten answers, by what it tells of its memory (pure)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from lms_tui.wire.server_memory import ServerMemory


@dataclass(frozen=True, slots=True)
class Remembered:
    """The newest reply of the server about its memory.

    `epoch`: "" before it has told one. `seen`: its number for this journal, None if the server gave none.
    `missing`: by how much this number was below ours when the answers were compared last. A server never has a
    number for an answer that another device had given before. `others`: the numbers of all journals, if it
    gave them. One of them is that of our journal before it was lost.
    """

    epoch: str = ""
    seen: int | None = None
    missing: int = 0
    others: Mapping[str, int] = field(default_factory=dict)

    def told(self, memory: ServerMemory, writer: str, acknowledged: int) -> tuple["Remembered", bool]:
        """Return what is known after a reply, and whether the server has forgotten something.

        `acknowledged`: the sum of the highest numbers that it has acknowledged.
        """
        restored = bool(self.epoch and memory.epoch and memory.epoch != self.epoch)
        seen = None if memory.seen is None else memory.seen.get(writer, 0)
        missing = 0 if seen is None else max(0, acknowledged - seen)
        fell = memory.seen is not None and _fell(self.others, memory.seen)
        now = Remembered(memory.epoch or self.epoch, seen, missing, self.others if memory.seen is None else memory.seen)
        return now, restored or fell or missing > self.missing

    def compared(self, acknowledged: int) -> "Remembered":
        """Return what is known after all answers were compared. Those that are missing no longer count."""
        return replace(self, missing=0 if self.seen is None else max(0, acknowledged - self.seen))


def _fell(before: Mapping[str, int], now: Mapping[str, int]) -> bool:
    """Return whether a journal has a lower number. A server may list the newest ones only, and leave out an old one."""
    return len(now) < len(before) or any(now.get(writer, number) < number for writer, number in before.items())
