"""Exams on a line where everything goes wrong: none loses an answer, and planted bugs do."""

import pytest

from lms_tui.attempt import facts, outbox
from lms_tui.attempt.memory import MemoryJournal
from lms_tui.attempt.ports import Entry, Kept
from lms_tui.attempt.values import Item
from tests.simulation.exam import DyingJournal, SimulatedExam

EXAMS = 250


def test_no_answer_that_showed_as_saved_is_lost_and_every_exam_ends_once() -> None:
    verdicts = [SimulatedExam(seed).run() for seed in range(1, EXAMS + 1)]
    assert [verdict for verdict in verdicts if not verdict.good] == []
    assert sum(verdict.answers for verdict in verdicts) > 10 * EXAMS
    assert sum(verdict.faults.total() for verdict in verdicts) > 10 * EXAMS


def test_a_seed_replays_exactly() -> None:
    assert SimulatedExam(12).run() == SimulatedExam(12).run()


def losing_exams() -> int:
    return sum(1 for seed in range(1, EXAMS + 1) if not SimulatedExam(seed).run().good)


def test_a_journal_that_shows_an_answer_as_saved_before_it_is_durable_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def late(journal: DyingJournal, *entries: Entry) -> None:
        waiting: list[Entry] = getattr(journal, "waiting", [])
        MemoryJournal.record(journal, *waiting)
        journal.waiting = list(entries)  # type: ignore[attr-defined]  # the planted bug keeps them in memory

    monkeypatch.setattr(DyingJournal, "record", late)
    assert losing_exams() > 0


def test_restored_answers_that_are_taken_for_sent_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    merged = facts._merged

    def all_sent(item: Item, kept: Kept | None) -> Item:
        return merged(item, None if kept is None else Kept(kept.entry, acknowledged=True))

    monkeypatch.setattr(facts, "_merged", all_sent)
    assert losing_exams() > 0


def test_an_end_before_the_queue_is_sent_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "_sendable", lambda session, item: session.editable and item.unsent)
    monkeypatch.setattr(outbox, "COMPARISONS", 0)
    assert losing_exams() > 0
