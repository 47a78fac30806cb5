"""A damaged journal is reported and not altered. Its valid rows are used, and other journals open as usual."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest

from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.ports import AttemptKey, Entry, JournalError
from lms_tui.attempt.values import Answer
from lms_tui.wire.attempts import AnswerInput
from tests.attempt import test_keeper as attempt
from tests.attempt.test_keeper import Desk
from tests.crash.runs import workspace

KEY = AttemptKey("http://127.0.0.1:8000", 4, 7)
DATA = Path(__file__).parent / "data"
OTHER = AttemptKey("http://127.0.0.1:8000", 4, 8)
ENTRIES = [
    Entry(n, n % 8 + 1, Answer((100 * n,), essay_text=f"“text” {n}" * (n % 5), review=False), float(n), 1e9 + n)
    for n in range(1, 33)
]
LATER = Entry(1_000, 99, Answer((1,)), 0.0, 0.0)
NEWEST = {entry.question_id: entry for entry in ENTRIES}
WRITER = """
import os, signal, sys
from contextlib import suppress
from pathlib import Path
from lms_tui.attempt.journal.store import FileJournals
from tests.attempt.test_damage import ENTRIES, KEY

journal = FileJournals(Path(sys.argv[1])).open(KEY, "Trial")
for entry in ENTRIES:
    journal.record(entry)
    if entry.sequence % 4 == 0:
        journal.settle(entry.question_id, entry.sequence)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(scope="module")
def memory() -> Iterator[Path]:
    """A folder on a disk in memory where there is one, which makes a sync cheap."""
    with workspace() as place:
        yield Path(place)


@pytest.fixture(scope="module")
def closed(memory: Path) -> Path:
    """A folder with a closed journal of eight questions, each answered four times."""
    folder = memory / "closed"
    journal = FileJournals(folder).open(KEY, "Trial")
    for entry in ENTRIES:
        journal.record(entry)
        if entry.sequence % 4 == 0:
            journal.settle(entry.question_id, entry.sequence)
    journal.close()
    return folder


@pytest.fixture(scope="module")
def killed(memory: Path) -> Path:
    """The same, left behind by a process that was killed."""
    folder = memory / "killed"
    done = subprocess.run([sys.executable, "-c", WRITER, str(folder)], timeout=60, check=False)
    assert done.returncode == -9
    return folder


def the_journal(folder: Path) -> Path:
    return next(folder.rglob("7.journal"))


def flipped(path: Path, random: Random) -> str:
    content = bytearray(path.read_bytes())
    at, bit = random.randrange(len(content.rstrip(b"\n"))), random.randrange(8)
    content[at] ^= 1 << bit
    path.write_bytes(content)
    return f"bit {bit} of byte {at} of {path.name}"


def cut(path: Path, random: Random) -> str:
    size = random.randrange(len(path.read_bytes().rstrip(b"\n")))
    os.truncate(path, size)
    return f"{path.name} cut to {size} bytes"


def zeroed(path: Path, random: Random) -> str:
    content = bytearray(path.read_bytes())
    at = random.randrange(len(content.rstrip(b"\n")))
    content[at : at + 512] = bytes(len(content[at : at + 512]))
    path.write_bytes(content)
    return f"512 zeros at {at} of {path.name}"


def damaged_copies(folder: Path, place: Path, damage: Callable[[Path, Random], str], times: int) -> Iterator[str]:
    """Lay down the folder at `place`, damaged at one place of one file, so many times."""
    for seed in range(times):
        random = Random(f"{damage.__name__} {seed}")
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(folder, place)
        files = sorted(path for path in place.rglob("*") if path.is_file() and path.stat().st_size)
        sizes = [path.stat().st_size for path in files]
        yield damage(random.choices(files, sizes)[0], random)


def answers_after(folder: Path, what: str) -> tuple[str, Mapping[int, Entry]]:
    """Open everything that reads journals; return what was told and the newest change of each question."""
    journals = FileJournals(folder)
    journals.outstanding(KEY.origin, KEY.user_id)
    with suppress(JournalError):
        journals.look(KEY)
    journals.open(OTHER, "Another exam").close()
    journal = journals.open(KEY, "Trial")
    told, newest = journal.restored, {q: kept.entry for q, kept in journal.newest().items()}
    journal.record(LATER)
    journal.close()
    again = journals.open(KEY, "Trial")
    assert not again.restored, f"{what}: reported twice"
    assert {q: kept.entry for q, kept in again.newest().items()} == {**newest, 99: LATER}, what
    again.close()
    return told, newest


def assert_honest(folder: Path, what: str) -> dict[int, Entry]:
    """Check that no answer is altered and each loss is reported. Return the newest answers that were lost."""
    told, newest = answers_after(folder, what)
    assert all(entry in ENTRIES for entry in newest.values()), f"{what}: an answer was altered"
    lost = {q: entry for q, entry in NEWEST.items() if newest.get(q) != entry}
    assert told or not lost, f"{what}: {len(lost)} answers are missing and not reported"
    if told:
        assert list(folder.rglob("*damaged*")), f"{what}: no copy of what was damaged"
    return lost


@pytest.mark.parametrize("state", ["closed", "killed"])
def test_one_damaged_bit_loses_at_most_one_row_and_is_reported(
    state: str, memory: Path, request: pytest.FixtureRequest
) -> None:
    for what in damaged_copies(request.getfixturevalue(state), memory / "copy", flipped, 200):
        assert len(assert_honest(memory / "copy", what)) <= 1, what


@pytest.mark.parametrize("state", ["closed", "killed"])
@pytest.mark.parametrize("damage", [cut, zeroed])
def test_missing_and_overwritten_rows_are_reported_and_the_rest_is_used(
    state: str, damage: Callable[[Path, Random], str], memory: Path, request: pytest.FixtureRequest
) -> None:
    for what in damaged_copies(request.getfixturevalue(state), memory / "copy", damage, 50):
        assert_honest(memory / "copy", what)


def test_a_truncated_journal_is_reported(tmp_path: Path) -> None:
    journals = FileJournals(tmp_path)
    journal = journals.open(KEY, "Trial")
    journal.record(ENTRIES[0])
    size = len(the_journal(tmp_path).read_bytes().rstrip())
    journal.record(ENTRIES[1])
    journal.close()
    os.truncate(the_journal(tmp_path), size)
    journal = journals.open(KEY, "Trial")
    assert journal.restored
    assert list(journal.newest()) == [ENTRIES[0].question_id]
    journal.close()


def test_an_answer_in_a_damaged_row_is_never_used(tmp_path: Path) -> None:
    journals = FileJournals(tmp_path)
    journal = journals.open(KEY, "Trial")
    for sequence, option in ((1, 1), (2, 5555)):
        journal.record(Entry(sequence, 2, Answer((option,), review=False), 0.0, 0.0))
    journal.close()
    path = the_journal(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"5555", b"5557"))
    journal = journals.open(KEY, "Trial")
    assert journal.newest()[2].entry.answer.selected == (1,)
    assert journal.newest()[2].doubtful
    assert "1 row" in journal.restored
    journal.close()


@pytest.mark.parametrize("name", ["7.journal", "7.mark"])
def test_a_folder_with_the_name_of_the_journal_is_moved_aside(name: str, tmp_path: Path) -> None:
    journals = FileJournals(tmp_path)
    journals.open(KEY, "Trial").close()
    path = the_journal(tmp_path).with_name(name)
    path.unlink()
    path.mkdir()
    assert answers_after(tmp_path, name)[1] == {}


def test_a_damaged_mark_is_reported_once_because_rows_may_be_missing(tmp_path: Path) -> None:
    journals = FileJournals(tmp_path)
    journal = journals.open(KEY, "Trial")
    journal.record(ENTRIES[0])
    journal.close()
    the_journal(tmp_path).with_suffix(".mark").write_bytes(b"x" * 66)
    journal = journals.open(KEY, "Trial")
    assert "may be missing" in journal.restored
    assert list(journal.newest()) == [ENTRIES[0].question_id]
    journal.close()
    journal = journals.open(KEY, "Trial")
    assert journal.restored == ""
    journal.close()


@pytest.mark.parametrize("emptied", [False, True])
def test_a_lost_mark_is_reported_because_rows_may_be_missing_too(tmp_path: Path, *, emptied: bool) -> None:
    with closing(FileJournals(tmp_path).open(KEY, "Chemistry")) as journal:
        journal.record(Entry(1, 1, Answer((11,)), 0.0, 0.0))
    path = the_journal(tmp_path)
    path.write_bytes(path.read_bytes()[:-100])
    path.with_suffix(".mark").write_bytes(b"") if emptied else path.with_suffix(".mark").unlink()
    with closing(FileJournals(tmp_path).open(KEY, "Chemistry")) as journal:
        assert "may be missing" in journal.restored
        assert not journal.newest()


def test_a_new_journal_has_a_mark_before_it_gets_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(_: Path, target: Path) -> None:
        assert target.with_suffix(".mark").stat().st_size
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            FileJournals(tmp_path).open(KEY, "Chemistry")
    with closing(FileJournals(tmp_path).open(KEY, "Chemistry")) as journal:
        assert journal.restored == ""


def test_a_lost_mark_is_written_again_when_the_journal_is_opened(tmp_path: Path) -> None:
    with closing(FileJournals(tmp_path).open(KEY, "Chemistry")) as journal:
        journal.record(Entry(1, 1, Answer((11,)), 0.0, 0.0))
    path = the_journal(tmp_path)
    path.with_suffix(".mark").unlink()
    FileJournals(tmp_path).open(KEY, "Chemistry").close()
    path.write_bytes(b"")
    with closing(FileJournals(tmp_path).open(KEY, "Chemistry")) as journal:
        assert "damaged" in journal.restored


@pytest.mark.parametrize("mark_is_damaged", [False, True])
def test_a_missing_journal_is_reported_if_its_mark_exists(tmp_path: Path, *, mark_is_damaged: bool) -> None:
    journals = FileJournals(tmp_path)
    journals.open(KEY, "Trial").close()
    path = the_journal(tmp_path)
    path.unlink()
    if mark_is_damaged:
        path.with_suffix(".mark").write_bytes(b"x" * 66)
    journal = journals.open(KEY, "Trial")
    assert "missing" in journal.restored
    journal.close()


def test_a_missing_journal_is_reported_if_a_damaged_copy_of_it_exists(tmp_path: Path) -> None:
    journals = FileJournals(tmp_path)
    journals.open(KEY, "Trial").close()
    path = the_journal(tmp_path)
    path.with_suffix(".mark").write_bytes(b"x" * 66)
    journals.open(KEY, "Trial").close()
    path.unlink()
    path.with_suffix(".mark").unlink()
    for reported in (True, False):
        with closing(journals.open(KEY, "Trial")) as journal:
            assert ("missing" in journal.restored) == reported


def test_after_damage_a_newer_answer_on_the_server_replaces_the_journals(tmp_path: Path) -> None:
    desk = Desk(journals=FileJournals(tmp_path))
    for sequence, option in ((1, 11), (2, 12)):
        desk.journal.record(Entry(sequence, 1, Answer((option,), review=False), 0.0, 0.0))
    desk.journal.close()
    path = next(tmp_path.rglob("*.journal"))
    path.write_bytes(path.read_bytes().replace(b"[12]", b"[13]"))
    desk.server.answers[1] = AnswerInput(selected_answers=(12,), review=False)
    desk.journal = desk.journals.open(attempt.KEY, "Trial")
    desk.sit()
    assert "1 row" in desk.journal.restored
    assert desk.session.items[0].answer.selected == (12,)
    assert len(desk.session.conflicts) == 1
    desk.wait(5)
    assert desk.held(1) == (12,)
    desk.journal.close()


# Journals of earlier versions.


@pytest.fixture
def earlier(tmp_path: Path) -> Callable[[str], Path]:
    """Lay down a journal that an earlier version of this program wrote; return its folder."""

    def lay(name: str) -> Path:
        journals = FileJournals(tmp_path)
        journals.open(KEY, "").close()
        path = the_journal(tmp_path)
        path.with_suffix(".mark").unlink()
        path.unlink()
        for data in DATA.glob(f"{name}.sqlite-journal*"):
            shutil.copyfile(data, path.with_name(data.name.replace(f"{name}.sqlite-", "7.")))
        return tmp_path

    return lay


@pytest.mark.parametrize("name", ["closed", "killed"])
def test_a_journal_of_an_earlier_version_opens_with_everything_it_holds(
    name: str, earlier: Callable[[str], Path]
) -> None:
    folder = earlier(name)
    journals = FileJournals(folder)
    (seen,) = journals.outstanding(KEY.origin, KEY.user_id).unfinished
    assert (seen.title, seen.unsent) == ("Trial", 3)
    for _ in range(2):
        journal = journals.open(KEY, "")
        assert journal.restored == ""
        found = [(k.entry.sequence, k.entry.question_id, k.acknowledged, k.refused) for k in journal.history()]
        assert found == [(1, 1, True, ""), (2, 2, False, ""), (3, 3, False, "Too late."), (4, 1, False, "")]
        assert journal.newest()[2].entry.answer == Answer(essay_text="Über\n“everything”", review=True)
        assert journal.recall("current") == "2@4"
        assert [reply.told for reply in journal.replies()] == [{"remaining_time": "0:28:40"}]
        assert not Path(f"{the_journal(folder)}-wal").exists()
        journal.close()
    assert "7.sqlite-1" in {path.name for path in folder.rglob("*.sqlite-*")}


def test_a_damaged_journal_of_an_earlier_version_can_be_opened(earlier: Callable[[str], Path]) -> None:
    for seed in range(40):
        folder = earlier("closed")
        (flipped if seed % 2 else zeroed)(the_journal(folder), Random(seed))
        journals = FileJournals(folder)
        journals.outstanding(KEY.origin, KEY.user_id)
        journal = journals.open(KEY, "Trial")
        journal.record(LATER)
        assert journal.newest()[99].entry == LATER
        journal.close()
