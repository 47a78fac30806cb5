"""A look at a journal that another process holds: everything that is durable, and nothing is changed by looking."""

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lms_tui.attempt.journal.memory import MemoryJournals
from lms_tui.attempt.journal.receipt import receipt_of, verify_text
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.journal.undelivered import undelivered
from lms_tui.attempt.ports import AttemptKey, Entry, JournalError, JournalInUseError
from lms_tui.attempt.values import Answer

KEY = AttemptKey("http://127.0.0.1:8000", 4, 7)
HOLDER = """
import sys
from pathlib import Path
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.journal.undelivered import undelivered
from lms_tui.attempt.ports import AttemptKey, Entry
from lms_tui.attempt.values import Answer

journals = FileJournals(Path(sys.argv[1]))
key = AttemptKey("http://127.0.0.1:8000", 4, 7)
journal = journals.open(key, "Trial")
for line in sys.stdin:
    if line.strip() == "list":
        journals.outstanding(key.origin, key.user_id)
    else:
        number = int(line)
        journal.record(Entry(number, number, Answer((10 * number,), review=False), float(number), 1e9))
    print("done", flush=True)
"""


class Holder:
    """A process that has the journal open and writes the given answers."""

    def __init__(self, folder: Path) -> None:
        argv = [sys.executable, "-c", HOLDER, str(folder)]
        self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def tell(self, what: object) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{what}\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "done\n"

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[Holder]:
    held = Holder(tmp_path)
    yield held
    held.end()


def digests(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.rglob("*") if path.is_file()}


def test_a_reader_sees_durable_changes_at_once_and_changes_nothing(holder: Holder, tmp_path: Path) -> None:
    journals = FileJournals(tmp_path)
    for number in range(1, 40):
        holder.tell(number)
        before = digests(tmp_path)
        seen = journals.look(KEY)
        assert digests(tmp_path) == before
        assert seen.newest()[number].entry.answer.selected == (10 * number,)
        assert len(undelivered(seen.history())) == number
    seen = journals.look(KEY)
    assert seen.recall("title") == "Trial"
    assert verify_text(receipt_of(seen, 1e9)).whole


@pytest.mark.case(14)
def test_listing_attempts_keeps_the_own_locks(holder: Holder, tmp_path: Path) -> None:
    holder.tell(1)
    holder.tell("list")
    with pytest.raises(JournalInUseError, match=str(holder.process.pid)):
        FileJournals(tmp_path).open(KEY, "")
    holder.tell(2)


def test_reading_an_open_journal_keeps_its_lock(tmp_path: Path) -> None:
    journals = FileJournals(tmp_path)
    journal = journals.open(KEY, "Trial")
    assert journals.look(KEY).recall("title") == "Trial"
    with pytest.raises(JournalInUseError):
        journals.open(KEY, "Trial")
    journal.close()


def test_the_error_for_a_missing_or_damaged_journal_is_a_sentence(tmp_path: Path) -> None:
    for journals in (FileJournals(tmp_path), MemoryJournals()):
        with pytest.raises(JournalError):
            journals.look(KEY)
    journal = FileJournals(tmp_path).open(KEY, "Trial")
    journal.record(Entry(1, 1, Answer((1,), review=False), 1.0, 1e9))
    journal.close()
    (path,) = FileJournals(tmp_path).paths()
    path.write_bytes(b"no database" * 500)
    with pytest.raises(JournalError, match="cannot be read"):
        FileJournals(tmp_path).look(KEY)
