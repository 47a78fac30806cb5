"""The receipt: whole where nothing was touched, broken where anything was."""

import json
import stat
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from lms_tui.attempt.events import Chose, EndAsked
from lms_tui.attempt.journal.memory import MemoryJournal
from lms_tui.attempt.journal.receipt import note_paper, receipt_of, verify, verify_text
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.ports import AttemptKey, Entry, Kept, Reply
from lms_tui.attempt.values import Answer, Item, Phase
from lms_tui.wire.attempts import ToldAttempt
from tests.attempt.test_keeper import Desk

KEY = AttemptKey("https://learn.example.edu", 4, 7)
NOW = 1.77e9
HISTORY = [
    Kept(Entry(1, 1, Answer((11,), review=False), 10.0, NOW + 10.25), acknowledged=True),
    Kept(Entry(2, 2, Answer(essay_text="Über\n\x1b[2J everything", review=True), 80.0, NOW + 80), acknowledged=False),
    Kept(Entry(3, 1, Answer((12,), review=False), 90.0, NOW + 90), acknowledged=False, refused="Too late."),
]
HEARD = [Reply(5.0, {"remaining_time": "0:30:00"}), Reply(85.0, {"remaining_time": "0:28:40"})]


def a_journal(items: Sequence[Item] = ()) -> MemoryJournal:
    journal = MemoryJournal(KEY, "Physics [1]")
    for kept in HISTORY:
        journal.keep(kept)
    for reply in HEARD:
        journal.note_reply(reply)
    if items:
        note_paper(journal, items)
    return journal


def a_receipt() -> str:
    return receipt_of(a_journal(), NOW + 100)


@pytest.mark.case(17)
def test_case_17_an_unchanged_receipt_is_whole_and_lists_undelivered_answers(tmp_path: Path) -> None:
    path = tmp_path / "receipt.txt"
    path.write_text(a_receipt(), encoding="utf-8")
    report = verify(path)
    assert report.problems == ()
    assert (report.title, report.changes, report.undelivered) == ("Physics [1]", 3, 2)
    assert (report.last_heard, report.after_last_heard) == ({"remaining_time": "0:28:40"}, 1)


def test_the_readable_part_names_every_answer_and_holds_no_control_character() -> None:
    readable = a_receipt().split("-----")[0]
    assert "question 1: option 12" in readable
    assert "the server did not take it: Too late." in readable
    assert readable.replace("\n", "").isprintable()


def test_every_changed_character_is_found() -> None:
    text, random = a_receipt(), Random(1)
    for _ in range(300):
        at = random.randrange(len(text) - 1)
        other = chr(ord(text[at]) ^ 1)
        changed = text[:at] + other + text[at + 1 :]
        same = changed.split("end -----\n")[-1].split() == text.split("end -----\n")[-1].split()
        assert not verify_text(changed).whole or (text[at].isspace() and same), (at, text[at - 20 : at + 20])


@pytest.mark.parametrize(
    "damage",
    [
        lambda body: body["links"].pop(1),
        lambda body: body["links"].pop(),
        lambda body: body["links"].reverse(),
        lambda body: body["links"][1].update(at="2026-01-01T00:00:00.000+00:00"),
        lambda body: body["links"].append(dict(body["links"][-1])),
        lambda body: body["head"].update(user_id=5),
        lambda body: body.pop("digest"),
        lambda body: body.update(links="none"),
    ],
)
def test_an_altered_missing_or_moved_change_breaks_the_chain(damage: object) -> None:
    readable, mark, machine = a_receipt().partition("end -----\n")
    body = json.loads(machine)
    assert callable(damage)
    damage(body)
    assert not verify_text(readable + mark + json.dumps(body)).whole


@pytest.mark.parametrize(
    "content", [b"", b"no receipt", b"\xff\xfe", b"\n----- for machines, from here to the end -----\n["]
)
def test_the_error_for_another_file_is_a_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    assert len(verify(path).problems) == 1
    assert not verify(tmp_path / "missing").whole


def test_the_receipt_beside_the_journal_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    journal = FileJournals(tmp_path).open(KEY, "Physics")
    journal.record(*(kept.entry for kept in HISTORY))
    journal.settle(1, 1)
    journal.note_reply(Reply(5.0, {"remaining_time": "0:30:00"}))
    journal.keep_receipt(receipt_of(journal, NOW))
    journal.close()
    (path,) = tmp_path.rglob("*.receipt.txt")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    report = verify(path)
    assert (report.problems, report.title, report.changes) == ((), "Physics", 3)
    assert report.last_heard == {"remaining_time": "0:30:00"}


def test_after_a_normal_end_the_receipt_of_the_whole_attempt_is_kept() -> None:
    desk = Desk().sit()
    desk.keeper.do(Chose(1, 12))
    desk.wait(61)
    desk.keeper.do(EndAsked())
    desk.until_over()
    assert isinstance(desk.journal, MemoryJournal)
    report = verify_text(desk.journal.receipt)
    assert (report.problems, report.changes, report.undelivered) == ((), 1, 0)
    assert report.last_heard is not None
    assert report.last_heard["remaining_time"]


def test_the_receipt_keeps_what_the_server_signed_at_the_end_and_says_that_the_attempt_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = Desk().sit()
    told, ends = f"e30.{'A' * 86}", desk.server.end

    def end(*given: object) -> ToldAttempt:
        return ToldAttempt.model_validate(ends(*given).model_dump()).model_copy(update={"acknowledgement": told})

    monkeypatch.setattr(desk.server, "end", end)
    assert "after the end" not in desk.keeper.receipt()
    desk.keeper.do(EndAsked())
    desk.until_over()
    assert isinstance(desk.journal, MemoryJournal)
    assert f"Signed    {told}" in desk.journal.receipt
    assert ", after the end of the attempt" in desk.journal.receipt


@pytest.mark.parametrize("tells", ["epoch", "numbers"])
def test_an_answer_whose_acknowledgement_was_lost_by_a_kill_counts_as_delivered_at_the_end(tells: str) -> None:
    desk = Desk()
    desk.server.tells = tells
    desk.sit()
    desk.keeper.do(Chose(1, 12))
    desk.elsewhere(1, 12, f"{desk.journal.writer}:{desk.session.items[0].latest}")
    desk.crash()
    assert not desk.session.unsent
    assert [kept.acknowledged for kept in desk.journal.history()] == [False]
    desk.keeper.do(EndAsked())
    desk.until_over()
    assert desk.session.phase is Phase.ENDED
    assert isinstance(desk.journal, MemoryJournal)
    assert verify_text(desk.journal.receipt).undelivered == 0


@pytest.mark.case(17)
def test_case_17_the_receipt_of_a_closed_attempt_lists_answers_not_accepted() -> None:
    desk = Desk().sit()
    desk.server.finish()
    desk.keeper.do(Chose(1, 12))
    desk.until_over()
    assert isinstance(desk.journal, MemoryJournal)
    assert verify_text(desk.journal.receipt).undelivered == 1
    assert "question 1 (id 1): B (option 12)" in desk.journal.receipt


def test_a_receipt_of_an_earlier_version_is_whole() -> None:
    text = (Path(__file__).parent / "data" / "receipt.txt").read_text(encoding="utf-8")
    assert verify_text(text).whole
    assert receipt_of(a_journal([Item(1, 1, "R", (11, 12)), Item(2, 2, "S")]), NOW + 100) == text
