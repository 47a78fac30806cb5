"""Which files can be added to an answer, and what is said of the others."""

import os
from pathlib import Path

import pytest

from lms_tui.attempt.file_choice import ChosenFile, FileChoiceError, path_of, read_choice
from lms_tui.wire.files import LONGEST_NAME, AttemptFiles, FileReference, FileRules, is_name

LIMITS = AttemptFiles(largest=1_000, total=1_500)
ANY = FileRules(question_id=1, most=2)
OTHER = FileReference("0" * 64, 900, "other.pdf")


def choose(
    typed: str | Path,
    rules: FileRules = ANY,
    present: tuple[FileReference, ...] = (),
    others: tuple[FileReference, ...] = (),
) -> ChosenFile:
    return read_choice(str(typed), rules, LIMITS, present, others)


def said(typed: str | Path, rules: FileRules = ANY, **files: tuple[FileReference, ...]) -> str:
    with pytest.raises(FileChoiceError) as caught:
        choose(typed, rules, **files)
    assert caught.value.advice
    return str(caught.value)


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "my report.pdf"
    path.write_bytes(b"%PDF")
    return path


def test_a_path_is_read(report: Path) -> None:
    assert choose(report) == ChosenFile("my report.pdf", b"%PDF")


def test_a_path_can_begin_with_the_home_folder(report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(report.parent))
    monkeypatch.setenv("USERPROFILE", str(report.parent))
    assert choose("~/my report.pdf").content == b"%PDF"


@pytest.mark.parametrize("form", ["'{}'", '"{}"', "{} ", " {}"])
def test_a_file_can_be_dropped_on_the_terminal(report: Path, form: str) -> None:
    assert choose(form.format(report)).content == b"%PDF"


def test_a_dropped_path_can_be_escaped_or_an_address(report: Path) -> None:
    assert path_of(str(report).replace(" ", "\\ ")) == report
    assert path_of(report.as_uri()) == report


def test_a_name_with_a_quote_is_itself(tmp_path: Path) -> None:
    path = tmp_path / "it's.pdf"
    path.write_bytes(b"x")
    assert path_of(str(path)) == path


def test_what_is_no_file_is_said(tmp_path: Path, report: Path) -> None:
    assert said("") == "No path was typed."
    assert said(tmp_path / "none.pdf") == f"There is no file {str(tmp_path / 'none.pdf')[-80:]}."
    assert said(tmp_path).endswith(" is a folder.")
    assert said(f"{report}/x").endswith("cannot be read (Not a directory).")
    assert "cannot be read" in said("a\0b")
    assert "cannot be read" in said("a" * 5_000)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_and_a_device_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert said(tmp_path / "pipe").endswith("is not a regular file.")
    assert said("/dev/zero") == "/dev/zero is not a regular file."


def test_a_control_character_of_a_name_reaches_no_message(tmp_path: Path) -> None:
    assert "\x1b" not in said(tmp_path / "a\x1b[2Jb.pdf")


def test_a_file_that_is_too_large_is_said_with_both_sizes(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(b"x" * 1_000)
    assert choose(path).content == b"x" * 1_000
    path.write_bytes(b"x" * 1_001)
    assert said(path).endswith("large is larger than 1 KB (1 KB).")


def test_only_the_types_of_the_question_are_taken(report: Path) -> None:
    pictures = FileRules(question_id=1, most=1, types=(".PNG", ".jpg"))
    assert said(report, pictures) == "This question takes these files: .png, .jpg."
    assert choose(report, FileRules(question_id=1, most=1, types=(".PDF",))).name == "my report.pdf"


def test_no_more_files_than_the_question_takes(report: Path) -> None:
    one = FileRules(question_id=1, most=1)
    assert said(report, one, present=(OTHER,)) == "This question takes 1 file at most."
    assert choose(report, ANY, present=(OTHER,)).name == "my report.pdf"


def test_a_name_stands_once_in_an_answer(report: Path) -> None:
    there = FileReference("1" * 64, 4, "my report.pdf")
    assert said(report, present=(there,)) == "my report.pdf is added already."


def test_all_files_of_an_exam_together_have_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "second"
    path.write_bytes(b"x" * 601)
    assert said(path, others=(OTHER,)) == "The files of an exam may have 2 KB together."
    path.write_bytes(b"x" * 600)
    assert choose(path, others=(OTHER, OTHER)).name == "second"


@pytest.mark.parametrize("name", ["a:b.pdf", "tab\there.pdf", "a\u202eb.pdf", f"{'a' * 200}.pdf", "..pdf", "na*me.pdf"])
def test_every_name_of_a_disk_becomes_a_name_of_an_answer(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"x")
    chosen = choose(path)
    assert is_name(chosen.name)
    assert len(chosen.name) <= LONGEST_NAME
    assert chosen.name.endswith("pdf")
