"""A disk that dies with its computer, is full for a while, says no and keeps the answer, flips, cuts and loses."""

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Protocol

from lms_tui.attempt.journal.memory import MemoryJournals
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.ports import AttemptKey, Entry, Journal, JournalError, JournalRecord, Journals, Visit
from tests.simulation.content import Content, as_shown
from tests.simulation.trace import Trace

MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
DAMAGES = ("flip", "flip", "cut", "lose")


def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="lms-tui-simulated-", dir=MEMORY if MEMORY.is_dir() else None))


class Killed(Exception):
    """The process was killed at this very step."""


@dataclass
class Mishaps:
    """What happens to a disk. `deadly`: share of writes at which the process is killed, just before or just after."""

    random: Random
    trace: Trace
    deadly: float = 0.0
    full: bool = False

    def kill(self, share: float, what: str) -> None:
        if share and self.random.random() < share and self.trace.happens("death", 0.0, what):
            raise Killed


class MortalJournal:
    """Any journal, on a disk with mishaps."""

    def __init__(self, journal: Journal, mishaps: Mishaps) -> None:
        self._journal = journal
        self._mishaps = mishaps
        # Reading meets no mishaps.
        self.recall, self.newest, self.history = journal.recall, journal.newest, journal.history

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)

    def record(self, *entries: Entry, visits: Sequence[Visit] = ()) -> None:
        self._mishaps.kill(self._mishaps.deadly, "killed before a write")
        if self._mishaps.full:
            if self._mishaps.random.random() < 0.2:
                self._journal.record(*entries, visits=visits)
            raise JournalError("The disk is full.")
        self._journal.record(*entries, visits=visits)
        self._mishaps.kill(self._mishaps.deadly, "killed after a write")

    def settle(self, question_id: int, sequence: int, *, refused: str = "") -> None:
        if self._mishaps.full:
            raise JournalError("The disk is full.")
        self._journal.settle(question_id, sequence, refused=refused)
        self._mishaps.kill(self._mishaps.deadly / 4, "killed after a mark")

    def remember(self, facts: Mapping[str, str]) -> None:
        if self._mishaps.full:
            raise JournalError("The disk is full.")
        self._journal.remember(facts)

    def check(self) -> str:
        if self._mishaps.full:
            raise JournalError("The disk is full.")
        return self._journal.check()


class Disk(Protocol):
    mishaps: Mishaps

    @property
    def gone(self) -> bool:
        """Whether the folder of the journals is deleted."""
        ...

    @property
    def empty(self) -> bool:
        """Whether nothing is left of a journal and what lies beside it."""
        ...

    def open(self) -> Journal: ...
    def crash(self) -> None:
        """The process was killed: what was open is left as it is."""
        ...

    def held(self, questions: Collection[int]) -> Mapping[int, Content]:
        """What a journal that is opened again now would hold of these questions."""
        ...

    def listed(self) -> int:
        """How many answers the list of unfinished attempts says are unsent; called while no journal is open."""
        ...

    def clear(self) -> None: ...


@dataclass
class MemoryDisk:
    key: AttemptKey
    mishaps: Mishaps
    journals: MemoryJournals = field(default_factory=MemoryJournals)
    journal: Journal | None = None
    gone: bool = False
    empty: bool = False

    def open(self) -> Journal:
        self.journal = self.journals.open(self.key, "Simulated")
        mortal: Any = MortalJournal(self.journal, self.mishaps)
        return mortal  # type: ignore[no-any-return]  # it passes every call on

    def crash(self) -> None:
        if self.journal is not None:
            self.journal.close()
            self.journal = None

    def held(self, questions: Collection[int]) -> Mapping[int, Content]:
        return _contents(self.journals.look(self.key), questions)

    def listed(self) -> int:
        return _listed(self.journals, self.key)

    def clear(self) -> None:
        pass


@dataclass
class FileDisk:
    """The real journal. A crash leaves its files as they are, in a new folder, and may damage them there."""

    key: AttemptKey
    mishaps: Mishaps
    folder: Path = field(default_factory=_folder)
    journal: Journal | None = None
    damage: str = ""
    """What the next crash does to the files, beside killing the process."""

    def open(self) -> Journal:
        self.journal = FileJournals(self.folder / "journals").open(self.key, "Simulated")
        mortal: Any = MortalJournal(self.journal, self.mishaps)
        return mortal  # type: ignore[no-any-return]  # it passes every call on

    def crash(self) -> None:
        fresh = self._copy()
        if self.journal is not None:
            _let_go(self.journal)
            self.journal = None
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder = fresh
        if self.damage:
            damage(fresh, self.damage, self.mishaps.random)
            self.damage = ""

    def _copy(self) -> Path:
        fresh = _folder()
        with contextlib.suppress(FileNotFoundError):
            shutil.copytree(self.folder, fresh, dirs_exist_ok=True)
        return fresh

    def held(self, questions: Collection[int]) -> Mapping[int, Content]:
        copy = self._copy()
        try:
            journal = FileJournals(copy / "journals").open(self.key, "")
            found = _contents(journal, questions)
            _let_go(journal)
        finally:
            shutil.rmtree(copy, ignore_errors=True)
        return found

    def listed(self) -> int:
        return _listed(FileJournals(self.folder / "journals"), self.key)

    @property
    def gone(self) -> bool:
        return self.journal is not None and not any(self.folder.rglob("*.journal"))

    @property
    def empty(self) -> bool:
        return not any(path.is_file() for path in self.folder.rglob("*"))

    def go(self) -> None:
        """The folder is deleted while the journal in it is open."""
        shutil.rmtree(self.folder / "journals", ignore_errors=True)

    def clear(self) -> None:
        if self.journal is not None:
            _let_go(self.journal)
        shutil.rmtree(self.folder, ignore_errors=True)


def damage(folder: Path, kind: str, random: Random) -> None:
    """Flip a bit of a journal or of the mark beside it, cut the end of the journal off, or lose one of the two."""
    files = sorted(path for path in folder.rglob("*") if path.suffix in {".journal", ".mark"} and path.stat().st_size)
    if not files:
        return
    path = random.choice([path for path in files if kind != "cut" or path.suffix == ".journal"] or files)
    content = bytearray(path.read_bytes())
    at = random.randrange(len(content))
    match kind:
        case "flip":
            content[at] ^= 1 << random.randrange(8)
            path.write_bytes(content)
        case "cut":
            os.truncate(path, at)
        case _:
            path.unlink()


def _listed(journals: Journals, key: AttemptKey) -> int:
    return sum(found.unsent for found in journals.outstanding(key.origin, key.user_id).unfinished)


def _contents(journal: JournalRecord, questions: Collection[int]) -> Mapping[int, Content]:
    """The newest changes, under the answers that were taken over from the server after them."""
    newest = journal.newest()
    held = {number: as_shown(newest[number].entry.answer) for number in questions if number in newest}
    for text, taken in json.loads(journal.recall("taken over") or "{}").items():
        number, answer = int(text), taken["answer"]
        if number not in newest or newest[number].entry.sequence <= taken["sequence"]:
            held[number] = as_shown(SimpleNamespace(**answer))
    return held


def _let_go(journal: Journal) -> None:
    with contextlib.suppress(JournalError, OSError):
        journal.close()
