"""People who mark read the files of answers by their names, and write them into a folder. On both databases."""

from pathlib import Path
from typing import Any

import pytest

from lms_tui.banks.model import Question
from lms_tui.cli import main
from lms_tui.wire.question_types import QuestionType
from tests.fakes.json_output import told
from tests.service.service_world import Caller, World, exam_of
from tests.service.shapes import person
from tests.service.test_service_files import FILES, name_files, named, send
from tests.service.test_service_marking import Shell
from tests.service.test_service_papers import text_of

ESSAY, PHOTO = b"an essay " * 2000, b"a photo"
NAMES = (named(ESSAY), named(PHOTO, "photo.jpg"))
IN_WORDS = "essay.pdf (18 KB)"


@pytest.fixture
async def attempt(world: World, asha: Caller, ravi: Caller) -> int:
    """An ended attempt of Asha with two files, of which the second never arrived, and one of Ravi without files."""
    world.add_exam(exam_of(Question(QuestionType.FILES, FILES.html, most_files=2), title="Sums"))
    attempt, empty = await asha.create("sums"), await ravi.create("sums")
    await send(asha, attempt, ESSAY)
    await name_files(asha, attempt, *NAMES)
    await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    await ravi.put(f"/api/v2.2/attempts/{empty}/end/")
    return attempt


@pytest.fixture
def shell(world: World, attempt: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    assert attempt
    return Shell(world, capsys, monkeypatch)


async def test_staff_read_the_names_and_sizes_of_files(world: World, shell: Shell, attempt: int) -> None:
    both = f"{IN_WORDS}; photo.jpg (7 bytes)"
    assert [row["username"] for row in shell.ask("mark")] == ["asha"], "an answer without files needs no marks"
    rows = shell.ask("results", "--answers")["results"]
    assert [row["answers"][0]["answer"] for row in rows] == [both, ""]
    staff = person(world, "prakash", "moderator")
    (paper,) = (await staff.get("/api/v2.5/admin/exams/sums/answers-to-mark/"))["results"]
    assert paper["answer"].splitlines() == both.split("; ")
    (line, _) = (await staff.get("/api/v2.5/admin/exams/sums/results/"))["results"]
    assert line["answers"][0]["answer"] == both
    (question,) = shell.ask("statistics")["questions"]
    assert question["answers"] == [{"text": both, "count": 1}]
    said = shell.typed("q")
    assert f"{IN_WORDS}\nphoto.jpg (7 bytes)\n" in said
    raw = (await staff.get(f"/api/v2.5/admin/attempts/{attempt}/review/"))["results"][0]["gap_fill_responses"]
    assert [gap["answer"] for gap in raw] == [file.text for file in NAMES], "programs find the files by their digests"


async def test_the_printed_review_names_the_files(world: World, attempt: int) -> None:
    staff = person(world, "prakash", "moderator")
    printed = await staff.send("GET", f"/api/v2.5/admin/attempts/{attempt}/review/pdf/")
    assert f"Your files: {IN_WORDS}, photo.jpg (7 bytes)" in text_of(printed.content)


async def test_files_are_written_for_the_person_who_marks(shell: Shell, attempt: int, tmp_path: Path) -> None:
    folder = tmp_path / "to mark"
    first, second = shell.ask("mark", "--files", str(folder))
    path = folder / f"{attempt}-1-1-essay.pdf"
    assert first == {
        "question": 1,
        "attempt": attempt,
        "name": "Asha Nair",
        "username": "asha",
        "file": "essay.pdf",
        "bytes": len(ESSAY),
        "state": "written",
        "path": str(path),
    }
    assert (second["file"], second["state"], second["path"]) == ("photo.jpg", "missing", None)
    assert path.read_bytes() == ESSAY
    assert (path.stat().st_mode & 0o777, folder.stat().st_mode & 0o777) == (0o600, 0o700)
    assert list(folder.iterdir()) == [path]


async def test_no_file_is_ever_replaced(shell: Shell, attempt: int, tmp_path: Path) -> None:
    shell.ask("mark", "--files", str(tmp_path / "files"))
    path = tmp_path / "files" / f"{attempt}-1-1-essay.pdf"
    assert [row["state"] for row in shell.ask("mark", "--files", str(path.parent))] == ["already there", "missing"]
    path.write_bytes(b"notes of the person who marks")
    assert "exists already with another content." in shell.run("mark", "--files", str(path.parent), code=1)
    assert path.read_bytes() == b"notes of the person who marks"


async def test_a_folder_that_cannot_be_made_is_told(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    said = shell.run("mark", "--files", str(tmp_path / "file" / "below"), code=1)
    assert "cannot be written" in said
    assert "Choose another folder." in said


@pytest.mark.parametrize("other", [("--release",), ("--user", "asha", "--question", "1", "--marks", "1")])
async def test_files_are_not_written_while_marks_are_given(
    shell: Shell, other: tuple[str, ...], tmp_path: Path
) -> None:
    said = shell.run("mark", "--files", str(tmp_path / "files"), *other, code=1)
    assert "--files writes files and gives no marks." in said
    assert shell.ask("mark")[0]["marks"] is None


async def test_names_stay_hidden_and_only_the_named_answers_are_written(
    shell: Shell, attempt: int, tmp_path: Path
) -> None:
    hidden = shell.run("mark", "--files", str(tmp_path / "files"), "--hide-names")
    assert "asha" not in hidden.casefold()
    assert f"{attempt}-1-1-essay.pdf" in hidden
    none = shell.run("mark", "--files", str(tmp_path / "none"), "--user", "ravi")
    assert none == "No answer of sums that waits to be marked has files.\n"
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("a b.pdf", "a b.pdf"),
        (".profile", "profile"),
        ("அ" * 140 + ".pdf", "அ" * 60 + "அ" * 5 + ".pdf"),
    ],
)
async def test_every_name_of_a_student_fits_into_the_folder(
    world: World, asha: Caller, shell: Shell, name: str, written: str, tmp_path: Path
) -> None:
    world.add_exam(exam_of(FILES, title="Names"))
    attempt = await asha.create("names")
    await send(asha, attempt, PHOTO)
    await name_files(asha, attempt, named(PHOTO, name))
    await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    rows = ask(shell, "names", "--files", str(tmp_path / "files"))
    file = tmp_path / "files" / f"{attempt}-1-1-{written}"
    assert rows[0]["path"] == str(file)
    assert file.read_bytes() == PHOTO


def ask(shell: Shell, slug: str, *words: str) -> Any:
    settings = shell.world.settings
    url = ["--database-url", settings.database_url] if settings.database_url else []
    where = ["--data-dir", str(settings.data_dir.parent), *url]
    assert main(["exam", "mark", slug, *words, *where, "--json"]) == 0
    return told(shell.capsys.readouterr().out, "exam", "mark")
