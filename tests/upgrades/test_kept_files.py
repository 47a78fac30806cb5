"""Files of every released version open with this one, and this one refuses files of a later version unchanged."""

import hashlib
import json
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lms_tui import __version__
from lms_tui.attempt.journal.receipt import verify
from lms_tui.attempt.journal.rows import encode_row
from lms_tui.attempt.journal.snapshot import read_snapshot
from lms_tui.attempt.journal.store import FileJournal, FileJournals
from lms_tui.attempt.ports import AttemptKey, NewerJournalError
from lms_tui.cli import main
from lms_tui.common.settings import Profile
from lms_tui.practice.store import Deck, DeckError
from lms_tui.runtime.profiles import NewerProfilesError, ProfileList
from tests.fakes.lms import FakeLms
from tests.fakes.program import program
from tests.upgrades.contents import contents_of

KEPT = Path(__file__).parent / "kept"
VERSIONS = sorted(path.stem for path in KEPT.glob("*.json"))
KEY = AttemptKey("https://learn.example.edu", 4, 7)


@pytest.fixture
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Return a copy of the files of a version, the oldest by default."""
    version = getattr(request, "param", VERSIONS[0])
    with tarfile.open(KEPT / f"{version}.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path


def missing(before: Any, now: Any, where: str = "") -> Iterator[str]:
    """Yield every place where something of `before` is missing or different. Later versions may tell more."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name, value in before.items():
            yield from missing(value, now.get(name), f"{where}/{name}")
    elif isinstance(before, list) and isinstance(now, list) and len(before) <= len(now):
        for number, value in enumerate(before):
            yield from missing(value, now[number], f"{where}/{number}")
    elif before != now:
        yield f"{where}: {before!r} became {now!r}"


def state(folder: Path) -> dict[str, str]:
    """Return the digest of each file below a folder, without logs."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".log")
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.mark.parametrize("folder", VERSIONS, indirect=True)
async def test_every_file_of_a_version_opens_with_its_content_whole(
    folder: Path, request: pytest.FixtureRequest
) -> None:
    version = request.node.callspec.params["folder"]
    told = json.loads((KEPT / f"{version}.json").read_text("utf-8"))
    assert list(missing(told, await contents_of(folder))) == []
    assert list(missing(told, await contents_of(folder))) == [], "after the upgrade"


def test_the_files_of_this_version_are_kept() -> None:
    assert __version__ in VERSIONS


# Files of a later version.


def two_sentences(said: str) -> None:
    what, advice = said.removeprefix("lms-tui: ").strip().split("\n")
    assert "newer version" in what.casefold(), said
    assert all(line.endswith(".") and line[0].isupper() for line in (what, advice)), said


@pytest.mark.parametrize("command", [["serve"], ["exam", "list"], ["user", "list"]])
def test_a_newer_database_is_refused_unchanged(
    folder: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(folder / "data" / "service" / "service.sqlite3")) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
    before = state(folder)
    assert main([*command, "--data-dir", str(folder / "data")]) == 1
    two_sentences(capsys.readouterr().err)
    assert state(folder) == before


@pytest.mark.slow
def test_the_demo_says_what_to_do_with_a_newer_database(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = folder / "data" / "service" / "service.sqlite3"
    with closing(sqlite3.connect(file)) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
    before = file.read_bytes()
    assert main(["demo", "--plain", "--data-dir", str(folder / "data")]) == 1
    said = capsys.readouterr().err
    assert "A newer version has upgraded the database" in said
    assert "Start the newer version, or restore a backup from before the upgrade." in said
    assert file.read_bytes() == before


def test_a_newer_deck_is_refused_unchanged(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path,) = folder.rglob("deck.sqlite3")
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 99")
    before = state(folder)
    with pytest.raises(DeckError):
        Deck(path)
    assert main(["deck", "list", "--data-dir", str(folder / "data")]) == 1
    two_sentences(capsys.readouterr().err)
    assert state(folder) == before


@pytest.fixture
def newer_journal(tmp_path: Path) -> Path:
    """Return a journal whose first row names a later format."""
    path = tmp_path / "7.journal"
    journal = FileJournal(path, KEY, "Physics")
    journal.close()
    rows = path.read_bytes().split(b"\n")
    rows[1] = encode_row(1, {"journal": "0a1b2c3d", "format": 2}).strip(b"\n")
    path.write_bytes(b"\n".join(rows))
    return path


def test_a_newer_journal_is_refused_unchanged(newer_journal: Path) -> None:
    before = state(newer_journal.parent)
    with pytest.raises(NewerJournalError):
        FileJournal(newer_journal, KEY, "Physics")
    with pytest.raises(NewerJournalError) as caught:  # the first try let go of the journal
        FileJournal(newer_journal, KEY, "Physics")
    two_sentences(f"{caught.value}\n{caught.value.advice}")
    with pytest.raises(NewerJournalError):
        read_snapshot(newer_journal)
    assert state(newer_journal.parent) == before


def test_a_journal_says_its_format_only_from_the_second_one_on(tmp_path: Path) -> None:
    FileJournal(tmp_path / "7.journal", KEY, "Physics").close()
    assert b'"format"' not in (tmp_path / "7.journal").read_bytes()


def put(newer: Path, path: Path) -> bytes:
    """Put a journal in the place of another one, and return its bytes."""
    path.with_suffix(".mark").unlink()
    path.write_bytes(newer.read_bytes())
    return path.read_bytes()


async def test_the_app_opens_no_exam_over_a_newer_journal(newer_journal: Path, tmp_path: Path) -> None:
    lms = FakeLms()
    journals = FileJournals(tmp_path / "journals")
    async with program(tmp_path, lms, journals=journals) as run:
        await run.press("enter", "enter")
        assert run.screen == "RunnerScreen"
        await run.press("ctrl+q")
    (path,) = journals.paths()
    before = put(newer_journal, path)
    async with program(tmp_path, lms, journals=journals) as run:
        await run.press("enter")
        assert "A newer version of lms-tui has written the answers of this exam." in run.words
    assert path.read_bytes() == before


def test_newer_profiles_are_refused_unchanged(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = folder / "data" / "profiles.json"
    file.write_text(json.dumps({"format": 2, "profiles": json.loads(file.read_text("utf-8"))}), "utf-8")
    before = state(folder)
    profiles = ProfileList(file)
    with pytest.raises(NewerProfilesError):
        profiles.all()
    with pytest.raises(NewerProfilesError):
        profiles.remember(Profile("home", "https://learn.example.edu", "asha"))
    for command in (["profiles"], ["--plain"], ["demo", "--plain"], ["login", "https://learn.example.edu"]):
        assert main([*command, "--data-dir", str(folder / "data")]) == 1
        two_sentences(capsys.readouterr().err)
    assert state(folder) == before


def test_unknown_settings_are_refused_unchanged(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LMS_TUI_CONFIG_DIR", str(folder / "config"))
    file = folder / "config" / "settings.toml"
    file.write_text(file.read_text("utf-8") + '\n[later]\nname = "value"\n', "utf-8")
    before = state(folder)
    assert main(["--plain", "--data-dir", str(folder / "data")]) == 1
    what, advice = capsys.readouterr().err.removeprefix("lms-tui: ").strip().split("\n")
    assert "'later'" in what
    assert "newer version" in advice
    assert state(folder) == before


def test_a_newer_receipt_is_not_judged(folder: Path) -> None:
    (receipt, *_) = sorted(folder.rglob("receipt-*.txt"))
    receipt.write_text(receipt.read_text("utf-8").replace("lms-tui receipt 2", "lms-tui receipt 3"), "utf-8")
    report = verify(receipt)
    assert not report.legible
    two_sentences("\n".join(f"{part.strip('.')}." for part in report.problems[0].split(". ")))
