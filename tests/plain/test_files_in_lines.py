"""Files of an answer in the lines of `--plain`."""

import asyncio
import threading
from pathlib import Path

import pytest

from lms_tui.attempt import file_choice
from lms_tui.plain.exam import ExamDialogue
from lms_tui.wire.files import AttemptFiles, FileRules
from tests.fakes.attempts import AttemptInMemory, a_keeper, question
from tests.fakes.lms import FakeLms
from tests.plain.test_dialogue import Script
from tests.waiting import come_true

ACCEPTED = AttemptFiles(
    largest=10_000_000,
    part=100_000,
    total=50_000_000,
    questions=(FileRules(question_id=1, most=1, types=(".pdf",)),),
)


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "lab report.pdf"
    path.write_bytes(b"%PDF-1.7")
    return path


async def said(*lines: str, accepts: AttemptFiles | None = ACCEPTED, local: bool = True) -> list[str]:
    service = AttemptInMemory((question(1, "<p>Hand in your report.</p>", ["-"], kind="F"), question(2)))
    service.accepts = accepts
    script, keeper = Script(*lines, "quit"), await a_keeper(service)
    await ExamDialogue(script, keeper, FakeLms(), local=local).run()
    keeper.close()
    return script.said


async def test_a_file_is_added_read_and_removed(report: Path) -> None:
    lines = await said("file", f"file {report}", "file", "remove 1", "read")
    assert "At most 1 file, .pdf, 10 MB each." in lines
    assert "No file yet." in lines
    assert "Added lab report.pdf, 8 bytes. Saved." in lines
    assert any(line.startswith("File 1: lab report.pdf (8 bytes), ") for line in lines)
    assert "Removed lab report.pdf. Saved." in lines
    assert "Unanswered. Type file and the path of a file to add it." in lines


async def test_what_was_sent_while_a_line_was_typed_is_read(report: Path) -> None:
    class Slow(Script):
        async def ask(self, prompt: str, *, secret: bool = False, indented: bool = False) -> str:
            if self.lines == ["file", "quit"]:
                assert await come_true(lambda: not keeper.session.items[0].unsent, lambda: asyncio.sleep(0))
            return await super().ask(prompt, secret=secret, indented=indented)

    service = AttemptInMemory((question(1, "<p>Hand in your report.</p>", ["-"], kind="F"),))
    service.accepts = ACCEPTED
    script, keeper = Slow(f"file {report}", "file", "quit"), await a_keeper(service)
    await ExamDialogue(script, keeper, FakeLms()).run()
    keeper.close()
    assert "File 1: lab report.pdf (8 bytes), sent." in script.said


async def test_the_answer_is_read_with_the_question(report: Path) -> None:
    assert "Your answer: 1: lab report.pdf (8 bytes)" in await said(f"file {report}", "read")


async def test_what_cannot_be_added_is_explained(report: Path, tmp_path: Path) -> None:
    lines = await said("file /nowhere/a.pdf", f"file {report}", f"file {report}", "remove 2", "go 2", "file x")
    assert "There is no file /nowhere/a.pdf. Check the path." in lines
    assert "This question takes 1 file at most. Remove one first." in lines
    assert "There is no file 2 in this answer." in lines
    assert "This question takes no files." in lines


async def test_a_server_that_takes_no_files_is_explained(report: Path) -> None:
    lines = await said(f"file {report}", accepts=None)
    assert "This server takes no files. An earlier answer is kept." in lines


async def test_no_file_of_the_host_is_added_over_ssh(report: Path) -> None:
    lines = await said(f"file {report}", local=False)
    assert any("over ssh or in a browser" in line for line in lines)
    assert not any(line.startswith("Added") for line in lines)


async def test_a_drive_that_hangs_can_be_left(report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drive = threading.Event()
    monkeypatch.setattr(file_choice, "read_choice", lambda *_, **__: drive.wait())
    lines = await said(f"file {report}", "go 2", "stop")
    drive.set()
    assert "The file was not added." in lines
    assert "Question 2 of 2. One answer." in lines[lines.index("The file was not added.") :]


async def test_a_file_of_a_slow_drive_is_added_when_it_was_read(report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drive, read_choice = threading.Event(), file_choice.read_choice

    class Waiting(Script):
        async def ask(self, prompt: str, *, secret: bool = False, indented: bool = False) -> str:
            if prompt.startswith("Reading"):
                drive.set()
                await asyncio.Event().wait()
            return await super().ask(prompt, secret=secret, indented=indented)

    def read_slowly(*args: object, **kwargs: object) -> object:
        drive.wait()
        return read_choice(*args, **kwargs)  # type: ignore[arg-type]  # as it was called

    monkeypatch.setattr(file_choice, "read_choice", read_slowly)
    service = AttemptInMemory((question(1, "<p>Hand in your report.</p>", ["-"], kind="F"),))
    service.accepts = ACCEPTED
    script, keeper = Waiting(f"file {report}", "quit"), await a_keeper(service)
    await ExamDialogue(script, keeper, FakeLms()).run()
    keeper.close()
    assert "Added lab report.pdf, 8 bytes. Saved." in script.said
