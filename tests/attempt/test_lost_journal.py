"""The journal or its disk goes away while an exam runs: the next tick notices it, tells it and repairs what it can."""

import errno
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from lms_tui.attempt.events import Chose
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.ports import Entry, JournalError, Visit
from lms_tui.wire.errors import Offline
from tests.attempt.test_keeper import KEY, Desk


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "journals"


def desk_offline(folder: Path) -> Desk:
    """A computer without a connection, with two answers that are saved on it alone."""
    desk = Desk(journals=FileJournals(folder)).sit()
    desk.line.failures.update({name: [Offline("No connection.")] * 99 for name in ("save 1", "save 2", "start")})
    desk.keeper.do(Chose(1, 11))
    desk.keeper.do(Chose(2, 22))
    return desk


@pytest.fixture
def desk(folder: Path) -> Iterator[Desk]:
    desk = desk_offline(folder)
    yield desk
    desk.journal.close()
    desk.scheduler.kill("computer")


def saved_on_disk(folder: Path) -> dict[int, tuple[int, ...]]:
    """Return what a process finds that starts now."""
    found = FileJournals(folder).look(KEY).newest()
    return {question: kept.entry.answer.selected for question, kept in found.items() if kept.entry.answer.given}


def test_a_deleted_folder_is_noticed_at_the_next_tick_and_the_journal_written_again(desk: Desk, folder: Path) -> None:
    shutil.rmtree(folder)
    desk.keeper.tick()
    assert "removed while the exam ran" in desk.session.journal_note
    assert desk.session.saved_here == 2
    assert saved_on_disk(folder) == {1: (11,), 2: (22,)}
    desk.keeper.do(Chose(3, 31))
    assert desk.session.journal_note == ""
    assert saved_on_disk(folder) == {1: (11,), 2: (22,), 3: (31,)}


def test_after_the_folder_was_deleted_only_durable_answers_count_as_saved(desk: Desk, folder: Path) -> None:
    shutil.rmtree(folder.parent)
    desk.keeper.do(Chose(3, 31))
    assert desk.session.saved_here == 3
    assert saved_on_disk(folder) == {1: (11,), 2: (22,), 3: (31,)}
    desk.keeper.tick()
    assert "removed while the exam ran" in desk.session.journal_note


def test_nothing_counts_as_saved_while_no_journal_can_be_written(desk: Desk, folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("A file stands where the folder was.")
    desk.keeper.tick()
    assert desk.session.saved_here == 0
    assert "removed" in desk.session.journal_trouble
    desk.keeper.do(Chose(3, 31))
    assert desk.session.saved_here == 0
    folder.unlink()
    desk.keeper.tick()
    assert (desk.session.saved_here, desk.session.journal_trouble) == (3, "")
    assert saved_on_disk(folder) == {1: (11,), 2: (22,), 3: (31,)}


def test_a_journal_that_was_replaced_by_another_file_is_noticed(desk: Desk, folder: Path) -> None:
    path = next(folder.rglob("*.journal"))
    path.unlink()
    path.write_text("Another file.")
    desk.keeper.tick()
    assert "removed" in desk.session.journal_note
    assert saved_on_disk(folder) == {1: (11,), 2: (22,)}


def test_unwritten_answers_are_written_when_the_disk_has_room_again(
    desk: Desk, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(os, "write", full)
        desk.keeper.do(Chose(3, 31))
        desk.keeper.tick()
        assert "The disk is full." in desk.session.journal_trouble
        assert desk.session.saved_here == 2
    desk.keeper.tick()
    assert (desk.session.saved_here, desk.session.journal_trouble) == (3, "")
    assert saved_on_disk(folder) == {1: (11,), 2: (22,), 3: (31,)}


def test_an_answer_sent_while_the_disk_was_full_is_known_as_ours_after_a_restart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = Desk().sit()

    def full(*entries: Entry, visits: Sequence[Visit] = ()) -> None:
        raise JournalError("The disk is full.")

    with monkeypatch.context() as disk:
        disk.setattr(desk.journal, "record", full)
        for option in (11, 12, 13):
            desk.keeper.do(Chose(1, option))
        desk.keeper.tick()
    desk.keeper.tick()
    assert desk.session.journal_trouble == ""
    held = [kept.entry for kept in desk.journal.history() if kept.entry.question_id == 1]
    assert [entry.answer.selected for entry in held if entry.sequence] == [(11,), (12,), (13,)]
    assert [entry.sequence for entry in held] == sorted({entry.sequence for entry in held})


def test_the_journal_is_written_again_when_a_failed_disk_works(
    desk: Desk, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(file: int, data: bytes) -> int:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as disk:
        disk.setattr(os, "write", broken)
        desk.keeper.do(Chose(3, 31))
        desk.keeper.tick()
        assert "Input/output error" in desk.session.journal_trouble
        assert desk.session.saved_here == 2
    desk.keeper.tick()
    assert desk.session.saved_here == 3
    assert saved_on_disk(folder) == {1: (11,), 2: (22,), 3: (31,)}


def test_a_change_missing_on_the_disk_is_recorded_before_it_is_marked_as_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = Desk().sit()
    desk.keeper.do(Chose(1, 11))
    desk.wait(1)

    def full(*entries: Entry, visits: Sequence[Visit] = ()) -> None:
        raise JournalError("The disk is full.")

    with monkeypatch.context() as disk:
        disk.setattr(desk.journal, "record", full)
        desk.keeper.do(Chose(1, 12))
    desk.wait(1)
    kept = desk.journal.newest()[1]
    assert (kept.entry.answer.selected, kept.acknowledged) == ((12,), True)
    desk.scheduler.kill("computer")
