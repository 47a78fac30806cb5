"""docs/exit-codes.md and docs/pipelines.md: the codes are those of the commands, and the shell lines work."""

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from textwrap import dedent
from typing import Any, Final
from xml.etree import ElementTree as ET

import pytest
import yaml

from lms_tui.cli import build_parser, main
from lms_tui.client import connection
from lms_tui.client.connection import Access
from lms_tui.commands.parser import Parser
from tests.walk.other_institute import Views
from tests.walk.other_server import serve
from tests.walk.walk_world import no_pause

TEXT: Final = (Path(__file__).parents[2] / "docs/pipelines.md").read_text("utf-8")
CODES: Final = (Path(__file__).parents[2] / "docs/exit-codes.md").read_text("utf-8")
TABLE: Final = {
    name.strip("`"): codes
    for name, *codes in re.findall(r"^\| (`.+?`|every other command) \| (.+) \| (.+) \| (.+) \|$", CODES, re.MULTILINE)
}
GIFT: Final = "::Sum:: 1 + 1 = {=2 ~3 ~4}\n"


@pytest.fixture
def other() -> Iterator[str]:
    """The address of a server on another stack."""
    with serve() as (address, _):
        yield address


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("good.gift").write_text(GIFT, "utf-8")
    Path("bad.gift").write_text("::Sum:: 1 + 1 = {=2 ~3", "utf-8")
    Path("passes.yaml").write_text("title: x\nsteps:\n  - read: me\n", "utf-8")
    Path("fails.yaml").write_text("title: x\nsteps:\n  - read: me\n    expect: refused\n", "utf-8")
    for name, shape in (("a", "string"), ("b", "number")):
        tree = {"server": "here", "rules": [], "replies": {"GET me 200": {"id": [shape]}}}
        Path(f"{name}.json").write_text(json.dumps(tree), "utf-8")
    return tmp_path


def users(address: str) -> list[str]:
    return ["--base-url", address, "--user", "meena", "--password", "open sesame"]


NOWHERE: Final = users("http://127.0.0.1:1")
CASES: Final[dict[tuple[str, int], Callable[[str], list[str]]]] = {
    ("every other command", 0): lambda _: ["batch", "add", "Evening"],
    ("every other command", 1): lambda _: ["user", "password", "nobody"],
    ("every other command", 2): lambda _: ["batch", "add"],
    ("walk", 0): lambda at: ["walk", "--read-only", "--skip", "stats", *users(at)],
    ("walk", 1): lambda at: ["walk", "--read-only", *users(at)],  # this server has no statistics
    ("walk", 2): lambda _: ["walk", *NOWHERE],
    ("walk run", 0): lambda at: ["walk", "run", "passes.yaml", *users(at)],
    ("walk run", 1): lambda at: ["walk", "run", "fails.yaml", *users(at)],
    ("walk run", 2): lambda _: ["walk", "run", "passes.yaml", *NOWHERE],
    ("walk rule", 0): lambda _: ["walk", "rule", "end.score"],
    ("walk rule", 2): lambda _: ["walk", "rule", "nothing"],
    ("walk diff", 0): lambda _: ["walk", "diff", "a.json", "a.json"],
    ("walk diff", 1): lambda _: ["walk", "diff", "a.json", "b.json"],
    ("walk diff", 2): lambda _: ["walk", "diff", "a.json", "good.gift"],
    ("fault list", 2): lambda _: ["fault", "list", *NOWHERE],
    ("fault list", 1): lambda at: ["fault", "list", *users(at)],
    ("api try", 0): lambda at: ["api", "try", "GET", "/api/v2.2/me/", *users(at)],
    ("api try", 1): lambda at: ["api", "try", "GET", "/api/v2.2/nothing/", *users(at)],
    ("api try", 2): lambda _: ["api", "try", "GET", "/api/v2.2/me/", *NOWHERE],
    ("serve --replay", 1): lambda _: ["serve", "--replay", "good.gift"],
    ("serve --replay", 2): lambda _: ["serve", "--replay"],
    ("exam check", 0): lambda _: ["exam", "check", "good.gift"],
    ("exam check", 1): lambda _: ["exam", "check", "bad.gift"],
    ("exam check", 2): lambda _: ["exam", "check"],
    ("receipt verify", 2): lambda _: ["receipt", "verify", "good.gift"],
    ("doctor", 2): lambda _: ["doctor", "--nothing"],
}
ELSEWHERE: Final = {
    ("fault list", 0): "test_walk_faults.py: test_the_command_lists_faults_with_their_hits_also_as_json",
    ("serve --replay", 0): "needs a signal: test_recorded_server.py starts the program",
    ("receipt verify", 0): "tests/cli/test_receipts.py",
    ("receipt verify", 1): "tests/cli/test_receipts.py",
    ("doctor", 0): "depends on the computer: tests/cli/test_program.py",
    ("doctor", 1): "depends on the computer: tests/cli/test_program.py",
}
"""Codes of the table that other tests check."""


def test_each_code_of_the_table_has_a_test() -> None:
    told = {(name, code) for name, codes in TABLE.items() for code, words in enumerate(codes) if words != "–"}
    assert told == CASES.keys() | ELSEWHERE.keys()


@pytest.mark.parametrize(("row", "code"), CASES, ids=str)
def test_the_command_ends_with_the_code_of_the_table(
    row: str, code: int, other: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LMS_TUI_DATA_DIR", str(folder / "data"))
    monkeypatch.setattr("sys.stdin", io.StringIO("a good one\n"))
    # A server that is not there is tried for eight seconds.
    monkeypatch.setattr(connection, "Access", partial(Access, sleep=no_pause))
    try:
        found = main(CASES[row, code](other))
    except SystemExit as ended:
        found = int(ended.code or 0)
    assert found == code


def commands(parser: Parser, *name: str) -> Iterator[tuple[str, ...]]:
    yield name
    for word, inner in parser.commands.items():
        yield from commands(inner, *name, word)


@pytest.mark.parametrize("words", [*commands(build_parser())], ids=" ".join)
def test_every_command_refuses_an_unknown_option_with_2_and_helps_with_0(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    for option, code in (("--no-such-option", 2), ("--help", 0)):
        with pytest.raises(SystemExit) as ended:
            main([*words, option])
        assert ended.value.code == code
    capsys.readouterr()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


SCENARIO, GITHUB, GITLAB = blocks("yaml")
(JENKINS,) = blocks("groovy")


def github() -> Iterator[list[str]]:
    for step in yaml.safe_load(GITHUB)["jobs"]["walk"]["steps"]:
        if "run" in step:
            yield ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]


def gitlab() -> Iterator[list[str]]:
    tree: dict[str, Any] = yaml.safe_load(GITLAB)
    yield ["sh", "-ec", "\n".join(tree[".lms"]["before_script"])]
    for name in ("walk", "scenarios"):
        assert tree[name]["extends"] == ".lms"
        yield ["sh", "-ec", "\n".join(tree[name]["script"])]


def jenkins() -> Iterator[list[str]]:
    for script in re.findall(r"sh '''\n(.*?)'''", JENKINS, re.DOTALL):
        yield ["sh", "-xec", dedent(script).replace(r"\\", "\\")]


WORKFLOWS: Final = {"github": github, "gitlab": gitlab, "jenkins": jenkins}


@pytest.mark.parametrize("name", WORKFLOWS)
def test_the_shell_reads_every_line_of_a_workflow(name: str) -> None:
    steps = list(WORKFLOWS[name]())
    assert ["install" in step[-1] for step in steps] == [True, False, False]
    for step in steps:
        read = subprocess.run([step[0], "-n"], input=step[-1], capture_output=True, text=True, check=False)
        assert (read.returncode, read.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_is_green_for_a_right_server_and_tells_no_password(name: str, other: str, folder: Path) -> None:
    told = [ran(step, other, folder) for step in list(WORKFLOWS[name]())[1:]]
    assert [step.returncode for step in told] == [0, 0], told
    for file, failed in (("walk.xml", "failures"), ("scenarios.xml", "failures")):
        suites = list(ET.fromstring((folder / file).read_bytes()))  # noqa: S314 - written by us
        assert [suite.get(failed) for suite in suites] == ["0"]
    assert json.loads((folder / "walk.har").read_bytes())["log"]["entries"]
    assert not any("open sesame" in step.stdout + step.stderr for step in told)


@pytest.mark.slow
def test_a_workflow_is_red_for_a_broken_rule(other: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Views, "me", lambda views: {**views.user(), "display_name": "somebody else"})
    walked = ran(list(github())[1], other, folder)
    assert walked.returncode == 1
    assert "::error title=me.fields%3A " in walked.stdout


def ran(step: list[str], address: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a step as its system does, where lms-tui is installed."""
    (folder / "scenarios").mkdir(exist_ok=True)
    (folder / "scenarios/first.yaml").write_text(SCENARIO.replace("number-sense", "algebra"), "utf-8")
    bin_folder = folder / ".lms/bin"
    bin_folder.mkdir(parents=True, exist_ok=True)
    script = bin_folder / "lms-tui"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m lms_tui "$@"\n', "utf-8")
    script.chmod(0o700)
    values = {"LMS_URL": address, "LMS_USER": "meena", "LMS_PASSWORD": "open sesame"}
    values |= {"LMS_USR": "meena", "LMS_PSW": "open sesame", "PATH": f"{bin_folder}:{os.environ['PATH']}"}
    # This server has no statistics.
    step = [word.replace("lms-tui walk --base-url", "lms-tui walk --skip stats --base-url") for word in step]
    return subprocess.run(
        step, cwd=folder, env={**os.environ, **values}, capture_output=True, text=True, timeout=300, check=False
    )
