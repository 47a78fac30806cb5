import argparse
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from lms_tui import __version__
from lms_tui.cli import build_parser, main
from lms_tui.commands.arguments import duration

PROGRAM = (sys.executable, "-m", "lms_tui")


def _commands(parser: argparse.ArgumentParser, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield every command without its arguments."""
    groups = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not any(group.required for group in groups):
        yield words
    for group in groups:
        for name, command in group.choices.items():
            yield from _commands(command, (*words, name))


def _needed(parser: argparse.ArgumentParser, words: tuple[str, ...]) -> list[str]:
    """Return valid values for the required arguments of a command."""
    for word in words:
        groups = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
        parser = groups[0].choices[word]
    needed: list[str] = []
    for action in parser._actions:
        if action.required and not isinstance(action, argparse._SubParsersAction):
            needed += [*action.option_strings[:1], next(iter(action.choices or ["1"]))]
    for group in parser._mutually_exclusive_groups:
        if group.required:
            needed.append(next(action.option_strings[0] for action in group._group_actions if action.nargs == 0))
    return needed


@pytest.mark.parametrize("command", tuple(_commands(build_parser())), ids=" ".join)
def test_data_dir_can_be_given_before_within_and_after_every_command(command: tuple[str, ...]) -> None:
    parser = build_parser()
    needed = _needed(parser, command)
    lines = [[*command[:at], "--data-dir", "place", *command[at:], *needed] for at in range(len(command) + 1)]
    for line in (*lines, [*command, *needed, "--data-dir", "place"]):
        assert parser.parse_args(line).data_dir == Path("place")


@pytest.mark.parametrize(
    "line",
    [["nonsense"], ["try"], ["serve", "--port", "70000"], ["serve", "--port", "x"], ["demo", "extra"], ["--\x1b[2J"]],
)
def test_wrong_usage_exits_with_2_and_a_clean_message(line: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(line)
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith("lms-tui: ")
    assert "--help" in said
    assert "\x1b" not in said


@pytest.mark.parametrize(
    "line",
    [
        "--data-dir",
        "--data-dir --plain demo",
        "--plain=yes",
        "--plain --data-dir=here user list --role king",
        "--theme dark try",
        "--theme dark tri",
        "demo -h",
        "demo --as",
        "demo ravi",
        "demo --plaine",
        "try",
        "try a.gift --at soon",
        "try a.gift --speed=--",
        "try a.gift --resume --at 0:01:00",
        "serve --port x",
        "serve --prot 1",
        "settings deck",
        "exam chek a.gift",
        "exam check",
        "user",
        "user list --role king",
        "logout --prot 1",
        "restore",
        "walk --prot x",
    ],
)
def test_a_command_read_alone_says_what_it_says_among_all(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as among_all:
        build_parser().parse(line.split())
    said = capsys.readouterr()
    with pytest.raises(SystemExit) as alone:
        main(line.split())
    assert (alone.value.code, capsys.readouterr()) == (among_all.value.code, said)


@pytest.mark.parametrize("word", sorted(build_parser().commands))
def test_every_command_can_be_read_alone(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([word, "--help"])
    assert (ended.value.code, capsys.readouterr().out) == (0, build_parser().command(word).format_help())


def test_the_program_ends_without_a_search_for_garbage(tmp_path: Path) -> None:
    code = (
        "import atexit, gc, sys; atexit.register(lambda: print('kept' if gc.get_freeze_count() else 'searched'))\n"
        "from lms_tui.cli import run; sys.argv[1:] = ['--version']; run()"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(Path(__file__).parents[2]), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert ended.stdout.split()[-1] == "kept"


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_help_and_version_exit_with_0(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([option])
    assert ended.value.code == 0
    assert (__version__ if option == "--version" else "demo") in capsys.readouterr().out


def _run(*words: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *words],
        cwd=cwd,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(Path(__file__).parents[2]), "HOME": str(cwd), **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


@pytest.mark.parametrize("words", [(), ("demo",), ("try", "exam.gift")])
def test_app_without_a_terminal_says_so(words: tuple[str, ...], tmp_path: Path) -> None:
    ended = _run(*words, cwd=tmp_path)
    assert ended.returncode == 1
    assert ended.stderr == (
        "lms-tui: This is not a terminal.\nRun lms-tui in a terminal, or use --plain for text lines.\n"
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cannot be read"),
        (b"", "empty"),
        (b"\x89PNG\r\n", "picture"),
        (b"Dear Asha, how are you?\n", "no question"),
    ],
)
def test_a_file_without_an_exam_is_refused_before_anything_starts(
    content: bytes | None, words: str, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / "exam.gift").write_bytes(content)
    ended = _run("try", "exam.gift", cwd=tmp_path, TEXTUAL_DRIVER="textual.drivers.headless_driver:HeadlessDriver")
    assert ended.returncode == 1
    assert words in ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 2
    assert "Traceback" not in ended.stderr
    assert not (tmp_path / ".local/share/lms-tui/service").exists()


def test_wrong_settings_are_explained_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("theme")
    ended = _run("demo", cwd=tmp_path, LMS_TUI_CONFIG_DIR=str(tmp_path), TEXTUAL_DRIVER="x")
    assert ended.returncode == 1
    assert "not valid TOML" in ended.stderr
    assert "settings.toml" in ended.stderr


def test_an_unexpected_error_writes_a_report_and_shows_no_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object, **_named: object) -> int:
        token = "canary"
        raise ZeroDivisionError(token)

    monkeypatch.setattr("lms_tui.commands.diagnosis.examine", fail)
    assert main(["doctor", "--data-dir", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    report = tmp_path / "logs" / "crash.log"
    assert str(report) in said
    assert "Traceback" not in said
    assert "canary" not in said + report.read_text()
    assert "ZeroDivisionError" in report.read_text()


def test_doctor_finds_no_problem_in_an_empty_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--data-dir", str(tmp_path)]) == 0
    assert str(tmp_path) in capsys.readouterr().out


def test_doctor_names_unknown_themes_and_commands_of_the_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "settings.toml").write_text('[appearance]\ntheme = "nordd"\n[keys]\nmrk = "f5"\nmark = "f6"\n')
    monkeypatch.setenv("LMS_TUI_CONFIG_DIR", str(tmp_path))
    assert main(["doctor", "--data-dir", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "ok       settings" not in said
    assert "hint     settings   unknown theme “nordd”" in said
    assert "dark, light, high-contrast" in said
    assert "hint     settings   unknown command “mrk” under [keys]" in said
    assert "“mark”" not in said


def test_doctor_names_each_problem_and_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "settings.toml").write_text("[network]\ntimeout = 0")
    monkeypatch.setenv("LMS_TUI_CONFIG_DIR", str(tmp_path))
    (tmp_path / "file").touch()
    assert main(["doctor", "--data-dir", str(tmp_path / "file")]) == 1
    said = capsys.readouterr().out
    assert "cannot be written" in said
    assert "--data-dir" in said
    assert "1 to 300" in said


@pytest.mark.parametrize("words", [("try",), ("practise",), ("exam", "import"), ("exam", "set")])
def test_the_help_says_that_a_duration_of_two_numbers_is_minutes_and_seconds(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        build_parser().parse_args([*words, "--help"])
    assert "1:30 is 90 seconds" in " ".join(capsys.readouterr().out.split())
    assert duration("1:30") == timedelta(seconds=90)
