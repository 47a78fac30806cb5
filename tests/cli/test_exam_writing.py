"""Writing an exam file: a template, a schema for editors, proofreading with keys, and a check at each change."""

import io
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml

from lms_tui.banks import yaml_exam
from lms_tui.banks.reader import read_exam
from lms_tui.banks.yaml_schema import schema
from lms_tui.cli import main
from lms_tui.commands.exam_writing import watched
from lms_tui.wire.question_types import QuestionType

DOCS = Path(__file__).parents[2] / "docs" / "exam-files.md"
DEMO = Path(yaml_exam.__file__).parents[1] / "service" / "demo" / "exams"


@pytest.fixture
def valid() -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(schema())


def test_a_new_file_has_no_error_and_every_type(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "physics.yaml"
    assert main(["exam", "new", str(file)]) == 0
    reading = read_exam(file.read_bytes(), file.name)
    assert reading.findings == ()
    assert {question.kind for question in reading.exam.questions} == set(QuestionType)
    assert main(["exam", "new", str(file)]) == 1
    assert "physics.yaml exists already." in capsys.readouterr().err


def test_a_new_file_can_name_its_schema(tmp_path: Path) -> None:
    assert main(["exam", "new", str(tmp_path / "physics.yaml"), "--schema"]) == 0
    first, *_ = (tmp_path / "physics.yaml").read_text("utf-8").splitlines()
    name = first.removeprefix("# yaml-language-server: $schema=")
    assert json.loads((tmp_path / name).read_text("utf-8")) == schema()
    assert read_exam((tmp_path / "physics.yaml").read_bytes(), "physics.yaml").findings == ()


def test_a_new_file_is_yaml(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["exam", "new", str(tmp_path / "physics.gift")]) == 1
    assert "is not the name of a YAML file" in capsys.readouterr().err


def test_the_schema_has_the_names_of_the_reader() -> None:
    """What the reader knows and the schema does not, an editor would mark as a mistake."""
    made = schema()

    def names(*path: str) -> set[str]:
        found: Any = made
        for step in path:
            found = found[step]
        return set(found["properties"])

    assert names() == yaml_exam.EXAM_NAMES
    assert names("properties", "sections", "items") == yaml_exam.SECTION_NAMES
    question, option, key = (made["$defs"][name]["anyOf"][1]["properties"] for name in ("question", "option", "key"))
    assert set(question) == yaml_exam.QUESTION_NAMES
    assert set(option) == yaml_exam.OPTION_NAMES
    assert set(key) == yaml_exam.KEY_NAMES


def test_the_schema_takes_what_the_reader_takes(valid: jsonschema_rs.Draft202012Validator) -> None:
    written = re.findall(r"```yaml\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    files = [*written, *(path.read_text("utf-8") for path in sorted(DEMO.glob("*.yaml")))]
    assert len(files) > 8
    for text in files:
        valid.validate(yaml.safe_load(text))


@pytest.mark.parametrize(
    "text",
    [
        "questions: [{question: A, optoins: [b]}]",
        "questions: [{options: [b]}]",
        "questions: [{question: A, type: guess}]",
        "titel: A\nquestions: []",
        "title: A",
        "questions: [{question: A, options: [{rigth: b}]}]",
    ],
)
def test_the_schema_refuses_what_the_reader_reports(valid: jsonschema_rs.Draft202012Validator, text: str) -> None:
    assert not valid.is_valid(yaml.safe_load(text))
    assert text == "title: A" or read_exam(text.encode(), "x.yaml").findings


def test_the_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["exam", "schema"]) == 0
    assert json.loads(capsys.readouterr().out) == schema()


def test_show_prints_keys_for_proofreading(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "sums.yaml"
    file.write_text(
        "marks: 4\nnegative marks: 1\nquestions:\n"
        "  - question: 1 + 1?\n    options: [{right: 2}, {wrong: 3, weight: -25 %, feedback: Count again.}]\n"
        "    explanation: So.\n"
        "  - {question: Pi?, number: 3.14 ± 0.01, marks: 2, negative marks: 0}\n"
        "  - {question: Why?, essay: yes}\n"
        "  - {question: '[[1]], [[2]]?', gaps: [{text: m, case: yes}, {number: [1500, {number: 2, weight: 0.5}]}]}\n",
        encoding="utf-8",
    )
    assert main(["exam", "show", str(file)]) == 0
    assert "3.13" not in capsys.readouterr().out
    assert main(["exam", "show", "--key", str(file)]) == 0
    rows = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert rows == [
        "Question 1", "1 + 1?", "A (x) 2", "B ( ) 3", "marks: 4, a wrong answer costs 1", "B: -25 % of the marks",
        "B: Count again.", "why: So.",
        "Question 2 · number", "Pi?", "key: 3.13..3.15", "marks: 2",
        "Question 3 · essay", "Why?", "key: a person marks this", "marks: 4, a wrong answer costs 1",
        "Question 4 · fill the gaps", "[ 1 ______ ], [ 2 ______ ]?",
        "key: 1: m (capital letters matter); 2: 1500; 2: 2 (50 % of the marks)", "marks: 4, a wrong answer costs 1",
    ]  # fmt: skip


def test_a_file_is_watched_while_editors_replace_it(tmp_path: Path) -> None:
    file = tmp_path / "a.gift"
    file.write_text("one", encoding="utf-8")
    done: list[str] = []

    def change() -> None:
        """One step of an editor each time that the watcher waits."""
        done.append("")
        match len(done):
            case 2:
                file.write_text("two, longer", encoding="utf-8")
            case 4:
                file.unlink()
            case 6:
                file.write_text("three", encoding="utf-8")
            case 8:
                raise KeyboardInterrupt

    seen: list[str] = []
    changes = (file.read_text("utf-8") for _ in watched(file, change))
    with pytest.raises(KeyboardInterrupt):
        seen.extend(changes)
    assert seen == ["one", "two, longer", "three"]


def test_a_sheet_is_watched_with_the_columns_that_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.csv"
    file.write_text("Two and two?,3,4,B\n", encoding="utf-8")

    def stop(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lms_tui.commands.exam_writing.time.sleep", stop)
    named = "question=A,options=B-C,answer=D"
    assert main(["exam", "check", str(file), "--watch", "--columns", named]) == 0
    assert "0 errors" in capsys.readouterr().out
    assert main(["exam", "check", str(file), "--watch", "--quiet", "--columns", named]) == 0
    assert "0 errors" not in capsys.readouterr().out


def test_the_questions_are_printed_again_at_each_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.gift"
    file.write_text("First? {=a ~b}\n", encoding="utf-8")
    versions = iter(["", "Second one? {=a ~b}\n"])

    def edit(_: float) -> None:
        text = next(versions, None)
        if text is None:
            raise KeyboardInterrupt
        file.write_text(text, encoding="utf-8")

    monkeypatch.setattr("lms_tui.commands.exam_writing.time.sleep", edit)
    assert main(["exam", "show", "--watch", "--key", str(file)]) == 0
    first, empty, second, _ = capsys.readouterr().out.split("Press ctrl+c to end.")
    assert "First?" in first
    assert "A (x) a" in first
    assert "lms-tui: a.gift" in empty, "a file without questions is a moment of the work"
    assert "Second one?" in second
    assert main(["exam", "show", "--watch", "no-such-exam"]) == 1
    assert "There is no file no-such-exam." in capsys.readouterr().err


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_edit_asks_nothing_without_a_terminal_and_ends_with_the_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.gift"
    file.write_text("Q? {~a ~b}\n", encoding="utf-8")
    monkeypatch.setenv("VISUAL", f"{sys.executable} -c pass")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert main(["exam", "edit", str(file)]) == 1
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stdin", Terminal())
    assert main(["exam", "edit", str(file)]) == 1  # ctrl+d at the question
    _, first, second = capsys.readouterr().err.splitlines()
    assert (first, second) == ("lms-tui: The input has ended.", "Run the command again, and type what it asks for.")


@pytest.mark.skipif(os.name != "posix", reason="the editor is a shell script")
def test_edit_opens_the_editor_until_the_file_has_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, editor = tmp_path / "a.gift", tmp_path / "editor"
    file.write_text("Q? {~a ~b}\n", encoding="utf-8")
    second = '[ "$(wc -l <"$0.log")" = 2 ] && echo "Q? {=a ~b}" >"$1"'
    editor.write_text(f'#!/bin/sh\necho "$1" >>"$0.log"\n{second}\nexit 0\n', encoding="utf-8")
    editor.chmod(0o700)
    monkeypatch.setenv("VISUAL", str(editor))
    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setattr("builtins.input", lambda _: "")
    assert main(["exam", "edit", str(file)]) == 0
    assert (tmp_path / "editor.log").read_text().splitlines() == [str(file)] * 2
    said = capsys.readouterr().out
    assert "No answer is marked as correct." in said
    assert "A (x) a" in said, "it prints the file without errors"
    monkeypatch.setenv("VISUAL", f"{sys.executable}-missing")
    assert main(["exam", "edit", str(file)]) == 1
    assert "did not work" in capsys.readouterr().err
