"""Compare what a journal holds after a crash with what it must hold."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.ports import JournalError
from tests.crash.writer import KEY, QUESTIONS, entry, visit


@dataclass
class Damage:
    """What is not as it must be. `lost`: numbers of changes that were acknowledged and are gone."""

    lost: list[int] = field(default_factory=list)
    corrupt: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.lost or self.corrupt)


def examine(folder: Path, acknowledged: Iterable[str]) -> Damage:
    """Open the folder's journal with the real class and compare it with what the writer said on its pipe."""
    told = [line.split() for line in acknowledged]
    recorded = [int(number) for word, number in told if word == "record"]
    settled = {int(number) for word, number in told if word == "settle"}
    try:
        journal = FileJournals(folder).open(KEY, "")
    except JournalError as error:
        return Damage(recorded, [f"it cannot be opened: {error}"])
    damage = Damage(corrupt=[journal.restored] if journal.restored else [])
    newest, visits = journal.newest(), set(journal.visits())
    journal.close()
    for sequence in recorded:
        if visit(sequence) not in visits:
            damage.corrupt.append(f"the visit with change {sequence} is gone")
        kept = newest.get(sequence % QUESTIONS)
        if kept is None or kept.entry.sequence < sequence:
            damage.lost.append(sequence)
        elif kept.entry.sequence == sequence and sequence in settled and not kept.acknowledged:
            damage.corrupt.append(f"change {sequence} was marked as sent and is not")
    for kept in newest.values():
        if kept.entry != entry(kept.entry.sequence):
            damage.corrupt.append(f"change {kept.entry.sequence} is not what was written")
    return damage


@dataclass
class Tally:
    """The sum of many crashes."""

    name: str
    points: int = 0
    damaged: int = 0
    lost: int = 0
    corrupt: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, where: str, damage: Damage) -> None:
        self.points += 1
        if damage:
            self.damaged += 1
            self.lost += len(damage.lost)
            self.corrupt += len(damage.corrupt)
            self.examples = [*self.examples, f"{where}: {damage}"[:300]][:5]

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.name,
            self.points + other.points,
            self.damaged + other.damaged,
            self.lost + other.lost,
            self.corrupt + other.corrupt,
            [*self.examples, *other.examples][:5],
        )

    def __str__(self) -> str:
        share = f" ({self.damaged / self.points:.0%} of the points)" if self.damaged else ""
        return f"{self.name}: {self.points} points, {self.lost} answers lost, {self.corrupt} corrupt{share}"


def total(name: str, tallies: Sequence[Tally]) -> Tally:
    return sum(tallies, Tally(name))
