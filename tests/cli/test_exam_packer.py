"""The exam file of `lms-tui try` is read by a process of its own."""

import json
import os
import sys
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from lms_tui.banks.exam_transfer import received
from lms_tui.banks.file_options import FileOptions
from lms_tui.banks.model import Exam
from lms_tui.banks.reader import read_exam
from lms_tui.runtime.dry_run import Request
from lms_tui.runtime.exam_files import CannotOpenError
from lms_tui.runtime.exam_packer import ExamPacker
from tests.banks.test_package import packed

EXAM = b"title: Forces\nduration: 10 min\nquestions:\n  - question: Which?\n    options: [{right: This}, That]\n"
FILE = Path("forces.yaml")


def read(request: Request, data: bytes) -> tuple[bytes, str]:
    with closing(ExamPacker(request, data)) as packer:
        return packer.exam()


def unpacked(content: bytes) -> Exam:
    source, target = os.pipe()
    os.write(target, content)
    os.close(target)
    try:
        return received(source)
    finally:
        os.close(source)


def replace_program(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    program = folder / "program"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))


def test_the_exam_is_the_one_of_the_file() -> None:
    content, remark = read(Request(FILE), EXAM)
    assert (unpacked(content), remark) == (read_exam(EXAM, FILE.name).exam, "")


def test_the_time_limit_is_that_of_the_dry_run() -> None:
    content, _ = read(Request(FILE, duration=timedelta(seconds=90.5), left=timedelta(seconds=80)), EXAM)
    assert unpacked(content).duration == timedelta(seconds=90.5)


def test_a_remark_tells_of_errors_in_the_file() -> None:
    _, remark = read(Request(FILE), EXAM + b"  - question: Which?\n    options: [One, Two]\n")
    assert remark.startswith("lms-tui: forces.yaml: 1 error. line 6: ")


@pytest.mark.parametrize(
    ("file", "data", "left", "words"),
    [
        (Path("\x1b[31mfree.txt"), b"\x00\x01", None, "free.txt"),
        (FILE, b"title: Forces\nquestions: []\n", None, "forces.yaml has no questions that can be answered"),
        (FILE, EXAM, timedelta(minutes=10), "The time limit is 0:10:00."),
    ],
)
def test_a_file_that_cannot_be_tried_is_refused(file: Path, data: bytes, left: timedelta | None, words: str) -> None:
    with pytest.raises(CannotOpenError) as caught:
        read(Request(file, left=left), data)
    assert words in str(caught.value)
    assert "\x1b" not in str(caught.value)
    assert caught.value.advice


@pytest.mark.skipif(sys.platform == "win32", reason="a script of the shell stands for Python")
def test_a_process_that_was_ended_is_told_in_two_sentences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace_program(tmp_path, monkeypatch, "kill -9 $$")
    with pytest.raises(CannotOpenError, match=r"forces.yaml could not be read: the process that reads it was ended\."):
        read(Request(FILE), EXAM * 100_000)


def test_a_process_that_cannot_be_started_is_told_in_two_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(CannotOpenError, match="could not be read: No such file or directory"):
        read(Request(FILE), EXAM)


@pytest.mark.skipif(sys.platform == "win32", reason="a script of the shell stands for Python")
def test_a_fault_of_the_reader_is_reported_as_a_fault_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reply = json.dumps({"fault": "Traceback: no such grammar"})
    replace_program(tmp_path, monkeypatch, f"cat >{tmp_path}/asked; echo '{reply}'")
    with pytest.raises(RuntimeError, match="no such grammar"):
        read(Request(FILE), EXAM)
    assert (tmp_path / "asked").read_bytes().endswith(EXAM)


def test_the_options_say_how_the_file_is_read() -> None:
    units = packed({"Optics.gift": "::o:: 1+1? {=2}", "Waves.gift": "::w:: 2+2? {=4}"})
    content, _ = read(Request(Path("units.zip"), reading=FileOptions(quizzes=("Waves",))), units)
    assert [question.title for question in unpacked(content).questions] == ["w"]
    content, _ = read(Request(FILE, reading=FileOptions(encoding="cp850")), EXAM.replace(b"This", b"Gr\x94\xe1e"))
    assert unpacked(content).questions[0].options[0].html == "Größe"
