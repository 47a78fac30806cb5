"""The program among other programs of a shell: pipes, encodings, standard input, help, and words that are misspelt."""

import io
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from lms_tui.cli import main

GIFT = "::Order::Is 3 ≤ 4 in 日本? {=yes ~no ~maybe 😀}\n"


@pytest.fixture
def exam(tmp_path: Path) -> Path:
    path = tmp_path / "order.gift"
    path.write_text(GIFT, encoding="utf-8")
    return path


def _run(*words: str, given: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "lms_tui", *words],
        input=given,
        capture_output=True,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.mark.skipif(os.name != "posix", reason="closes the reading end of a pipe as POSIX shells do")
@pytest.mark.parametrize("words", [("show",), ("check",), ("check", "--json")])
def test_a_reader_that_leaves_ends_the_program_as_other_programs(exam: Path, words: tuple[str, ...]) -> None:
    exam.write_text(GIFT * 3000, encoding="utf-8")
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as stdout:
        ended = subprocess.run(
            [sys.executable, "-m", "lms_tui", "exam", *words, str(exam)],
            stdout=stdout,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (ended.returncode, ended.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="this system has no such device")
def test_a_full_disk_under_the_output_is_told_in_two_lines(exam: Path) -> None:
    with Path("/dev/full").open("wb") as stdout:
        command = [sys.executable, "-m", "lms_tui", "exam", "check", str(exam)]
        ended = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, check=False)
    assert ended.returncode == 1
    assert ended.stderr.decode() == (
        "lms-tui: The output cannot be written (No space left on device).\nMake room, or choose another place.\n"
    )


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="this system has no such device")
@pytest.mark.parametrize("there", [False, True], ids=["a new institute", "an institute"])
def test_passwords_that_cannot_be_printed_leave_no_user(tmp_path: Path, *, there: bool) -> None:
    place = ("--data-dir", str(tmp_path / "school"))
    if there:
        assert _run("batch", "add", "Evening", *place).returncode == 0
    people = tmp_path / "people.csv"
    people.write_text("username\nmeera\n", encoding="utf-8")
    with Path("/dev/full").open("wb") as stdout:
        command = [sys.executable, "-m", "lms_tui", "user", "import", str(people), *place]
        ended = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, check=False)
    assert (ended.returncode, b"cannot be written" in ended.stderr) == (1, True)
    if there:
        assert _run("user", "list", *place).stdout == b"There are none.\n"
    assert (tmp_path / "school").exists() == there


def test_a_list_without_users_is_told(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("username\n", encoding="utf-8")
    ended = _run("user", "import", str(tmp_path / "people.csv"), "--data-dir", str(tmp_path / "school"))
    assert (ended.returncode, ended.stdout) == (0, b"people.csv names no users, so nothing was changed.\n")


@pytest.mark.skipif(os.name != "posix", reason="closes streams as POSIX shells do")
@pytest.mark.parametrize(
    ("closed", "words", "code", "told"),
    [
        (">&-", ("exam", "check", "FILE"), 0, ""),
        (">&- 2>&-", ("exam", "check", "FILE", "missing"), 1, ""),
        ("<&-", ("user", "add", "asha", "--data-dir", "."), 1, "There is no terminal to ask for a password."),
    ],
)
def test_a_stream_that_the_shell_has_closed_is_no_fault(
    exam: Path, closed: str, words: tuple[str, ...], code: int, told: str
) -> None:
    given = [str(exam) if word == "FILE" else word for word in words]
    command = ["sh", "-c", f'exec "$0" -m lms_tui "$@" {closed}', sys.executable, *given]
    environment = {**os.environ, "LMS_TUI_DATA_DIR": str(exam.parent), "PYTHONPATH": str(Path(__file__).parents[2])}
    ended = subprocess.run(command, capture_output=True, check=False, env=environment, cwd=exam.parent)
    assert (ended.returncode, told in ended.stderr.decode()) == (code, True)
    assert "Traceback" not in ended.stderr.decode()
    assert not (exam.parent / "logs").exists()


def test_what_an_encoding_lacks_is_written_as_escapes(exam: Path) -> None:
    shown = _run("exam", "show", str(exam), PYTHONIOENCODING="cp1252")
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert r"Is 3 \u2264 4 in \u65e5\u672c?" in shown.stdout.decode("cp1252")


def test_json_in_any_encoding_is_the_same_json(exam: Path) -> None:
    """A character beyond the first 65,536 is written as the two escapes that JSON wants."""
    read = [
        json.loads(_run("exam", "check", "--json", str(exam), PYTHONIOENCODING=encoding).stdout.decode(encoding))
        for encoding in ("utf-8", "ascii", "cp1252")
    ]
    assert read[0]["questions"][0]["options"][2] == "maybe 😀"
    assert read[0] == read[1] == read[2]


def test_check_reads_standard_input(
    exam: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(exam.read_bytes())))
    assert main(["exam", "check", "-"]) == 0
    assert capsys.readouterr().out.startswith("standard input: 1 question\n")


def test_check_reads_several_files_and_fails_if_one_has_errors(exam: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = exam.with_name("bad.gift")
    bad.write_text("No key? {~a ~b}\n", encoding="utf-8")
    assert main(["exam", "check", str(exam), str(bad)]) == 1
    out = capsys.readouterr().out
    assert "order.gift: 1 question" in out
    assert "bad.gift: 1 question\n" in out
    assert "error: line 1, question 1: No answer is marked as correct." in out
    assert main(["exam", "check", "--json", str(exam), str(bad)]) == 1
    assert [report["file"] for report in json.loads(capsys.readouterr().out)] == ["order.gift", "bad.gift"]


@pytest.mark.parametrize("words", [["help"], ["help", "exam"], ["help", "exam", "check"]])
def test_help_is_a_command_too(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    shown = capsys.readouterr().out
    with pytest.raises(SystemExit):
        main([*words[1:], "--help"])
    assert shown.partition("\npages of the manual:")[0] == capsys.readouterr().out


def test_the_version_has_a_short_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["-V"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("lms-tui ")


def test_converting_never_overwrites_a_file_without_force(exam: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = exam.with_name("copy.yaml")
    assert main(["exam", "convert", str(exam), str(target)]) == 0
    written = target.read_bytes()
    exam.write_text("::Other::One? {=1 ~2}\n", encoding="utf-8")
    for source, name in ((exam, target), (target, target)):
        assert main(["exam", "convert", str(source), str(name)]) == 1
        assert "copy.yaml exists already." in capsys.readouterr().err
        assert target.read_bytes() == written
    assert main(["exam", "convert", "--force", str(exam), str(target)]) == 0
    assert b"Other" in target.read_bytes()


@pytest.mark.parametrize(
    "words",
    [("exam", "list"), ("user", "list"), ("exam", "statistics", "x"), ("exam", "publish", "x"), ("batch", "list")],
)
def test_a_wrong_folder_makes_no_institute(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "typo"
    assert main([*words, "--data-dir", str(folder)]) == 1
    said = capsys.readouterr().err
    assert f"There is no institute in {folder}." in said
    assert "--data-dir" in said
    assert not folder.exists()
    address = f"sqlite:///{tmp_path / 'none.sqlite3'}"
    assert main([*words, "--database-url", address]) == 1
    assert "There is no institute in" in capsys.readouterr().err
    assert not (tmp_path / "none.sqlite3").exists()


def test_a_command_that_makes_no_institute_leaves_another_database_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "notes.sqlite3"
    with closing(sqlite3.connect(file)) as notes:
        notes.execute("CREATE TABLE notes (text)")
    assert main(["exam", "list", "--database-url", f"sqlite:///{file}"]) == 1
    assert capsys.readouterr().err == (
        f"lms-tui: There is no institute in {file}.\n"
        "Check --data-dir and --database-url. `lms-tui user add` and `lms-tui exam import` make an institute.\n"
    )
    with closing(sqlite3.connect(file)) as notes:
        assert notes.execute("SELECT name FROM sqlite_master").fetchall() == [("notes",)]


def test_lists_have_whole_seconds(exam: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--data-dir", str(tmp_path / "data")]
    assert main(["exam", "import", str(exam), "--course", "Sums", *given]) == 0
    capsys.readouterr()
    assert main(["exam", "list", "--json", *given]) == 0
    assert "." not in json.loads(capsys.readouterr().out)[0]["start"]
