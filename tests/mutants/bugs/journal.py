"""Bugs of the journal: the answers of one attempt on this computer."""

import json
import os
from collections.abc import Callable
from typing import Any

from lms_tui.attempt import journal_session
from lms_tui.attempt.acknowledgements import Acknowledgements
from lms_tui.attempt.events import Recorded
from lms_tui.attempt.journal import mark, rows, store
from lms_tui.attempt.ports import Journal, Kept
from lms_tui.attempt.session import Session, apply
from lms_tui.common import file_locks
from tests.attempt import test_damage, test_full_disk, test_journal, test_keeper, test_lost_journal
from tests.crash.writer import EARLY, MARK_FIRST, NOT_SYNCED, UNSYNCED
from tests.mutants import checks, rules
from tests.mutants.checks import passes, simulation, with_desk, with_folder, with_journals
from tests.mutants.planting import Bug, around, both, swap

File = store.FileJournal


def _unsettled_alone(sound: Callable[[Journal], list[Kept]]) -> Callable[[Journal], list[Kept]]:
    return lambda journal: [kept for kept in sound(journal) if not kept.acknowledged]


def _newest_unsettled(sound: Callable[[Journal], dict[int, Kept]]) -> Callable[[Journal], dict[int, Kept]]:
    return lambda journal: {number: kept for number, kept in sound(journal).items() if not kept.acknowledged}


def _readable_by_all(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
    return _open(path, flags, 0o644 if mode == 0o600 else mode, dir_fd=dir_fd)


def _all_before(sound: Callable[..., None]) -> Callable[..., None]:
    def settle(journal: Journal, question_id: int, _sequence: int, *, refused: str = "") -> None:
        sound(journal, question_id, 10**12, refused=refused)

    return settle


def _always_recorded(sound: Callable[..., Session]) -> Callable[..., Session]:
    def record(ledger: Any, before: Session, after: Session) -> Session:
        done = sound(ledger, before, after)
        return apply(done, Recorded(done.sequence)) if done.journal_trouble else done

    return record


def _unchecked(_: Callable[[bytes], dict[int, rows.Row]]) -> Callable[[bytes], dict[int, rows.Row]]:
    def decode(data: bytes) -> dict[int, rows.Row]:
        found = [json.loads(line[17:]) for line in data.split(b"\n") if line]
        return {row["row"]: row for row in found}

    return decode


_open = os.open

IN_THE_JOURNAL = (
    Bug(
        "an answer shows as saved before it is synced",
        swap(checks.RealJournal, "variant", NOT_SYNCED),
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
        with_journals(test_journal.test_settling_marks_a_change_and_those_before_it_only),
        "assert journal.newest()[1].acknowledged | KeyError",
    ),
    Bug(
        "the journal is readable by others",
        swap(os, "open", _readable_by_all),
        with_folder(test_journal.test_only_the_owner_can_read_the_journal),
        "assert stat.S_IMODE(path.stat().st_mode) == 384",
    ),
    Bug(
        "the lock is not taken",
        around(file_locks.lock_file, lambda _: lambda _file, **_wait: None),
        with_journals(test_journal.test_one_attempt_cannot_be_opened_twice),
        "with pytest.raises(JournalInUseError)",
    ),
    Bug(
        "a damaged journal is deleted",
        around(File._keep_as, lambda _: lambda journal, _what: journal._path),
        with_folder(test_journal.test_a_damaged_journal_is_moved_aside_and_a_new_one_is_used, rules.overwritten),
        "assert list(tmp_path.rglob('*.damaged-1'))",
    ),
    Bug(
        "the mark is written before its row",
        swap(checks.RealJournal, "variant", MARK_FIRST),
        checks.kill_9,
        "assert not tally.damaged",
    ),
    Bug(
        "rows that are missing are not counted",
        around(mark.Mark.write, lambda sound: lambda marked, _rows, journal_id: sound(marked, 0, journal_id)),
        with_folder(test_damage.test_a_truncated_journal_is_reported),
        "assert journal.restored",
    ),
    Bug(
        "the checksum of a row is not compared",
        around(rows.decode_rows, _unchecked),
        with_folder(test_damage.test_an_answer_in_a_damaged_row_is_never_used),
        "assert journal.newest()[2].entry.answer.selected == (1,)",
    ),
    Bug(
        "the journal of one user is offered to another",
        around(store.user_folder, lambda sound: lambda folder, origin, _user: sound(folder, origin, 0)),
        with_journals(test_journal.test_an_attempt_with_undelivered_answers_is_offered_to_its_owner_only),
        "assert journals.outstanding(KEY.origin, OTHER_USER.user_id).unfinished == ()",
    ),
    Bug(
        "an acknowledgement of an older change covers the newer one",
        around(File.settle, _all_before),
        with_journals(test_journal.test_settling_marks_a_change_and_those_before_it_only),
        "assert not journal.newest()[1].acknowledged",
    ),
    Bug(
        "an answer that the disk did not take shows as saved",
        around(journal_session.JournalSession.record, _always_recorded),
        passes(test_keeper.test_an_answer_is_sent_and_a_notice_shown_if_the_disk_is_full),
        "assert 'The disk is full.' in desk.session.journal_trouble",
    ),
    Bug(
        "a removed journal is written to as if it were there",
        around(File._removed, lambda _: lambda _journal: False),
        with_desk(test_lost_journal.test_a_journal_that_was_replaced_by_another_file_is_noticed),
        "assert 'removed' in desk.session.journal_note",
    ),
    Bug(
        "what a full disk refused waits for the next answer",
        around(journal_session.JournalSession.check, lambda _: lambda _journal, session: session),
        with_desk(test_lost_journal.test_nothing_counts_as_saved_while_no_journal_can_be_written),
        "assert desk.session.saved_here == 0",
    ),
    Bug(
        "sequence numbers begin anew after a restart",
        around(journal_session.first_change, lambda _: lambda _journal, _clock: 0),
        simulation(160),
        "lost",
    ),
    Bug(
        "a start on a full disk takes the numbers of the one before",
        around(journal_session.first_change, lambda _: lambda journal, _clock: journal.last_sequence()),
        passes(test_full_disk.test_answers_get_higher_numbers_than_those_of_a_start_on_a_full_disk),
        "assert desk.held(1) == (14,)",
    ),
    Bug(
        "an acknowledgement that a full disk refused is never written",
        around(Acknowledgements.write, lambda _: lambda _acknowledgements: None),
        passes(test_full_disk.test_an_acknowledgement_that_a_full_disk_refused_is_written_when_there_is_room),
        "assert desk.journal.newest()[1].acknowledged",
    ),
)
