"""Bugs of the journal: the answers of one attempt on this computer."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lms_tui.attempt import journal_session
from lms_tui.attempt.events import Recorded
from lms_tui.attempt.journal import store
from lms_tui.attempt.ports import Journal, Kept
from lms_tui.attempt.session import Session, apply
from tests.attempt import test_journal, test_keeper
from tests.crash.writer import EARLY, NORMAL, UNSYNCED
from tests.mutants import checks, rules
from tests.mutants.checks import passes, simulation, with_folder, with_journals
from tests.mutants.planting import Bug, altered, around, both, constant, swap

File = store.FileJournal


def _unsettled_alone(sound: Callable[[Journal], list[Kept]]) -> Callable[[Journal], list[Kept]]:
    return lambda journal: [kept for kept in sound(journal) if not kept.acknowledged]


def _newest_unsettled(sound: Callable[[Journal], dict[int, Kept]]) -> Callable[[Journal], dict[int, Kept]]:
    return lambda journal: {number: kept for number, kept in sound(journal).items() if not kept.acknowledged}


def _readable_by_all(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
    return _open(path, flags, 0o644 if mode == 0o600 else mode, dir_fd=dir_fd)


def _removed(path: Path, target: Path) -> Path:
    if "damaged" in Path(target).name:
        path.unlink()
        return target
    return _rename(path, target)


def _all_before(sound: Callable[..., None]) -> Callable[..., None]:
    def settle(journal: Journal, question_id: int, _sequence: int, *, refused: str = "") -> None:
        sound(journal, question_id, 10**12, refused=refused)

    return settle


def _always_recorded(sound: Callable[..., Session]) -> Callable[..., Session]:
    def record(ledger: Any, before: Session, after: Session) -> Session:
        done = sound(ledger, before, after)
        return apply(done, Recorded(done.sequence)) if done.journal_trouble else done

    return record


_open, _rename = os.open, Path.rename

IN_THE_JOURNAL = (
    Bug(
        "an answer shows as saved before it is synced",
        swap(checks.RealJournal, "variant", NORMAL),
        checks.power_cut,
        "assert not tally.damaged",
    ),
    Bug(
        "an answer shows as saved before the commit",
        swap(checks.RealJournal, "variant", EARLY),
        checks.kill_9,
        "assert not tally.damaged",
    ),
    Bug(
        "new folders are not synced",
        swap(checks.RealJournal, "variant", UNSYNCED),
        checks.power_cut,
        "assert not tally.damaged",
    ),
    Bug(
        "a journal row is gone when it was sent",
        both(around(File.history, _unsettled_alone), around(File.newest, _newest_unsettled)),
        with_journals(test_journal.test_settling_marks_a_change_and_those_before_it_and_never_a_later_one),
        "assert journal.newest()[1].acknowledged | KeyError",
    ),
    Bug(
        "the journal is readable by others",
        swap(os, "open", _readable_by_all),
        with_folder(test_journal.test_the_journal_is_readable_by_its_owner_alone),
        "assert stat.S_IMODE(path.stat().st_mode) == 384",
    ),
    Bug(
        "the lock is not taken",
        altered(store, constant("locking_mode=EXCLUSIVE", "locking_mode=NORMAL")),
        with_journals(test_journal.test_a_second_opener_of_the_same_attempt_is_refused_and_of_another_is_not),
        "with pytest.raises(JournalInUseError)",
    ),
    Bug(
        "a damaged journal is deleted",
        swap(Path, "rename", _removed),
        with_folder(test_journal.test_a_damaged_journal_is_kept_aside_and_a_new_one_begun, rules.overwritten),
        "assert list(tmp_path.rglob('*.damaged-1'))",
    ),
    Bug(
        "the journal of one user is offered to another",
        around(store.FileJournals._of_user, lambda sound: lambda journals, origin, _user: sound(journals, origin, 0)),
        with_journals(
            test_journal.test_an_attempt_that_owes_answers_is_offered_to_its_owner_alone_until_it_is_finished
        ),
        "assert journals.unfinished(KEY.origin, OTHER_USER.user_id) == ()",
    ),
    Bug(
        "an acknowledgement of an older change covers the newer one",
        around(File.settle, _all_before),
        with_journals(test_journal.test_settling_marks_a_change_and_those_before_it_and_never_a_later_one),
        "assert not journal.newest()[1].acknowledged",
    ),
    Bug(
        "an answer that the disk did not take shows as saved",
        around(journal_session.JournalSession.record, _always_recorded),
        passes(test_keeper.test_a_disk_that_takes_no_answer_is_told_and_the_answer_is_still_sent),
        "assert 'The disk is full.' in desk.session.journal_trouble",
    ),
    Bug(
        "sequence numbers begin anew after a restart",
        around(journal_session.first_number, lambda _: lambda _journal: 0),
        simulation(),
        "lost",
    ),
)
