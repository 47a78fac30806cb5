"""The form of the output of `--json`: each command has one, and prints it."""

import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from lms_tui.cli import build_parser, main
from lms_tui.commands.json_shapes import SHAPES, check_output
from lms_tui.reference.command_pages import every_command
from lms_tui.service.papers import typesetter
from tests.fakes.json_output import told

WITHOUT = frozenset(
    {
        # They open the app or an editor, or run the service.
        *("", "demo", "settings", "try", "practise", "serve", "exam edit"),
        # They print JSON or a script anyway, or a page of the manual.
        *("exam schema", "api openapi", "api postman", "api try", "completion", "help"),
        # They only confirm what they have done.
        *("login", "logout", "profiles add", "profiles use", "profiles remove", "ssh-key add", "ssh-key remove"),
        *("deck export", "deck suspend", "deck resume", "deck reset", "deck remove", "deck forget"),
        *("exam new", "exam sheet-template"),
    }
)


def test_every_command_has_json_or_a_reason_to_have_none() -> None:
    groups = {"exam", "deck", "receipt", "profiles", "ssh-key", "user", "batch", "video", "post", "fault", "api"}
    known = {parser.prog.removeprefix("lms-tui").strip(): parser for parser in every_command(build_parser())}
    with_json = {name for name, parser in known.items() if "--json" in parser.options}
    assert with_json == set(SHAPES)
    assert known.keys() - with_json - groups == WITHOUT


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> "Run":
    monkeypatch.setenv("LMS_TUI_CONFIG_DIR", str(tmp_path / "config"))
    return Run(tmp_path, capsys)


class Run:
    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capsys = folder, capsys

    def __call__(self, *words: str, code: int = 0) -> object:
        assert main([*words, "--json", "--data-dir", str(self.folder / "data")]) == code
        return told(self._capsys.readouterr().out, *words)


def test_commands_on_files_print_their_form(run: Run) -> None:
    exam, broken = run.folder / "sums.gift", run.folder / "broken.gift"
    exam.write_text("::Sum:: 1 + 1 = {=2 ~3 ~4}\n\n::Why:: Why? {}\n", encoding="utf-8")
    broken.write_text("::Good:: 1 + 1? {=2 ~3}\n\n::Bad:: 2 + 2? {~4 ~5}\n", encoding="utf-8")
    run("exam", "show", str(exam))
    run("exam", "check", str(exam))
    run("exam", "check", str(exam), str(broken), code=1)
    target = run.folder / "sums.csv"
    found = run("exam", "convert", str(exam), str(target))
    assert isinstance(found, dict)
    assert (found["file"], target.exists()) == (str(target), True)


@pytest.mark.skipif(not typesetter.is_installed(), reason="needs the extra pdf")
def test_printed_papers_are_listed(run: Run) -> None:
    exam = run.folder / "sums.gift"
    exam.write_text("::Sum:: 1 + 1 = {=2 ~3 ~4}\n", encoding="utf-8")
    files = run("exam", "paper", str(exam), str(run.folder))
    assert isinstance(files, list)
    assert len(files) == 3
    assert all(Path(row["file"]).exists() for row in files)


def test_commands_about_this_computer_print_their_form(run: Run) -> None:
    assert run("profiles", "list") == []
    assert main(["profiles", "add", "https://learn.example.edu", "asha", "--data-dir", str(run.folder / "data")]) == 0
    run._capsys.readouterr()
    assert run("profiles", "list") == [
        {
            "name": "asha at learn.example.edu",
            "server": "https://learn.example.edu",
            "username": "asha",
            "signed_in": False,
            "ca_file": None,
        }
    ]
    (run.folder / "data" / "profiles.json").unlink()
    run("doctor")
    assert run("receipt", "list") == []


def test_rules_of_the_walk_and_differences_print_their_form(run: Run) -> None:
    rules = run("walk", "rule", "end.score")
    assert isinstance(rules, list)
    assert [row["id"] for row in rules] == ["end.score"]
    rule = {"id": "end.score", "verdict": "holds", "reason": "", "problems": []}
    for name, verdict in (("a", "holds"), ("b", "broken")):
        walk = {"server": "here", "user": "asha", "rules": [rule | {"verdict": verdict}], "replies": {}}
        (run.folder / name).write_text(json.dumps(walk), encoding="utf-8")
    files = [str(run.folder / name) for name in "ab"]
    assert run("walk", "diff", *files, code=1) == {"rules": ["end.score: holds → broken"], "replies": []}
    assert run("walk", "diff", files[0], files[0]) == {"rules": [], "replies": []}


def test_another_form_is_refused() -> None:
    row = {"id": 1, "name": "Evening", "members": 3}
    check_output("batch list", json.dumps([row]))
    for wrong in (row | {"more": 1}, row | {"members": "3"}, {"id": 1, "name": "Evening"}):
        with pytest.raises(ValidationError):
            check_output("batch list", json.dumps([wrong]))
