"""`--verbose` prints each step on standard error, and `--quiet` nothing but what went wrong."""

import re
from pathlib import Path

import pytest

from lms_tui.cli import build_parser, main
from lms_tui.reference.command_pages import every_command

GIFT = "::Sum:: 1 + 1 = {=2 ~3 ~4}\n"
READS = re.compile(r"lms-tui: +\d+\.\d{3} s  read .*sums\.gift, 27 bytes")
APP = {"lms-tui", "lms-tui demo", "lms-tui settings", "lms-tui try", "lms-tui practise"}


def test_every_command_that_does_not_open_the_app_can_be_verbose() -> None:
    assert {each.prog for each in every_command(build_parser()) if "--verbose" not in each.options} == APP


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("LMS_TUI_CONFIG_DIR", str(tmp_path / "config"))
    (tmp_path / "sums.gift").write_text(GIFT, encoding="utf-8")
    return ["--data-dir", str(tmp_path / "data")]


def test_the_steps_of_a_command_go_to_standard_error(
    data: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["exam", "import", str(tmp_path / "sums.gift"), "--course", "Maths", *data]
    assert main(command) == 0
    silent = capsys.readouterr()
    assert silent.err == ""
    assert main([*command, "--verbose"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[1:] == silent.out.splitlines()[1:]
    opened, read, done = said.err.splitlines()
    assert "opened the database sqlite" in opened
    assert READS.fullmatch(read)
    assert done.endswith("  done")
    target = tmp_path / "again.yaml"
    assert main(["exam", "--verbose", "export", "sums", str(target), *data]) == 0
    assert f"wrote {target}, {target.stat().st_size} bytes" in capsys.readouterr().err
    assert main(command) == 0
    assert capsys.readouterr().err == "", "the steps end with their command"


def test_the_steps_are_told_after_a_service_ran_in_the_same_process(
    data: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["exam", "import", str(tmp_path / "sums.gift"), "--course", "Maths", *data]) == 0
    away = "postgresql+psycopg://lms:secret@127.0.0.1:1/lms"
    assert main(["serve", "--database-url", away, *data]) == 1
    capsys.readouterr()
    assert main(["user", "list", "--verbose", *data]) == 0
    assert "opened the database sqlite" in capsys.readouterr().err


def test_a_step_tells_no_password(data: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    url = "postgresql+psycopg://lms:secret@127.0.0.1:1/lms"
    assert main(["user", "list", "--verbose", "--database-url", url, *data]) == 1
    assert "secret" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [
        ("batch", "add", "Evening"),
        ("exam", "set", "sums", "--retakes", "2"),
        ("exam", "copy", "sums", "sums-2"),
        ("exam", "gradebook", "sums", "--csv", "{folder}/book.csv"),
        ("exam", "mark", "sums", "--release"),
        ("exam", "time", "sums", "--add", "5"),
        ("backup", "{folder}/backups"),
    ],
)
def test_a_quiet_command_prints_nothing_where_nothing_went_wrong(
    data: list[str], tmp_path: Path, command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["exam", "import", str(tmp_path / "sums.gift"), "--course", "Maths", "--quiet", *data]) == 0
    words = [word.format(folder=tmp_path) for word in command]
    assert main([*words, "--quiet", *data]) == 0
    assert capsys.readouterr() == ("", "")


def test_a_quiet_command_still_tells_what_went_wrong_and_prints_json(
    data: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["batch", "add", "Evening", "--quiet", "--json", *data]) == 0
    assert '"Evening"' in capsys.readouterr().out
    assert main(["exam", "set", "sums", "--quiet", *data]) == 1
    assert "There is no exam sums." in capsys.readouterr().err
