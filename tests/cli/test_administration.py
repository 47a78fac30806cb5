"""An institute kept from the shell, by the command itself."""

import argparse
import io
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text

from lms_tui.cli import main
from lms_tui.commands.administration import opened
from lms_tui.common.user_errors import UsageError
from lms_tui.service.core.database import tables
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.opening import UnusableDatabase, new_database
from lms_tui.service.core.passwords import Passwords
from tests.fakes.json_output import told
from tests.service.service_world import copy_database

GIFT = "::Sum:: 1 + 1 = {=2 ~3 ~4}\n\n::Difference:: 2 - 1 = {~2 =1 ~4}\n"


class Shell:
    """Runs commands on one institute."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.capsys = capsys
        self.monkeypatch = monkeypatch

    def run(self, *command: str, typed: str = "") -> tuple[int, str, str]:
        self.monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        code = main([*command, "--data-dir", str(self.folder)])
        said = self.capsys.readouterr()
        return code, said.out, said.err

    def ask(self, *command: str, typed: str = "") -> Any:
        code, out, err = self.run(*command, "--json", typed=typed)
        assert code == 0, err
        return told(out, *command)

    def refused(self, *command: str, typed: str = "") -> str:
        code, out, err = self.run(*command, typed=typed)
        assert (code, out) == (1, "")
        assert len(err.splitlines()) == 2
        return err


@pytest.fixture
def new_shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A shell without an institute, which the first command makes."""
    return Shell(tmp_path, capsys, monkeypatch)


@pytest.fixture
def shell(new_shell: Shell, prepared_file: Path) -> Shell:
    """A shell with an institute that holds nothing."""
    copy_database(prepared_file, new_shell.folder / "service")
    return new_shell


@pytest.fixture
def exam(shell: Shell, tmp_path: Path) -> str:
    file = tmp_path / "two-sums.gift"
    file.write_text(GIFT, "utf-8")
    (row,) = shell.ask("exam", "import", str(file), "--course", "Maths", "--batch", "Evening", "--unpublished")
    return str(row["slug"])


def stored(shell: Shell, username: str) -> tables.User:
    database = Database.in_file(shell.folder / "service" / "service.sqlite3")
    with database.read() as session:
        user = session.scalars(select(tables.User).where(tables.User.username == username)).one()
    database.close()
    return user


def test_the_first_administrator_is_created(new_shell: Shell) -> None:
    shell = new_shell
    (row,) = shell.ask("user", "add", "head", "--role", "admin", "--password-stdin", typed="a long secret\n")
    assert row == {
        "id": 1,
        "username": "head",
        "name": "head",
        "role": "admin",
        "active": True,
        "batches": [],
        "accommodation": [],
    }
    assert Passwords().verify(stored(shell, "head").password_hash, "a long secret")
    assert shell.ask("user", "list", "--role", "admin") == [row]
    assert "already" in shell.refused("user", "add", "head", "--password-stdin", typed="a long secret\n")


def test_a_password_is_asked_for_and_never_invented(shell: Shell) -> None:
    assert "--password-stdin" in shell.refused("user", "add", "head")
    assert "password" in shell.refused("user", "add", "head", "--password-stdin", typed="\n")
    assert "A password has at least 8 characters." in shell.refused(
        "user", "add", "head", "--password-stdin", typed="1234567\n"
    )
    assert "Many people" in shell.refused("user", "add", "head", "--password-stdin", typed="Password1\n")
    assert "too long" in shell.refused("user", "add", "head", "--password-stdin", typed="long " * 1000)


def test_names_without_letters_and_too_long_names_are_told_in_words(shell: Shell) -> None:
    for name, what in (("", "username: This field may not be blank."), ("x" * 151, "longer than 150 characters.")):
        assert what in shell.refused("user", "add", name, "--password-stdin", typed="a long secret\n")
    assert "There is no user with an empty name." in shell.refused("user", "disable", " ")
    assert "There is no exam with an empty name." in shell.refused("exam", "end", "")
    people = shell.folder / "people.csv"
    people.write_text(f"username\n{'x' * 151}\n", "utf-8")
    code, _, err = shell.run("user", "import", str(people))
    assert (code, "line 2: username: This is longer than 150 characters." in err) == (1, True)


def test_what_an_exam_does_not_have_is_refused(shell: Shell, exam: str) -> None:
    assert f"The exam {exam} has no question 3." in shell.refused("exam", "rubric", exam, "3")
    assert "The message is empty." in shell.refused("exam", "message", exam, " ")
    assert "There is no exam none." in shell.refused("exam", "delete", "none")


def test_a_new_password_and_a_block_end_every_session(shell: Shell) -> None:
    shell.ask("user", "add", "asha", "--password-stdin", typed="a long secret\n")
    before = stored(shell, "asha")
    assert "at least 8" in shell.refused("user", "password", "asha", "--password-stdin", typed="x\n")
    shell.ask("user", "password", "asha", "--password-stdin", typed="another secret\n")
    changed = stored(shell, "asha")
    assert changed.tokens_valid_from > before.tokens_valid_from
    assert Passwords().verify(changed.password_hash, "another secret")
    assert shell.ask("user", "disable", "asha")[0]["active"] is False
    assert shell.ask("user", "enable", "asha")[0]["active"] is True
    assert "no user nobody" in shell.refused("user", "disable", "nobody")


def test_batches_are_created_joined_and_counted(shell: Shell) -> None:
    for name in ("asha", "ravi"):
        shell.ask("user", "add", name, "--password-stdin", typed="a long secret\n")
    shell.ask("batch", "add", "Evening")
    shell.ask("batch", "join", "Morning", "asha", "ravi")
    shell.ask("batch", "join", "Morning", "asha")
    assert [(row["name"], row["members"]) for row in shell.ask("batch", "list")] == [("Evening", 0), ("Morning", 2)]
    assert [row["username"] for row in shell.ask("user", "list", "--batch", "Morning")] == ["asha", "ravi"]


def test_an_exam_is_imported_assigned_and_published(shell: Shell, exam: str) -> None:
    (row,) = shell.ask("exam", "list")
    assert (row["slug"], row["questions"], row["published"], row["batches"]) == (exam, 2, False, ["Evening"])
    (row,) = shell.ask("exam", "assign", exam, "Morning", "Evening")
    assert row["batches"] == ["Evening", "Morning"]
    (row,) = shell.ask("exam", "publish", exam, "--public", "--end", "2030-01-31T09:30+05:30")
    assert (row["published"], row["public"], row["end"]) == (True, True, "2030-01-31T09:30:00+05:30")
    assert shell.ask("exam", "unpublish", exam)[0]["published"] is False
    assert "no exam nothing" in shell.refused("exam", "publish", "nothing")


def test_the_error_for_a_file_without_an_exam_is_a_sentence(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "nothing.txt"
    file.write_text("nothing", "utf-8")
    assert "nothing.txt" in shell.refused("exam", "import", str(file), "--course", "Maths")
    assert "cannot be read" in shell.refused("exam", "import", str(tmp_path / "away"), "--course", "Maths")


def test_posts_are_added_hidden_and_shown(shell: Shell, tmp_path: Path) -> None:
    shell.ask("user", "add", "head", "--role", "admin", "--password-stdin", typed="a long secret\n")
    html = tmp_path / "post.html"
    html.write_text("<p>Welcome</p>", "utf-8")
    (row,) = shell.ask("post", "add", "Welcome all", "--by", "head", "--html", str(html), "--public")
    assert (row["slug"], row["active"], row["public"]) == ("welcome-all", True, True)
    assert shell.ask("post", "hide", "welcome-all")[0]["active"] is False
    assert shell.ask("post", "show", "welcome-all")[0]["active"] is True
    assert len(shell.ask("post", "list")) == 1
    assert "batches" in shell.refused("post", "add", "x", "--by", "head", "--batch", "No such batch")


def test_lists_are_printed_as_tables(shell: Shell) -> None:
    shell.ask("batch", "add", "Evening")
    assert shell.run("user", "list") == (0, "There are none.\n", "")
    shell.ask("user", "add", "asha", "--batch", "Evening", "--password-stdin", typed="a long secret\n")
    assert shell.run("user", "list")[1].splitlines() == [
        "id  username  name  role     active  batches  accommodation",
        "1   asha      asha  student  yes     Evening",
    ]


def batches(shell: Shell) -> list[str]:
    return [row["name"] for row in shell.ask("batch", "list")]


def test_a_batch_named_twice_counts_once(shell: Shell, tmp_path: Path) -> None:
    twice = ("--batch", "M", "--batch", "M", "--batch", "M ")
    (row,) = shell.ask("user", "add", "asha", "--password-stdin", *twice, typed="a long secret\n")
    assert row["batches"] == ["M"]
    file = tmp_path / "sum.gift"
    file.write_text(GIFT, "utf-8")
    for _ in range(2):
        (row,) = shell.ask("exam", "import", str(file), "--course", " Maths ", *twice)
        assert (row["batches"], row["course"]) == (["M"], "Maths")
    assert shell.ask("exam", "assign", row["slug"], "M", " M", "M")[0]["batches"] == ["M"]
    shell.ask("batch", "add", " M")
    shell.ask("batch", "join", "M ", "asha", "asha")
    assert batches(shell) == ["M"]
    assert [user["username"] for user in shell.ask("user", "list", "--batch", " M")] == ["asha"]
    assert len(shell.ask("exam", "list")) == 1


@pytest.mark.parametrize("name", ["", " ", "x" * 201])
def test_an_invalid_name_creates_no_batch(shell: Shell, exam: str, tmp_path: Path, name: str) -> None:
    shell.ask("user", "add", "head", "--password-stdin", typed="a long secret\n")
    file = str(tmp_path / "two-sums.gift")
    for command in (
        ("batch", "add", name),
        ("batch", "join", name, "head"),
        ("user", "add", "asha", "--password-stdin", "--batch", name),
        ("exam", "assign", exam, name),
        ("exam", "import", file, "--course", "Maths", "--batch", name),
        ("exam", "import", file, "--course", name if len(name) < 2 else "x" * 301),
    ):
        said = shell.refused(*command, typed="a long secret\n")
        assert "blank" in said or "longer than" in said
    assert batches(shell) == ["Evening"]
    assert [row["username"] for row in shell.ask("user", "list")] == ["head"]
    assert [row["course"] for row in shell.ask("exam", "list")] == ["Maths"]


@pytest.mark.parametrize("moment", ["9999-12-31T23:59-23:59", "0001-01-01T00:00+23:59", "0001-01-01", "soon"])
@pytest.mark.parametrize("option", ["--start", "--end"])
def test_a_moment_outside_the_calendar_is_wrong_usage(shell: Shell, exam: str, moment: str, option: str) -> None:
    with pytest.raises(SystemExit) as ended:
        shell.run("exam", "publish", exam, option, moment)
    assert ended.value.code == 2
    assert "is not a time. Write 2026-01-31T09:30+05:30" in shell.capsys.readouterr().err


def test_an_exam_that_ends_before_it_starts_is_not_published(shell: Shell, exam: str, tmp_path: Path) -> None:
    backwards = ("--start", "2030-02-01T09:00+00:00", "--end", "2030-01-01T09:00+00:00")
    assert "before it starts" in shell.refused("exam", "publish", exam, *backwards)
    assert shell.ask("exam", "list")[0]["published"] is False
    file = str(tmp_path / "two-sums.gift")
    said = shell.refused("exam", "import", file, "--course", "Maths", "--publish", *backwards)
    assert said == shell.refused("exam", "set", exam, *backwards)
    assert said == (
        "lms-tui: The exam two-sums would end at 2030-01-01T09:00:00+00:00, before it starts at "
        "2030-02-01T09:00:00+00:00.\nGive an --end that is after its start, or another --start.\n"
    )
    assert shell.ask("exam", "list")[0]["published"] is False
    assert shell.ask("exam", "publish", exam, "--end", "2030-03-01")[0]["published"] is True


@pytest.mark.parametrize(("slug", "near"), [("Ä B", "a-b"), ("attempts", "exam-attempts"), ("-", "exam")])
def test_an_invalid_slug_is_refused(shell: Shell, exam: str, tmp_path: Path, slug: str, near: str) -> None:
    file = str(tmp_path / "two-sums.gift")
    assert f"Write it like {near}." in shell.refused("exam", "import", file, "--course", "Maths", f"--slug={slug}")
    assert [row["slug"] for row in shell.ask("exam", "list")] == [exam]


def test_a_role_is_changed_but_never_that_of_the_last_administrator(shell: Shell) -> None:
    for name, role in (("head", "admin"), ("deputy", "admin"), ("farida", "student")):
        shell.ask("user", "add", name, "--role", role, "--password-stdin", typed="a long secret\n")
    assert shell.ask("user", "role", "farida", "mentor")[0]["role"] == "mentor"
    shell.ask("user", "disable", "deputy")
    assert "last administrator" in shell.refused("user", "role", "head", "moderator")
    assert shell.ask("user", "role", "head", "admin")[0]["role"] == "admin"
    assert shell.ask("user", "role", "deputy", "student")[0]["role"] == "student"
    shell.ask("user", "role", "farida", "admin")
    assert shell.ask("user", "role", "head", "moderator")[0]["role"] == "moderator"
    assert "last administrator" in shell.refused("user", "role", "farida", "student")
    assert "no user nobody" in shell.refused("user", "role", "nobody", "student")


def test_the_last_administrator_is_never_blocked(shell: Shell) -> None:
    for name in ("head", "deputy"):
        shell.ask("user", "add", name, "--role", "admin", "--password-stdin", typed="a long secret\n")
    assert shell.ask("user", "disable", "deputy")[0]["active"] is False
    assert "head is the last administrator who can sign in.\n" in shell.refused("user", "disable", "head")
    assert stored(shell, "head").is_active
    assert shell.ask("user", "disable", "deputy")[0]["active"] is False
    shell.ask("user", "enable", "deputy")
    assert shell.ask("user", "disable", "head")[0]["active"] is False
    assert "last administrator" in shell.refused("user", "disable", "deputy")


def test_an_exam_is_taken_away_from_batches(shell: Shell, exam: str) -> None:
    shell.ask("exam", "assign", exam, "Morning")
    assert "Afternoon" in shell.refused("exam", "unassign", exam, "Morning", "Afternoon")
    assert shell.ask("exam", "unassign", exam, " Morning", "Morning")[0]["batches"] == ["Evening"]
    assert shell.ask("exam", "unassign", exam, "Morning")[0]["batches"] == ["Evening"]
    assert batches(shell) == ["Evening", "Morning"]
    assert "no exam nothing" in shell.refused("exam", "unassign", "nothing", "Morning")


@pytest.mark.parametrize(
    ("command", "typed", "what"),
    [
        (("user", "add", "head"), "", "no terminal"),
        (("user", "add", "head", "--password-stdin"), "short\n", "at least 8"),
        (("batch", "add", " "), "", "blank"),
        (("user", "import", "missing.csv"), "", "no file"),
        (("exam", "import", "missing.gift", "--course", "Maths"), "", "missing.gift"),
        (("video", "add", "missing.webm", "--course", "Maths", "--title", "Sums"), "", "missing.webm"),
        (("video", "add", "film.webm", "--course", " ", "--title", "Sums"), "", "blank"),
    ],
)
def test_a_refused_command_creates_no_institute(
    new_shell: Shell, tmp_path: Path, command: tuple[str, ...], typed: str, what: str
) -> None:
    new_shell.monkeypatch.chdir(tmp_path)
    Path("film.webm").write_bytes(b"\x1a\x45\xdf\xa3" + b"webm" * 20)
    new_shell.folder = tmp_path / "home" / "data"
    assert what in new_shell.refused(*command, typed=typed)
    assert [path.name for path in tmp_path.iterdir()] == ["film.webm"]


def test_a_dry_run_creates_no_institute(new_shell: Shell) -> None:
    people = new_shell.folder / "people.csv"
    people.write_text("username\nasha\n", "utf-8")
    (row,) = new_shell.ask("user", "import", str(people), "--dry-run")
    assert row["outcome"] == "added"
    assert [path.name for path in new_shell.folder.iterdir()] == ["people.csv"]


def test_a_new_institute_is_one_private_file(new_shell: Shell) -> None:
    new_shell.ask("batch", "add", "Evening")
    (file,) = (new_shell.folder / "service").iterdir()
    assert file.name == "service.sqlite3"
    assert file.stat().st_mode & 0o777 == 0o600
    assert batches(new_shell) == ["Evening"]


def test_a_database_that_fails_while_it_is_made_leaves_nothing(tmp_path: Path) -> None:
    file = tmp_path / "data" / "service.sqlite3"
    with pytest.raises(UnusableDatabase) as failed, new_database(file) as database, database.write() as session:
        session.execute(text("SELECT * FROM nowhere"))
    assert str(failed.value) == f"The database {file} cannot be used: no such table: nowhere."
    assert not file.parent.exists()


def test_two_first_commands_never_replace_each_other(new_shell: Shell, prepared_file: Path) -> None:
    folder = new_shell.folder / "service"
    with pytest.raises(FileExistsError), new_database(folder / "service.sqlite3"):
        copy_database(prepared_file, folder)
    assert [path.name for path in folder.iterdir()] == ["service.sqlite3"]
    assert new_shell.ask("batch", "list") == []


def test_a_first_command_beside_a_service_that_starts_says_what_to_do(new_shell: Shell, prepared_file: Path) -> None:
    options = argparse.Namespace(data_dir=new_shell.folder, database_url="")
    refused = pytest.raises(UsageError, match="Another program made this institute")
    with refused as failed, opened(options, creates=True):
        copy_database(prepared_file, new_shell.folder / "service")
    assert failed.value.advice == "Run the command again."
