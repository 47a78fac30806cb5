"""Signed acknowledgements of answers, and receipts of students against the database."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from lms_tui.attempt.journal.memory import MemoryJournal
from lms_tui.attempt.journal.receipt import ACKNOWLEDGEMENT, LOGIN, OVER, Report, receipt_of, verify_text
from lms_tui.attempt.ports import AttemptKey, Entry
from lms_tui.attempt.values import Answer
from lms_tui.cli import main
from lms_tui.common import signatures
from lms_tui.common.base64url import encoded
from lms_tui.service.admin.administration import AdminError
from lms_tui.service.admin.audit import audit_lines
from lms_tui.service.admin.receipts import take_in
from lms_tui.service.attempts.acknowledgement import public_key
from lms_tui.service.core.database.tables import Attempt
from lms_tui.wire.acknowledgement import ACKNOWLEDGEMENT_HEADER, Acknowledgement, Signed
from tests.fakes.json_output import told
from tests.service.service_world import Caller, World, choice, exam_of
from tests.service.test_grading_killed import audited, killed_at_each_step
from tests.service.test_service_correction import check, shell


@dataclass
class Sat:
    """Asha's attempt of four questions. She chose A, the key, in the first three, and ended it."""

    world: World
    attempt: int
    user: int
    questions: list[Any]
    end: datetime
    acknowledgement: str

    def option(self, question: int, place: int) -> int:
        return int(self.questions[question]["question"]["answers"][place]["id"])

    def answer(self, question: int, place: int) -> Answer:
        return Answer((self.option(question, place),), review=False)

    def receipt(self, *changes: tuple[int, int, float, bool], acknowledgement: str = "") -> str:
        """Return a receipt: question, option, seconds after the end, and whether it is marked as delivered."""
        journal = MemoryJournal(AttemptKey("http://lms.test", self.user, self.attempt), "Sums")
        for number, (question, place, after, delivered) in enumerate(changes, 1):
            moment = (self.end + timedelta(seconds=after)).timestamp()
            id_ = self.questions[question]["id"]
            journal.record(Entry(number, id_, self.answer(question, place), float(number), moment))
            if delivered:
                journal.settle(id_, number)
        facts = {LOGIN: "asha", OVER: "yes", ACKNOWLEDGEMENT: acknowledgement}
        journal.remember(facts)
        return receipt_of(journal, self.end.timestamp() + 60)

    def command(self, *words: str, code: int = 0) -> None:
        settings = self.world.settings
        url = ["--database-url", settings.database_url] if settings.database_url else []
        assert main(["receipt", *words, "--data-dir", str(settings.data_dir.parent), *url]) == code


TRUE = tuple((question, 0, -60.0, True) for question in range(3))


@pytest.fixture
async def sat(world: World, asha: Caller) -> Sat:
    world.add_exam(exam_of(*(choice(f"Sum {number}") for number in range(4))))
    attempt = await asha.create("sums")
    questions = await asha.questions(attempt)
    for question in questions[:3]:
        await asha.answer(attempt, question["id"], question["question"]["answers"][0]["id"])
    world.clock.move(minutes=5)
    reply = await asha.send("PUT", f"/api/v2.2/attempts/{attempt}/end/")
    with world.database.read() as session:
        user = session.get_one(Attempt, attempt).user_id
    return Sat(world, attempt, user, questions, world.clock.now, reply.headers[ACKNOWLEDGEMENT_HEADER])


def report_of(sat: Sat, *changes: tuple[int, int, float, bool], acknowledgement: str = "") -> Report:
    return verify_text(sat.receipt(*changes, acknowledgement=acknowledgement))


async def test_the_reply_to_the_end_signs_the_answers_that_the_service_holds(sat: Sat) -> None:
    signed = Signed.read(sat.acknowledgement)
    assert (signed.told.attempt_id, signed.told.username, signed.told.state) == (sat.attempt, "asha", "Completed")
    assert signed.told.answers == 3
    assert signed.told.key == public_key(sat.world.app.service.signer)
    report = report_of(sat, *TRUE, acknowledgement=sat.acknowledgement)
    assert (report.problems, report.acknowledges, report.acknowledged_by) == ((), True, signed.told.key)
    assert (report.login, report.ended) == ("asha", True)


async def test_an_acknowledgement_can_be_asked_for_at_any_time(sat: Sat, asha: Caller, ravi: Caller) -> None:
    path = f"/api/v2.2/attempts/{sat.attempt}/acknowledgement/"
    told = Signed.read((await asha.get(path))["acknowledgement"]).told
    assert told.digest == Signed.read(sat.acknowledgement).told.digest
    running = await ravi.create("sums")
    body = await ravi.get(f"/api/v2.2/attempts/{running}/acknowledgement/")
    assert (Signed.read(body["acknowledgement"]).told.state, Signed.read(body["acknowledgement"]).told.answers) == (
        *("Running", 0),
    )


async def test_a_forged_acknowledgement_is_told_from_a_true_one(sat: Sat) -> None:
    # A delivered answer that the service never had, in a chain that is whole.
    forged = report_of(sat, *TRUE, (3, 0, -60, True), acknowledgement=sat.acknowledgement)
    assert (forged.problems, forged.acknowledges) == ((), False)
    # The same with a digest of the forger's own: the signature does not hold.
    signed = Signed.read(sat.acknowledgement)
    payload = replace(signed.told, answers=4).payload.decode()
    report = report_of(sat, *TRUE, acknowledgement=f"{payload}.{encoded(signed.signature)}")
    assert report.problems == ("The signature of the server is not valid, or belongs to another attempt.",)
    # Signed by the forger: whole, but by another key than that of the institute.
    report = report_of(sat, *TRUE, acknowledgement=signed_by(b"f" * 32, signed.told))
    assert (report.whole, report.acknowledged_by != signed.told.key) == (True, True)
    # The true acknowledgement of another attempt.
    other = signed_by(sat.world.app.service.signer.sign("acknowledgement"), replace(signed.told, attempt_id=999))
    assert not report_of(sat, *TRUE, acknowledgement=other).whole


def signed_by(seed: bytes, told: Acknowledgement) -> str:
    told = replace(told, key=encoded(signatures.public_key_of(seed)))
    return f"{told.payload.decode()}.{encoded(signatures.sign(seed, told.payload))}"


CHANGES = (
    (0, 0, -60.0, True),  # the same
    (1, 1, -60.0, False),  # chosen in time, but another answer stands
    (2, 1, 30.0, False),  # chosen after the end
    (3, 0, -60.0, True),  # marked as delivered, and missing
)


async def test_a_receipt_is_compared_with_the_database(
    sat: Sat, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "asha.txt"
    file.write_text(sat.receipt(*CHANGES, acknowledgement=sat.acknowledgement), encoding="utf-8")
    sat.command("compare", str(tmp_path), "--json", code=1)
    (row,) = told(capsys.readouterr().out, "receipt", "compare")
    assert list(row) == [
        *("file", "problems", "made_after_the_end", "signature", "answers", "attempt", "exam", "username", "counts"),
    ]
    assert (row["exam"], row["username"], row["signature"]) == ("sums", "asha", "other answers")
    assert row["counts"] == {"same": 1, "missing here": 1, "differs": 1, "too late": 1}
    found = [(one["question"], one["found"], one["receipt"], one["database"]) for one in row["answers"]]
    assert found == [(2, "differs", "B", "A"), (3, "too late", "B", "A"), (4, "missing here", "A", "")]
    sat.command("compare", str(file), code=1)
    said = capsys.readouterr()
    assert "1 same, 1 missing here, 1 differs, 1 too late." in said.out
    assert "Nothing is changed." in said.err
    file.write_text(sat.receipt(*TRUE, acknowledgement=sat.acknowledgement), encoding="utf-8")
    sat.command("compare", str(file))
    said = capsys.readouterr()
    assert "3 same. This institute has signed exactly the answers that it has as delivered." in said.out
    sat.command("key")
    key = capsys.readouterr().out.strip()
    assert main(["receipt", "verify", str(file), f"--key={key}"]) == 0  # a key may begin with a dash
    assert main(["receipt", "verify", str(file), "--key=-another"]) == 1


async def test_answers_of_a_receipt_are_taken_in_with_an_audit_line_and_marked_again(
    sat: Sat, ravi: Caller, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = sat.world
    await ravi.put(f"/api/v2.2/attempts/{await ravi.create('sums')}/end/")
    file = tmp_path / "asha.txt"
    file.write_text(sat.receipt(*CHANGES), encoding="utf-8")
    sat.command("compare", str(file), "--take-in", "--question", "4", "--reason", "The line was cut")
    assert "Taken in: 4." in capsys.readouterr().out
    check(world)
    assert score(sat) == 16
    (line,) = [line for line in audit_lines(world.database, None) if line["what"] == "answer.take-in"]
    assert line["about"] == f"exam sums, user asha, attempt {sat.attempt}, question 4"
    assert (line["before"]["answer"], line["after"]["answer"], line["after"]["reason"]) == ("", "A", "The line was cut")
    # The same again changes nothing, and without --question all are taken in.
    sat.command("compare", str(file), "--take-in", "--question", "4")
    assert "Taken in: nothing." in capsys.readouterr().out
    sat.command("compare", str(file), "--take-in")
    check(world)
    assert score(sat) == 4 - 1 - 1 + 4


@pytest.mark.slow
def test_answers_that_are_taken_in_under_kill_are_all_there_or_none(sat: Sat, tmp_path: Path) -> None:
    file = tmp_path / "asha.txt"
    file.write_text(sat.receipt(*CHANGES), encoding="utf-8")
    command = ("receipt", "compare", str(file), "--take-in", "--data-dir", str(tmp_path / "none"))
    assert len(list(killed_at_each_step(sat.world, *command))) > 3
    check(sat.world)
    assert score(sat) == 4 - 1 - 1 + 4
    assert audited(sat.world).count("answer.take-in") == 3


def score(sat: Sat) -> float:
    with sat.world.database.read() as session:
        return float(session.get_one(Attempt, sat.attempt).score)


@pytest.mark.parametrize("made", [None, b"", b'{"links": []}', b"Dear teacher", b"\xff\xfe\x00", "folder"])
def test_a_file_that_is_not_a_receipt_is_refused_in_two_lines(
    sat: Sat, tmp_path: Path, capsys: pytest.CaptureFixture[str], made: object
) -> None:
    file = tmp_path / "file.txt"
    if isinstance(made, bytes):
        file.write_bytes(made)
    elif made:
        file.mkdir()
    sat.command("compare", str(file), code=1)
    said = capsys.readouterr()
    first, second = said.err.splitlines()
    assert said.out == ""
    assert first.startswith(f"lms-tui: {file} holds no" if made == "folder" else f"lms-tui: {file} cannot be compared.")
    assert "receipt" in second


async def test_receipts_that_cannot_be_used_change_nothing(
    sat: Sat, ravi: Caller, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = sat.receipt(*CHANGES)
    (tmp_path / "changed.txt").write_text(text.replace('delivered": true', 'delivered": false'), encoding="utf-8")
    (tmp_path / "note.txt").write_text("Dear teacher", encoding="utf-8")
    foreign = replace(sat, attempt=sat.attempt + 50)
    (tmp_path / "other.txt").write_text(foreign.receipt(*CHANGES), encoding="utf-8")
    stray = replace(sat, questions=[{**question, "id": 9_999} for question in sat.questions])
    (tmp_path / "stray.txt").write_text(stray.receipt(CHANGES[0]), encoding="utf-8")
    sat.command("compare", str(tmp_path), "--take-in", "--json", code=1)
    problems = [" ".join(row["problems"]) for row in told(capsys.readouterr().out, "receipt", "compare")]
    assert ["chain is broken" in problems[0], "not a receipt" in problems[1]] == [True, True]
    assert ["has no attempt" in problems[2], "has no question with the ID 9999" in problems[3]] == [True, True]
    assert score(sat) == 12
    running = await ravi.create("sums")
    with sat.world.database.read() as session:
        user = session.get_one(Attempt, running).user_id
    with pytest.raises(AdminError, match="still runs"):
        take_in(shell(sat.world), running, user, [])
