"""Notes and scratchpad: as durable as an answer, in the journal only."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lms_tui.attempt.desk import SCRATCHPAD, Desk, desk_text, note_of
from lms_tui.attempt.journal.memory import MemoryJournals
from lms_tui.attempt.journal.receipt import receipt_of
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.journal_session import forget_exam
from lms_tui.attempt.ports import AttemptKey, Journals

KEY = AttemptKey("http://127.0.0.1:8000", 4, 7)
HOSTILE = "ε → ∞\n[b]x[/b]\x1b[2J \ud800 🧮"


@pytest.fixture(params=["files", "memory"])
def journals(request: pytest.FixtureRequest, tmp_path: Path) -> Journals:
    return FileJournals(tmp_path) if request.param == "files" else MemoryJournals()


def test_texts_are_there_when_the_journal_is_opened_again(journals: Journals) -> None:
    journal = journals.open(KEY, "Trial")
    desk = Desk(journal)
    desk.keep(note_of(1), "first")
    desk.keep(note_of(1), HOSTILE)
    desk.keep(note_of(12), "another")
    desk.keep(SCRATCHPAD, "2 + 2")
    desk.keep(note_of(12), "")
    journal.close()
    journal = journals.open(KEY, "Trial")
    again = Desk(journal)
    assert [again.text(name) for name in (note_of(1), note_of(12), note_of(2), SCRATCHPAD)] == [
        HOSTILE,
        "",
        "",
        "2 + 2",
    ]
    assert journal.newest() == {}
    journal.close()


def test_texts_stay_after_the_end_and_are_in_no_receipt(journals: Journals) -> None:
    journal = journals.open(KEY, "Trial")
    Desk(journal).keep(SCRATCHPAD, "my own words")
    forget_exam(journal)
    journal.finish()
    assert "my own words" not in receipt_of(journal, 0.0)
    journal.close()
    assert desk_text(journals.look(KEY), SCRATCHPAD) == "my own words"
    assert journals.outstanding(KEY.origin, KEY.user_id).unfinished == ()


def test_a_killed_process_leaves_every_text_that_was_kept(tmp_path: Path) -> None:
    script = (
        "import os, pathlib, signal, sys\n"
        "from lms_tui.attempt.desk import Desk, note_of\n"
        "from lms_tui.attempt.journal.store import FileJournals\n"
        "from lms_tui.attempt.ports import AttemptKey\n"
        "journal = FileJournals(pathlib.Path(sys.argv[1])).open(AttemptKey('http://127.0.0.1:8000', 4, 7), 'Trial')\n"
        "desk = Desk(journal)\n"
        "for length in range(1, 6):\n"
        "    desk.keep(note_of(3), 'abcde'[:length])\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], timeout=30, check=False)
    assert desk_text(FileJournals(tmp_path).look(KEY), note_of(3)) == "abcde"
    journal = FileJournals(tmp_path).open(KEY, "Trial")
    assert (journal.restored, Desk(journal).text(note_of(3))) == ("", "abcde")
    journal.close()


def test_a_text_that_a_full_disk_refused_is_held_and_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journals = FileJournals(tmp_path)
    journal = journals.open(KEY, "Trial")
    desk = Desk(journal)

    def full(file: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(os, "write", full)
        desk.keep(note_of(1), "kept in memory")
        desk.write()
        assert (desk.text(note_of(1)), desk.kept(note_of(1))) == ("kept in memory", False)
    desk.write()
    assert desk.kept(note_of(1))
    assert desk_text(journals.look(KEY), note_of(1)) == "kept in memory"
    journal.close()


def test_a_removed_journal_is_written_again_with_its_texts(tmp_path: Path) -> None:
    journals = FileJournals(tmp_path)
    journal = journals.open(KEY, "Trial")
    Desk(journal).keep(SCRATCHPAD, "still here")
    next(tmp_path.glob("*/*/*.journal")).unlink()
    assert journal.check()
    assert desk_text(journals.look(KEY), SCRATCHPAD) == "still here"
    journal.close()
