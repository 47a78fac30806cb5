"""Marks by hand are kept unchanged, and students see them once they are released, on both databases."""

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from lms_tui.banks.model import Question
from lms_tui.cli import main
from lms_tui.service.admin.audit import audit_lines
from lms_tui.wire.question_types import QuestionType
from tests.fakes.json_output import told
from tests.service.service_world import Caller, World, choice, exam_of

TEXTS = {"asha": "A fine essay", "ravi": "A short one"}


@dataclass
class Shell:
    world: World
    capsys: pytest.CaptureFixture[str]
    patch: pytest.MonkeyPatch

    def run(self, *words: str, code: int = 0) -> str:
        settings = self.world.settings
        url = ["--database-url", settings.database_url] if settings.database_url else []
        where = ["--data-dir", str(settings.data_dir.parent), *url]
        assert main(["exam", words[0], "sums", *words[1:], *where]) == code
        said = self.capsys.readouterr()
        return said.out + said.err

    def ask(self, *words: str) -> Any:
        return told(self.run(*words, "--json"), "exam", *words)

    def typed(self, *lines: str, options: tuple[str, ...] = ()) -> str:
        """Run the dialogue as on a terminal."""
        given = iter(lines)
        self.patch.setattr("sys.stdin.isatty", lambda: True, raising=False)
        self.patch.setattr("builtins.input", lambda _: next(given))
        return self.run("mark", *options)


@pytest.fixture
async def shell(
    world: World, asha: Caller, ravi: Caller, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Shell:
    """An essay of 4 marks after a choice of 4. Both chose the key. Meera wrote no essay."""
    essay = Question(QuestionType.ESSAY, "<p>Write about tides.</p>")
    world.add_exam(exam_of(choice("Sum"), essay))
    world.add_user("meera")
    for caller, username in ((asha, "asha"), (ravi, "ravi"), (world.caller("meera"), "meera")):
        attempt = await caller.create("sums")
        sum_, written = await caller.questions(attempt)
        await caller.answer(attempt, sum_["id"], sum_["question"]["answers"][0]["id"])
        if username in TEXTS:
            path = f"/api/v2.2/attempts/{attempt}/questions/{written['id']}"
            await caller.put(path, {"essay_text": TEXTS[username]})
        await caller.put(f"/api/v2.2/attempts/{attempt}/end/")
    return Shell(world, capsys, monkeypatch)


async def result(caller: Caller) -> tuple[str, str, int]:
    (attempt,) = (await caller.get("/api/v2.2/attempts/"))["results"]
    return attempt["score"], attempt["percentage"], attempt["rank"]


async def review(caller: Caller) -> Any:
    (attempt,) = (await caller.get("/api/v2.2/attempts/"))["results"]
    return (await caller.get(f"/api/v2.2/attempts/{attempt['id']}/review/"))["results"][1]


async def test_what_waits_is_listed(shell: Shell) -> None:
    rows = shell.ask("mark")
    assert [(row["question"], row["username"], row["marks"], row["maximum"]) for row in rows] == [
        (2, "asha", None, 4.0),
        (2, "ravi", None, 4.0),
    ]
    assert [row["username"] for row in shell.ask("mark", "--user", "RAVI")] == ["ravi"]
    assert "asha" not in shell.run("mark", "--hide-names")


async def test_students_see_marks_once_they_are_released(shell: Shell, asha: Caller, ravi: Caller) -> None:
    shell.run("mark", "--user", "asha", "--question", "2", "--marks", "2,5", "--comment", "Good\x1b[31m")
    assert await result(asha) == ("4.00", "100.00", 1)
    assert (await review(asha))["score"] is None
    assert (await review(asha))["comment"] == ""
    assert shell.ask("mark", "--release") == [{"slug": "sums", "released": 1, "to_mark": 1}]
    assert await result(asha) == ("6.50", "81.25", 1)
    shown = await review(asha)
    assert (shown["score"], shown["outcome"], shown["comment"]) == ("2.50", "partial", "Good\x1b[31m")
    assert await result(ravi) == ("4.00", "100.00", 2), "an essay that nobody has marked is not 0 marks"
    assert await result(shell.world.caller("meera")) == ("4.00", "50.00", 2), "an empty one is"


async def test_a_mark_can_be_changed_and_stays_as_it_was_until_the_next_release(shell: Shell, asha: Caller) -> None:
    give = ("mark", "--user", "asha", "--question", "2", "--marks")
    shell.run(*give, "4", "--release")
    shell.run(*give, "1", "--comment", "Second thoughts")
    assert await result(asha) == ("8.00", "100.00", 1)
    assert (await review(asha))["comment"] == ""
    shell.run("mark", "--release")
    assert (await result(asha))[:2] == ("5.00", "62.50")
    assert (await review(asha))["comment"] == "Second thoughts"


async def test_an_automatic_mark_is_changed_only_with_a_reason(shell: Shell, asha: Caller) -> None:
    give = ("mark", "--user", "asha", "--question", "1", "--marks", "-1")
    assert "--reason" in shell.run(*give, code=1)
    shell.run(*give, "--reason", "Copied", "--release")
    assert (await result(asha))[0] == "-1.00"
    (line,) = [line for line in audit_lines(shell.world.database) if line["what"] == "marks.give"]
    assert line["before"]["marks"] == "4"
    assert (line["after"]["marks"], line["after"]["reason"]) == ("-1", "Copied")


@pytest.mark.parametrize("options", [("2", "4.5"), ("2", "-1"), ("2", "1.005"), ("3", "1"), ("2", "x")])
async def test_marks_that_a_question_cannot_have_are_refused(shell: Shell, options: tuple[str, str]) -> None:
    give = ("mark", "--user", "asha", "--question", options[0], f"--marks={options[1]}")
    if options[1] == "x":
        with pytest.raises(SystemExit):
            shell.run(*give)
    else:
        shell.run(*give, code=1)
    assert audit_lines(shell.world.database) == []


async def test_a_dialogue_breaks_lines_between_words(shell: Shell) -> None:
    shell.patch.setenv("COLUMNS", "24")
    said = shell.typed("q")
    assert "Type marks, and a\ncomment after a blank:\n" in said


async def test_a_dialogue_keeps_each_mark_as_it_is_typed(shell: Shell) -> None:
    said = shell.typed("9", "3,5 Nice", "b", "", "q")
    assert "Write about tides." in said
    assert "A fine essay" in said
    assert "takes marks from 0 to 4" in said
    assert "Marks: 3.5. Nice" in said
    rows = shell.ask("mark", "--all", "--list")
    assert [(row["username"], row["marks"], row["released"]) for row in rows] == [
        ("asha", 3.5, False),
        ("ravi", None, False),
    ]


async def test_a_dialogue_hides_names(shell: Shell) -> None:
    said = shell.typed("", "", options=("--hide-names",))
    assert "Attempt" in said
    assert not {"asha", "Asha", "ravi"} & set(said.replace("(", " ").split())


async def test_a_file_of_marks_is_kept_whole_or_not_at_all(shell: Shell, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.csv", tmp_path / "bad.csv"
    good.write_text("Username,Question,Marks,Comment\nasha,2,3,Fine\nravi,2,1.5,\n", "utf-8")
    bad.write_text("username,question,marks\nasha,2,1\nravi,2,9\n", "utf-8")
    shell.run("mark", "--csv", str(bad), code=1)
    assert shell.ask("mark", "--all")[0]["marks"] is None
    assert [row["marks"] for row in shell.ask("mark", "--csv", str(good))] == [3.0, 1.5]
    bad.write_text("username,question,marks\nasha,two,1\n", "utf-8")
    assert "bad.csv, line 2" in shell.run("mark", "--csv", str(bad), code=1)


async def test_essays_that_wait_are_no_zero_in_the_statistics(shell: Shell) -> None:
    _, essay = shell.ask("statistics")["questions"]
    assert (essay["to_mark"], essay["facility"], essay["answered"]) == (2, None, 2)
    shell.run("mark", "--user", "asha", "--question", "2", "--marks", "4", "--release")
    _, essay = shell.ask("statistics")["questions"]
    assert (essay["to_mark"], essay["facility"]) == (1, 0.5), "Asha has 4 of 4, Meera wrote nothing"


async def test_essays_that_wait_have_no_marks_in_the_results(shell: Shell) -> None:
    asha, meera, _ = shell.ask("results")["results"]
    assert (asha["username"], asha["answers"][1]["marks"]) == ("asha", None)
    assert (meera["username"], meera["answers"][1]["marks"]) == ("meera", 0.0), "she wrote nothing"
    shell.run("mark", "--user", "asha", "--question", "2", "--marks", "3", "--release")
    assert shell.ask("results")["results"][0]["answers"][1]["marks"] == 3.0


async def test_a_gradebook_says_whose_answers_wait_for_marks(shell: Shell) -> None:
    def book(*options: str) -> Any:
        return {one["username"]: one["to_mark"] for one in shell.ask("gradebook", *options)["students"]}

    waiting = "Answers of 2 students still wait for marks. The scores do not contain them and can change."
    assert book() == {"asha": {"sums": 1}, "meera": {}, "ravi": {"sums": 1}}
    assert book("--questions") == {"asha": {"sums-2": 1}, "meera": {}, "ravi": {"sums-2": 1}}
    table = shell.run("gradebook")
    assert table.splitlines()[0].split("  ")[-1] == "to mark"
    assert waiting in table
    written = shell.run("gradebook", "--csv", "-")
    assert [line.rsplit(",", 1)[1] for line in written.splitlines()[:5]] == ["to mark", "", "1", "0", "1"]
    assert waiting in written
    assert "to mark" not in shell.run("gradebook", "--moodle", "-"), "Moodle has no such column"
    for name in ("asha", "ravi"):
        shell.run("mark", "--user", name, "--question", "2", "--marks", "3", "--release")
    assert "mark" not in shell.run("gradebook")
    assert "wait" not in shell.run("gradebook", "--moodle", "-")


async def test_an_empty_list_of_answers_says_what_was_looked_for(shell: Shell) -> None:
    assert "waits for second marks" in shell.run("mark", "--list", "--second")
    assert "two marks that differ by more than 0.5" in shell.run("mark", "--list", "--differ-by", "0.5")
    assert "No answer of sums has two marks." in shell.run("mark", "--list", "--final")


async def test_a_message_to_nobody_says_that_nobody_was_told(shell: Shell) -> None:
    assert "No message was sent in sums yet." in shell.run("message")
    assert "No student takes sums now, so nobody was told." in shell.run("message", "Hello")


async def test_a_void_question_does_not_wait_for_marks(shell: Shell, asha: Caller) -> None:
    assert "Add --yes" in shell.run("correct", "2", "--void")
    shell.run("correct", "2", "--void", "--yes")
    assert shell.ask("mark") == []
    (attempt,) = (await asha.get("/api/v2.2/attempts/"))["results"]
    assert (attempt["total_questions"], attempt["correct_count"], attempt["unanswered_count"]) == (1, 1, 0)
    assert [row["to_mark"] for row in shell.ask("results")["results"]] == [0, 0, 0]


async def test_an_exam_that_is_opened_again_loses_its_marks(shell: Shell, asha: Caller) -> None:
    shell.run("mark", "--user", "asha", "--question", "2", "--marks", "4", "--release")
    shell.run("reopen", "--user", "asha", "--minutes", "5")
    (attempt,) = (await asha.get("/api/v2.2/attempts/"))["results"]
    await asha.put(f"/api/v2.2/attempts/{attempt['id']}/end/")
    assert (await result(asha))[0] == "4.00"
    assert [row["username"] for row in shell.ask("mark")] == ["asha", "ravi"]
    assert Decimal((await review(asha))["question"]["marks"]) == 4


def mark(*more: str) -> tuple[str, ...]:
    return ("mark", "--user", "asha", "--question", "2", *more)


async def test_the_mean_of_two_marks_counts_unless_they_differ_too_much(
    shell: Shell, asha: Caller, ravi: Caller
) -> None:
    shell.ask(*mark("--marks", "4", "--comment", "Clear", "--as-marker", "meera"))
    shell.ask("mark", "--user", "ravi", "--question", "2", "--marks", "2", "--as-marker", "meera")
    refused = shell.run(*mark("--marks", "2", "--second", "--as-marker", "meera"), code=1)
    assert "Another person must have given the first marks" in refused
    (row,) = shell.ask("mark", "--list", "--second", "--user", "asha")
    assert (row["marks"], row["comment"]) == (None, "")  # the first marks are hidden
    shell.ask(*mark("--marks", "1", "--second", "--comment", "Thin"))
    shell.ask("mark", "--user", "ravi", "--question", "2", "--marks", "3", "--second")
    assert [row["username"] for row in shell.ask("mark", "--differ-by", "1")] == ["asha"]
    # Asha's marks differ by 3, so that only Ravi's count.
    assert shell.ask("mark", "--release", "--differ-by", "1") == [{"slug": "sums", "released": 1, "to_mark": 1}]
    assert (await result(ravi))[0] == "6.50"
    assert (await result(asha))[0] == "4.00"
    # Final marks stand in place of both.
    shell.ask(*mark("--marks", "3", "--final", "--comment", "Agreed"))
    assert shell.ask("mark", "--release", "--differ-by", "1") == [{"slug": "sums", "released": 1, "to_mark": 0}]
    assert (await result(asha))[0] == "7.00"
    assert (await review(asha))["comment"] == "Agreed"
    markers = [line["after"].get("marker") for line in audit_lines(shell.world.database, None) if line["after"]]
    assert markers.count("second") == 2


async def test_without_a_limit_both_comments_and_the_mean_count(shell: Shell, asha: Caller) -> None:
    shell.ask(*mark("--marks", "4", "--comment", "Clear", "--as-marker", "meera"))
    shell.ask(*mark("--marks", "1.75", "--second", "--comment", "Thin"))
    shell.ask("mark", "--release")
    assert (await result(asha))[0] == "6.88"
    assert (await review(asha))["comment"] == "Clear\nThin"


async def test_marks_are_the_sum_of_the_points_of_a_rubric(shell: Shell, asha: Caller) -> None:
    assert "add up to the marks" in shell.run("rubric", "2", "--criterion", "Argument=3", code=1)
    rows = shell.ask("rubric", "2", "--criterion", "Argument=3", "--criterion", "Language=1")
    assert rows == [{"criterion": "Argument", "points": "3"}, {"criterion": "Language", "points": "1"}]
    assert "Argument 0 to 3, Language 0 to 1" in shell.run(*mark("--points", "2+2"), code=1)
    (row,) = shell.ask(*mark("--points", "2.5+1", "--comment", "Good"))
    assert row["marks"] == 3.5
    said = shell.typed("2+0.5 Short", "q", options=("--user", "ravi"))
    assert "Rubric: Argument 3, Language 1." in said
    shell.ask("mark", "--release")
    assert (await result(asha))[0] == "7.50"
    assert (await review(asha))["comment"] == "Argument 2.5/3 · Language 1/1\nGood"
    assert shell.ask("rubric", "2", "--none") == []


async def test_staff_give_second_marks_and_points_in_the_app(shell: Shell) -> None:
    world = shell.world
    for name in ("prakash", "leela"):
        world.add_user(name, role="moderator")
    path = "/api/v2.5/admin/exams/sums"
    shell.ask("rubric", "2", "--criterion", "Argument=3", "--criterion", "Language=1")
    prakash, leela = world.caller("prakash"), world.caller("leela")
    answer = (await prakash.get(f"{path}/answers-to-mark/"))["results"][0]
    assert answer["rubric"] == [
        {"criterion": "Argument", "points": "3.00"},
        {"criterion": "Language", "points": "1.00"},
    ]
    body = {"question": 2, "attempt": answer["attempt"]}
    await prakash.put(f"{path}/marks/", body, 400)
    given = await prakash.put(f"{path}/marks/", body | {"points": ["2", "1"]})
    assert (given["marks"], given["comment"]) == ("3.00", "Argument 2/3 · Language 1/1")
    await prakash.put(f"{path}/marks/", body | {"marks": "1", "marker": "second"}, 400)
    given = await leela.put(f"{path}/marks/", body | {"marks": "1", "marker": "second"})
    assert (given["marks"], given["second_marks"]) == ("3.00", "1.00")
    assert await leela.post(f"{path}/marks/release/?differ_by=1", status=200) == {"released": 0, "to_mark": 2}
    await leela.put(f"{path}/marks/", body | {"marks": "2", "marker": "final"})
    assert await leela.post(f"{path}/marks/release/?differ_by=1", status=200) == {"released": 1, "to_mark": 1}
