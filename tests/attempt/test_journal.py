"""One contract, run on the journal of files and on its twin in memory; then what only files can do."""

import errno
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lms_tui.attempt.journal import mark, store
from lms_tui.attempt.journal.memory import MemoryJournals
from lms_tui.attempt.journal.receipt import receipt_of
from lms_tui.attempt.journal.rows import decode_answer, encode_answer
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.ports import AttemptKey, Entry, JournalError, JournalInUseError, Journals
from lms_tui.attempt.values import Answer
from lms_tui.common import file_locks

KEY = AttemptKey("http://127.0.0.1:8000", 4, 7)
OTHER_USER = AttemptKey("http://127.0.0.1:8000", 5, 7)


def entry(sequence: int, question_id: int = 1, *selected: int) -> Entry:
    return Entry(sequence, question_id, Answer(selected, review=False), boot=float(sequence), wall=1e9 + sequence)


@pytest.fixture(params=["files", "memory"])
def journals(request: pytest.FixtureRequest, tmp_path: Path) -> Journals:
    return FileJournals(tmp_path) if request.param == "files" else MemoryJournals()


def test_recorded_changes_are_read_when_the_journal_is_opened_again(journals: Journals) -> None:
    journal = journals.open(KEY, "Trial")
    journal.record(entry(1, 1, 11))
    journal.record(entry(2, 1, 12), entry(3, 2, 21))
    writer = journal.writer
    journal.close()
    again = journals.open(KEY, "Trial")
    assert {q: (k.entry, k.acknowledged) for q, k in again.newest().items()} == {
        1: (entry(2, 1, 12), False),
        2: (entry(3, 2, 21), False),
    }
    assert again.last_sequence() == 3
    assert again.writer == writer
    again.close()


def test_settling_marks_a_change_and_those_before_it_only(journals: Journals) -> None:
    journal = journals.open(KEY, "Trial")
    journal.record(entry(1, 1, 11), entry(2, 1, 12), entry(3, 2, 21))
    journal.settle(1, 1)
    assert not journal.newest()[1].acknowledged
    journal.settle(1, 2)
    assert journal.newest()[1].acknowledged
    assert not journal.newest()[2].acknowledged
    journal.close()


def test_a_refused_change_keeps_its_reason_and_stays_undelivered(journals: Journals) -> None:
    journal = journals.open(KEY, "Trial")
    journal.record(entry(1, 1, 11))
    journal.settle(1, 1, refused="Too late.")
    assert (journal.newest()[1].acknowledged, journal.newest()[1].refused) == (False, "Too late.")
    journal.close()


def test_a_visit_is_not_undelivered_but_a_cleared_answer_is(journals: Journals) -> None:
    journal = journals.open(KEY, "Trial")
    journal.record(entry(0, 2, 21))
    journal.settle(2, 0)
    journal.record(entry(1, 1))
    journal.close()
    assert journals.outstanding(KEY.origin, KEY.user_id).unfinished == ()
    journal = journals.open(KEY, "Trial")
    journal.record(entry(2, 2))
    journal.close()
    assert [u.unsent for u in journals.outstanding(KEY.origin, KEY.user_id).unfinished] == [1]


@pytest.mark.case(22)
def test_an_attempt_with_undelivered_answers_is_offered_to_its_owner_only(journals: Journals) -> None:
    journal = journals.open(KEY, "Trial")
    journal.record(entry(1, 1, 11), entry(2, 2, 21))
    journal.settle(1, 1)
    journal.close()
    assert [(u.title, u.unsent) for u in journals.outstanding(KEY.origin, KEY.user_id).unfinished] == [("Trial", 1)]
    assert journals.outstanding(KEY.origin, OTHER_USER.user_id).unfinished == ()
    assert journals.outstanding("http://127.0.0.1:9000", KEY.user_id).unfinished == ()
    journal = journals.open(KEY, "")
    journal.finish()
    journal.close()
    assert journals.outstanding(KEY.origin, KEY.user_id).unfinished == ()


def test_one_attempt_cannot_be_opened_twice(journals: Journals) -> None:
    journal = journals.open(KEY, "Trial")
    with pytest.raises(JournalInUseError):
        journals.open(KEY, "Trial")
    journals.open(OTHER_USER, "Trial").close()
    journal.close()
    journals.open(KEY, "Trial").close()


def test_the_mark_is_read_after_its_lock_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one who held it may have written until then."""
    path = tmp_path / "7.mark"
    holder = mark.Mark(path)
    holder.write(1, "0123abcd")
    lock = file_locks.lock_file

    def lock_when_free(file: int) -> None:
        holder.write(2, "0123abcd")
        holder.close()
        lock(file)

    monkeypatch.setattr(mark, "lock_file", lock_when_free)
    found = mark.Mark(path)
    assert found.rows == 2
    found.close()


def test_facts_beside_the_answers_are_kept(journals: Journals) -> None:
    journal = journals.open(KEY, "Trial")
    assert journal.recall("current") == ""
    journal.remember({"current": "12"})
    journal.remember({"current": "13"})
    assert journal.recall("current") == "13"
    journal.close()


@given(
    st.builds(
        Answer,
        selected=st.lists(st.integers(1, 2**53)).map(tuple),
        short_text=st.none() | st.text(st.characters(exclude_categories=["Cs"])),
        gaps=st.lists(st.tuples(st.text("0123456789"), st.text(max_size=3))).map(tuple),
        review=st.none() | st.booleans(),
    )
)
def test_an_answer_is_read_from_the_journal_unchanged(answer: Answer) -> None:
    assert decode_answer(json.loads(json.dumps(encode_answer(answer)))) == answer


def test_the_newest_change_has_the_highest_number_whatever_the_clocks_say(journals: Journals) -> None:
    journal = journals.open(KEY, "Trial")
    journal.record(Entry(1, 1, Answer((11,)), boot=900.0, wall=2e9))
    journal.record(Entry(2, 1, Answer((12,)), boot=100.0, wall=1e9))
    journal.close()
    journal = journals.open(KEY, "Trial")
    assert journal.newest()[1].entry.answer.selected == (12,)
    assert [kept.entry.sequence for kept in journal.history()] == [1, 2]
    assert journal.last_sequence() == 2
    journal.close()


def test_a_user_with_id_zero_has_journals(journals: Journals) -> None:
    zero = AttemptKey(KEY.origin, 0, KEY.attempt_id)
    journal = journals.open(zero, "Trial")
    journal.record(entry(1, 1, 11))
    journal.close()
    journals.open(KEY, "Trial").close()
    assert [each.key for each in journals.outstanding(KEY.origin, 0).unfinished] == [zero]
    assert journals.outstanding(KEY.origin, KEY.user_id).unfinished == ()
    journal = journals.open(zero, "")
    assert journal.newest()[1].entry == entry(1, 1, 11)
    assert "User      0" in receipt_of(journal, 1e9)
    journal.close()


# Files.


def path_of(folder: Path) -> Path:
    return next(folder.rglob("*.journal"))


def test_only_the_owner_can_read_the_journal(tmp_path: Path) -> None:
    journal = FileJournals(tmp_path / "journals").open(KEY, "Trial")
    journal.record(entry(1, 1, 11))
    for path in (tmp_path / "journals").rglob("*.journal*"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path_of(tmp_path).parent.stat().st_mode) == 0o700
    journal.close()


def test_every_change_is_synced_to_the_disk_before_record_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = FileJournals(tmp_path).open(KEY, "Trial")
    synced: list[int] = []
    for module in (store, mark):
        monkeypatch.setattr(module, "sync", lambda file: synced.append(os.fstat(file).st_ino))
    journal.record(entry(1, 1, 11))
    assert synced == [path_of(tmp_path).stat().st_ino]
    journal.check()
    assert synced[1:] == [path_of(tmp_path).with_suffix(".mark").stat().st_ino]
    journal.close()


@pytest.mark.case(14)
def test_a_second_process_is_refused_with_the_pid_of_the_first(tmp_path: Path) -> None:
    journal = FileJournals(tmp_path).open(KEY, "Trial")
    script = (
        "import sys, pathlib; from lms_tui.attempt.journal.store import FileJournals; "
        "from lms_tui.attempt.ports import AttemptKey, JournalInUseError\n"
        "try: FileJournals(pathlib.Path(sys.argv[1])).open(AttemptKey('http://127.0.0.1:8000', 4, 7), '')\n"
        "except JournalInUseError as error: print(error.pid)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, timeout=30, check=True
    )
    assert int(done.stdout) == os.getpid()
    journal.close()


@pytest.mark.case(14)
def test_the_journal_of_a_killed_process_can_be_opened_with_every_answer(tmp_path: Path) -> None:
    script = (
        "import sys, os, signal, pathlib; from lms_tui.attempt.journal.store import FileJournals; "
        "from lms_tui.attempt.ports import AttemptKey, Entry; from lms_tui.attempt.values import Answer\n"
        "journal = FileJournals(pathlib.Path(sys.argv[1])).open(AttemptKey('http://127.0.0.1:8000', 4, 7), 'Trial')\n"
        "for n in range(1, 41): journal.record(Entry(n, n, Answer((n,)), 0.0, 0.0))\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], timeout=30, check=False)
    assert done.returncode == -9
    journal = FileJournals(tmp_path).open(KEY, "Trial")
    assert {q: k.entry.answer.selected for q, k in journal.newest().items()} == {n: (n,) for n in range(1, 41)}
    journal.close()


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b"this is no database, not even nearly one" * 200),
        lambda path: path.write_bytes(path.read_bytes()[:100] + os.urandom(4096)),
    ],
)
@pytest.mark.case(12)
def test_a_damaged_journal_is_moved_aside_and_a_new_one_is_used(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    journals = FileJournals(tmp_path)
    journal = journals.open(KEY, "Trial")
    journal.record(entry(1, 1, 11))
    journal.close()
    damage(path_of(tmp_path))
    journal = journals.open(KEY, "Trial")
    assert "damaged" in journal.restored
    assert list(tmp_path.rglob("*.damaged-1"))
    journal.record(entry(1, 1, 12))
    journal.close()


def test_the_error_for_a_read_only_folder_is_a_sentence(tmp_path: Path) -> None:
    blocked = tmp_path / "a file, not a folder"
    blocked.write_text("")
    with pytest.raises(JournalError, match="cannot be written"):
        FileJournals(blocked).open(KEY, "Trial")


@pytest.mark.case(12)
def test_the_error_for_a_full_disk_is_a_sentence_and_old_answers_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journals = FileJournals(tmp_path)
    journal = journals.open(KEY, "Trial")
    journal.record(entry(1, 1, 11))

    def full(file: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(os, "write", full)
        for _ in range(2):
            with pytest.raises(JournalError, match="full"):
                journal.record(entry(2, 2, 21))
            assert set(journal.newest()) == set(journals.look(KEY).newest()) == {1}
    journal.record(entry(2, 2, 21))
    assert set(journals.look(KEY).newest()) == {1, 2}
    journal.close()
