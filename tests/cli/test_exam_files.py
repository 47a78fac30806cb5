import json
import os
from pathlib import Path

import pytest

from lms_tui.banks.model import Exam, Question, Section, TextKey
from lms_tui.cli import main
from lms_tui.commands.exam_files import ExamFileError, write_exam
from lms_tui.wire.question_types import QuestionType

GIFT = "::Sum::What is 2 + 2? {=4 ~3 ~5}\n\n::Odd::Which are odd? {~%50%1 ~%50%3 ~%-100%2}\n"


@pytest.fixture
def exam(tmp_path: Path) -> Path:
    path = tmp_path / "sums.gift"
    path.write_text(GIFT, encoding="utf-8")
    return path


def test_an_exam_without_errors_is_counted_by_type(exam: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["exam", "check", str(exam)]) == 0
    out = capsys.readouterr().out
    assert "2 questions" in out
    assert "one answer" in out


def test_an_exam_with_errors_exits_with_1_and_its_json_has_the_lines(
    exam: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exam.write_text(GIFT + "\nNo key? {~a ~b}\n", encoding="utf-8")
    assert main(["exam", "check", str(exam), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert [question["type"] for question in report["questions"]][:2] == ["R", "C"]
    assert [error["line"] for error in report["errors"]] == [5]
    assert report["warnings"] == []


def test_a_quiet_check_prints_only_errors_and_warnings(exam: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["exam", "check", "--quiet", str(exam)]) == 0
    assert capsys.readouterr() == ("", "")
    assert main(["exam", "convert", "--quiet", str(exam), str(exam.with_name("copy.yaml"))]) == 0
    assert capsys.readouterr() == ("", "")
    exam.write_text(GIFT + "\nNo key? {~a ~b}\n", encoding="utf-8")
    assert main(["exam", "check", "--quiet", str(exam)]) == 1
    assert capsys.readouterr().out.startswith("sums.gift: error: line 5")


@pytest.mark.parametrize("name", ["copy.xml", "copy.zip", "copy.yaml", "copy.gift"])
def test_a_converted_exam_can_be_read(exam: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    target = exam.with_name(name)
    assert main(["exam", "convert", str(exam), str(target)]) == 0
    assert f"Written to {target}." in capsys.readouterr().out
    assert main(["exam", "check", str(target), "--json"]) == 0
    assert [q["type"] for q in json.loads(capsys.readouterr().out)["questions"]] == ["R", "C"]


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["check", "missing.gift"], "cannot be read"),
        (["convert", "sums.gift", "out.doc"], "names no format"),
        (["convert", "sums.gift", "missing/out.xml"], "cannot be written"),
        (["convert", "notes.txt", "out.xml"], "notes.txt"),
        (["sheet-template", "sheet"], "A template is a sheet."),
        (["sheet-template", "folder.csv"], "folder.csv is not a file."),
        (["convert", "sums.gift", "folder.csv", "--force"], "folder.csv is not a file."),
    ],
)
def test_each_failure_has_two_sentences(
    exam: Path, arguments: list[str], what: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(exam.parent)
    Path("notes.txt").write_bytes(b"\x00\x01\x02 no exam at all")
    Path("folder.csv").mkdir()
    assert main(["exam", *arguments]) == 1
    said = capsys.readouterr()
    assert what in said.err
    assert len(said.err.strip().splitlines()) == 2
    assert not list(exam.parent.glob("out.*"))


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has such files")
def test_a_device_is_never_replaced(exam: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Root may replace `/dev/null` by a file, which no program of the computer survives."""
    pipe = exam.with_name("pipe.csv")
    os.mkfifo(pipe)
    for line in (["convert", str(exam), str(pipe), "--force"], ["sheet-template", str(pipe), "--force"]):
        assert main(["exam", *line]) == 1
        assert capsys.readouterr().err == f"lms-tui: {pipe} is not a file.\nChoose another name.\n"
    assert pipe.is_fifo()


GAPS = "questions:\n  - question: 'A [[1]] b'\n    gaps: [{choices: [x, y], answer: x}]\n"
MADE_ANEW = (
    '<?xml version="1.0"?><quiz><question type="calculated"><name><text>N</text></name>'
    "<questiontext><text>Q</text></questiontext></question></quiz>"
)


@pytest.mark.parametrize(
    ("source", "content", "what", "advice"),
    [
        (
            "gaps.yaml",
            GAPS,
            "GIFT supports no question of gaps.yaml. Nothing was written.",
            "Choose another format with --to (moodle-xml, qti, yaml, imscc) or another file extension.",
        ),
        (
            "anew.xml",
            MADE_ANEW,
            "anew.xml has no questions to write.",
            "Run `lms-tui exam check anew.xml` to see why.",
        ),
    ],
)
def test_a_file_without_a_question_is_not_written(
    source: str,
    content: str,
    what: str,
    advice: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(source).write_text(content, encoding="utf-8")
    Path("out.gift").write_text(GIFT, encoding="utf-8")
    assert main(["exam", "convert", "--force", source, "out.gift"]) == 1
    assert capsys.readouterr() == ("", f"lms-tui: {what}\n{advice}\n")
    assert Path("out.gift").read_text("utf-8") == GIFT


def test_questions_that_a_format_cannot_hold_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("two.yaml").write_text(f"{GAPS}  - question: Why?\n    essay: yes\n", encoding="utf-8")
    assert main(["exam", "convert", "two.yaml", "out.gift"]) == 0
    assert "question 1: GIFT cannot hold a question of this type or size. It was left out." in capsys.readouterr().out
    assert "Why?" in Path("out.gift").read_text("utf-8")


def test_an_exam_is_not_exported_if_the_format_holds_none_of_its_questions(tmp_path: Path) -> None:
    gaps = Question(QuestionType.GAPS, "A [[1]]", texts=(TextKey("x", gap=1),))
    with pytest.raises(ExamFileError, match="GIFT supports no question of motion"):
        write_exam(Exam("Motion", (Section("", (gaps,)),), slug="motion"), tmp_path / "out.gift")
    with pytest.raises(ExamFileError, match="motion has no questions"):
        write_exam(Exam("Motion", (), slug="motion"), tmp_path / "out.yaml")
    assert not list(tmp_path.iterdir())
