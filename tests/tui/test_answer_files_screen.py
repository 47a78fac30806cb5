"""Files are added to an answer by a path that is typed, completed, pasted or dropped, and removed by their number."""

import dataclasses
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from lms_tui.attempt import file_choice
from lms_tui.attempt.answer_files import files_of
from lms_tui.attempt.events import EndAsked
from lms_tui.attempt.values import Goal
from lms_tui.tui import path_dialog
from lms_tui.tui.path_dialog import path_offers
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.errors import Offline
from lms_tui.wire.files import AttemptFiles, FileRules
from tests.fakes.attempts import AttemptInMemory, question, two_sections
from tests.fakes.sitting import Sitting, settings, sitting

ACCEPTED = AttemptFiles(
    largest=10_000_000,
    part=4,
    total=50_000_000,
    questions=(FileRules(question_id=1, most=2, types=(".pdf", ".jpg")),),
)


def service(accepts: AttemptFiles | None = ACCEPTED) -> AttemptInMemory:
    made = AttemptInMemory((question(1, "<p>Hand in your lab report.</p>", ["-"], kind="F"), question(2)))
    made.accepts = accepts
    return made


def names(sitting: Sitting) -> list[str]:
    return [file.name for file in files_of(sitting.keeper.session.items[0].answer)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home folder of the student, with two reports."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (tmp_path / "lab report.pdf").write_bytes(b"%PDF-1.7 report")
    (tmp_path / "lab table.jpg").write_bytes(b"a picture")
    (tmp_path / "lab").mkdir()
    (tmp_path / "notes.txt").write_bytes(b"my notes")
    return tmp_path


async def typed(room: Sitting, text: str) -> None:
    await room.press(*("space" if letter == " " else letter for letter in text))


async def test_a_question_says_what_it_takes(folder: Path) -> None:
    async with sitting(service()) as room:
        await room.until(lambda: "At most 2 files" in room.text())
        assert "At most 2 files · .pdf, .jpg · 10 MB each" in room.text()
        assert "No file yet. Press enter to add one." in room.text()
        assert "Question 1 of 2 · file upload" in room.text()


async def test_a_file_is_added_by_its_path_and_sent(folder: Path) -> None:
    served = service()
    async with sitting(served) as room:
        await room.until(lambda: "At most 2 files" in room.text())
        await room.press("enter")
        await typed(room, "~/lab report.pdf")
        await room.press("enter")
        await room.until(lambda: names(room) == ["lab report.pdf"])
        await room.press("escape")
        assert "1  lab report.pdf · 15 bytes · saved, not sent yet" in room.text()
        await room.work()
        assert "1  lab report.pdf · 15 bytes · sent" in room.text()
    assert [bytes(content) for content in served.stored.values()] == [b"%PDF-1.7 report"]


async def test_tab_completes_a_path(folder: Path) -> None:
    async with sitting(service()) as room:
        await room.until(lambda: "At most 2 files" in room.text())
        await room.press("enter")
        await typed(room, "~/la")
        await room.until(lambda: "~/lab table.jpg" in room.text())
        await room.press("down", "down", "tab", "enter")
        await room.until(lambda: names(room) == ["lab report.pdf"])


async def test_enter_takes_the_highlighted_path_and_opens_a_folder(folder: Path) -> None:
    (folder / "lab" / "graph.pdf").write_bytes(b"%PDF-1.7 graph")
    async with sitting(service()) as room:
        await room.until(lambda: "At most 2 files" in room.text())
        await room.press("enter")
        await room.until(lambda: "~/lab/" in room.text())
        await room.press("down", "enter")
        await room.until(lambda: "~/lab/graph.pdf" in room.text())
        assert not names(room)
        await room.press("down", "enter")
        await room.until(lambda: names(room) == ["graph.pdf"])


async def test_a_folder_is_named_as_such(folder: Path) -> None:
    async with sitting(service()) as room:
        await room.until(lambda: "At most 2 files" in room.text())
        await room.press("enter", "enter")
        await room.until(lambda: "is a folder. Choose a file in it." in " ".join(room.text().split()))


async def test_a_file_is_added_by_mouse(folder: Path) -> None:
    async with sitting(service()) as room:
        await room.until(lambda: "At most 2 files" in room.text())
        await room.click("No file yet.")
        await room.until(lambda: "~/lab report.pdf" in room.text())
        await room.click("~/lab report.pdf")
        await room.click("OK")
        await room.until(lambda: names(room) == ["lab report.pdf"])


async def test_a_file_that_cannot_be_added_is_explained_and_what_was_typed_stays(folder: Path) -> None:
    async with sitting(service()) as room:
        await room.until(lambda: "At most 2 files" in room.text())
        await room.press("enter")
        await typed(room, "~/notes.txt")
        await room.press("enter")
        await room.until(lambda: "This question takes these files: .pdf, .jpg." in room.text())
        assert "~/notes.txt" in room.text()
        assert not names(room)


async def test_a_file_is_removed_by_its_number_and_undo_brings_it_back(folder: Path) -> None:
    async with sitting(service()) as room:
        await room.until(lambda: "At most 2 files" in room.text())
        await room.paste(str(folder / "lab report.pdf"))
        await room.press("enter")
        await room.until(lambda: names(room) == ["lab report.pdf"])
        await room.press("1", "enter")
        await room.until(lambda: not names(room))
        await room.press("escape", "u")
        assert names(room) == ["lab report.pdf"]


async def test_many_digits_are_no_number_of_a_file(folder: Path) -> None:
    async with sitting(service()) as room:
        await room.until(lambda: "At most 2 files" in room.text())
        await room.paste("9" * 5_000)
        await room.press("enter")
        await room.until(lambda: "This question takes these files" in room.text())


async def test_the_dialog_closes_when_the_question_takes_no_more(folder: Path) -> None:
    async with sitting(service()) as room:
        await room.until(lambda: "At most 2 files" in room.text())
        await room.paste(str(folder / "lab report.pdf"))
        await room.press("enter")
        await room.until(lambda: names(room) == ["lab report.pdf"])
        await typed(room, "~/lab table.jpg")
        await room.press("enter")
        await room.until(lambda: names(room) == ["lab report.pdf", "lab table.jpg"])
        await room.until(lambda: len(room.app.screen_stack) == 2)


@pytest.fixture
def drive() -> Iterator[threading.Event]:
    """A network drive that hangs until the event is set."""
    answers = threading.Event()
    yield answers
    answers.set()


def hang(drive: threading.Event, monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> None:
    original = getattr(module, name)

    def hanging(*args: object, **kwargs: object) -> object:
        drive.wait()
        return original(*args, **kwargs)

    monkeypatch.setattr(module, name, hanging)


async def begin_to_read(room: Sitting, folder: Path, *keys: str) -> None:
    """Add a file of a drive that hangs, and wait until the dialog says that it is read."""
    await room.until(lambda: "At most 2 files" in room.text())
    await room.paste(str(folder / "lab report.pdf"))
    await room.press(*(keys or ("enter",)))
    await room.until(lambda: "Reading …" in room.text())


async def test_a_drive_that_hangs_can_be_left(
    folder: Path, drive: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    hang(drive, monkeypatch, file_choice, "read_choice")
    async with sitting(service()) as room:
        await begin_to_read(room, folder, "enter", "enter")
        assert "Reading … Press esc to stop." in room.text()
        await room.press("escape")
        assert len(room.app.screen_stack) == 2
        drive.set()
        await room.press("down")
        assert not names(room)


async def test_a_file_of_a_slow_drive_is_added_when_it_was_read(
    folder: Path, drive: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    hang(drive, monkeypatch, file_choice, "read_choice")
    async with sitting(service()) as room:
        await begin_to_read(room, folder)
        drive.set()
        await room.until(lambda: names(room) == ["lab report.pdf"])
        assert "Reading …" not in room.text()


async def test_another_path_replaces_the_one_that_is_read(
    folder: Path, drive: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    hang(drive, monkeypatch, file_choice, "read_choice")
    async with sitting(service()) as room:
        await begin_to_read(room, folder)
        await room.press("backspace")
        await room.until(lambda: "Reading …" not in room.text())
        drive.set()
        await room.press("enter")
        await room.until(lambda: "This question takes these files: .pdf, .jpg." in room.text())
        assert not names(room)


async def test_paths_that_do_not_begin_as_typed_are_not_listed_while_a_folder_is_read(
    folder: Path, drive: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with sitting(service()) as room:
        await room.until(lambda: "At most 2 files" in room.text())
        await room.paste("~/lab")
        await room.until(lambda: "~/lab table.jpg" in room.text())
        hang(drive, monkeypatch, path_dialog, "path_offers")
        await typed(room, " r")
        assert "~/lab report.pdf" in room.text()
        assert "~/lab table.jpg" not in room.text()
        await room.press("escape")


async def test_tab_waits_for_a_folder_that_is_listed_slowly(
    folder: Path, drive: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    hang(drive, monkeypatch, path_dialog, "path_offers")
    async with sitting(service()) as room:
        await room.until(lambda: "At most 2 files" in room.text())
        await room.paste("~/lab rep")
        await room.press("tab")
        assert "lab report.pdf" not in room.text()
        drive.set()
        await room.until(lambda: "~/lab report.pdf" in room.text())
        await room.press("enter")
        await room.until(lambda: names(room) == ["lab report.pdf"])


async def test_the_box_and_the_last_line_open_the_dialog_by_mouse(folder: Path) -> None:
    async with sitting(service(), size=(80, 24)) as room:
        await room.until(lambda: "At most 2 files" in room.text())
        await room.click("No file yet.")
        await room.until(lambda: "Files of question 1" in room.text())
        await room.press("escape")
        await room.click("enter files")
        await room.until(lambda: "Files of question 1" in room.text())


async def test_what_a_question_of_a_later_section_takes_is_asked_for_when_it_starts(folder: Path) -> None:
    class Sectioned(AttemptInMemory):
        """Tells what a question takes while its section runs."""

        async def files(self, attempt_id: int) -> AttemptFiles:
            told = await super().files(attempt_id)
            begun = self.sections[1].state != AttemptState.NOT_STARTED
            return told.model_copy(update={"questions": told.questions if begun else told.questions[:1]})

    asked = [question(number, f"<p>Hand in report {number}.</p>", ["-"], kind="F") for number in (1, 2)]
    served = Sectioned(asked, sections=two_sections())
    later = FileRules(question_id=2, most=5, types=(".txt",))
    served.accepts = ACCEPTED.model_copy(update={"questions": (*ACCEPTED.questions, later)})
    async with sitting(served) as room:
        await room.until(lambda: "At most 2 files" in room.text())
        room.keeper.do(EndAsked(Goal.SECTION))
        await room.work()
        await room.until(lambda: "At most 5 files · .txt" in room.text())


async def test_a_server_that_takes_no_files_is_explained(folder: Path) -> None:
    async with sitting(service(None)) as room:
        await room.until(lambda: "This server takes no files." in room.text())
        await room.press("enter")
        assert len(room.app.screen_stack) == 2


async def test_a_server_that_is_silent_is_asked_again(folder: Path) -> None:
    served = service()
    served.files = _silent  # type: ignore[method-assign, assignment]  # a server that is silent
    async with sitting(served) as room:
        await room.until(lambda: "The server has not told yet which files it takes." in room.text())
        del served.files
        await room.press("enter")
        await room.until(lambda: "At most 2 files" in room.text())


async def _silent(_attempt_id: int) -> AttemptFiles:
    raise Offline("No network.")


async def test_over_ssh_no_file_of_the_host_can_be_added(folder: Path) -> None:
    async with sitting(service(), chosen=dataclasses.replace(settings(), local=False)) as room:
        await room.until(lambda: "Files cannot be added over ssh or in a browser." in room.text())
        await room.paste(str(folder / "lab report.pdf"))
        assert len(room.app.screen_stack) == 2
        assert not names(room)


async def test_the_progress_of_a_large_file_is_shown(folder: Path) -> None:
    served = service()
    served.coming["save"] = [Offline("The line is cut.")]
    async with sitting(served) as room:
        await room.until(lambda: "At most 2 files" in room.text())
        await room.paste(str(folder / "lab report.pdf"))
        await room.press("enter", "escape")
        await room.work()
        assert "saved, not sent yet" in room.text() or "% sent" in room.text()


def test_offers_keep_what_was_typed(folder: Path) -> None:
    assert path_offers("~/LAB") == ["~/lab/", "~/lab report.pdf", "~/lab table.jpg"]
    assert path_offers(f"{folder}/n") == [f"{folder}/notes.txt"]
    assert path_offers("~/none") == []
    assert path_offers("/nowhere/x") == []
    assert path_offers("a\0b/c") == []


def test_only_files_of_the_accepted_types_are_offered(folder: Path) -> None:
    assert path_offers("~/", (".pdf",)) == ["~/lab/", "~/lab report.pdf"]


def test_hidden_names_and_control_characters_are_not_offered(folder: Path) -> None:
    (folder / ".hidden").touch()
    (folder / "a\x1bb").touch()
    assert path_offers("~/a") == []
    assert "~/.hidden" not in path_offers("~/")
    assert path_offers("~/.h") == ["~/.hidden"]
