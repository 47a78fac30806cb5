"""Notice that the server has forgotten answers, by what it tells of its memory (pure)."""

from dataclasses import dataclass, replace

from lms_tui.wire.server_memory import ServerMemory


@dataclass(frozen=True, slots=True)
class Remembered:
    """The server's last words about its memory.

    `epoch`: "" before it has told one. `seen`: its number for this journal, None if the server gave none.
    `missing`: by how much this number was below ours when the answers were compared last. A server may lack a number
    for good, where another device's answer was the same as ours.
    """

    epoch: str = ""
    seen: int | None = None
    missing: int = 0

    def told(self, memory: ServerMemory, writer: str, acknowledged: int) -> tuple["Remembered", bool]:
        """Return what is known after a reply, and whether the server has forgotten something.

        `acknowledged`: the sum of the highest numbers that it has acknowledged.
        """
        restored = bool(self.epoch and memory.epoch and memory.epoch != self.epoch)
        seen = None if memory.seen is None else memory.seen.get(writer, 0)
        missing = 0 if seen is None else max(0, acknowledged - seen)
        return Remembered(memory.epoch or self.epoch, seen, missing), restored or missing > self.missing

    def compared(self, acknowledged: int) -> "Remembered":
        """Return what is known after all answers were compared. Those that are missing no longer count."""
        return replace(self, missing=0 if self.seen is None else max(0, acknowledged - self.seen))
