"""A command that fails prints two sentences and never a report of a fault of the program."""

import io
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from lms_tui.cli import main

posix_only = pytest.mark.skipif(os.name != "posix", reason="modes and folders are POSIX's")


def _damaged_key(folder: Path) -> None:
    (folder / "service").mkdir()
    (folder / "service" / "secret.key").write_bytes(b"short")
    (folder / "service" / "secret.key").chmod(0o600)


def _open_key(folder: Path) -> None:
    (folder / "service").mkdir()
    (folder / "service" / "secret.key").write_bytes(b"x" * 32)
    (folder / "service" / "secret.key").chmod(0o644)


def _damaged_database(folder: Path) -> None:
    (folder / "service").mkdir()
    (folder / "service" / "service.sqlite3").write_bytes(b"no database" * 999)


def _newer_database(folder: Path) -> None:
    assert main(["batch", "add", "A", "--data-dir", str(folder)]) == 0
    with closing(sqlite3.connect(folder / "service" / "service.sqlite3")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")


def _without_a_table(folder: Path) -> None:
    assert main(["batch", "add", "A", "--data-dir", str(folder)]) == 0
    with closing(sqlite3.connect(folder / "service" / "service.sqlite3")) as connection, connection:
        connection.execute("DROP TABLE batches")


def _file_instead_of_folder(folder: Path) -> None:
    (folder / "service").write_bytes(b"")


def _own_institute(folder: Path) -> None:
    people = folder / "people.csv"
    people.write_text("username,role\nasha,student\nhead,admin\n", "utf-8")
    assert main(["user", "import", str(people), "--data-dir", str(folder)]) == 0


def _empty(folder: Path) -> None:
    assert main(["batch", "add", "A", "--data-dir", str(folder)]) == 0


def _nothing(_folder: Path) -> None:
    pass


_AWAY = ("--database-url", "postgresql+psycopg://a:hidden@127.0.0.1:1/lms")


@posix_only
@pytest.mark.parametrize(
    ("prepare", "line", "what", "advice"),
    [
        (_damaged_key, ("serve",), "secret.key is damaged", "Remove it"),
        (_open_key, ("serve",), "Other users can read", "mode to 600"),
        (_damaged_database, ("serve",), "file is not a database", "undamaged"),
        (_damaged_database, ("user", "list"), "file is not a database", "undamaged"),
        (_newer_database, ("serve",), "A newer version has upgraded the database", "backup"),
        (_newer_database, ("exam", "list"), "A newer version has upgraded the database", "backup"),
        (_without_a_table, ("batch", "list"), "cannot be used: no such table: batches", "undamaged"),
        (_without_a_table, ("batch", "add", "B"), "cannot be used: no such table: batches", "undamaged"),
        (_file_instead_of_folder, ("serve",), "service: File exists", "permissions"),
        (_file_instead_of_folder, ("batch", "add", "A"), "service: File exists", "permissions"),
        (_own_institute, ("serve", "--demo"), "is not the demo institute", "another folder"),
        (_nothing, ("serve", *_AWAY), "Connection refused", "its server runs"),
        (_nothing, ("serve", "--host", "192.0.2.1"), "cannot listen on 192.0.2.1", "--host"),
        (_nothing, ("serve", "--fault", "often"), "is not a fault", "drop 5%"),
        (_nothing, ("serve", "--fault", "drop 101%"), "is out of range", "100%"),
        (_nothing, ("walk", "run", "."), "holds no scenarios", "my-test.yaml"),
        (
            _nothing,
            ("profiles", "add", "https://learn.example.edu", " "),
            "user name is empty",
            "that the server knows",
        ),
        (_nothing, ("exam", "show", "--watch", "none"), "no file none", "--watch does not follow"),
        (_empty, ("exam", "export", "none", "out.gift"), "no exam none", "exam list"),
        (_nothing, ("walk", "--junit", "missing/report.xml"), "no folder missing", "choose another"),
    ],
)
def test_an_error_says_what_happened_and_what_to_do(
    prepare: Callable[[Path], None],
    line: tuple[str, ...],
    what: str,
    advice: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    prepare(tmp_path)
    capsys.readouterr()
    assert main([*line, "--data-dir", str(tmp_path)]) in {1, 2}
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("lms-tui: ")
    assert what in first
    assert advice in second
    assert "hidden" not in first + second
    assert not (tmp_path / "logs" / "crash.log").exists()


@pytest.mark.parametrize(
    ("line", "option"),
    [
        (("--bogus",), "--bogus"),
        (("walk", "--url", "http://127.0.0.1:1"), "--url"),
        (("exam", "--bogus", "x", "check", "file"), "--bogus"),
        (("exam", "check", "--bogus=x", "file"), "--bogus"),
        (("serve", "--portt", "0"), "--portt"),
    ],
)
def test_an_unknown_option_is_named(line: tuple[str, ...], option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(line)
    assert ended.value.code == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(f"lms-tui: Unknown option {option}.")
    assert "--help" in second


@pytest.mark.parametrize(("mistyped", "meant"), [("--portt", "--port"), ("--data-dri", "--data-dir")])
def test_the_nearest_option_is_suggested(mistyped: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", mistyped, "0"])
    assert f"Did you mean {meant}?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "message", "help_"),
    [
        (("chek",), "Unknown command “chek”.", "lms-tui"),
        (("exam", "chek", "f.gift"), "Unknown command “chek”. Did you mean check?", "lms-tui exam"),
        (("profiles", "lost"), "Unknown command “lost”. Did you mean list?", "lms-tui profiles"),
        (("demo", "extra"), "Unexpected argument “extra”.", "lms-tui demo"),
        (("user", "list", "--role", "head"), "--role: unknown value “head”. Use one of: student", "lms-tui user list"),
        (("exam", "copy"), "slug and NEW are missing.", "lms-tui exam copy"),
        (("receipt", "verify"), "FILE is missing.", "lms-tui receipt verify"),
        (
            ("receipt", "export", "x"),
            "ATTEMPT: must be a whole number of 1 or more, not “x”.",
            "lms-tui receipt export",
        ),
        (("serve", "--trust-proxy", "x"), "--trust-proxy: “x” is not an address or a network such as", "lms-tui serve"),
        (
            ("exam", "rubric", "essay", "1", "--criterion", "Style"),
            "--criterion: “Style” is not",
            "lms-tui exam rubric",
        ),
        (("deck", "export", "x"), "Give one of these: --anki --csv.", "lms-tui deck export"),
        (("serve", "--port"), "--port needs a value.", "lms-tui serve"),
        (("walk", "--password", "x", "--password-stdin"), "--password-stdin cannot be used together", "lms-tui walk"),
        (("serve", "--seed", "x"), "--seed: must be a whole number of 0 or more", "lms-tui serve"),
        (("serve", "--workers", "0"), "--workers: must be a whole number from 1 to 256, not “0”.", "lms-tui serve"),
        (("fault", "clock", "5min"), "SECONDS: “5min” is not a number of seconds. Write 600", "lms-tui fault clock"),
        (("try", "f", "--at", "0:00:00"), "--at: “0:00:00” is not a time. Write H:MM:SS", "lms-tui try"),
    ],
)
def test_wrong_usage_names_the_mistake_and_the_help_to_read(
    line: tuple[str, ...], message: str, help_: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(line)
    assert ended.value.code == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(f"lms-tui: {message}")
    assert second == f"See `{help_} --help`."


@pytest.mark.parametrize("command", [("user", "add", "asha"), ("user", "password", "asha"), ("login", "server.test")])
@pytest.mark.parametrize("name", ["--password", "--pass", "--passwd", "-p"])
def test_a_password_on_the_command_line_is_refused_and_not_repeated(
    command: tuple[str, ...], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for given in ((name, "a long secret"), (f"{name}=a long secret",), (name,)):
        with pytest.raises(SystemExit) as ended:
            main([*command, *given])
        assert ended.value.code == 2
        first, second = capsys.readouterr().err.splitlines()
        assert first.startswith(f"lms-tui: {name} is refused: other users")
        assert second.startswith("Leave the password out and type it when you are asked, or ")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (("user", "password", "asha", "a long secret"), "One argument is too many. It is not shown"),
        (("user", "add", "asha", "--password-stdin=a long secret"), "--password-stdin takes no value."),
        (("user", "add", "asha", "--passwor=a long secret"), "--passwor is short for more than one option: "),
        (("login", "server.test", "--token", "a long secret"), "One argument is too many. It is not shown"),
        (("login", "server.test", "--token=a long secret"), "--token takes no value."),
    ],
)
def test_wrong_usage_does_not_repeat_a_secret(
    line: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(line)
    assert ended.value.code == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(f"lms-tui: {message}")
    assert "secret" not in first + second


def test_a_token_in_place_of_the_address_is_not_looked_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["login", "--token", "eyJ0eXAi.eyJ1c2Vy.c2lnbmF0", "--data-dir", str(tmp_path)]) == 1
    first, second = capsys.readouterr().err.splitlines()
    assert first == "lms-tui: A token is given in place of the server's address."
    assert second.startswith("Leave the token out.")


@pytest.mark.parametrize(
    ("line", "argument"),
    [
        (("user", "list", "--batch", "f\udcff"), "--batch"),
        (("user", "disable", "f\udcff"), "username"),
        (("batch", "join", "M", "f\udcff"), "username"),
        (("batch", "join", "f\udcff", "asha"), "name"),
        (("exam", "publish", "f\udcff"), "slug"),
        (("exam", "import", "file", "--course=c\udcff"), "--course"),
        (("exam", "import", "file", "--course", "c", "--slug", "c\udcff"), "--slug"),
        (("post", "add", "title", "--by", "f\udcff"), "--by"),
        (("post", "hide", "f\udcff"), "slug"),
        (("login", "http://127.0.0.1:1", "--user", "a\udcff"), "--user"),
        (("serve", "--host", "f\udcff"), "--host"),
        (("walk", "--user", "f\udcff"), "--user"),
    ],
)
def test_an_argument_that_is_not_utf8_is_wrong_usage(
    line: tuple[str, ...], argument: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*line, "--data-dir", str(tmp_path)])
    assert ended.value.code == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first == f"lms-tui: {argument}: this is not UTF-8 text."
    assert "--help" in second


@pytest.mark.parametrize("line", [("exam", "publish", "e", "--start=--"), ("serve", "--host=--")])
def test_two_dashes_are_not_a_value(line: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(line)
    assert ended.value.code == 2
    assert "needs a value" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="names of files are bytes on POSIX")
@pytest.mark.parametrize("line", [("exam", "check"), ("exam", "show"), ("receipt", "verify")])
def test_a_file_name_may_have_any_bytes(
    line: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*line, os.fsdecode(bytes(tmp_path / "f") + b"\xff"), "--data-dir", str(tmp_path)]) in {1, 2}
    said = capsys.readouterr()
    assert len((said.out + said.err).splitlines()) == 2
    assert not (tmp_path / "logs" / "crash.log").exists()


@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
@pytest.mark.parametrize(
    "line", [("login", "http://127.0.0.1:1", "--user", "asha"), ("login",), ("user", "add", "asha", "--password-stdin")]
)
def test_typed_bytes_that_are_not_utf8_are_refused(
    line: tuple[str, ...],
    errors: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"pr\xff\n"), "utf-8", errors))
    assert main([*line, "--data-dir", str(tmp_path)]) == 1
    assert capsys.readouterr().err == "lms-tui: The typed line is not UTF-8 text.\nType it again.\n"
