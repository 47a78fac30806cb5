"""Files in answers are kept on the disk first, sent in parts before the answer, and sent again after a loss."""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random

import anyio
import pytest

from lms_tui.attempt.answer_files import files_of
from lms_tui.attempt.events import Cleared, EndAsked, Marked, Undone
from lms_tui.attempt.journal.receipt import answer_lines
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.keeper import Keeper
from lms_tui.attempt.ports import AttemptKey, JournalError
from lms_tui.attempt.values import Item, Phase
from lms_tui.wire.errors import NotFound, Offline, TimedOut
from lms_tui.wire.files import AttemptFiles, FileReference, FileRules, UploadedFile
from tests.fakes.attempts import AttemptInMemory, a_keeper, question

KEY = AttemptKey("https://exams.example", 7, 1)
PART = 1_000
ACCEPTED = AttemptFiles(
    largest=100_000, part=PART, total=200_000, questions=(FileRules(question_id=1, most=2, types=(".pdf",)),)
)
CONTENT = os.urandom(3_500)


class Service(AttemptInMemory):
    """Two questions: one for files, and one of options. `sent`: the requests in order."""

    def __init__(self, accepts: AttemptFiles | None = ACCEPTED) -> None:
        super().__init__((question(1, "<p>Hand in your report.</p>", ["-"], kind="F"), question(2)))
        self.accepts = accepts
        self.sent: list[str] = []

    async def send_file(self, attempt_id: int, reference: FileReference, offset: int, content: bytes) -> UploadedFile:
        self.sent.append(f"part at {offset}")
        self._called("send_file")
        return await super().send_file(attempt_id, reference, offset, content)

    async def save(self, attempt_id: int, question_id: int, *given: object, **more: object) -> object:  # type: ignore[override]  # only noted
        self.sent.append(f"answer {question_id}")
        return await super().save(attempt_id, question_id, *given, **more)  # type: ignore[arg-type]  # as it came


@asynccontextmanager
async def attempt(service: Service, folder: Path) -> AsyncIterator[Keeper]:
    journal = FileJournals(folder).open(KEY, "Practical")
    keeper = await a_keeper(service, journal=journal)
    try:
        yield keeper
    finally:
        keeper.close()


async def work(keeper: Keeper, until: Callable[[], bool]) -> None:
    """Let the keeper send until something is true."""
    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(keeper.run)
            while not until():
                await anyio.lowlevel.checkpoint()
            group.cancel_scope.cancel()


def item_of(keeper: Keeper) -> Item:
    return keeper.session.items[0]


def tried_until(service: Service, keeper: Keeper, holds: Callable[[], bool]) -> Callable[[], bool]:
    """Return a condition that lets time pass and has the keeper try again, whenever it is asked for."""

    def met() -> bool:
        service.clock.now += 10
        keeper.retry()
        return holds()

    return met


def stored_in(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.files/*"))


async def test_the_content_is_on_the_disk_when_the_answer_counts_as_saved(tmp_path: Path) -> None:
    async with attempt(Service(), tmp_path) as keeper:
        keeper.attach(item_of(keeper), "report.pdf", CONTENT)
        item = item_of(keeper)
        assert item.answer.given
        assert item.here == item.latest
        assert item.unsent
    digest = sha256(CONTENT).hexdigest()
    [kept] = stored_in(tmp_path)
    assert (kept.name, kept.read_bytes(), kept.stat().st_mode & 0o077) == (digest, CONTENT, 0)
    journal = FileJournals(tmp_path).open(KEY, "Practical")
    assert files_of(journal.newest()[1].entry.answer) == (FileReference(digest, len(CONTENT), "report.pdf"),)
    journal.close()


async def test_the_parts_are_sent_before_the_answer(tmp_path: Path) -> None:
    service = Service()
    async with attempt(service, tmp_path) as keeper:
        keeper.attach(item_of(keeper), "report.pdf", CONTENT)
        await work(keeper, lambda: not item_of(keeper).unsent)
    assert service.sent == ["part at 0", "part at 1000", "part at 2000", "part at 3000", "answer 1"]
    assert [bytes(content) for content in service.stored.values()] == [CONTENT]
    [gap] = service.asked[1].gap_fill_responses
    assert gap.answer.endswith(" 3500 report.pdf")


async def test_other_answers_are_sent_between_the_parts(tmp_path: Path) -> None:
    service = Service()
    async with attempt(service, tmp_path) as keeper:
        keeper.attach(item_of(keeper), "report.pdf", CONTENT)
        keeper.do(Cleared(2))
        await work(keeper, lambda: not any(item.unsent for item in keeper.session.items))
    assert service.sent.index("answer 2") < service.sent.index("part at 1000")


async def test_an_interrupted_file_goes_on_after_a_restart_of_the_program(tmp_path: Path) -> None:
    service = Service()
    async with attempt(service, tmp_path) as keeper:
        keeper.attach(item_of(keeper), "report.pdf", CONTENT)
        await work(keeper, lambda: "part at 1000" in service.sent)
    had = len(next(iter(service.stored.values())))
    service.sent.clear()
    async with attempt(service, tmp_path) as keeper:
        await work(keeper, lambda: not item_of(keeper).unsent)
    assert service.sent[0] == f"part at {had}"
    assert [bytes(content) for content in service.stored.values()] == [CONTENT]


async def test_a_lost_reply_repeats_no_bytes(tmp_path: Path) -> None:
    service = Service()
    service.coming["send_file"] = [Offline("The line is cut.")]
    async with attempt(service, tmp_path) as keeper:
        keeper.attach(item_of(keeper), "report.pdf", CONTENT)
        await work(keeper, lambda: bool(keeper.session.contact.trouble))
        service.clock.now += 60
        await work(keeper, lambda: not item_of(keeper).unsent)
    assert [bytes(content) for content in service.stored.values()] == [CONTENT]


async def test_a_server_that_lost_the_file_gets_it_again_with_the_next_change(tmp_path: Path) -> None:
    service = Service()
    async with attempt(service, tmp_path) as keeper:
        keeper.attach(item_of(keeper), "report.pdf", CONTENT)
        await work(keeper, lambda: not item_of(keeper).unsent)
        service.stored.clear()
        keeper.attach(item_of(keeper), "table.pdf", b"1,2")
        await work(keeper, lambda: not item_of(keeper).unsent)
    assert sorted(map(bytes, service.stored.values())) == sorted([CONTENT, b"1,2"])


async def test_a_restored_server_gets_a_lost_file_again_with_the_comparison(tmp_path: Path) -> None:
    service = Service()
    async with attempt(service, tmp_path) as keeper:
        keeper.attach(item_of(keeper), "report.pdf", CONTENT)
        await work(keeper, lambda: not item_of(keeper).unsent)
        service.stored.clear()
        keeper.do(EndAsked())  # every answer is compared before the end
        await work(keeper, lambda: keeper.session.over)
    assert [bytes(content) for content in service.stored.values()] == [CONTENT]


async def test_a_server_that_tells_of_no_files_any_more_does_not_end_the_exam(tmp_path: Path) -> None:
    service = Service()
    async with attempt(service, tmp_path) as keeper:
        await keeper.files.read()
        keeper.attach(item_of(keeper), "report.pdf", CONTENT)
        await work(keeper, lambda: not item_of(keeper).unsent)
        service.accepts = None
        keeper.do(EndAsked())
        await work(keeper, lambda: keeper.session.over)
        assert keeper.session.phase is Phase.ENDED


async def test_a_mark_is_sent_to_a_server_that_takes_no_files(tmp_path: Path) -> None:
    service = Service(accepts=None)
    async with attempt(service, tmp_path) as keeper:
        keeper.do(Marked(1))
        await work(keeper, lambda: not item_of(keeper).unsent)
    assert service.sent == ["answer 1"]
    assert service.asked[1].review is True


async def test_a_slow_line_gets_smaller_parts(tmp_path: Path) -> None:
    class Slow(Service):
        async def send_file(
            self, attempt_id: int, reference: FileReference, offset: int, content: bytes
        ) -> UploadedFile:
            if len(content) > 20_000:
                raise TimedOut("No reply in time.")
            return await super().send_file(attempt_id, reference, offset, content)

    service, content = Slow(ACCEPTED.model_copy(update={"part": 100_000})), os.urandom(70_000)
    async with attempt(service, tmp_path) as keeper:
        keeper.attach(item_of(keeper), "report.pdf", content)

        def arrived() -> bool:
            service.clock.now += 1
            return not item_of(keeper).unsent

        await work(keeper, arrived)
    assert [bytes(stored) for stored in service.stored.values()] == [content]


async def test_an_empty_file_is_sent(tmp_path: Path) -> None:
    service = Service()
    async with attempt(service, tmp_path) as keeper:
        keeper.attach(item_of(keeper), "empty.pdf", b"")
        await work(keeper, lambda: not item_of(keeper).unsent)
    assert service.sent == ["part at 0", "answer 1"]


async def test_a_file_that_is_missing_on_this_computer_is_told(tmp_path: Path) -> None:
    service = Service()
    async with attempt(service, tmp_path) as keeper:
        keeper.attach(item_of(keeper), "report.pdf", CONTENT)
        stored_in(tmp_path)[0].unlink()
        await work(keeper, tried_until(service, keeper, lambda: bool(item_of(keeper).refused)))
        assert item_of(keeper).refused == "The file report.pdf is missing on this computer."
        assert item_of(keeper).answer.given


async def test_a_server_that_keeps_nothing_of_a_file_is_not_asked_for_ever(tmp_path: Path) -> None:
    class Forgetful(Service):
        async def send_file(self, attempt_id: int, reference: FileReference, *_given: object) -> UploadedFile:
            self.sent.append("part")
            return UploadedFile(digest=reference.digest, size=reference.size, received=0)

    service = Forgetful()
    async with attempt(service, tmp_path) as keeper:
        keeper.attach(item_of(keeper), "report.pdf", CONTENT)
        await work(keeper, tried_until(service, keeper, lambda: bool(item_of(keeper).refused)))
    assert len(service.sent) <= 3


async def test_undo_brings_a_removed_file_back_and_sends_it(tmp_path: Path) -> None:
    service = Service()
    async with attempt(service, tmp_path) as keeper:
        keeper.attach(item_of(keeper), "report.pdf", CONTENT)
        keeper.detach(item_of(keeper), 0)
        assert not item_of(keeper).answer.given
        keeper.do(Undone())
        await work(keeper, lambda: not item_of(keeper).unsent)
    assert [bytes(content) for content in service.stored.values()] == [CONTENT]


async def test_the_copies_are_removed_when_the_exam_has_ended_and_all_is_sent(tmp_path: Path) -> None:
    service = Service()
    async with attempt(service, tmp_path) as keeper:
        keeper.attach(item_of(keeper), "report.pdf", CONTENT)
        keeper.do(EndAsked())
        await work(keeper, lambda: keeper.session.over)
        assert keeper.session.phase is Phase.ENDED
    assert not stored_in(tmp_path)
    assert [bytes(content) for content in service.stored.values()] == [CONTENT]


async def test_the_copies_stay_when_the_server_ended_the_exam_before_they_were_sent(tmp_path: Path) -> None:
    service = Service()
    async with attempt(service, tmp_path) as keeper:
        keeper.attach(item_of(keeper), "report.pdf", CONTENT)
        await service.end(1)
        service.coming["send_file"] = [NotFound("It has ended.") for _ in range(9)]
        await work(keeper, lambda: keeper.session.over)
    assert [path.name for path in stored_in(tmp_path)] == [sha256(CONTENT).hexdigest()]


async def test_a_file_that_cannot_be_kept_changes_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(_file: int) -> None:
        raise OSError(28, "No space left on device")

    async with attempt(Service(), tmp_path) as keeper:
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", no_room)
            with pytest.raises(JournalError) as caught:
                keeper.attach(item_of(keeper), "report.pdf", CONTENT)
        assert str(caught.value) == "The file could not be saved. The disk is full."
        assert not item_of(keeper).answer.given


async def test_the_rules_are_known_again_without_the_server(tmp_path: Path) -> None:
    service = Service()
    async with attempt(service, tmp_path) as keeper:
        assert keeper.files.rules_of(1) is None
        await keeper.files.read()
        assert keeper.files.rules_of(1) == ACCEPTED.questions[0]
    service.accepts = None
    async with attempt(service, tmp_path) as keeper:
        assert keeper.files.rules_of(1) == ACCEPTED.questions[0]
        assert keeper.files.rules_of(2) is None


async def test_the_rules_of_a_later_section_are_asked_for_when_it_starts(tmp_path: Path) -> None:
    service = Service()
    later = FileRules(question_id=5, most=1)
    async with attempt(service, tmp_path) as keeper:
        await keeper.files.read([1])
        service.accepts = ACCEPTED.model_copy(update={"questions": (*ACCEPTED.questions, later)})
        await keeper.files.read([1])
        assert not keeper.files.told(5)
        await keeper.files.read([1, 5])
        assert keeper.files.told(5)
        assert keeper.files.rules_of(5) == later


async def test_the_rules_stay_known_when_a_later_request_is_refused(tmp_path: Path) -> None:
    service = Service()
    async with attempt(service, tmp_path) as keeper:
        await keeper.files.read([1])
        service.accepts = None
        await keeper.files.read([1, 5])
        assert keeper.files.rules_of(1) == ACCEPTED.questions[0]


async def test_a_server_without_these_endpoints_takes_no_files(tmp_path: Path) -> None:
    async with attempt(Service(accepts=None), tmp_path) as keeper:
        await keeper.files.read()
        assert keeper.files.known == AttemptFiles()
        assert keeper.files.rules_of(1) is None


async def test_the_rules_stay_unknown_while_the_server_is_silent(tmp_path: Path) -> None:
    class Silent(Service):
        async def files(self, attempt_id: int) -> AttemptFiles:
            raise Offline(f"No network for {attempt_id}.")

    async with attempt(Silent(), tmp_path) as keeper:
        await keeper.files.read()
        assert keeper.files.known is None


async def test_the_receipt_names_the_files_and_their_digests(tmp_path: Path) -> None:
    async with attempt(Service(), tmp_path) as keeper:
        keeper.attach(item_of(keeper), "report.pdf", CONTENT)
    [line] = answer_lines(FileJournals(tmp_path).look(KEY))
    assert f"file 1: report.pdf (3500 bytes, SHA-256 {sha256(CONTENT).hexdigest()})" in line


async def test_a_huge_part_of_a_server_is_not_sent_at_once(tmp_path: Path) -> None:
    content = os.urandom((1 << 20) + 1)
    service = Service(ACCEPTED.model_copy(update={"part": 1 << 40}))
    async with attempt(service, tmp_path) as keeper:
        keeper.attach(replace(item_of(keeper)), "report.pdf", content)
        await work(keeper, lambda: not item_of(keeper).unsent)
    assert service.sent == ["part at 0", f"part at {1 << 20}", "answer 1"]


class Unreliable(Service):
    """Loses requests and replies, and forgets files, for a while."""

    def __init__(self, random: Random) -> None:
        super().__init__()
        self._random = random
        self.calm = 0
        """Faults that are left."""

    def _fails(self) -> bool:
        self.calm -= 1
        return self.calm > 0 and self._random.random() < 0.5

    async def files(self, attempt_id: int) -> AttemptFiles:
        if self._fails():
            raise Offline("The request was lost.")
        return await super().files(attempt_id)

    async def send_file(self, attempt_id: int, reference: FileReference, offset: int, content: bytes) -> UploadedFile:
        if self._fails():
            raise Offline("The request was lost.")
        told = await super().send_file(attempt_id, reference, offset, content)
        if self._fails():
            raise Offline("The reply was lost.")
        if self._fails():  # restored from a copy, before the answer that names the file has arrived
            self.stored.pop(reference.digest, None)
        return told


@pytest.mark.parametrize("seed", range(60))
async def test_whatever_is_lost_every_file_of_the_answer_arrives(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    service = Unreliable(random)
    contents = [random.randbytes(random.choice((0, 1, PART - 1, PART, 4 * PART + 7))) for _ in range(2)]
    sent: dict[str, bytes] = {}
    for place, content in enumerate(contents):
        service.calm = 30
        async with attempt(service, tmp_path) as keeper:
            keeper.attach(item_of(keeper), f"{place}.pdf", content)
            service.clock.now += 20

            def moved() -> bool:
                service.clock.now += 1
                return not item_of(keeper).unsent or random.random() < 0.01

            await work(keeper, moved)  # and sometimes the program is closed before all is sent
        sent[sha256(content).hexdigest()] = content
    async with attempt(service, tmp_path) as keeper:

        def done() -> bool:
            service.clock.now += 1
            return not item_of(keeper).unsent

        await work(keeper, done)
        named = {file.digest for file in files_of(item_of(keeper).answer)}
    assert named == sent.keys()
    assert {digest: bytes(content) for digest, content in service.stored.items()} == sent
