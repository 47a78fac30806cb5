"""The bar for commands that take long: on a terminal only, and on standard error only."""

from pathlib import Path

import pytest

from lms_tui.cli import main
from lms_tui.commands.progress_bar import counted_off, progress_of, progress_when_told


@pytest.mark.parametrize(("terminal", "total"), [(False, 5_000), (True, 10)])
def test_nothing_is_written_in_a_pipe_or_for_few_rows(
    terminal: bool, total: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    assert list(counted_off("Final", range(total), total)) == list(range(total))
    with progress_of("final.yaml", 100) as progress:
        progress("reading", 0.5)
    assert capsys.readouterr() == ("", "")


def test_a_terminal_gets_a_bar_with_the_name_on_standard_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert len(list(counted_off("Final \x1b[2J exam", iter(range(2_000)), 2_000))) == 2_000
    said = capsys.readouterr()
    assert said.out == ""
    assert "Final" in said.err
    assert "\x1b[2J" not in said.err


@pytest.mark.parametrize(("quiet", "told"), [(True, True), (False, False)])
def test_a_quiet_command_and_short_work_show_no_bar(
    quiet: bool, told: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert len(list(counted_off("Final", range(2_000 if quiet else 10), 2_000 if quiet else 10, quiet=quiet))) > 1
    with progress_when_told("Final", quiet=quiet) as progress:
        if told:
            progress("marking the answers", 0.5)
    assert capsys.readouterr() == ("", "")


def test_work_that_tells_of_its_progress_shows_a_bar(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    with progress_when_told("final") as progress:
        progress("marking the answers", 0.5)
    assert "marking the answers" in capsys.readouterr().err


@pytest.mark.parametrize("quiet", [False, True])
def test_the_export_of_many_questions_shows_a_bar(
    quiet: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, target = tmp_path / "sums.gift", tmp_path / "again.gift"
    file.write_text("\n\n".join(f"::Sum {n}:: {n} + {n}? {{={2 * n} ~1}}" for n in range(1_000)), "utf-8")
    where = ["--data-dir", str(tmp_path / "data")]
    assert main(["exam", "import", str(file), "--course", "Maths", "--quiet", *where]) == 0
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert main(["exam", "export", "sums", str(target), *where, *(["--quiet"] if quiet else [])]) == 0
    assert ("\rsums" in capsys.readouterr().err.replace("\x1b[2K", "")) is not quiet
