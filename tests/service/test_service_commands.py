"""Every administration command works on both databases."""

import io
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import select

from lms_tui.cli import build_parser, main
from lms_tui.commands.json_shapes import SHAPES
from lms_tui.commands.parser import Parser
from lms_tui.service.attempts.lifecycle import StudentAttempts
from lms_tui.service.core.database import tables
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.settings import ServiceSettings, Timing
from lms_tui.service.core.urls import Urls
from tests.fakes.json_output import told
from tests.service.postgres import Cluster
from tests.service.video_world import FILM

GIFT: Final = "::Sum:: 1 + 1 = {=2 ~3 ~4}\n"
ESSAY: Final = "::Essay:: Why? {}\n"
PASSWORD: Final = "a long secret"
ELSEWHERE: Final = {"receipt compare", "receipt key"}
"""They need the receipt of a student and the key of a service. `test_service_receipts.py` runs them."""


class Shell:
    """Runs commands on one institute, and notes which."""

    def __init__(self, folder: Path, url: str, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self._settings = ServiceSettings(folder / "service", database_url=url)
        self._where = ("--data-dir", str(folder), *(("--database-url", url) if url else ()))
        self._capsys = capsys
        self._patch = patch
        self.ran: set[str] = set()
        self.asked: set[str] = set()

    def run(self, *command: str, typed: str = "") -> str:
        self.ran.add(" ".join(command[:2]))
        self._patch.setattr("sys.stdin", io.StringIO(typed))
        code = main([*command, *self._where])
        said = self._capsys.readouterr()
        assert code == 0, said.err
        return said.out

    @contextmanager
    def student(self, name: str) -> Iterator[StudentAttempts]:
        database = Database(self._settings.database)
        with database.read() as session:
            user = session.scalars(select(tables.User.id).where(tables.User.username == name)).one()
        yield StudentAttempts(database, Timing(), Urls("http://lms.test"), user, datetime.now(UTC))
        database.close()

    def ask(self, *command: str, typed: str = "") -> Any:
        self.asked.add(" ".join(command[:2]))
        return told(self.run(*command, "--json", typed=typed), *command)


@pytest.fixture
def shell(
    tmp_path: Path, database_url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Shell:
    return Shell(tmp_path, database_url, capsys, monkeypatch)


def test_a_command_that_makes_no_institute_makes_no_tables(
    postgresql: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = postgresql.empty()
    where = ["--data-dir", str(tmp_path), "--database-url", address]
    for words in (["user", "list"], ["exam", "publish", "none"], ["exam", "board", "none"]):
        assert main([*words, *where]) == 1
        assert "There is no institute in postgresql+psycopg://" in capsys.readouterr().err
    database = Database(address)
    assert database.is_empty()
    database.close()
    postgresql.drop(address)


@pytest.fixture
def empty_database(postgresql: Cluster) -> Iterator[str]:
    """The address of a PostgreSQL database without a table."""
    address = postgresql.empty()
    yield address
    postgresql.drop(address)


@pytest.fixture
def shell_of_an_empty_database(
    empty_database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path, empty_database, capsys, monkeypatch)


def is_empty(address: str) -> bool:
    with closing(Database(address)) as database:
        return database.is_empty()


def test_a_first_command_that_is_refused_leaves_no_tables(
    empty_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = ["--data-dir", str(tmp_path), "--database-url", empty_database]
    monkeypatch.setattr("sys.stdin", io.StringIO("short\n"))
    assert main(["user", "add", "head", "--password-stdin", *where]) == 1
    assert main(["batch", "add", " ", *where]) == 1
    assert is_empty(empty_database)
    (tmp_path / "people.csv").write_text("username\nasha\n", "utf-8")
    assert main(["user", "import", str(tmp_path / "people.csv"), "--dry-run", *where]) == 0
    assert is_empty(empty_database)


@pytest.mark.parametrize(
    ("command", "listed", "name"),
    [
        (("batch", "add", "Evening"), ("batch", "list"), "Evening"),
        (("user", "import", "people.csv"), ("user", "list"), "asha"),
        (("exam", "import", "sums.gift", "--course", "Maths"), ("exam", "list"), "sums"),
    ],
)
def test_a_first_command_creates_the_tables(
    shell_of_an_empty_database: Shell, tmp_path: Path, command: tuple[str, ...], listed: tuple[str, ...], name: str
) -> None:
    (tmp_path / "people.csv").write_text("username\nasha\n", "utf-8")
    (tmp_path / "sums.gift").write_text(GIFT, "utf-8")
    shell_of_an_empty_database.run(*command)
    assert name in str(shell_of_an_empty_database.ask(*listed))


def commands_on_databases(command: Parser, name: str = "") -> Iterator[str]:
    if len(name.split()) == 2 and "--database-url" in command.options:
        yield name
    for word, below in command.commands.items():
        yield from commands_on_databases(below, f"{name} {word}".strip())


def test_every_command_works_on_each_database(shell: Shell, tmp_path: Path) -> None:
    people(shell)
    listed_people(shell, tmp_path)
    exams(shell, tmp_path)
    videos_and_posts(shell)
    known = {name for name in commands_on_databases(build_parser()) if not name.startswith("walk ")}
    assert shell.ran == known - ELSEWHERE
    assert shell.asked == {name for name in SHAPES if name in known} - ELSEWHERE


def people(shell: Shell) -> None:
    shell.ask("user", "add", "head", "--role", "admin", "--password-stdin", typed=f"{PASSWORD}\n")
    shell.ask("user", "add", "asha", "--batch", "Evening", "--password-stdin", typed=f"{PASSWORD}\n")
    shell.ask("user", "password", "asha", "--password-stdin", typed=f"another {PASSWORD}\n")
    assert shell.ask("user", "role", "asha", "mentor")[0]["role"] == "mentor"
    assert shell.ask("user", "disable", "asha")[0]["active"] is False
    assert shell.ask("user", "enable", "asha")[0]["active"] is True
    shell.ask("batch", "add", "Morning")
    shell.ask("batch", "join", "Morning", "asha", "head")
    assert [row["username"] for row in shell.ask("user", "list", "--batch", "Morning")] == ["asha", "head"]
    assert [row["members"] for row in shell.ask("batch", "list")] == [1, 2]
    assert shell.ask("user", "allow", "asha", "--factor", "1.25", "--minutes", "5")[0]["factor"] == 1.25


def listed_people(shell: Shell, folder: Path) -> None:
    (folder / "people.csv").write_text("username,batches\nmeera,Night\n", "utf-8")
    assert shell.ask("user", "import", str(folder / "people.csv"), "--dry-run")[0]["outcome"] == "added"
    passwords = folder / "passwords.csv"
    (row,) = shell.ask("user", "import", str(folder / "people.csv"), "--passwords", str(passwords))
    assert (row["username"], row["outcome"], row["batches"]) == ("meera", "added", ["Night"])
    assert passwords.stat().st_mode & 0o777 == 0o600
    assert passwords.read_text("utf-8").startswith("username,name,password\nmeera,meera,")


def exams(shell: Shell, folder: Path) -> None:
    (folder / "sums.gift").write_text(GIFT, "utf-8")
    (row,) = shell.ask("exam", "import", str(folder / "sums.gift"), "--course", "Maths", "--batch", "Evening")
    slug = str(row["slug"])
    assert [exam["slug"] for exam in shell.ask("exam", "list")] == [slug]
    assert shell.ask("exam", "assign", slug, "Morning")[0]["batches"] == ["Evening", "Morning"]
    assert shell.ask("exam", "unassign", slug, "Evening")[0]["batches"] == ["Morning"]
    assert shell.ask("exam", "unpublish", slug)[0]["published"] is False
    assert shell.ask("exam", "publish", slug, "--public")[0]["published"] is True
    assert shell.ask("exam", "show", slug)["title"] == "Sums"
    assert shell.ask("exam", "statistics", slug)["slug"] == slug
    running_exams(shell, slug)
    assert shell.ask("exam", "results", slug)["exam"] == slug
    assert [exam["slug"] for exam in shell.ask("exam", "gradebook", slug)["exams"]] == [slug]
    assert shell.ask("exam", "mark", slug) == []
    assert shell.ask("exam", "correct", slug, "1", "--void") == []
    assert shell.ask("exam", "set", slug, "--retakes", "2")[0]["retakes"] == "2"
    (copied,) = shell.ask("exam", "copy", slug, "sums-again")
    assert (copied["slug"], copied["published"]) == ("sums-again", False)
    assert shell.ask("exam", "archive", "sums-again")[0]["archived"] is True
    assert shell.ask("exam", "delete", "sums-again", "--yes")[0]["outcome"] == "deleted"
    (folder / "essay.gift").write_text(ESSAY, "utf-8")
    (row,) = shell.ask("exam", "import", str(folder / "essay.gift"), "--course", "Maths")
    rubric = shell.ask(
        "exam", "rubric", str(row["slug"]), "1", "--criterion", "Argument=0.5", "--criterion", "Form=0.5"
    )
    assert [line["criterion"] for line in rubric] == ["Argument", "Form"]
    shell.ask("exam", "copy", str(row["slug"]), "essay-again")
    assert shell.ask("exam", "rubric", "essay-again", "1") == rubric
    (row,) = shell.ask("exam", "export", slug, str(folder / "out.gift"))
    assert "1 + 1" in (folder / "out.gift").read_text("utf-8")


def exams_of_nobody(shell: Shell, slug: str) -> None:
    """Commands on attempts say what is missing, of which exam."""
    for command, words in (
        (("board", slug), f"No student has started {slug} yet."),
        (("results", slug), f"No student has started {slug} yet."),
        (("results", slug, "--user", "asha"), f"asha has not started {slug} yet."),
        (("gradebook", slug), "No student has ended one of these exams yet."),
        (("mark", slug, "--list"), f"No answer of {slug} waits to be marked."),
        (("mark", slug, "--list", "--all"), f"No answer of {slug} is to be marked."),
    ):
        assert shell.run("exam", *command) == f"{words}\n"
    assert shell.run("exam", "end", slug).splitlines() == [
        f"No student takes {slug} now, so no attempt was ended.",
        f"`lms-tui exam board {slug}` shows who takes the exam.",
    ]


def running_exams(shell: Shell, slug: str) -> None:
    exams_of_nobody(shell, slug)
    with shell.student("asha") as asha:
        attempt = asha.create(slug)[0].id
    assert shell.ask("exam", "time", slug, "--add", "10") == []
    board, none = f"`lms-tui exam board {slug}` shows who takes the exam.", "so nothing was changed."
    again = "so no clock runs again."
    for change, words in (
        (("--add", "10"), f"No student takes {slug} with a time limit now, {none}"),
        (
            ("--outage", "10:05-10:17"),
            f"No student lost time in {slug} between 10:05 and 10:17, {none}",
        ),
        (("--go-on",), f"No student has a stopped clock in {slug}, {again}"),
        (
            ("--go-on", "--user", "asha"),
            f"None of these students has a stopped clock in {slug}, so no clock runs again.",
        ),
    ):
        assert shell.run("exam", "time", slug, *change).splitlines() == [words, board]
    (row,) = shell.ask("exam", "end", slug, "--user", "asha")
    assert (row["left_before"], row["left"]) == (None, "0:01:30")
    assert shell.ask("exam", "time", slug, "--pause")[0]["paused"] is True
    assert shell.ask("exam", "time", slug, "--go-on")[0]["paused"] is False
    assert shell.ask("exam", "time", slug, "--outage", "10:05-10:17") == []
    (row,) = shell.ask("exam", "board", slug)
    assert (row["username"], row["state"], row["answered"], row["questions"]) == ("asha", "running", 0, 1)
    notices = shell.ask("exam", "message", slug, "Please be quiet.")
    assert [(row["kind"], row["shown"]) for row in notices][-1] == ("message", None)
    with shell.student("asha") as asha:
        asha.end(attempt)
    (row,) = shell.ask("exam", "reopen", slug, "--user", "asha", "--minutes", "5")
    assert row["attempt"] == attempt


def videos_and_posts(shell: Shell) -> None:
    (row,) = shell.ask("video", "add", str(FILM), "--course", "Physics", "--title", "Velocity", "--batch", "Evening")
    assert [video["uuid"] for video in shell.ask("video", "list")] == [row["uuid"]]
    shell.ask("video", "remove", str(row["uuid"]))
    assert shell.ask("video", "list") == []
    (row,) = shell.ask("post", "add", "Welcome", "--by", "head", "--batch", "Evening")
    assert shell.ask("post", "hide", str(row["slug"]))[0]["active"] is False
    assert shell.ask("post", "show", str(row["slug"]))[0]["active"] is True
    assert [post["slug"] for post in shell.ask("post", "list")] == [row["slug"]]
