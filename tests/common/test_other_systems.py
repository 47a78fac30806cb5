"""Clocks, locks and private files on Windows and macOS, with the functions of those systems replaced."""

import ctypes
import os
import stat
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from lms_tui.attempt.clock import SystemClock
from lms_tui.attempt.journal import store
from lms_tui.attempt.journal.mark import is_held
from lms_tui.attempt.journal.snapshot import read_snapshot
from lms_tui.attempt.journal.store import FileJournal
from lms_tui.attempt.ports import AttemptKey, Entry, JournalInUseError
from lms_tui.attempt.values import Answer
from lms_tui.common import private_files
from lms_tui.common.boot_clock import find_boot_clock
from lms_tui.common.file_locks import lock_file
from lms_tui.service.core.keyfile import read_or_create

KEY = AttemptKey("https://learn.example.edu", 4, 7)


# The clock.


def test_windows_counts_sleep_with_its_ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    class Ticks:
        restype = None

        def __call__(self) -> int:
            return 5_000_123

    libraries = {"kernel32": SimpleNamespace(GetTickCount64=Ticks())}
    monkeypatch.setattr(ctypes, "CDLL", libraries.__getitem__)
    monkeypatch.delattr(time, "CLOCK_MONOTONIC")
    assert find_boot_clock("win32")() == 5000.123
    assert libraries["kernel32"].GetTickCount64.restype is ctypes.c_uint64


def test_macos_takes_the_raw_clock_which_counts_sleep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(time, "CLOCK_BOOTTIME", raising=False)
    monkeypatch.setattr(time, "CLOCK_MONOTONIC_RAW", 4, raising=False)
    monkeypatch.setattr(time, "clock_gettime", {4: 77.5}.__getitem__)
    assert find_boot_clock("darwin")() == 77.5


def test_another_system_takes_the_clock_that_may_stand_still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(time, "CLOCK_BOOTTIME", raising=False)
    monkeypatch.delattr(time, "CLOCK_MONOTONIC", raising=False)
    monkeypatch.setattr(time, "monotonic", lambda: 3.25)
    assert find_boot_clock("freebsd14")() == 3.25


def test_a_clock_can_be_made_without_the_clocks_of_posix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(time, "CLOCK_BOOTTIME", raising=False)
    monkeypatch.delattr(time, "CLOCK_MONOTONIC", raising=False)
    first = SystemClock().boot()
    assert SystemClock().boot() >= first


# Locks.


class Msvcrt:
    """Locks of Windows: a byte of a file, for one open file at a time."""

    LK_LOCK, LK_NBLCK = 1, 2

    def __init__(self) -> None:
        self.held: set[tuple[int, int]] = set()
        self.modes: list[int] = []

    def locking(self, file: int, mode: int, count: int) -> None:
        place = os.fstat(file).st_ino, os.lseek(file, 0, os.SEEK_CUR)
        self.modes.append(mode)
        if place in self.held:
            raise PermissionError(13, "Permission denied")
        self.held |= {place} if count == 1 else set()


@pytest.fixture
def msvcrt(monkeypatch: pytest.MonkeyPatch) -> Msvcrt:
    fake = Msvcrt()
    monkeypatch.setitem(sys.modules, "msvcrt", fake)
    monkeypatch.setattr(sys, "platform", "win32")
    return fake


def test_windows_locks_a_byte_beyond_the_end_and_reads_from_the_start(msvcrt: Msvcrt, tmp_path: Path) -> None:
    (tmp_path / "lock").write_bytes(b"text")
    file = os.open(tmp_path / "lock", os.O_RDWR)
    lock_file(file)
    assert os.read(file, 4) == b"text"
    ((_, place),) = msvcrt.held
    assert place > 1 << 20
    with pytest.raises(OSError, match="denied"):
        lock_file(file, wait=True)
    assert msvcrt.modes == [Msvcrt.LK_NBLCK, Msvcrt.LK_LOCK]
    os.close(file)


def test_on_windows_one_window_alone_writes_to_a_journal(msvcrt: Msvcrt, tmp_path: Path) -> None:
    journal = FileJournal(tmp_path / "7.journal", KEY, "Physics")
    with pytest.raises(JournalInUseError):
        FileJournal(tmp_path / "7.journal", KEY, "Physics")
    assert is_held(tmp_path / "7.mark")
    journal.close()


# Files.


def test_a_journal_is_written_where_open_files_cannot_be_renamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = Path.replace

    def closed_only(path: Path, target: Path) -> Path:
        opened = {os.path.realpath(name) for name in Path("/proc/self/fd").iterdir()}
        assert str(path.resolve()) not in opened, "Windows refuses this"
        return replace(path, target)

    monkeypatch.setattr(store, "RENAMES_OPEN_FILES", False)
    monkeypatch.setattr(Path, "replace", closed_only)
    path = tmp_path / "7.journal"
    journal = FileJournal(path, KEY, "Physics")
    journal.record(Entry(1, 31, Answer((311,), review=False), 1.0, 2.0))
    path.unlink()
    assert "written from memory" in journal.check()
    journal.record(Entry(2, 32, Answer((321,), review=False), 3.0, 4.0))
    journal.close()
    assert [kept.entry.sequence for kept in read_snapshot(path).history()] == [1, 2]


def test_mode_bits_mean_nothing_on_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = read_or_create(tmp_path / "secret.key")
    (tmp_path / "secret.key").chmod(0o666)  # what Windows tells of every file
    monkeypatch.setattr(private_files, "_POSIX", False)
    assert read_or_create(tmp_path / "secret.key") == key
    assert not private_files.is_open_to_others(stat.S_IRWXO)
