"""`lms-tui walk` with a real service process, and the files that it writes."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch
from xml.etree import ElementTree as ET

import pytest

from lms_tui.cli import main
from tests.fakes.json_output import told
from tests.service.postgres import Cluster

MAIN = [sys.executable, "-m", "lms_tui", "walk"]
TOKEN = re.compile(rb"eyJ[\w-]+\.[\w-]+\.[\w-]+")


def walk(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([*MAIN, *arguments], capture_output=True, text=True, input=stdin, timeout=300, check=False)


def in_process(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in this process, because it sends nothing."""
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        patch("sys.stdin", io.StringIO("practice\n")),
    ):
        code = main(["walk", *arguments])
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())


def test_walk_without_a_server_holds_every_rule_and_writes_no_secret(tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("walk.har", "walk.xml")}
    tmp_path.chmod(0o755)  # a folder of others stays one
    ended = walk("--json", "--har", str(files["walk.har"]), "--junit", str(files["walk.xml"]))
    assert (ended.returncode, ended.stderr) == (0, "")
    found = told(ended.stdout, "walk")
    assert found["holds"]
    assert {rule["verdict"] for rule in found["rules"]} == {"holds"}
    suite = ET.fromstring(files["walk.xml"].read_bytes()).find("testsuite")  # noqa: S314 - written by us
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == (str(len(found["rules"])), "0", "0")
    har = json.loads(files["walk.har"].read_bytes())
    assert len(har["log"]["entries"]) == found["requests"]
    assert files["walk.har"].stat().st_mode & 0o077 == 0
    assert tmp_path.stat().st_mode & 0o777 == 0o755
    for text in (ended.stdout.encode(), *(file.read_bytes() for file in files.values())):
        assert not TOKEN.search(text)
        assert b'"practice"' not in text
        assert rb"\"practice\"" not in text


def test_walk_on_postgresql_holds_every_rule(postgresql: Cluster) -> None:
    address = postgresql.prepared()
    ended = walk("--database-url", address)
    postgresql.drop(address)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "81 rules hold, 0 broken, 0 differ from the notes, 0 not tested." in ended.stdout


def test_scenario_runs_from_the_shell_by_name_and_by_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("title: Mine\nsteps:\n  - start: number-sense\n    expect: {state: Completed}\n", "utf-8")
    good, bad = walk("run", "unknown-exam"), walk("run", str(file))
    assert (good.returncode, good.stderr) == (0, "")
    assert "1 of 1 scenarios passed." in good.stdout
    assert bad.returncode == 1
    assert "✗  1. asha starts the exam number-sense." in bad.stdout
    assert "state is 'Running', not Completed" in bad.stdout
    assert "→ 201 Created" in bad.stdout


def without_emulator(*arguments: str) -> subprocess.CompletedProcess[str]:
    """`lms-tui walk` where the extra is not installed."""
    program = "import sys; sys.modules['pyte'] = None; from lms_tui.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, "walk", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_scenarios_of_the_app_are_skipped_without_their_extra(tmp_path: Path) -> None:
    ended = without_emulator("run", "app-killed-during-exam", "unknown-exam")
    assert ended.returncode == 2
    assert "1 of 1 scenarios passed." in ended.stdout
    assert "The app is killed during an exam\n  - not run\n" in ended.stdout
    said, advice = ended.stderr.splitlines()
    assert said == "lms-tui: Scenarios of the app need a terminal emulator, which is not installed."
    assert "pip install 'lms-tui[scenarios]'" in advice
    broken = tmp_path / "broken.yaml"
    broken.write_text("title: Wrong\nsteps:\n  - read: me\n    expect: refused\n", "utf-8")
    assert without_emulator("run", "app-killed-during-exam", str(broken)).returncode == 1


def test_closed_pipe_ends_without_a_message() -> None:
    read, write = os.pipe()
    os.close(read)
    ended = subprocess.run([*MAIN, "--print-rules"], stdout=write, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(write)
    assert ended.stderr == b""


def test_checklist_is_printed_without_a_server() -> None:
    printed = walk("run", "--print-checklist")
    assert printed.returncode == 0
    assert printed.stdout.count("[ ]  1. ") >= 20


def test_unknown_scenario_is_reported_with_the_known_ones() -> None:
    ended = walk("run", "nothing.yaml")
    assert ended.returncode == 2
    assert "nothing.yaml cannot be read" in ended.stderr
    assert "section-lock" in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--base-url", "http://127.0.0.1:1"], "No user is given"),
        (["--base-url", "http://127.0.0.1:1", "--user", "asha"], "There is no password"),
        (["--base-url", "http://lms.test", "--user", "asha", "--password-stdin"], "not encrypted"),
        (["--base-url", "http://lms.test", "--user", "asha", "--password-stdin"], "give --allow-plain-http"),
    ],
)
def test_a_walk_that_cannot_run_gives_the_reason_and_returns_2(arguments: list[str], words: str) -> None:
    ended = walk(*arguments, stdin="practice\n")
    assert ended.returncode == 2
    assert words in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("command", [[], ["run", "unknown-exam"]])
@pytest.mark.parametrize(
    "arguments",
    [
        ["--base-url", ""],
        ["--base-url", "", "--user", "asha", "--password-stdin"],
        ["--base-url", " ", "--user", "asha", "--password-stdin"],
        ["--user", "asha"],
        ["--user", "asha", "--password-stdin"],
        ["--password-stdin"],
        ["--password", "practice"],
        ["--second-user", "ravi"],
    ],
)
def test_an_address_or_a_user_is_never_replaced_by_the_temporary_service(
    command: list[str], arguments: list[str]
) -> None:
    ended = in_process(*command, *arguments)
    assert ended.returncode == 2
    assert "hold" not in ended.stdout
    assert "--base-url" in ended.stderr or "user" in ended.stderr or "address" in ended.stderr


def test_first_and_last_line_name_the_server_and_the_user() -> None:
    ended = walk("--exam", "number-sense")
    lines = ended.stdout.splitlines()
    assert lines[0].startswith("Server: a temporary service of this program (http://127.0.0.1:")
    assert ", as asha" in lines[0]
    assert lines[0].startswith(lines[-1])


def test_a_failed_sign_in_is_reported_once_on_one_stream() -> None:
    ended = walk("--base-url", "http://127.0.0.1:1", "--user", "asha", "--password-stdin", stdin="practice\n")
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.splitlines() == [
        "Server: http://127.0.0.1:1, as asha",
        "lms-tui: The server cannot be reached.",
        "Check the network and the server's address.",
    ]


def test_a_rule_is_shown_with_its_sentence() -> None:
    shown = in_process("rule", "end.start", "auth")
    assert shown.returncode == 0
    assert "end.start: start fails" in shown.stdout
    assert "“rejected: an ended attempt cannot be started again”" in shown.stdout
    assert shown.stdout.count("auth.") == 6


@pytest.mark.parametrize("arguments", [["rule", "nothing"], ["--only", "nothing"], ["--skip", "nothing"]])
def test_an_unknown_rule_is_refused_with_the_areas(arguments: list[str]) -> None:
    ended = in_process(*arguments)
    assert ended.returncode == 2
    assert "There is no rule or area “nothing”." in ended.stderr
    assert "heartbeat" in ended.stderr
