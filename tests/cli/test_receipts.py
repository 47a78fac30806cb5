import stat
from pathlib import Path

import pytest

from lms_tui.attempt.journal.receipt import note_paper
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.ports import AttemptKey, Entry, Reply
from lms_tui.attempt.values import Answer, Item
from lms_tui.cli import main
from lms_tui.common.settings import find_paths
from tests.fakes.json_output import told

KEY = AttemptKey("https://learn.example.edu", 4, 7)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with one attempt: question 31 was taken by the server, 32 was refused."""
    keep(tmp_path, KEY, "Physics \x1b[2J1")
    return tmp_path


def keep(data: Path, key: AttemptKey, title: str) -> None:
    journal = FileJournals(find_paths(data).journals).open(key, title)
    note_paper(journal, [Item(31, 1, "R", (311, 312)), Item(32, 2, "R", (321, 322, 323))])
    journal.record(Entry(1, 31, Answer((312,), review=False), 10.0, 1.77e9))
    journal.settle(31, 1)
    journal.note_reply(Reply(20.0, {"remaining_time": "0:28:40"}))
    journal.record(Entry(2, 32, Answer((323,), review=False), 30.0, 1.77e9 + 20))
    journal.settle(32, 2, refused="The attempt had already ended.")
    journal.close()


def exported(data: Path, tmp_path: Path) -> Path:
    out = tmp_path / "mine.txt"
    assert main(["receipt", "export", "7", str(out), "--data-dir", str(data)]) == 0
    return out


@pytest.mark.case(17)
def test_case_17_undelivered_answers_are_listed_with_their_times(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["receipt", "list", "--data-dir", str(data)]) == 0
    out = capsys.readouterr().out
    assert "1 answer not delivered" in out
    assert "question 2 (id 32): C (option 323) (2026-02-02T02:40:20.000+00:00; the server did not take it:" in out
    assert "\x1b" not in out


@pytest.mark.case(17)
def test_case_17_an_exported_receipt_is_whole_and_readable_by_its_owner_only(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = exported(data, tmp_path)
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert "question 1 (id 31): B (option 312)" in out.read_text(encoding="utf-8")
    capsys.readouterr()
    assert main(["receipt", "verify", str(out)]) == 0
    told = capsys.readouterr().out
    assert "This receipt is whole" in told
    assert "2 changes, 1 answer not delivered." in told
    assert "remaining_time 0:28:40. 1 change came after it." in told
    assert "\x1b" not in told


def test_verify_exits_with_1_for_a_changed_receipt(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = exported(data, tmp_path)
    out.write_text(out.read_text(encoding="utf-8").replace("323", "321"), encoding="utf-8")
    capsys.readouterr()
    assert main(["receipt", "verify", str(out), "--json"]) == 1
    report = told(capsys.readouterr().out, "receipt", "verify")
    assert report["verdict"] == "changed"
    assert report["problems"]


def test_verify_exits_with_2_for_another_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "x"
    other.write_bytes(b"\xff\xfe")
    assert main(["receipt", "verify", str(other)]) == 2
    assert main(["receipt", "verify", str(tmp_path / "missing")]) == 2
    printed = capsys.readouterr().out.splitlines()
    advice = "Name a file that `lms-tui receipt export` has written."
    assert printed[:2] == [f"{other} cannot be checked. The file cannot be read (it is not text).", advice]
    assert printed[2].startswith(f"{tmp_path / 'missing'} cannot be checked. The file cannot be read")
    assert printed[3:] == [advice]


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no such device")
def test_a_file_without_an_end_is_too_large(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("lms_tui.attempt.journal.receipt._LARGEST", 10_000)
    assert main(["receipt", "verify", "/dev/zero"]) == 2
    assert "too large to be a receipt" in capsys.readouterr().out


def test_an_existing_file_is_never_overwritten(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = exported(data, tmp_path)
    assert main(["receipt", "export", "7", str(out), "--data-dir", str(data)]) == 1
    assert "exists already" in capsys.readouterr().err


def test_attempts_with_the_same_number_on_two_servers_are_distinguished(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(data, AttemptKey("https://other.example.edu", 4, 7), "Chemistry")
    out = tmp_path / "mine.txt"
    command = ["receipt", "export", "7", str(out), "--data-dir", str(data)]
    assert main(command) == 1
    assert "--server" in capsys.readouterr().err
    assert main([*command, "--server", "https://other.example.edu/"]) == 0
    assert "Chemistry" in out.read_text(encoding="utf-8")


def test_the_error_for_an_unknown_attempt_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["receipt", "export", "9", "--data-dir", str(tmp_path)]) == 1
    assert "No answers of attempt 9" in capsys.readouterr().err
    assert main(["receipt", "list", "--data-dir", str(tmp_path)]) == 0
    assert "No answers are kept" in capsys.readouterr().out


def test_a_journal_that_cannot_be_read_is_listed_with_the_reason(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,) = FileJournals(find_paths(data).journals).paths()
    path.write_bytes(b"no database" * 500)
    assert main(["receipt", "list", "--json", "--data-dir", str(data)]) == 0
    (row,) = told(capsys.readouterr().out, "receipt", "list")
    assert "cannot be read" in row["trouble"]
