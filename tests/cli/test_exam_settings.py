"""Exams are imported without errors only, and set, copied, archived and deleted by commands."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from lms_tui.banks.reader import read_exam
from lms_tui.cli import main
from lms_tui.common.calculator import Scope
from lms_tui.service.attempts.lifecycle import StudentAttempts
from lms_tui.service.attempts.results import Results
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.errors import Forbidden
from lms_tui.service.core.paging import Paging
from lms_tui.service.core.settings import Timing
from lms_tui.service.core.urls import Urls
from tests.fakes.json_output import told
from tests.fakes.students import add_student
from tests.service.service_world import copy_database

EXAM = """\
title: Sums
marks: 2
questions:
  - question: 1 + 1?
    options: [{right: 2}, 3]
  - question: 2 + 2?
    options: [{right: 4}, 5]
    marks: 5
"""
_FIRST = Paging(1, lambda number: f"?page={number}")
FAULTY = "::Good::1 + 1? {=2 ~3}\n\n::Keyless::2 + 2? {~4 ~5}\n"


class Institute:
    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.opened = ExitStack()
        self._capsys = capsys
        self.file = folder / "sums.yaml"
        self.file.write_text(EXAM, encoding="utf-8")

    def run(self, *command: str) -> tuple[int, str, str]:
        code = main(["exam", *command, "--data-dir", str(self.data)])
        said = self._capsys.readouterr()
        return code, said.out, said.err

    def ask(self, *command: str) -> Any:
        code, out, err = self.run(*command, "--json")
        assert code == 0, err
        return told(out, "exam", *command)

    def take_in(self, *more: str) -> dict[str, Any]:
        (row,) = self.ask("import", str(self.file), "--course", "Maths", *more)
        found: dict[str, Any] = row
        return found

    def set(self, *more: str) -> dict[str, Any]:
        (row,) = self.ask("set", "sums", *more)
        found: dict[str, Any] = row
        return found

    def refused(self, *command: str) -> list[str]:
        code, out, err = self.run(*command)
        assert (code, out) == (1, "")
        return err.splitlines()

    def end_one(self, now: datetime) -> StudentAttempts:
        """Let a student end an attempt. Return the attempts of this student."""
        database = Database.in_file(self.data / "service" / "service.sqlite3")
        self.opened.callback(database.close)
        attempts = StudentAttempts(database, Timing(), Urls(""), add_student(database, "asha", now), now)
        attempts.end(attempts.create("sums")[0].id)
        return attempts


@pytest.fixture
def institute(tmp_path: Path, capsys: pytest.CaptureFixture[str], prepared_file: Path) -> Iterator[Institute]:
    copy_database(prepared_file, tmp_path / "data" / "service")
    institute = Institute(tmp_path, capsys)
    with institute.opened:
        yield institute


def test_a_file_with_errors_is_not_imported(institute: Institute) -> None:
    """A question without a key would go live, and no answer to it could be right."""
    institute.file = institute.file.with_name("sums.gift")
    institute.file.write_text(FAULTY, encoding="utf-8")
    assert institute.refused("import", str(institute.file), "--course", "Maths") == [
        "lms-tui: sums.gift: line 3, question 2: No answer is marked as correct.",
        "lms-tui: sums.gift has 1 error. Nothing was imported.",
        "Correct the file, or leave these questions out with --leave-out-errors.",
    ]
    assert institute.ask("list") == []


def test_questions_with_errors_are_left_out_by_name(institute: Institute) -> None:
    institute.file = institute.file.with_name("sums.gift")
    institute.file.write_text(FAULTY, encoding="utf-8")
    code, _, err = institute.run("import", str(institute.file), "--course", "Maths", "--leave-out-errors")
    assert (code, err) == (
        0,
        "lms-tui: sums.gift: Left out: line 3, question 2: No answer is marked as correct.\n",
    )
    assert [each["title"] for each in institute.ask("show", "sums")["questions"]] == ["Good"]


def test_a_file_with_errors_only_is_never_imported(institute: Institute) -> None:
    institute.file = institute.file.with_name("sums.gift")
    institute.file.write_text("2 + 2? {~4 ~5}\n", encoding="utf-8")
    said = institute.refused("import", str(institute.file), "--course", "Maths", "--leave-out-errors")
    assert said[0] == "lms-tui: sums.gift has no usable question."


def test_a_sheet_is_imported_by_its_columns(institute: Institute) -> None:
    institute.file = institute.file.with_name("sums.csv")
    text = "1 + 1 = ?;2;3;2\n2 + 2 = ¿?;4;5;4\n"
    institute.file.write_bytes(text.encode("cp1252"))
    row = institute.take_in("--columns", "question=A,options=B-C,answer=D", "--encoding", "cp1252")
    assert row["questions"] == 2
    shown = institute.ask("show", "sums")["questions"]
    assert [(each["text"], each["keys"]) for each in shown] == [("1 + 1 = ?", ["2"]), ("2 + 2 = ¿?", ["4"])]


def test_an_import_says_what_is_set(institute: Institute) -> None:
    row = institute.take_in("--duration", "90 min", "--retakes", "2", "--ranks", "no", "--calculator", "basic")
    shown = {name: row[name] for name in ("duration", "retakes", "ranks", "calculator", "marks", "answers", "end")}
    assert shown == {
        "duration": "1:30:00",
        "retakes": "2",
        "ranks": False,
        "calculator": "basic",
        "marks": "2",
        "answers": "always",
        "end": None,
    }
    code, out, _ = institute.run("set", "sums")
    assert code == 0
    assert "retakes           2\n" in out


def test_a_new_exam_has_no_retakes_and_shows_its_answers_after_closing(institute: Institute) -> None:
    row = institute.take_in("--end", "2030-01-01T00:00+00:00")
    assert (row["retakes"], row["answers"]) == ("none", "after-closing")
    institute.set("--retakes", "unlimited", "--show-answers", "never")
    again = institute.take_in()
    assert (again["outcome"], again["retakes"], again["answers"]) == ("unchanged", "unlimited", "never")


def test_every_calculator_can_be_set(institute: Institute) -> None:
    institute.take_in()
    assert [institute.set("--calculator", scope.value)["calculator"] for scope in Scope] == list(Scope)


def test_what_the_file_says_about_retakes_stays(institute: Institute) -> None:
    institute.file.write_text(f"retakes: unlimited\n{EXAM}", encoding="utf-8")
    assert institute.take_in()["retakes"] == "unlimited"


_BY_HAND = {
    "duration": "1:30:00",
    "marks": "4",
    "negative_marks": "1",
    "retakes": "5",
    "answers": "never",
    "ranks": False,
    "calculator": "basic",
}
_BY_FILE = """\
duration: none
marks: 1
negative marks: 0
retakes: unlimited
show answers: yes
ranks: yes
calculator: scientific
"""


def _set_by_hand(institute: Institute) -> None:
    institute.file.write_text(EXAM.replace("marks: 2\nq", "q"), encoding="utf-8")
    institute.take_in()
    institute.set(
        "--duration", "90 min", "--marks", "4", "--negative-marks", "1", "--retakes", "5",
        "--show-answers", "never", "--ranks", "no", "--calculator", "basic",
    )  # fmt: skip


def test_what_was_set_stays_where_a_changed_file_says_nothing_about_it(institute: Institute) -> None:
    _set_by_hand(institute)
    institute.file.write_text(institute.file.read_text("utf-8").replace("1 + 1?", "0 + 2?"), encoding="utf-8")
    row = institute.take_in()
    assert row["outcome"] == "updated"
    assert {name: row[name] for name in _BY_HAND} == _BY_HAND
    target = institute.folder / "out.yaml"
    institute.run("export", "sums", str(target))
    exam = read_exam(target.read_bytes(), target.name).exam
    assert [exam.marks_of(each) for each in exam.questions] == [4, 5]


def test_a_file_can_set_each_setting_back_to_its_default(institute: Institute) -> None:
    _set_by_hand(institute)
    institute.file.write_text(_BY_FILE + institute.file.read_text("utf-8"), encoding="utf-8")
    row = institute.take_in()
    assert {name: row[name] for name in _BY_HAND} == {
        "duration": None,
        "marks": "1",
        "negative_marks": "0",
        "retakes": "unlimited",
        "answers": "always",
        "ranks": True,
        "calculator": "scientific",
    }


def test_time_limits_of_all_sections_say_the_duration(institute: Institute) -> None:
    institute.take_in("--duration", "90 min")
    timed = "sections:\n- duration: 20 min\n  questions: [{question: 1 + 1?, answer: 2}]\n"
    institute.file.write_text(f"title: Sums\n{timed}", encoding="utf-8")
    assert institute.take_in()["duration"] == "0:20:00"


def test_an_option_wins_over_what_the_file_says(institute: Institute) -> None:
    institute.file.write_text(_BY_FILE + EXAM.replace("marks: 2\nq", "q"), encoding="utf-8")
    row = institute.take_in("--duration", "30 min", "--marks", "3", "--retakes", "1", "--show-answers", "never")
    assert [row[name] for name in ("duration", "marks", "retakes", "answers")] == ["0:30:00", "3", "1", "never"]


def test_answers_of_a_closing_exam_show_always_where_the_file_says_so(institute: Institute) -> None:
    institute.file.write_text(f"show answers: yes\n{EXAM}", encoding="utf-8")
    assert institute.take_in("--end", "2030-01-01T00:00+00:00")["answers"] == "always"


@pytest.mark.parametrize("name", ["out.yaml", "out.md"])
def test_an_exported_exam_brings_its_settings_into_another_institute(institute: Institute, name: str) -> None:
    institute.file.write_text(_BY_FILE + EXAM.replace("marks: 2\nq", "q"), encoding="utf-8")
    first = institute.take_in()
    target = institute.folder / name
    assert institute.run("export", "sums", str(target))[0] == 0
    copied = institute.ask("import", str(target), "--course", "Other", "--end", "2030-01-01T00:00+00:00")[0]
    for setting in _BY_HAND:
        assert copied[setting] == first[setting], setting


def test_a_dry_run_of_an_import_changes_nothing(institute: Institute) -> None:
    assert institute.take_in("--dry-run")["outcome"] == "created"
    assert institute.ask("list") == []


def test_every_setting_can_be_changed_later(institute: Institute) -> None:
    institute.take_in()
    row = institute.set(
        "--duration", "0:20:00", "--start", "2029-01-01T00:00+00:00", "--end", "2030-01-01T00:00+00:00", "--marks", "3",
        "--negative-marks", "0.5", "--public", "--unpublished", "--allow-pdf", "--show-answers", "after-closing",
    )  # fmt: skip
    assert (row["duration"], row["marks"], row["negative_marks"]) == ("0:20:00", "3", "0.5")
    assert (row["public"], row["published"], row["pdf"], row["answers"]) == (True, False, True, "after-closing")
    assert (row["start"], row["end"]) == ("2029-01-01T00:00:00+00:00", "2030-01-01T00:00:00+00:00")
    row = institute.set("--duration", "none", "--end", "never", "--batches-only", "--no-pdf")
    assert (row["duration"], row["end"], row["public"], row["pdf"]) == (None, None, False, False)


def test_orders_and_the_access_code_can_be_set(institute: Institute) -> None:
    institute.take_in("--access-code", "blue tiger", "--shuffle-options", "yes")
    (row,) = institute.ask("copy", "sums", "second")
    assert (row["access_code"], row["shuffled"], row["options_shuffled"]) == ("blue tiger", False, True)
    row = institute.set("--access-code", "none", "--shuffle", "yes", "--shuffle-options", "no")
    assert (row["access_code"], row["shuffled"], row["options_shuffled"]) == ("", True, False)


def test_new_marks_are_for_questions_without_marks_of_their_own(institute: Institute) -> None:
    institute.take_in()
    institute.set("--marks", "3")
    target = institute.folder / "out.yaml"
    assert institute.run("export", "sums", str(target))[0] == 0
    written = target.read_text("utf-8")
    assert "marks: '3'\n" in written
    assert written.count("marks: '5'") == 1


def test_time_and_marks_of_a_started_exam_stay(institute: Institute) -> None:
    institute.take_in("--public")
    institute.end_one(datetime.now(UTC) + timedelta(seconds=1))
    for option in (("--duration", "5 min"), ("--marks", "1"), ("--negative-marks", "1")):
        said = institute.refused("set", "sums", *option)
        assert said[0] == ("lms-tui: 1 student has started the exam sums, so its time and marks can no longer change.")
    assert institute.set("--retakes", "3")["retakes"] == "3"


def test_odd_times_are_told_when_they_are_set(institute: Institute) -> None:
    institute.take_in("--end", "2030-01-01T00:00+00:00")
    for options, note in (
        (("--end", "never"), "The exam has no end, so students do not see the answers."),
        (
            ("--start", "2029-01-01T09:00+00:00", "--end", "2029-01-01T09:10+00:00", "--duration", "20 min"),
            "The exam takes 20 min and is open for 10 min only.",
        ),
    ):
        code, _, err = institute.run("set", "sums", *options)
        assert (code, err.startswith(f"lms-tui: sums: {note}")) == (0, True)
    assert institute.run("set", "sums", "--retakes", "3")[2] == ""


def test_an_end_before_the_start_is_refused(institute: Institute) -> None:
    institute.take_in("--start", "2029-01-01T00:00+00:00")
    said = institute.refused("set", "sums", "--end", "2028-01-01T00:00+00:00")
    assert "before it starts" in said[0]


def test_answers_are_shown_after_closing(institute: Institute) -> None:
    end = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1)
    institute.take_in("--public", "--end", end.isoformat())
    attempts = institute.end_one(datetime.now(UTC) + timedelta(seconds=1))
    with pytest.raises(Forbidden, match=f"after it closes at {end:%Y-%m-%d %H:%M} UTC"):
        Results(attempts).review(1, _FIRST)
    assert Results(replace(attempts, now=end)).review(1, _FIRST).count == 2


def test_answers_after_closing_need_an_end(institute: Institute) -> None:
    code, _, err = institute.run(
        "import", str(institute.file), "--course", "Maths", "--public", "--show-answers", "after-closing"
    )
    assert (code, "The exam has no end, so students do not see the answers." in err) == (0, True)
    attempts = institute.end_one(datetime.now(UTC) + timedelta(seconds=1))
    with pytest.raises(Forbidden, match=r"are shown after it closes\."):
        Results(attempts).review(1, _FIRST)


def test_a_copy_has_everything_but_the_attempts(institute: Institute) -> None:
    institute.take_in("--public", "--batch", "Evening", "--retakes", "4", "--allow-pdf")
    institute.end_one(datetime.now(UTC) + timedelta(seconds=1))
    (row,) = institute.ask("copy", "sums", "sums-2027", "--title", "Sums again")
    assert (row["title"], row["published"], row["retakes"], row["batches"]) == ("Sums again", False, "4", ["Evening"])
    first, second = (institute.ask("show", slug)["questions"] for slug in ("sums", "sums-2027"))
    assert first == second
    (changed,) = institute.ask("set", "sums-2027", "--marks", "1")
    assert changed["marks"] == "1"
    assert institute.refused("copy", "sums", "sums-2027")[0] == "lms-tui: There is an exam sums-2027 already."
    assert institute.refused("copy", "sums", "Sums 2")[1] == "Write it like sums-2."


def test_an_archived_exam_is_hidden_and_comes_back(institute: Institute) -> None:
    institute.take_in("--public")
    assert institute.ask("archive", "sums")[0]["archived"] is True
    assert institute.ask("list") == []
    assert [row["published"] for row in institute.ask("list", "--all")] == [False]
    institute.ask("archive", "sums", "--undo")
    assert [row["slug"] for row in institute.ask("list")] == ["sums"]


def test_deleting_first_says_what_would_go(institute: Institute) -> None:
    institute.take_in("--public")
    institute.end_one(datetime.now(UTC) + timedelta(seconds=1))
    gone = {"slug": "sums", "title": "Sums", "questions": 2, "students": 1, "attempts": 1, "answers": 2}
    assert institute.ask("delete", "sums") == [{"outcome": "would be deleted", **gone}]
    assert len(institute.ask("list")) == 1
    assert institute.ask("delete", "sums", "--yes") == [{"outcome": "deleted", **gone}]
    assert institute.ask("list") == []


def test_each_change_is_in_the_audit(institute: Institute, capsys: pytest.CaptureFixture[str]) -> None:
    institute.take_in()
    institute.set("--retakes", "1")
    institute.set("--retakes", "1")
    institute.ask("copy", "sums", "sums-2")
    institute.ask("archive", "sums-2")
    institute.ask("delete", "sums-2", "--yes")
    assert main(["audit", "--json", "--data-dir", str(institute.data)]) == 0
    lines = json.loads(capsys.readouterr().out)
    assert [line["what"] for line in lines] == ["exam.import", "exam.set", "exam.copy", "exam.archive", "exam.delete"]
    assert (lines[1]["before"], lines[1]["after"]) == ({"retakes": "none"}, {"retakes": "1"})
