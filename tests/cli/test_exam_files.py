import json
from pathlib import Path

import pytest

from lms_tui.cli import main

GIFT = "::Sum::What is 2 + 2? {=4 ~3 ~5}\n\n::Odd::Which are odd? {~%50%1 ~%50%3 ~%-100%2}\n"


@pytest.fixture
def exam(tmp_path: Path) -> Path:
    path = tmp_path / "sums.gift"
    path.write_text(GIFT, encoding="utf-8")
    return path


def test_a_sound_exam_is_counted_by_type(exam: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["exam", "check", str(exam)]) == 0
    out = capsys.readouterr().out
    assert "2 questions" in out
    assert "single choice" in out


def test_an_exam_with_errors_ends_with_1_and_its_json_tells_where(
    exam: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exam.write_text(GIFT + "\nNo key? {~a ~b}\n", encoding="utf-8")
    assert main(["exam", "check", str(exam), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert [question["type"] for question in report["questions"]][:2] == ["R", "C"]
    assert [error["line"] for error in report["errors"]] == [5]
    assert report["warnings"] == []


@pytest.mark.parametrize("name", ["copy.xml", "copy.zip", "copy.yaml", "copy.gift"])
def test_an_exam_is_carried_to_another_format_and_read_there(
    exam: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    target = exam.with_name(name)
    assert main(["exam", "convert", str(exam), str(target)]) == 0
    assert f"Written to {target}." in capsys.readouterr().out
    assert main(["exam", "check", str(target), "--json"]) == 0
    assert [q["type"] for q in json.loads(capsys.readouterr().out)["questions"]] == ["R", "C"]


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["check", "missing.gift"], "cannot be read"),
        (["convert", "sums.gift", "out.doc"], "does not tell a format"),
        (["convert", "sums.gift", "missing/out.xml"], "cannot be written"),
        (["convert", "notes.txt", "out.xml"], "notes.txt"),
    ],
)
def test_what_cannot_be_done_is_said_in_two_sentences(
    exam: Path, arguments: list[str], what: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(exam.parent)
    Path("notes.txt").write_bytes(b"\x00\x01\x02 no exam at all")
    assert main(["exam", *arguments]) == 1
    said = capsys.readouterr()
    assert what in said.err
    assert len(said.err.strip().splitlines()) == 2
    assert not list(exam.parent.glob("out.*"))
