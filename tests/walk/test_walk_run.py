"""`lms-tui walk run`: which scenarios it runs, and what it reports of them."""

import io
import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema_rs  # comes with schemathesis
import pytest

from lms_tui.cli import main
from lms_tui.qa.scenarios.player import Outcome
from lms_tui.qa.scenarios.report import Played, to_annotations, to_json, to_junit, to_lines
from lms_tui.qa.scenarios.scenario import Scenario
from tests.fakes.json_output import told
from tests.walk.har_schema import HAR

SCENARIO = Scenario("Two devices", "", (), "two-devices")
GOOD = Outcome("asha starts.", request="POST /a → 201 Created", seconds=0.25)
BAD = Outcome("asha ends.", ("state is 'Running', not Completed", "rank is null, not 1"), "PUT /a → 200 OK", 1.5)
TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyX2lkIjoxfQ.c2lnbmF0dXJl"
RUNS = (
    Played(SCENARIO, (GOOD, BAD)),
    Played(SCENARIO, (GOOD,)),
    Played(SCENARIO, (GOOD,), stopped="The server cannot be reached. Check the network."),
    Played(SCENARIO, stopped="An emulator is missing.", skipped=True),
)


def test_junit_has_a_suite_for_each_scenario_and_a_case_with_its_time_for_each_step() -> None:
    suites = list(ET.fromstring(to_junit(RUNS)))  # noqa: S314 - written by us
    counts = [[suite.get(name) for name in ("tests", "failures", "errors", "skipped", "time")] for suite in suites]
    assert counts == [
        ["2", "1", "0", "0", "1.750"],
        ["1", "0", "0", "0", "0.250"],
        ["2", "0", "1", "0", "0.250"],
        ["1", "0", "0", "1", "0.000"],
    ]
    case = suites[0][1]
    assert (case.get("classname"), case.get("name"), case.get("time")) == (
        "scenario.two-devices",
        "2. asha ends.",
        "1.500",
    )
    failure = case.find("failure")
    assert failure is not None
    assert failure.get("message") == "state is 'Running', not Completed"
    assert failure.text == "state is 'Running', not Completed\nrank is null, not 1\nPUT /a → 200 OK"


def test_json_gives_the_result_and_the_reason_of_each_scenario() -> None:
    tree = told(to_json("here", RUNS), "walk", "run")
    assert (tree["server"], tree["passed"]) == ("here", False)
    results = [one["result"] for one in tree["scenarios"]]
    assert results == ["failed", "passed", "could not run", "not run"]
    assert tree["scenarios"][0]["steps"][1]["problems"] == list(BAD.problems)
    assert tree["scenarios"][2]["reason"] == "The server cannot be reached. Check the network."


def test_each_failed_step_and_each_scenario_that_could_not_run_is_annotated() -> None:
    assert [line.partition("::")[2].split("::")[0] for line in to_annotations(RUNS)] == [
        "error title=Two devices%3A asha ends.",
        "error title=Two devices%3A not run",
        "warning title=Two devices%3A not run",
    ]


def test_no_report_shows_a_secret_or_a_control_character_of_a_server() -> None:
    hostile = Played(SCENARIO, (Outcome("asha starts.", (f"token is {TOKEN}\x1b[2J",), f"GET /?token={TOKEN}"),))
    runs = [hostile]
    texts = ["\n".join(to_lines(hostile)), to_json("", runs), to_junit(runs).decode(), *to_annotations(runs)]
    assert not any(TOKEN in text or "\x1b" in text or "\\u001b" in text for text in texts)


def scenario(folder: Path, name: str, state: str) -> None:
    text = f"title: {name}\nsteps:\n  - start: number-sense\n    expect: {{state: {state}}}\n"
    (folder / f"{name}.yaml").write_text(text, "utf-8")


@pytest.mark.slow
def test_a_folder_runs_in_parallel_and_every_report_tells_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "scenarios"
    folder.mkdir()
    for name, state in (("a-good", "Running"), ("b-bad", "Completed"), ("c-left-out", "Running")):
        scenario(folder, name, state)
    files = {name: tmp_path / name for name in ("run.xml", "run.har")}
    arguments = [str(folder), "--only", "[ab]-*", "--jobs", "2", "--json", "--github"]
    arguments += ["--junit", str(files["run.xml"]), "--har", str(files["run.har"])]
    ended = subprocess.run(
        [sys.executable, "-m", "lms_tui", "walk", "run", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 1
    tree = told(ended.stdout, "walk", "run")
    assert [(one["name"], one["result"]) for one in tree["scenarios"]] == [("a-good", "passed"), ("b-bad", "failed")]
    assert ended.stderr.startswith("::error title=b-bad%3A asha starts the exam number-sense.::state is 'Running'")
    suites = list(ET.fromstring(files["run.xml"].read_bytes()))  # noqa: S314 - written by us
    assert [suite.get("failures") for suite in suites] == ["0", "1"]
    har = json.loads(files["run.har"].read_bytes())
    jsonschema_rs.validate(HAR, har)
    paths = [entry["request"]["url"].partition("/api/")[2] for entry in har["log"]["entries"]]
    assert paths.count("v2.2/exams/number-sense/attempts/") == 2
    assert files["run.har"].stat().st_mode & 0o077 == 0


def test_several_scenarios_share_the_password_of_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("practice\n"))
    server = ["--base-url", "http://127.0.0.1:1", "--user", "asha", "--password-stdin"]
    assert main(["walk", "run", "two-devices", "end-twice", *server]) == 2
    shown = capsys.readouterr()
    assert shown.err == ""
    assert shown.out.count("stopped: The server cannot be reached.") == 2
    assert shown.out.endswith("Server: http://127.0.0.1:1, as asha\n0 of 2 scenarios passed.\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--only", "nothing"], "There is no scenario “nothing”."),
        (["--junit", "missing/run.xml"], "There is no folder missing"),
        (["--jobs", "2", "--base-url", "http://127.0.0.1:1", "--user", "asha", "--password", "x"], "share its users"),
    ],
)
def test_wrong_options_are_refused_before_anything_runs(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["walk", "run", "two-devices", *arguments]) == 2
    assert words in capsys.readouterr().err
